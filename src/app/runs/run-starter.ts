import { type Clock, utcDay } from '../../platform/clock.js';
import { type RateLimit, ServiceError } from '../../platform/errors.js';
import { SingleFlight } from '../../platform/single-flight.js';
import type { StartTimer } from '../../platform/timer.js';
import { LeaseLost } from '../../queue/job.js';
import type { Database } from '../../store/database.js';
import { one, type Transaction } from '../../store/transaction.js';
import { DAILY_RUNS, giveBackRun, runsLeft } from '../limits/daily-runs.js';
import type { RateLimits } from '../limits/rate-limits.js';
import type { Refunds } from '../limits/refunds.js';
import { isForgiven } from '../limits/starved-scans.js';
import { lockSite, type SiteOfAccount } from '../sites/site.js';
import { type AdmittedRun, type Admitting, admitRun, admitTo, assertVerified, holdSiteToRun } from './admission.js';
import { type Claim, claimName, claimRun, fulfilClaim, keepClaim } from './claims.js';
import { type ClaimName, dropClaim } from './idempotency-statements.js';
import { isSiteRemoved, type PerformRun } from './run-performer.js';
import { selectEntityTag } from './run-statements.js';
import type { StoredRun, Trigger } from './run.js';
import type { RunLabel } from './run-label.js';

export interface StartRequest extends SiteOfAccount {
  readonly trigger: Trigger;
  readonly label?: RunLabel;
  /** Who asks for the same run again sends the same value. */
  readonly idempotencyKey?: { readonly keyId: string; readonly value: string };
}

export interface RunStarterDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly performRun: PerformRun;
  readonly refunds: Refunds;
  readonly rateLimits: RateLimits;
  readonly startTimer: StartTimer;
  readonly readRun: (request: SiteOfAccount & { readonly number: number }) => Promise<StoredRun>;
}

/** A run that its caller has waited for. */
export interface StartedRun extends StoredRun {
  /** What the site has left of the day; null for a trigger without a budget. */
  readonly daily: RateLimit | null;
  /** Whether another request with the same value of Idempotency-Key began it. */
  readonly isReplay: boolean;
}

type ToStart = Omit<StartRequest, 'idempotencyKey'>;

/** A run that may start. */
interface Admitted extends AdmittedRun {
  readonly trigger: Trigger;
  readonly label: RunLabel | undefined;
  /** The day that it was taken from. */
  readonly day: string;
  readonly claim: Claim | null;
}

/** A run that somebody else has started. */
interface Known {
  /** Null while it is running. */
  readonly number: number | null;
  readonly daily: RateLimit | null;
}

/** A run that another process performs is looked at so often, and no longer than a run may take. */
const LOOK_EVERY_MS = 1000;
const LOOKS_MAX = 90;

/** Starts runs that their caller waits for. */
export class RunStarter {
  /** What this process does for each value of Idempotency-Key at the moment: a client that sends it again shares the outcome. */
  readonly #shared = new SingleFlight<Promise<StartedRun>>();
  #isClosed = false;

  constructor(private readonly deps: RunStarterDeps) {}

  async start({ idempotencyKey, ...request }: StartRequest): Promise<StartedRun> {
    if (!idempotencyKey) return this.#perform(await this.#admit(request));
    const name = claimName(request.siteId, idempotencyKey.keyId, idempotencyKey.value);
    const id = Object.values(name).join(' ');
    const isJoined = this.#shared.has(id);
    const run = await this.#shared.share(id, (end) => this.#startOnce(request, name).finally(end));
    return isJoined ? { ...run, isReplay: true } : run;
  }

  /** From now on refuses those who wait for another process's run. */
  close(): void {
    this.#isClosed = true;
  }

  async #admit(request: ToStart): Promise<Admitted> {
    const now = this.deps.clock.now();
    const admitted = await this.deps.db.transaction(() => admitRun({ ...request, now }));
    const { trigger, label } = request;
    return { ...admitted, trigger, label, day: utcDay(now), claim: null };
  }

  async #startOnce(request: ToStart, name: ClaimName): Promise<StartedRun> {
    const { db, clock, readRun } = this.deps;
    for (let looks = 0; looks <= LOOKS_MAX && !this.#isClosed; looks += 1) {
      const hasWaited = looks > 0;
      const now = clock.now();
      const found = await db
        .transaction(() => admitOnce({ ...request, now }, name, hasWaited))
        .catch((error: unknown) => {
          throw hasWaited && isSiteRemoved(error)
            ? new ServiceError('site_not_found', { isChargeReturned: true })
            : error;
        });
      if ('claim' in found) {
        // A run that another process has taken over is waited for.
        const run = await this.#perform(found).catch(unlessLeaseLost);
        if (run) return run;
      } else if (found.number !== null) {
        return { ...(await readRun({ ...request, number: found.number })), daily: found.daily, isReplay: true };
      }
      await new Promise<void>((resolve) => this.deps.startTimer(resolve, LOOK_EVERY_MS));
    }
    throw new ServiceError('overloaded');
  }

  async #perform(admitted: Admitted): Promise<StartedRun> {
    const { site, trigger, label, daily, claim } = admitted;
    const { performRun, refunds, rateLimits } = this.deps;
    let storing: StoredRun | null = null;
    const stopKeeping = claim && keepClaim(claim, this.deps);
    try {
      const run = await performRun({
        ...{ siteId: site.id, accountId: site.accountId, origin: site.origin, trigger, label },
        *atFinish(stored) {
          storing = stored;
          if (claim) yield* fulfilClaim(claim, stored.number);
        },
      });
      return { ...run, daily, isReplay: false };
    } catch (error) {
      if (!(trigger in DAILY_RUNS) || error instanceof LeaseLost) throw error;
      const isReturned = await isForgiven(error, site.accountId, rateLimits);
      await refunds.transact(() => unlessStored(storing, () => releaseAdmission(admitted, isReturned)));
      throw isReturned || !daily ? error : new ServiceError('overloaded', { cause: error, rateLimit: daily });
    } finally {
      stopKeeping?.();
    }
  }
}

/**
 * Admits a run unless the same was admitted before. One that is taken over from a process that died has been paid.
 * @param hasWaited for that of another process: if it failed, so does the caller that waited
 * @throws ServiceError as {@link admitRun}; overloaded
 */
function* admitOnce(
  request: Admitting & Pick<ToStart, 'label'>,
  name: ClaimName,
  hasWaited: boolean,
): Transaction<Admitted | Known> {
  const site = yield* holdSiteToRun(request);
  const { trigger, label, now } = request;
  const claim = yield* claimRun(name, now);
  const isPaid = !('lease' in claim) || claim.isTakenOver;
  if (!isPaid && hasWaited) throw new ServiceError('overloaded');
  const daily = yield* isPaid ? runsLeft(site.id, trigger, now) : admitTo(site, request);
  if (!('lease' in claim)) return { number: claim.number, daily };
  // A process that takes a run over scans again, and the ownership may be lost by now. The refusal leaves the claim as it was.
  if (isPaid) assertVerified(site);
  return { site, trigger, label, day: claim.day, daily, claim };
}

function unlessLeaseLost(error: unknown): null {
  if (error instanceof LeaseLost) return null;
  throw error;
}

/** Ends a run that failed, unless another process has taken it over: gives the day its run back where the failure is not the caller's. */
function* releaseAdmission({ site, trigger, day, claim }: Admitted, isReturned: boolean): Transaction<void> {
  if (claim && !(yield* one(dropClaim(claim)))) return;
  if (isReturned) yield* giveBackRun(site.id, trigger, day);
}

/**
 * Does the work unless the run was stored after all: when the answer to a commit is lost, the commit may have happened, and a day
 * that gets a stored run back would exceed its budget. A commit in progress holds the lock of the site.
 */
function* unlessStored(storing: StoredRun | null, work: () => Transaction<void>): Transaction<void> {
  if (storing) {
    const { siteId, number, etag } = storing;
    yield* lockSite(siteId);
    if ((yield* one(selectEntityTag({ site_id: siteId, number })))?.etag === etag) return;
  }
  yield* work();
}
