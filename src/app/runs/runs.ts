import { createHash } from 'node:crypto';
import { DAY_MS, isoTimeAfter, startNodeTimer, type StartTimer } from '../../platform/clock.js';
import { type RateLimit, ServiceError } from '../../platform/errors.js';
import { isId } from '../../platform/ids.js';
import { SLOT_WAIT_MS } from '../../platform/slots.js';
import { SCAN_LIMITS } from '../../scanner/artifacts/scanner.js';
import type { Tx } from '../../store/database.js';
import { defineQuery, type Row, table } from '../../store/query.js';
import type { Context } from '../context.js';
import { chargeDailyRun, DAILY_RUNS, undoWithRetry, refundDailyRun, runsLeft } from '../limits/limits.js';
import {
  lockSiteAgainstChanges,
  lockSiteAgainstRemoval,
  readSite,
  type Site,
  type SiteOfAccount,
} from '../sites/site.js';
import { assertVerified, type PerformRun } from './run-performer.js';
import { RunReads } from './run-reads.js';
import type { RunLabel, StoredRun, Trigger } from './run.js';
import { runs } from './run-rows.js';

interface RunsContext extends Pick<Context, 'db' | 'clock'> {
  readonly performRun: PerformRun;
  readonly startTimer?: StartTimer;
}

export interface StartRequest extends SiteOfAccount {
  readonly trigger: Trigger;
  readonly label?: RunLabel;
  /** `value`: the Idempotency-Key header. */
  readonly idempotencyKey?: { readonly keyId: string; readonly value: string };
}

/** A stored run, with the data for response headers. */
export interface StartedRun extends StoredRun {
  /** The site's remaining runs today; null for a trigger without a daily limit. */
  readonly daily: RateLimit | null;
  /** True if another request with the same Idempotency-Key started the run. */
  readonly isReplay: boolean;
}

type ClaimRow = Row<'idempotency_keys'>;
type ClaimedKey = Pick<ClaimRow, 'key_id' | 'site_id' | 'digest'>;
type Claim = Omit<ClaimRow, 'number'>;

const CLAIM_KEY = ['key_id', 'site_id', 'digest'] as const;
const claims = table('idempotency_keys');

/** How long an idempotency key returns its run. */
const KEY_LIFETIME_MS = DAY_MS;

/** Time to parse and store a run, even on a busy machine. */
const SPARE_MS = 50_000;
/** After this time, the process of a claim without a run has died, and the next request starts a new run. */
const CLAIM_MS_MAX = SLOT_WAIT_MS + SCAN_LIMITS.runMs + SCAN_LIMITS.slotWaitMs + SPARE_MS;

/** Claims an idempotency key. Returns no row if another request has a live claim. */
const insertClaim = defineQuery<Claim, Claim & { readonly now: string }>(
  (sql, { key_id, site_id, digest, expires_at, now }) =>
    sql('idempotency_keys')
      .insert({ key_id, site_id, digest, expires_at })
      .onConflict([...CLAIM_KEY])
      .merge({ expires_at, number: sql.raw('NULL') })
      .where('idempotency_keys.expires_at', '<=', now)
      .returning([...CLAIM_KEY, 'expires_at']),
);

/** Time between two polls for a run that another request started. No run takes longer than all polls together. */
const POLL_EVERY_MS = 1000;
const POLLS_MAX = 90;

/** A run that may start and has been charged. */
interface Admitted {
  readonly site: Site;
  readonly startedAt: Date;
  readonly daily: RateLimit | null;
  readonly claim: Claim | undefined;
}

/** Starts and reads runs for the API. A request waits for the run that it starts. */
export class Runs extends RunReads {
  readonly #startTimer: StartTimer;
  #isClosed = false;

  constructor(private readonly context: RunsContext) {
    const { db, startTimer = startNodeTimer } = context;
    super(db, startTimer);
    this.#startTimer = startTimer;
  }

  /**
   * Scans the site now and stores the run. If the Idempotency-Key is known, waits for its run or returns the stored one.
   * @throws ServiceError site_not_found, site_not_owned, domain_not_verified, daily_runs_exceeded, overloaded; site_not_found with
   * `isChargeReturned` if the site was removed during the scan
   */
  async start({ idempotencyKey, ...request }: StartRequest): Promise<StartedRun> {
    const { db, clock } = this.context;
    if (!isId('site', request.siteId)) throw new ServiceError('site_not_found');
    const key = idempotencyKey && {
      key_id: idempotencyKey.keyId,
      site_id: request.siteId,
      // Node decodes headers as latin1.
      digest: createHash('sha256').update(idempotencyKey.value, 'latin1').digest('hex'),
    };
    const admitted = await db.transaction((tx) => admit(tx, request, key, clock.now()));
    if ('site' in admitted) return this.#perform(request, admitted);
    return this.#waitForRun(request, admitted);
  }

  /** Refuses requests that are waiting for another request's run. */
  close(): void {
    this.#isClosed = true;
  }

  /** Waits for the run of another request with the same key. Fails if that run fails. */
  async #waitForRun(request: StartRequest, key: ClaimedKey): Promise<StartedRun> {
    const { db, clock } = this.context;
    for (let polls = 0; polls <= POLLS_MAX && !this.#isClosed; polls += 1) {
      const claim = await db.one(claims.find(key, ['number']));
      if (claim?.number === null) {
        await new Promise<void>((resolve) => this.#startTimer(resolve, POLL_EVERY_MS));
        continue;
      }
      const site = await readSite(db, key.site_id);
      if (!site) throw new ServiceError('site_not_found', { isChargeReturned: true });
      if (!claim) break;
      const run = await this.read({ ...request, number: claim.number });
      return { ...run, daily: await runsLeft(db, site, request.trigger, clock.now()), isReplay: true };
    }
    throw new ServiceError('overloaded');
  }

  async #perform({ trigger, label }: StartRequest, { site, startedAt, daily, claim }: Admitted): Promise<StartedRun> {
    const { db, performRun } = this.context;
    let storing: StoredRun | null = null;
    const beforeCommit = async (tx: Tx, stored: StoredRun): Promise<void> => {
      storing = stored;
      if (claim) await storeClaimed(tx, claim, stored.number, startedAt);
    };
    try {
      return { ...(await performRun({ site, trigger, label, beforeCommit })), daily, isReplay: false };
    } catch (error) {
      const undo = async (tx: Tx): Promise<void> => {
        if (await isStored(tx, storing)) return;
        if (claim) await tx.run(claims.delete(claim));
        await refundDailyRun(tx, site, trigger, startedAt);
      };
      if (trigger in DAILY_RUNS) await undoWithRetry(() => db.transaction(undo), this.#startTimer);
      throw error;
    }
  }
}

/** Checks and charges a run. Returns the key if another request is performing or has stored its run. */
async function admit(
  tx: Tx,
  { accountId, siteId, trigger }: StartRequest,
  key: ClaimedKey | undefined,
  now: Date,
): Promise<Admitted | ClaimedKey> {
  const site = await lockSiteAgainstRemoval(tx, siteId);
  if (!site) throw new ServiceError('site_not_found');
  if (site.accountId !== accountId) throw new ServiceError('site_not_owned');
  const expires_at = isoTimeAfter(now, CLAIM_MS_MAX);
  const claim = key && (await tx.one(insertClaim({ ...key, expires_at, now: now.toISOString() })));
  if (key && !claim) return key;
  assertVerified(site);
  return { site, startedAt: now, daily: await chargeDailyRun(tx, site, trigger, now), claim };
}

/** True if the run was stored, although the answer to COMMIT was lost. Waits for a commit in progress, which has locked the site. */
async function isStored(tx: Tx, run: StoredRun | null): Promise<boolean> {
  if (!run) return false;
  const { siteId: site_id, number, etag } = run;
  await lockSiteAgainstChanges(tx, site_id);
  return (await tx.one(runs.find({ site_id, number }, ['etag'])))?.etag === etag;
}

/** @throws ServiceError overloaded if the claim expired and another request took it over */
async function storeClaimed(tx: Tx, claim: Claim, number: number, startedAt: Date): Promise<void> {
  if (await tx.one(claims.update(claim, { number, expires_at: isoTimeAfter(startedAt, KEY_LIFETIME_MS) }))) return;
  throw new ServiceError('overloaded', { cause: new Error('another request has claimed the idempotency key') });
}
