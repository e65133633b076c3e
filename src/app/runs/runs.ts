import { type Clock, secondsToNextUtcDay, utcDay } from '../../platform/clock.js';
import { ServiceError } from '../../platform/errors.js';
import { isId } from '../../platform/ids.js';
import { DAILY_RUNS } from '../accounts/plan.js';
import type { Trigger } from './run.js';
import type { ScanProgress } from '../../scanner/scan/scan.js';
import { type Database, runOne } from '../../store/database.js';
import type { Query } from '../../store/query.js';
import { returnDailyRun, takeDailyRun } from './run-budget-statements.js';
import { findLatestRun, findRun, type FoundRun, selectEntityTag } from './run-statements.js';
import { lockSite, selectSiteToAdmit, type SiteRow } from '../sites/site-statements.js';
import { execute, one, type Transaction } from '../../store/transaction.js';
import { LeaseLost } from '../automation/run-lease.js';
import { createReturns, type Returns } from '../limits/returns.js';
import type { PerformRun, StoredRun } from './run-performer.js';
import type { SiteOfAccount } from '../sites/sites.js';

export interface RunsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly performRun: PerformRun;
  readonly returns?: Returns;
}

/** For whoever watches a run. */
export interface RunWatch {
  /** Once the run is admitted: it is charged and will be scanned as soon as there is a slot. */
  readonly onAdmitted?: () => void;
  readonly onProgress?: (progress: ScanProgress) => void;
  /**
   * A part of the transaction that admits the run, or of the one that stores it: what it throws undoes the whole.
   * @param now the time that decides of which day's budget the run is
   */
  readonly atAdmission?: (now: Date) => Transaction<void>;
  readonly atFinish?: () => Transaction<void>;
  /** Takes over, where the run fails, to give the day its run back: the query does it. Never rejects. */
  readonly giveBack?: (query: Query<unknown>) => Promise<unknown>;
}

/** Every method rejects with a ServiceError: site_not_found, site_not_owned, overloaded, and as said. */
export interface Runs {
  /**
   * Scans the site now and stores the run.
   * @throws ServiceError domain_not_verified, daily_runs_exceeded; site_not_found that gives the charge back when the site was
   * removed while its scan ran
   */
  start(request: SiteOfAccount & { readonly trigger: Trigger }, watch?: RunWatch): Promise<StoredRun>;
  /** @throws ServiceError no_completed_run */
  latest(request: SiteOfAccount): Promise<StoredRun>;
  /** @throws ServiceError run_not_found */
  byNumber(request: SiteOfAccount & { readonly number: number }): Promise<StoredRun>;
}

/** The largest number that the column holds: a larger one cannot exist. */
const NUMBER_MAX = 2_147_483_647;

export function createRuns({ db, clock, performRun, returns = createReturns(db) }: RunsDeps): Runs {
  return {
    async start({ accountId, siteId, trigger }, watch = {}) {
      let storing: StoredRun | null = null;
      const {
        onAdmitted,
        onProgress,
        atAdmission,
        atFinish,
        giveBack = (query: Query<unknown>) => returns.transact(() => unlessStored(storing, query)),
      } = watch;
      assertSiteId(siteId);
      const now = clock.now();
      const site = await db.transaction(function* () {
        const admitted = yield* admitRun({ accountId, siteId, trigger, now });
        if (atAdmission) yield* atAdmission(now);
        return admitted;
      });
      try {
        onAdmitted?.();
        return await performRun({
          ...{ siteId, origin: site.origin, trigger, onProgress },
          *atFinish(stored) {
            storing = stored;
            if (atFinish) yield* atFinish();
          },
        });
      } catch (error) {
        // Whatever failed was not the caller's fault: the day gets its run back, unless another process has done it meanwhile.
        if (trigger in DAILY_RUNS && !(error instanceof LeaseLost))
          await giveBack(returnDailyRun({ site_id: siteId, day: utcDay(now), trigger }));
        throw error;
      }
    },
    async latest({ accountId, siteId }) {
      assertSiteId(siteId);
      const found = await runOne(db, findLatestRun({ site_id: siteId, account_id: accountId }));
      return storedRun(found, { accountId, siteId }, 'no_completed_run');
    },
    async byNumber({ accountId, siteId, number }) {
      assertSiteId(siteId);
      if (!(number <= NUMBER_MAX)) throw new ServiceError('run_not_found');
      const found = await runOne(db, findRun({ site_id: siteId, account_id: accountId, number }));
      return storedRun(found, { accountId, siteId }, 'run_not_found');
    },
  };
}

function assertSiteId(siteId: string): void {
  if (!isId('site', siteId)) throw new ServiceError('site_not_found');
}

function storedRun(
  found: FoundRun | undefined,
  { accountId, siteId }: SiteOfAccount,
  absent: 'no_completed_run' | 'run_not_found',
): StoredRun {
  if (!found) throw new ServiceError('site_not_found');
  if (found.account_id !== accountId) throw new ServiceError('site_not_owned');
  const { number, body, etag } = found;
  if (number === null || body === null || etag === null) throw new ServiceError(absent);
  return { siteId, number, body, etag };
}

/**
 * Does it unless the run is there after all: where the answer to a commit is lost, nobody knows whether it took place, and a day
 * that got back a run that is stored would have more of them than its budget. A commit that still goes on holds the site.
 */
function* unlessStored(storing: StoredRun | null, query: Query<unknown>): Transaction<void> {
  if (storing) {
    const { siteId, number, etag } = storing;
    yield* execute(lockSite({ id: siteId }));
    if ((yield* one(selectEntityTag({ site_id: siteId, number })))?.etag === etag) return;
  }
  yield* execute(query);
}

interface Admitting extends SiteOfAccount {
  readonly trigger: Trigger;
  readonly now: Date;
}

/** Whether the run may start; takes it from the day's budget. A refusal undoes the whole transaction. */
function* admitRun({ accountId, siteId, trigger, now }: Admitting): Transaction<SiteRow> {
  const site = yield* one(selectSiteToAdmit({ id: siteId }));
  if (!site) throw new ServiceError('site_not_found');
  if (site.account_id !== accountId) throw new ServiceError('site_not_owned');
  if (site.verified_at === null) throw new ServiceError('domain_not_verified');
  const limit = DAILY_RUNS[trigger];
  if (limit !== undefined && !(yield* one(takeDailyRun({ site_id: siteId, day: utcDay(now), trigger, limit })))) {
    throw new ServiceError('daily_runs_exceeded', { retryAfterS: secondsToNextUtcDay(now) });
  }
  return site;
}
