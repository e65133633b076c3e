import { createHash } from 'node:crypto';
import { DAY_MS, laterThan } from '../../platform/clock.js';
import { type RateLimit, ServiceError } from '../../platform/errors.js';
import { isId } from '../../platform/ids.js';
import { SLOT_WAIT_MS } from '../../platform/slots.js';
import { type StartTimer, startNodeTimer } from '../../platform/timer.js';
import { SCAN_LIMITS } from '../../scanner/artifacts/scanner.js';
import type { Tx } from '../../store/database.js';
import { hasUnknownOutcome } from '../../store/errors.js';
import { defineQuery } from '../../store/query.js';
import { table } from '../../store/table.js';
import type { Row } from '../../store/tables.js';
import type { Context } from '../context.js';
import { chargeDailyRun, DAILY_RUNS, refundDailyRun, runsLeft } from '../limits/daily-runs.js';
import { makeRefund } from '../limits/limits.js';
import { lockSiteAgainstRemoval, readSite, type Site, type SiteOfAccount } from '../sites/site.js';
import { assertVerified, type PerformRun } from './run-performer.js';
import { RunReads } from './run-reads.js';
import type { RunLabel, StoredRun, Trigger } from './run.js';

export interface RunsContext extends Pick<Context, 'db' | 'clock'> {
  readonly performRun: PerformRun;
  /** For tests. */
  readonly startTimer?: StartTimer;
}

export interface StartRequest extends SiteOfAccount {
  readonly trigger: Trigger;
  readonly label?: RunLabel;
  /** A client that repeats a request sends the same value. */
  readonly idempotencyKey?: { readonly keyId: string; readonly value: string };
}

/** A run that its caller has waited for. */
export interface StartedRun extends StoredRun {
  /** What the site has left of the day; null for a trigger without a limit. */
  readonly daily: RateLimit | null;
  /** True if another request with the same Idempotency-Key started it. */
  readonly isReplay: boolean;
}

type ClaimRow = Row<'idempotency_keys'>;
type ClaimedKey = Pick<ClaimRow, 'key_id' | 'site_id' | 'digest'>;
type Claim = Omit<ClaimRow, 'number'>;

const CLAIM_KEY = ['key_id', 'site_id', 'digest'] as const;
const claims = table('idempotency_keys');

/** How long an idempotency key returns the run that it started. */
const STORED_RUN_MS = DAY_MS;

/** Time for parsing and for storing the run, even on a busy machine. */
const SPARE_MS = 50_000;
/** A run that is not stored by then has lost its claim: its process has died, and the next request starts another. */
const CLAIMED_RUN_MS_MAX = SLOT_WAIT_MS + SCAN_LIMITS.runMs + SCAN_LIMITS.holdMs + SPARE_MS;

/** Claims the run of a key. Returns no row if another request has it. */
const insertClaim = defineQuery<Claim, Claim & { readonly now: string }>(
  (sql, { key_id, site_id, digest, expires_at, now }) =>
    sql('idempotency_keys')
      .insert({ key_id, site_id, digest, expires_at })
      .onConflict([...CLAIM_KEY])
      .merge({ expires_at, number: sql.raw('NULL') })
      .where('idempotency_keys.expires_at', '<=', now)
      .returning([...CLAIM_KEY, 'expires_at']),
);

/** How often a request polls for the run that another one started, and how many times: no run takes longer. */
const POLL_EVERY_MS = 1000;
const POLLS_MAX = 90;

/** A run that may start. */
interface Admitted {
  readonly site: Site;
  readonly startedAt: Date;
  readonly daily: RateLimit | null;
  readonly claim: Claim | undefined;
}

/** Starts runs that their caller waits for, and reads runs for the API. */
class RunService extends RunReads {
  #isClosed = false;

  constructor(private readonly context: Required<RunsContext>) {
    super(context.db, context.startTimer);
  }

  /**
   * Scans the site now and stores the run. With a known Idempotency-Key, waits for the run of that key or returns it.
   * @throws ServiceError site_not_found, site_not_owned, domain_not_verified, daily_runs_exceeded, overloaded; site_not_found that gives the
   * charge back if the site was removed during the scan
   */
  async start({ idempotencyKey, ...request }: StartRequest): Promise<StartedRun> {
    const { db, clock } = this.context;
    if (!isId('site', request.siteId)) throw new ServiceError('site_not_found');
    const key = idempotencyKey && {
      key_id: idempotencyKey.keyId,
      site_id: request.siteId,
      // Node reads each byte of a header as one character.
      digest: createHash('sha256').update(idempotencyKey.value, 'latin1').digest('hex'),
    };
    const admitted = await db.transaction((tx) => admit(tx, request, key, clock.now()));
    if ('site' in admitted) return this.#perform(request, admitted);
    return this.#join(request, admitted);
  }

  /** Refuses requests that wait for another request's run. */
  close(): void {
    this.#isClosed = true;
  }

  /** Waits for the run of another request with the same key. Fails if that run fails: only the next request starts another. */
  async #join(request: StartRequest, key: ClaimedKey): Promise<StartedRun> {
    const { db, clock, startTimer } = this.context;
    for (let polls = 0; polls <= POLLS_MAX && !this.#isClosed; polls += 1) {
      const claim = await db.one(claims.find(key, ['number']));
      if (claim?.number === null) {
        await new Promise<void>((resolve) => startTimer(resolve, POLL_EVERY_MS));
        continue;
      }
      const site = await readSite(db, key.site_id);
      if (!site) throw new ServiceError('site_not_found', { isChargeReturned: true });
      if (!claim) break;
      const run = await this.byNumber({ ...request, number: claim.number });
      return { ...run, daily: await runsLeft(db, site, request.trigger, clock.now()), isReplay: true };
    }
    throw new ServiceError('overloaded');
  }

  async #perform({ trigger, label }: StartRequest, { site, startedAt, daily, claim }: Admitted): Promise<StartedRun> {
    const { db, performRun, startTimer } = this.context;
    let isStoring = false as boolean;
    const atFinish = async (tx: Tx, { number }: StoredRun): Promise<void> => {
      isStoring = true;
      if (claim) await storeClaimed(tx, claim, { number, expires_at: laterThan(startedAt, STORED_RUN_MS) });
    };
    try {
      return { ...(await performRun({ site, trigger, label, atFinish })), daily, isReplay: false };
    } catch (error) {
      const undo = async (tx: Tx): Promise<void> => {
        if (claim) await tx.run(claims.delete(claim));
        await refundDailyRun(tx, site, trigger, startedAt);
      };
      const mayBeStored = isStoring && hasUnknownOutcome(error);
      if (trigger in DAILY_RUNS && !mayBeStored) await makeRefund(() => db.transaction(undo), startTimer);
      throw error;
    }
  }
}

export type Runs = Pick<RunService, keyof RunService>;

export function createRuns({ startTimer = startNodeTimer, ...context }: RunsContext): Runs {
  return new RunService({ ...context, startTimer });
}

/** Admits the run and counts it. A refusal undoes everything. Returns the key if another request has started its run. */
async function admit(
  tx: Tx,
  { accountId, siteId, trigger }: StartRequest,
  key: ClaimedKey | undefined,
  now: Date,
): Promise<Admitted | ClaimedKey> {
  const site = await lockSiteAgainstRemoval(tx, siteId);
  if (!site) throw new ServiceError('site_not_found');
  if (site.accountId !== accountId) throw new ServiceError('site_not_owned');
  const expires_at = laterThan(now, CLAIMED_RUN_MS_MAX);
  const claim = key && (await tx.one(insertClaim({ ...key, expires_at, now: now.toISOString() })));
  if (key && !claim) return key;
  assertVerified(site);
  return { site, startedAt: now, daily: await chargeDailyRun(tx, site, trigger, now), claim };
}

/** @throws ServiceError overloaded if another request has claimed the key since */
async function storeClaimed(tx: Tx, claim: Claim, stored: Pick<ClaimRow, 'number' | 'expires_at'>): Promise<void> {
  if (await tx.one(claims.update(claim, stored))) return;
  throw new ServiceError('overloaded', { cause: new Error('another request has claimed the run') });
}
