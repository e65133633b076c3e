import type { Clock } from '../../platform/clock.js';
import { type ErrorCode, ServiceError } from '../../platform/errors.js';
import type { ScanProgress } from '../../scanner/scan/scan.js';
import type { Database } from '../../store/database.js';
import type { Query } from '../../store/query.js';
import { deleteLeasedRun } from '../../queue/queued-run-statements.js';
import { execute, one, type Transaction } from '../../store/transaction.js';
import { beginInHand, LeaseLost, type RunLease, settleLease } from '../automation/run-lease.js';
import { type LiveRun, RunBoard } from './run-board.js';
import { isSiteRemoved } from './run-performer.js';
import type { Runs } from './runs.js';
import { RunsElsewhere } from './runs-elsewhere.js';
import type { SiteOfAccount } from '../sites/sites.js';
import { type StartTimer, startNodeTimer } from '../../platform/timer.js';

export type { LiveRun } from './run-board.js';

/**
 * Runs that a person starts and watches: they go on behind the request that started them, and every process knows of them. Where
 * the one that has a run in hand dies, a worker takes it up.
 */
export interface LiveRuns {
  /**
   * Starts a MANUAL run and resolves once it is admitted; while one of the site goes on, joins it and takes nothing from the budget.
   * @throws ServiceError site_not_found (whoever asks for another account's site too), domain_not_verified, daily_runs_exceeded
   */
  start(request: SiteOfAccount): Promise<void>;
  /** How the site's run by hand stands; null when none goes on. The caller has made sure whose site it is. */
  find(siteId: string): Promise<LiveRun | null>;
  /**
   * Called at once and with every step until the run has ended; the function that comes back ends it. Where none goes on, it
   * hears that it has finished.
   */
  watch(siteId: string, listener: (run: LiveRun) => void): () => void;
  /** Resolves when every run that goes on in this process has ended: for the end of the process. */
  settle(): Promise<void>;
}

/** What a person is told of a run that failed after it was admitted. None of it is their doing, so the day gets its run back. */
const FAILURES: Readonly<Partial<Record<ErrorCode, string>>> = {
  overloaded:
    'The service is busy or restarting, so this run did not take place. It does not count towards the runs of today. Try again in a minute.',
  site_not_found: 'The site was removed while it was being scanned.',
};
const FAULT = 'The run failed by a fault of ours. It does not count towards the runs of today. Try again in a minute.';

const TRIGGER = 'MANUAL';

/** Another run of the site goes on, in this process or another: it will do. */
class Joined extends Error {
  override readonly name = 'Joined';
}

export interface LiveRunsDeps {
  readonly db: Database;
  readonly runs: Pick<Runs, 'start'>;
  readonly clock: Clock;
  /** Hears why a run failed after it was admitted: for the log. */
  readonly onFailure?: (error: unknown) => void;
  readonly startTimer?: StartTimer;
}

export function createLiveRuns({ db, runs, clock, onFailure, startTimer = startNodeTimer }: LiveRunsDeps): LiveRuns {
  const board = new RunBoard(clock);
  const elsewhere = new RunsElsewhere(db, startTimer);
  const work = new Set<Promise<void>>();

  const startAnew = (request: SiteOfAccount): Promise<void> =>
    new Promise((resolve, reject) => {
      const { siteId } = request;
      const row = { site_id: siteId, trigger: TRIGGER };
      let inHand: RunLease | null = null;
      let isAdmitted = false;
      let isGivenBack = false;
      const fail = async (error: unknown): Promise<void> => {
        if (!isAdmitted) {
          if (error instanceof Joined) resolve();
          else reject(forStranger(error));
          return;
        }
        // Still in the queue, or in the hand of a worker that took it from a process that was too slow.
        const isElsewhere = !isGivenBack && !isSiteRemoved(error);
        board.end(siteId, isElsewhere ? { state: 'finished', number: null } : failed(error));
        onFailure?.(error);
      };
      const ended = runs
        .start(
          { ...request, trigger: TRIGGER },
          {
            *atAdmission(now) {
              inHand = yield* beginInHand({ ...request, trigger: TRIGGER }, now);
              if (!inHand) throw new Joined();
            },
            *atFinish() {
              if (inHand) yield* settleLease(inHand, clock.now());
            },
            // Out of the queue and back to the day, or neither: where the database is away, a worker takes up a run that counts.
            giveBack: async (query) => {
              const { lease = '' } = inHand ?? {};
              isGivenBack = await db.transaction(() => leaveQueue({ ...row, lease }, query)).catch(() => false);
            },
            onAdmitted: () => {
              isAdmitted = true;
              board.begin(request);
              resolve();
            },
            onProgress: (progress: ScanProgress) => board.advance(siteId, progress),
          },
        )
        .then(({ number }) => board.end(siteId, { state: 'finished', number }), fail)
        .finally(() => work.delete(ended));
      work.add(ended);
    });

  return {
    async start(request) {
      if (board.isRunning(request) || (await elsewhere.isRunning(request))) return;
      await startAnew(request);
    },
    find: async (siteId) => board.find(siteId) ?? elsewhere.find(siteId),
    watch: (siteId, listener) => board.watch(siteId, listener) ?? elsewhere.watch(siteId, listener),
    async settle() {
      while (work.size > 0) await Promise.all(work);
    },
  };
}

/** Does what the end of the run brings, and takes it out of the queue. @throws LeaseLost */
function* leaveQueue(
  leased: { readonly site_id: string; readonly trigger: string; readonly lease: string },
  query: Query<unknown>,
): Transaction<boolean> {
  yield* execute(query);
  if (!(yield* one(deleteLeasedRun(leased)))) throw new LeaseLost();
  return true;
}

function forStranger(error: unknown): Error {
  if (error instanceof ServiceError && error.code === 'site_not_owned') return new ServiceError('site_not_found');
  return error instanceof Error ? error : new Error('The run could not be started.', { cause: error });
}

function failed(error: unknown): LiveRun & { readonly state: 'failed' } {
  return { state: 'failed', message: (error instanceof ServiceError ? FAILURES[error.code] : undefined) ?? FAULT };
}
