import type { Clock } from '../../platform/clock.js';
import { ServiceError } from '../../platform/errors.js';
import { isId } from '../../platform/ids.js';
import { type StartTimer, startNodeTimer } from '../../platform/timer.js';
import type { Database } from '../../store/database.js';
import { createRateLimits, type RateLimits } from '../limits/rate-limits.js';
import { createRefunds, type Refunds } from '../limits/refunds.js';
import { type AskedRun, RunReads } from './run-reads.js';
import { RunTexts } from './run-texts.js';
import type { StoredRun } from './run.js';
import type { PerformRun } from './run-performer.js';
import { RunStarter, type StartedRun, type StartRequest } from './run-starter.js';
import type { SiteOfAccount } from '../sites/site.js';

export interface RunsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly performRun: PerformRun;
  readonly refunds?: Refunds;
  readonly rateLimits?: RateLimits;
  /** For tests. */
  readonly startTimer?: StartTimer;
}

/** The largest number that the column holds: a larger one cannot exist. */
const NUMBER_MAX = 2_147_483_647;

/** Every method rejects with a ServiceError: site_not_found, site_not_owned, overloaded, and as said. */
export function createRuns(deps: RunsDeps) {
  const { db, clock, performRun, refunds = createRefunds(db), startTimer = startNodeTimer } = deps;
  const { rateLimits = createRateLimits({ db, clock, refunds }) } = deps;
  const reads = new RunReads(db, new RunTexts(db), startTimer);
  /** @throws ServiceError run_not_found */
  const byNumber = async (
    { accountId, siteId, number }: SiteOfAccount & { readonly number: number },
    asked?: AskedRun,
  ): Promise<StoredRun> => {
    assertSiteId(siteId);
    if (!(number <= NUMBER_MAX)) throw new ServiceError('run_not_found');
    return reads.read(asked ?? reads.ask(siteId, number), accountId, 'run_not_found');
  };
  const starter = new RunStarter({ db, clock, performRun, refunds, rateLimits, startTimer, readRun: byNumber });
  return {
    /**
     * Scans the site now and stores the run; for a value of Idempotency-Key that is known, waits for its run or answers it as it is stored.
     * @throws ServiceError domain_not_verified, daily_runs_exceeded; site_not_found that gives the charge back when the site was
     * removed while its scan ran
     */
    async start(request: StartRequest): Promise<StartedRun> {
      assertSiteId(request.siteId);
      return starter.start(request);
    },
    /** What a read will ask for: handed to the admission, it may be found along with the charge. Undefined for what cannot exist. */
    ask({ siteId, number }: { readonly siteId: string; readonly number?: number }): AskedRun | undefined {
      const canBe = isId('site', siteId) && (number === undefined || number <= NUMBER_MAX);
      return canBe ? reads.ask(siteId, number ?? null) : undefined;
    },
    /** @throws ServiceError no_completed_run */
    async latest({ accountId, siteId }: SiteOfAccount, asked?: AskedRun): Promise<StoredRun> {
      assertSiteId(siteId);
      return reads.read(asked ?? reads.ask(siteId, null), accountId, 'no_completed_run');
    },
    byNumber,
    /** Refuses those who wait for a run of another process, from now on. */
    close: (): void => starter.close(),
  };
}

export type Runs = ReturnType<typeof createRuns>;

function assertSiteId(siteId: string): void {
  if (!isId('site', siteId)) throw new ServiceError('site_not_found');
}
