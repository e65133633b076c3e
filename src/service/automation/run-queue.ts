import type { Clock } from '../../domain/clock.js';
import { ServiceError } from '../../domain/errors.js';
import type { Database } from '../../store/database.js';
import {
  claimQueuedRun,
  deleteQueuedRun,
  putBackQueuedRun,
  type QueuedRunRow,
  selectLostRuns,
  selectUnheardRuns,
  updateOffered,
} from '../../store/queued-runs.js';
import { selectSite } from '../../store/sites.js';
import { all, execute, one, type Transaction } from '../../store/transaction.js';
import type { PerformRun } from '../run-performer.js';
import { ATTEMPTS_MAX, OFFER_AGAIN_MS, type OfferWork, type Work, type WorkSource } from '../work.js';
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
    if (error instanceof LeaseLost || isRemoved(error)) return;
    if (error instanceof ServiceError && error.code === 'overloaded') {
      // No slot was free, or the database was away: nothing was tried.
      await write(() => putBack(run, clock.now(), NO_SLOT_RETRY_MS, run.attempts - 1));
    } else if (run.attempts < ATTEMPTS_MAX) {
      observer.retried(run, error);
      await write(() => putBack(run, clock.now(), RETRY_AFTER_MS, run.attempts));
    } else {
      observer.givenUp(run, error);
      await write(() => settleLease(run, clock.now()));
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
      const unheard = await db.transaction(() => offerAnew(clock.now()));
      return [...planned, ...freed, ...unheard];
    },
  };
}

function isRemoved(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'site_not_found';
}

/** Takes the run in hand if it is due and free. */
function* claim(key: string, now: Date): Transaction<ClaimedRun | null> {
  const { siteId, trigger } = parseWorkKey(key);
  const leased = newLease(now);
  const row = yield* one(claimQueuedRun({ site_id: siteId, trigger, now: now.toISOString(), ...leased }));
  if (!row) return null;
  const site = yield* one(selectSite({ id: siteId }));
  if (!site) return null;
  return { siteId, trigger, lease: leased.lease, attempts: row.attempts, origin: site.origin };
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

/** Frees the runs whose leases have ended; those that were taken up often enough are given up. */
function* freeLostRuns(now: Date): Transaction<{ readonly freed: Work[]; readonly givenUp: QueuedRun[] }> {
  const freed: Work[] = [];
  const givenUp: QueuedRun[] = [];
  for (const { site_id, trigger, lease, attempts, again_after } of yield* all(
    selectLostRuns({ now: now.toISOString() }),
  )) {
    const isGivenUp = attempts >= ATTEMPTS_MAX;
    if (isGivenUp) givenUp.push({ siteId: site_id, trigger: trigger as QueuedTrigger });
    if (isGivenUp && again_after === null) {
      yield* execute(deleteQueuedRun({ site_id, trigger }));
      continue;
    }
    const at = { run_after: again_after ?? now.toISOString(), now: now.toISOString() };
    const row = yield* one(
      putBackQueuedRun({ site_id, trigger, lease: lease ?? '', ...at, attempts: isGivenUp ? 0 : attempts }),
    );
    if (row) freed.push(workOf(row));
  }
  return { freed, givenUp };
}

/** The runs that wait although it is some time that they were offered: whoever was to hear of them did not. */
function* offerAnew(now: Date): Transaction<Work[]> {
  const offered_before = laterThan(now, -OFFER_AGAIN_MS);
  const rows = yield* all(selectUnheardRuns({ now: now.toISOString(), offered_before }));
  for (const { site_id, trigger } of rows) {
    yield* execute(updateOffered({ site_id, trigger, now: now.toISOString() }));
  }
  return rows.map(workOf);
}

function laterThan(now: Date, ms: number): string {
  return new Date(now.getTime() + ms).toISOString();
}
