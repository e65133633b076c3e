import type { Clock } from '../domain/clock.js';
import { type ErrorCode, ServiceError } from '../domain/errors.js';
import type { ScanProgress } from '../scan/scan.js';
import { type LiveRun, RunBoard } from './run-board.js';
import type { Runs } from './runs.js';
import type { SiteOfAccount } from './sites.js';

export type { LiveRun } from './run-board.js';

/** Runs that a person starts and watches: they go on behind the request that started them. */
export interface LiveRuns {
  /**
   * Starts a MANUAL run and resolves once it is admitted; while one of the site goes on, joins it and takes nothing from the budget.
   * @throws ServiceError site_not_found (whoever asks for another account's site too), domain_not_verified, daily_runs_exceeded
   */
  start(request: SiteOfAccount): Promise<void>;
  /** How the site's run by hand stands; null when this process knows of none. The caller has made sure whose site it is. */
  find(siteId: string): LiveRun | null;
  /** Called at once and with every step until the run has ended; the function that comes back ends it. */
  watch(siteId: string, listener: (run: LiveRun) => void): () => void;
  /** Resolves when every run that goes on has ended: for the end of the process. */
  settle(): Promise<void>;
}

/** What a person is told of a run that failed after it was admitted. None of it is their doing, so the day gets its run back. */
const FAILURES: Readonly<Partial<Record<ErrorCode, string>>> = {
  overloaded:
    'The service is busy or restarting, so this run did not take place. It does not count towards the runs of today. Try again in a minute.',
  site_not_found: 'The site was removed while it was being scanned.',
};
const FAULT = 'The run failed by a fault of ours. It does not count towards the runs of today. Try again in a minute.';

export interface LiveRunsDeps {
  readonly runs: Pick<Runs, 'start'>;
  readonly clock: Clock;
  /** Hears why a run failed after it was admitted: for the log. */
  readonly onFailure?: (error: unknown) => void;
}

export function createLiveRuns({ runs, clock, onFailure }: LiveRunsDeps): LiveRuns {
  const board = new RunBoard(clock);
  const starting = new Map<string, Promise<void>>();
  const work = new Set<Promise<void>>();

  const startAnew = (request: SiteOfAccount): Promise<void> =>
    new Promise((resolve, reject) => {
      let isAdmitted = false;
      const onAdmitted = (): void => {
        isAdmitted = true;
        board.begin(request);
        resolve();
      };
      const onProgress = (progress: ScanProgress): void => {
        board.advance(request.siteId, progress);
      };
      const fail = (error: unknown): void => {
        if (!isAdmitted) {
          reject(forStranger(error));
          return;
        }
        board.end(request.siteId, { state: 'failed', message: describeFailure(error) });
        onFailure?.(error);
      };
      const ended = runs
        .start({ ...request, trigger: 'MANUAL' }, { onAdmitted, onProgress })
        .then(({ number }) => {
          board.end(request.siteId, { state: 'finished', number });
        }, fail)
        .finally(() => work.delete(ended));
      work.add(ended);
    });

  return {
    start(request) {
      if (board.isRunning(request)) return Promise.resolve();
      // By account too: a stranger's start, about to be refused, must not refuse the owner's.
      const key = `${request.accountId} ${request.siteId}`;
      let admitted = starting.get(key);
      if (!admitted) {
        admitted = startAnew(request).finally(() => starting.delete(key));
        starting.set(key, admitted);
      }
      return admitted;
    },
    find: (siteId) => board.find(siteId),
    watch: (siteId, listener) => board.watch(siteId, listener),
    async settle() {
      while (work.size > 0) await Promise.all(work);
    },
  };
}

function forStranger(error: unknown): Error {
  if (error instanceof ServiceError && error.code === 'site_not_owned') return new ServiceError('site_not_found');
  return error instanceof Error ? error : new Error('The run could not be started.', { cause: error });
}

function describeFailure(error: unknown): string {
  return (error instanceof ServiceError ? FAILURES[error.code] : undefined) ?? FAULT;
}
