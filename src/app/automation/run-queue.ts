import { type Clock, utcDay } from '../../platform/clock.js';
import { ServiceError } from '../../platform/errors.js';
import type { Database } from '../../store/database.js';
import {
  claimQueuedRun,
  deleteQueuedRun,
  putBackQueuedRun,
  type QueuedRunRow,
  selectLostRuns,
  takeUnheardRuns,
} from '../../queue/queued-run-statements.js';
import { returnDailyRun } from '../runs/run-budget-statements.js';
import { selectSite } from '../sites/site-statements.js';
import { all, execute, one, type Transaction } from '../../store/transaction.js';
import { isSiteRemoved, type PerformRun } from '../runs/run-performer.js';
import { laterThan } from '../../platform/later-than.js';
import { ATTEMPTS_MAX, OFFER_AGAIN_MS, type OfferWork, type Work, type WorkSource } from '../../queue/work.js';
import { parseWorkKey, type QueuedTrigger, workOf } from './queueing.js';
import { LeaseLost, newLease, type RunLease, settleLease } from './run-lease.js';

/** Which run. */
interface QueuedRun {
  readonly siteId: string;
  readonly trigger: QueuedTrigger;
}

/** Hears what becomes of runs that nobody waits for: for log and metrics. */
export interface RunQueueObserver {
  /** It failed, and will be tried again. */
  retried(run: QueuedRun, cause: unknown): void;
  /** It was tried {@link ATTEMPTS_MAX} times in vain. */
  givenUp(run: QueuedRun, cause: unknown): void;
}

export interface RunQueueDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly performRun: PerformRun;
  readonly offerWork: OfferWork;
  readonly observer: RunQueueObserver;
  /** Queues what the schedules have due; answers the work that this makes. */
  readonly planDue: () => Promise<readonly Work[]>;
}

/** How long a run that failed by a fault of ours waits for its next try, and one that found no slot. */
const RETRY_AFTER_MS = 15_000;
const NO_SLOT_RETRY_MS = 5000;

interface ClaimedRun extends RunLease {
  /** This one included. */
  readonly attempts: number;
  readonly requestedAt: string;
  readonly origin: string;
}

/**
 * The runs that wait in the database, performed under leases. What a dead worker had in hand is taken up by another when its
 * lease has ended, at most {@link ATTEMPTS_MAX} times in all; a worker that wakes after that writes nothing, since the run is stored
 * in the transaction that finds the lease still good.
 */
export function createRunQueue(deps: RunQueueDeps): WorkSource {
  const { db, clock, performRun, offerWork, observer, planDue } = deps;

  /** Never rejects: where the database cannot be told, the lease ends by itself. */
  const write = async (work: () => Transaction<QueuedRunRow | undefined>): Promise<void> => {
    const waiting = await db.transaction(work).catch(() => undefined);
    if (waiting) offerWork([workOf(waiting)]);
  };

  const fail = async (run: ClaimedRun, error: unknown): Promise<void> => {
    if (error instanceof LeaseLost || isSiteRemoved(error)) return;
    if (error instanceof ServiceError && error.code === 'overloaded' && error.cause === undefined) {
      // No slot was free: nothing was tried. Where the database was away, the site was scanned all the same.
      await write(() => putBack(run, clock.now(), NO_SLOT_RETRY_MS, run.attempts - 1));
    } else if (run.attempts < ATTEMPTS_MAX) {
      observer.retried(run, error);
      await write(() => putBack(run, clock.now(), RETRY_AFTER_MS, run.attempts));
    } else {
      observer.givenUp(run, error);
      await write(() => giveUp(run, clock.now()));
    }
  };

  return {
    kind: 'run',
    async perform(key) {
      const run = await db.transaction(() => claim(key, clock.now())).catch(() => null);
      if (!run) return;
      let again: QueuedRunRow | undefined;
      try {
        await performRun({
          ...run,
          *atFinish() {
            again = yield* settleLease(run, clock.now());
          },
        });
        if (again) offerWork([workOf(again)]);
      } catch (error) {
        await fail(run, error);
      }
    },
    async sweep() {
      const planned = await planDue();
      const { freed, givenUp } = await db.transaction(() => freeLostRuns(clock.now()));
      for (const run of givenUp) observer.givenUp(run, new Error('its workers died, or were too slow'));
      const unheard = await offerAnew(db, clock.now());
      return [...planned, ...freed, ...unheard];
    },
  };
}

/** Takes the run in hand if it is due and free. */
function* claim(key: string, now: Date): Transaction<ClaimedRun | null> {
  const { siteId, trigger } = parseWorkKey(key);
  const leased = newLease(now);
  const row = yield* one(claimQueuedRun({ site_id: siteId, trigger, now: now.toISOString(), ...leased }));
  if (!row) return null;
  const site = yield* one(selectSite({ id: siteId }));
  if (!site) {
    // Queued while the site was being removed.
    yield* execute(deleteQueuedRun({ site_id: siteId, trigger }));
    return null;
  }
  const { attempts, requested_at: requestedAt } = row;
  return { siteId, trigger, lease: leased.lease, attempts, requestedAt, origin: site.origin };
}

/** Has a run that is in hand wait again. */
function putBack(
  { siteId: site_id, trigger, lease }: ClaimedRun,
  now: Date,
  afterMs: number,
  attempts: number,
): Transaction<QueuedRunRow | undefined> {
  const run_after = laterThan(now, afterMs);
  return one(putBackQueuedRun({ site_id, trigger, lease, run_after, attempts, now: now.toISOString() }));
}

/** Takes a run that was tried often enough out of the queue. @returns the row where another is to follow */
function* giveUp(run: ClaimedRun, now: Date): Transaction<QueuedRunRow | undefined> {
  yield* returnCharge(run.siteId, run.trigger, run.requestedAt);
  return yield* settleLease(run, now);
}

/**
 * A run by hand that was given up does not count, whoever had it in hand at last; a call of a deploy hook does. Before the row of the
 * queue goes: a start locks the two in this order.
 */
function* returnCharge(site_id: string, trigger: QueuedTrigger, requestedAt: string): Transaction<void> {
  if (trigger === 'MANUAL') yield* execute(returnDailyRun({ site_id, trigger, day: utcDay(new Date(requestedAt)) }));
}

/** Frees the runs whose leases have ended; those that were taken up often enough are given up. */
function* freeLostRuns(now: Date): Transaction<{ readonly freed: Work[]; readonly givenUp: QueuedRun[] }> {
  const freed: Work[] = [];
  const givenUp: QueuedRun[] = [];
  for (const { site_id, lease, attempts, again_after, ...row } of yield* all(
    selectLostRuns({ now: now.toISOString() }),
  )) {
    const trigger = row.trigger as QueuedTrigger;
    const isGivenUp = attempts >= ATTEMPTS_MAX;
    if (isGivenUp) {
      givenUp.push({ siteId: site_id, trigger });
      yield* returnCharge(site_id, trigger, row.requested_at);
    }
    if (isGivenUp && again_after === null) {
      yield* execute(deleteQueuedRun({ site_id, trigger }));
      continue;
    }
    const at = { run_after: again_after ?? now.toISOString(), now: now.toISOString() };
    const waiting = yield* one(
      putBackQueuedRun({ site_id, trigger, lease: lease ?? '', ...at, attempts: isGivenUp ? 0 : attempts }),
    );
    if (waiting) freed.push(workOf(waiting));
  }
  return { freed, givenUp };
}

/**
 * The runs that wait although it is some time that they were offered: whoever was to hear of them did not, or others went first. One
 * statement by itself: it may be done again.
 */
async function offerAnew(db: Database, now: Date): Promise<Work[]> {
  const offered_before = laterThan(now, -OFFER_AGAIN_MS);
  return (await db.run(takeUnheardRuns({ now: now.toISOString(), offered_before }))).map(workOf);
}
