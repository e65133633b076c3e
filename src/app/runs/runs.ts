import type { Clock } from '../../platform/clock.js';
import { ServiceError } from '../../platform/errors.js';
import { isId } from '../../platform/ids.js';
import { type StartTimer, startNodeTimer } from '../../platform/timer.js';
import { type Database, runOne } from '../../store/database.js';
import { findLatestRun, findRun, type FoundRun } from './run-statements.js';
import { createRateLimits, type RateLimits } from '../limits/rate-limits.js';
import { createRefunds, type Refunds } from '../limits/refunds.js';
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
  const texts = new RunTexts(db);
  /** @throws ServiceError run_not_found */
  const byNumber = async ({
    accountId,
    siteId,
    number,
  }: SiteOfAccount & { readonly number: number }): Promise<StoredRun> => {
    assertSiteId(siteId);
    if (!(number <= NUMBER_MAX)) throw new ServiceError('run_not_found');
    const found = await runOne(db, findRun({ site_id: siteId, account_id: accountId, number }));
    return readStored(texts, foundRun(found, accountId, 'run_not_found'), siteId);
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
    /** @throws ServiceError no_completed_run */
    async latest({ accountId, siteId }: SiteOfAccount): Promise<StoredRun> {
      assertSiteId(siteId);
      const found = await runOne(db, findLatestRun({ site_id: siteId, account_id: accountId }));
      return readStored(texts, foundRun(found, accountId, 'no_completed_run'), siteId);
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

/** Puts the texts back. */
async function readStored(texts: RunTexts, { number, body, etag }: PackedRun, siteId: string): Promise<StoredRun> {
  return { siteId, number, body: await texts.unpack(body), etag };
}

/** A run as it is stored: its texts are stored apart. */
interface PackedRun {
  readonly number: number;
  readonly body: Uint8Array;
  readonly etag: string;
}

/** @throws ServiceError site_not_found, site_not_owned, and `absent` */
function foundRun(
  found: FoundRun | undefined,
  accountId: string,
  absent: 'no_completed_run' | 'run_not_found',
): PackedRun {
  if (!found) throw new ServiceError('site_not_found');
  if (found.account_id !== accountId) throw new ServiceError('site_not_owned');
  const { number, body, etag } = found;
  if (number === null || body === null || etag === null) throw new ServiceError(absent);
  return { number, body, etag };
}
