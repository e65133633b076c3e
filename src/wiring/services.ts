import type { Config } from '../config.js';
import { systemClock as clock } from '../platform/clock.js';
import type { Logger } from '../platform/logging.js';
import type { Metrics, WatchedProcess } from '../platform/metrics.js';
import { type Access, createAccess } from '../app/keys/access.js';
import type { Webhooks } from '../app/alerts/webhooks.js';
import { createBacklog } from '../app/housekeeping/backlog.js';
import { createHousekeeping, withHousekeeping } from '../app/housekeeping/housekeeping.js';
import { createFreeScans, type FreeScans } from '../app/free-scan/free-scans.js';
import { createHistory, type History } from '../app/runs/history.js';
import { createLiveRuns, type LiveRuns } from '../app/runs/live-runs.js';
import { type Badges, createBadges } from '../app/badges/badges.js';
import { createDeployHooks, type DeployHooks } from '../app/automation/deploy-hooks.js';
import { createRunQueue } from '../app/automation/run-queue.js';
import { createRateLimits } from '../app/limits/rate-limits.js';
import { createReturns } from '../app/limits/returns.js';
import { createRunPerformer } from '../app/runs/run-performer.js';
import { createRuns, type Runs } from '../app/runs/runs.js';
import { createSlots } from '../platform/slots.js';
import { createSignIn, type SignIn } from '../app/accounts/sign-in.js';
import type { OfferWork, WorkSource } from '../queue/work.js';
import type { Database } from '../store/database.js';
import { createAlerting } from './alerting.js';
import { createDesk, type DeskServices } from './desk.js';
import { observeFreeScans } from './observed-scans.js';
import { createLateScanner, type Scanning } from './scanning.js';

/** Every use case of a serving process. */
export interface Services extends DeskServices {
  readonly access: Access;
  readonly runs: Runs;
  readonly history: History;
  readonly liveRuns: LiveRuns;
  readonly freeScans: FreeScans;
  readonly signIn: SignIn;
  readonly deployHooks: DeployHooks;
  readonly badges: Badges;
  readonly webhooks: Webhooks;
  /** What the workers perform. */
  readonly workSources: readonly WorkSource[];
  /** What the metrics look at. */
  readonly vitals: WatchedProcess;
  /** Refuses new scans; resolves when those that run have ended. */
  close(): Promise<void>;
  /** Writes what runs and requests still owe: once the last of them has ended. */
  settle(): Promise<void>;
}

export interface ServicesDeps {
  readonly config: Config;
  readonly db: Database;
  readonly logger: Logger;
  readonly scanning: Scanning;
  readonly offerWork: OfferWork;
  readonly metrics: Pick<Metrics, 'scans' | 'deliveries'>;
}

export function createServices({ config, db, logger, scanning, offerWork, metrics }: ServicesDeps): Services {
  const { monthlyQuota, scanConcurrency } = config;
  const slots = createSlots(scanConcurrency);
  const returns = createReturns(db);
  const rateLimits = createRateLimits({ db, clock, returns });
  const desk = createDesk({ db, scanning, monthlyQuotaOverride: monthlyQuota, limits: rateLimits });
  const scan = createLateScanner(scanning);
  const onFailure = (cause: unknown): void => logger.error({ cause }, 'a scan failed');
  const onUpkeepFailure = (cause: unknown): void => logger.warn({ cause }, 'the upkeep of the database failed');
  const access = createAccess({ db, clock, returns, monthlyQuotaOverride: monthlyQuota });
  const { atFinish, webhooks, deliveries } = createAlerting({
    ...{ config, db, logger, scanning, offerWork, rateLimits, metrics },
  });
  const performRun = createRunPerformer({ db, clock, scan, slots, atFinish, offerWork, observer: metrics.scans });
  const runs = createRuns({ db, clock, returns, performRun });
  const runQueue = createRunQueue({
    ...{ db, clock, performRun, offerWork },
    planDue: () => desk.schedules.planDue(),
    observer: {
      retried: ({ siteId, trigger }, cause) => {
        metrics.scans.retried({ trigger });
        logger.warn({ siteId, trigger, cause }, 'a queued run is tried again');
      },
      givenUp: ({ siteId, trigger }, cause) => {
        metrics.scans.givenUp({ trigger });
        logger.error({ siteId, trigger, cause }, 'a queued run was given up');
      },
    },
  });
  const liveRuns = createLiveRuns({ db, runs, clock, onFailure });
  const freeScans = createFreeScans({
    ...{ db, clock, slots, scanConcurrency, rateLimits, returns, onFailure },
    scan: observeFreeScans(scan, metrics.scans),
    vetSite: desk.vetSite,
  });
  return {
    ...desk,
    access,
    runs,
    liveRuns,
    freeScans,
    deployHooks: createDeployHooks({ db, clock, offerWork }),
    badges: createBadges({ db, clock }),
    webhooks,
    workSources: [withHousekeeping(runQueue, createHousekeeping({ db, clock }), onUpkeepFailure), deliveries],
    vitals: { scanConcurrency, scanSlots: () => slots.occupancy(), lookAtBacklog: createBacklog({ db, clock }) },
    history: createHistory({ db, clock }),
    signIn: createSignIn({ db, clock, limits: rateLimits }),
    async close() {
      await slots.close();
      await Promise.all([liveRuns.settle(), freeScans.settle()]);
    },
    async settle() {
      await access.settle();
      await returns.settle();
    },
  };
}
