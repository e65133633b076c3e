import { type Clock, laterThan } from '../../platform/clock.js';
import { ServiceError } from '../../platform/errors.js';
import { InputError, TooSoonError } from '../../platform/input-error.js';
import { Pending } from '../../platform/pending.js';
import type { Slots } from '../../platform/slots.js';
import type { Finding } from '../../scanner/verdict/finding.js';
import type { Scanner } from '../../scanner/scan/scanner.js';
import { type Database, runApart } from '../../store/database.js';
import { retryBusy } from '../../store/retry.js';
import { one, type Transaction } from '../../store/transaction.js';
import { dropEvidenceOf, keep, packEvidence } from '../evidence/evidence.js';
import { type RateLimitResult, type RateLimits, takeOrRefuse } from '../limits/rate-limits.js';
import { isStarved } from '../limits/starved-scans.js';
import { assertVerified } from '../runs/admission.js';
import { resultsBefore } from '../runs/history.js';
import { isProofCurrent } from '../sites/proof-state.js';
import { targetOf } from '../sites/target.js';
import { lockSite, readSite, type Site, type SiteOfAccount } from '../sites/site.js';
import { holdOwnSite, type OwnSite } from '../sites/own-site.js';
import { abandonedBefore, isRunning, type Recheck, rechecksOf } from './recheck.js';
import { claimRecheck, type FinishedRecheck, finishRecheck } from './recheck-statements.js';

/** How long after a check was begun it is not made again. */
const RECHECK_PAUSE_S = 20;
/** How often checks of a site are made again in a UTC day. */
const DAILY_RECHECKS = 60;

const DAY_MS = 86_400_000;

/** A check of an account's site. */
export interface CheckOfSite extends SiteOfAccount {
  readonly checkId: string;
}

export interface RechecksDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly scan: Scanner;
  /** The slots that all scans of this process share. */
  readonly slots: Slots;
  readonly rateLimits: RateLimits;
  /** Hears why a check could not be made: for the log. */
  readonly onFailure?: (error: unknown) => void;
}

/** A check that was taken. */
interface Begun {
  readonly site: Site;
  readonly checkId: string;
  readonly startedAt: string;
}

/**
 * Makes one check of a site again, for its owner, who has fixed what it found. No run comes of it: it is kept alongside the
 * finding of the latest run until the next.
 */
export class Rechecks {
  readonly #running = new Pending();

  constructor(private readonly deps: RechecksDeps) {}

  /** Those that belong to the site's latest run. */
  async list({ id, latestNumber }: OwnSite): Promise<readonly Recheck[]> {
    const rechecks = await runApart(this.deps.db, rechecksOf(id));
    return rechecks.filter(({ runNumber }) => runNumber === latestNumber);
  }

  /**
   * Begins the check, or joins the one that runs, which takes nothing of the limits. Resolves when it has begun.
   * @throws ServiceError domain_not_verified, site_not_found for a site that was removed; InputError unless the latest run says that the check did not pass; TooSoonError
   * over a limit
   */
  async start(site: OwnSite, checkId: string): Promise<void> {
    const { db, clock, rateLimits } = this.deps;
    const { id: siteId, accountId, hostname } = site;
    const last = (await this.list(site)).find((recheck) => recheck.checkId === checkId);
    if (last && isRunning(last, clock.now())) return;
    // Before the day's limit, so that an early request takes nothing of it.
    if (last && last.startedAt > pausedBefore(clock.now())) throw tooSoon(last.startedAt, clock.now());
    // Of what anybody may ask for of this host nothing is taken: strangers cannot use up what its owner needs.
    const charge = await takeOfDay(rateLimits, `${accountId} ${hostname}`);
    try {
      this.#begin(await db.transaction(() => claim({ siteId, accountId, checkId }, clock.now())), charge);
    } catch (error) {
      await charge.giveBack();
      throw error;
    }
  }

  /** Resolves when those that run have ended: for the end of the process, once its slots are closed. */
  settle(): Promise<void> {
    return this.#running.settle();
  }

  #begin(begun: Begun, charge: RateLimitResult): void {
    this.#running.add(this.#perform(begun, charge).catch((error: unknown) => this.deps.onFailure?.(error)));
  }

  /** What fails is not a fault of the site's: it is kept as having come to nothing. */
  async #perform(begun: Begun, charge: RateLimitResult): Promise<void> {
    try {
      await this.#finish(begun, await this.#judge(begun));
    } catch (error) {
      this.deps.onFailure?.(error);
      // Sites that share an address can starve each other's scans at will.
      if (!isStarved(error)) await charge.giveBack();
      await this.#finish(begun, null);
    }
  }

  /** @throws ServiceError overloaded when no slot came free */
  async #judge({ site, checkId }: Begun): Promise<Judged> {
    const { db, slots, scan } = this.deps;
    const party = site.accountId;
    const target = { ...(await runApart(db, targetOf(site))), party };
    const { findings, evidence } = await slots.run(() => scan(target, undefined, [checkId]), party);
    const finding = findings.find((other) => other.checkId === checkId);
    if (!finding) throw new ServiceError('internal_error', { cause: new Error(`no check ${checkId}`) });
    return { finding, evidence: await packEvidence(evidence) };
  }

  async #finish({ site, checkId, startedAt }: Begun, judged: Judged | null): Promise<void> {
    const { db, clock } = this.deps;
    const { result = null, errorType = null, detail = null } = judged?.finding ?? {};
    const found = { result, error_type: errorType, detail, finished_at: clock.now().toISOString() };
    const begun = { site_id: site.id, check_id: checkId, started_at: startedAt };
    await retryBusy(() => db.transaction(() => store({ ...begun, ...found }, judged?.evidence ?? null, clock.now())));
  }
}

/** What came of a check, with the evidence behind it as it is stored. */
interface Judged {
  readonly finding: Finding;
  readonly evidence: Uint8Array | null;
}

function* store(finished: FinishedRecheck, evidence: Uint8Array | null, now: Date): Transaction<void> {
  const { site_id, check_id } = finished;
  // Its ownership may have been lost or come into doubt, or the site removed, while it was scanned.
  yield* lockSite(site_id);
  const site = yield* readSite(site_id);
  const row = yield* one(finishRecheck(finished));
  if (!site || !row) return;
  const number = row.run_number;
  yield* dropEvidenceOf({ siteId: site_id, number, checkId: check_id });
  if (site.verifiedAt !== null && (yield* isProofCurrent(site_id)))
    yield* keep(evidence, { siteId: site_id, accountId: site.accountId, number, checkId: check_id }, now);
}

/** @throws InputError; TooSoonError when another process was quicker */
function* claim({ checkId, ...request }: CheckOfSite, now: Date): Transaction<Begun> {
  const site = yield* holdOwnSite(request);
  assertVerified(site);
  const run_number = site.latestNumber;
  const [run] = yield* resultsBefore(site.id, run_number + 1, 1);
  const found = run?.findings.find((finding) => finding.checkId === checkId)?.result;
  if (found !== 'FAIL' && found !== 'UNDETERMINED') {
    throw new InputError(
      'The latest run of this site did not find that this check fails. Check one that it lists again.',
    );
  }
  const started_at = now.toISOString();
  const times = { started_at, begun_before: pausedBefore(now), abandoned_before: abandonedBefore(now) };
  const claimed = yield* one(claimRecheck({ site_id: site.id, check_id: checkId, run_number, ...times }));
  if (!claimed) throw tooSoon(started_at, now);
  return { site, checkId, startedAt: started_at };
}

function pausedBefore(now: Date): string {
  return laterThan(now, -RECHECK_PAUSE_S * 1000);
}

function tooSoon(startedAt: string, now: Date): TooSoonError {
  const passedS = Math.floor((now.getTime() - Date.parse(startedAt)) / 1000);
  const waitS = Math.max(1, RECHECK_PAUSE_S - passedS);
  const wait = waitS === 1 ? 'a second' : `${waitS} seconds`;
  return new TooSoonError(`This check was made a moment ago. Check again in ${wait}.`, waitS);
}

/** @throws TooSoonError when the site has none left */
function takeOfDay(rateLimits: RateLimits, subject: string): Promise<RateLimitResult> {
  return takeOrRefuse(
    rateLimits,
    { scope: 'rechecks', subject, limit: DAILY_RECHECKS, windowMs: DAY_MS },
    () => `Checks of this site were made again ${DAILY_RECHECKS} times today. That renews at 00:00 UTC.`,
  );
}
