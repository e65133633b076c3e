import { type Clock, utcDay } from '../../platform/clock.js';
import { ServiceError } from '../../platform/errors.js';
import { isId } from '../../platform/ids.js';
import { DAILY_RUNS } from '../accounts/plan.js';
import type { Trigger } from './run.js';
import { type Database, runOne } from '../../store/database.js';
import type { Query } from '../../store/query.js';
import { returnDailyRun } from './run-budget-statements.js';
import { findLatestRun, findRun, type FoundRun, selectEntityTag } from './run-statements.js';
import { lockSite } from '../sites/site-statements.js';
import { execute, one, type Transaction } from '../../store/transaction.js';
import { admitRun } from './admission.js';
import { createRefunds, type Refunds } from '../limits/refunds.js';
import { RunTexts } from './run-texts.js';
import type { PerformRun, StoredRun } from './run-performer.js';
import type { SiteOfAccount } from '../sites/sites.js';

export interface RunsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly performRun: PerformRun;
  readonly refunds?: Refunds;
}

/** Every method rejects with a ServiceError: site_not_found, site_not_owned, overloaded, and as said. */
export interface Runs {
  /**
   * Scans the site now and stores the run.
   * @throws ServiceError domain_not_verified, daily_runs_exceeded; site_not_found that gives the charge back when the site was
   * removed while its scan ran
   */
  start(request: SiteOfAccount & { readonly trigger: Trigger }): Promise<StoredRun>;
  /** @throws ServiceError no_completed_run */
  latest(request: SiteOfAccount): Promise<StoredRun>;
  /** @throws ServiceError run_not_found */
  byNumber(request: SiteOfAccount & { readonly number: number }): Promise<StoredRun>;
}

/** The largest number that the column holds: a larger one cannot exist. */
const NUMBER_MAX = 2_147_483_647;

export function createRuns({ db, clock, performRun, refunds = createRefunds(db) }: RunsDeps): Runs {
  const texts = new RunTexts(db);
  const unpack = async (run: StoredRun): Promise<StoredRun> => ({ ...run, body: await texts.unpack(run.body) });
  return {
    async start({ accountId, siteId, trigger }) {
      assertSiteId(siteId);
      let storing: StoredRun | null = null;
      const now = clock.now();
      const { origin } = await db.transaction(() => admitRun({ accountId, siteId, trigger, now }));
      try {
        return await performRun({
          ...{ siteId, accountId, origin, trigger },
          *atFinish(stored) {
            storing = stored;
          },
        });
      } catch (error) {
        // The failure is not the caller's: the day gets its run back.
        if (trigger in DAILY_RUNS) {
          const giveBack = returnDailyRun({ site_id: siteId, day: utcDay(now), trigger });
          await refunds.transact(() => unlessStored(storing, giveBack));
        }
        throw error;
      }
    },
    async latest({ accountId, siteId }) {
      assertSiteId(siteId);
      const found = await runOne(db, findLatestRun({ site_id: siteId, account_id: accountId }));
      return unpack(storedRun(found, { accountId, siteId }, 'no_completed_run'));
    },
    async byNumber({ accountId, siteId, number }) {
      assertSiteId(siteId);
      if (!(number <= NUMBER_MAX)) throw new ServiceError('run_not_found');
      const found = await runOne(db, findRun({ site_id: siteId, account_id: accountId, number }));
      return unpack(storedRun(found, { accountId, siteId }, 'run_not_found'));
    },
  };
}

function assertSiteId(siteId: string): void {
  if (!isId('site', siteId)) throw new ServiceError('site_not_found');
}

/** As it is stored: the texts are not put back yet. */
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
 * Runs the query unless the run was stored after all: when the answer to a commit is lost, the commit may have happened, and a day
 * that gets a stored run back would exceed its budget. A commit in progress holds the lock of the site.
 */
function* unlessStored(storing: StoredRun | null, query: Query<unknown>): Transaction<void> {
  if (storing) {
    const { siteId, number, etag } = storing;
    yield* execute(lockSite({ id: siteId }));
    if ((yield* one(selectEntityTag({ site_id: siteId, number })))?.etag === etag) return;
  }
  yield* execute(query);
}
