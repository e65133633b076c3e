import type { Config } from '../config.js';
import { systemClock as clock } from '../platform/clock.js';
import type { Logger } from '../platform/logging.js';
import { createScanner } from '../scan/scanner.js';
import { type Access, createAccess } from '../service/access.js';
import { createFreeScans, type FreeScans } from '../service/free-scans.js';
import { createHistory, type History } from '../service/history.js';
import { createLiveRuns, type LiveRuns } from '../service/live-runs.js';
import { createRunQueue } from '../service/automation/run-queue.js';
import { createSchedules, type Schedules } from '../service/automation/schedules.js';
import { createRateLimits } from '../service/rate-limits.js';
import { createReturns } from '../service/returns.js';
import { createRunPerformer } from '../service/run-performer.js';
import { createRuns, type Runs } from '../service/runs.js';
import { createSlots } from '../service/slots.js';
import { createSignIn, type SignIn } from '../service/sign-in.js';
import type { OfferWork, WorkSource } from '../service/work.js';
import type { Database } from '../store/database.js';
import { createDesk, type DeskServices } from './desk.js';
import type { Scanning } from './scanning.js';

/** Every use case of a serving process. */
export interface Services extends DeskServices {
  readonly access: Access;
  readonly runs: Runs;
  readonly history: History;
  readonly liveRuns: LiveRuns;
  readonly freeScans: FreeScans;
  readonly signIn: SignIn;
  readonly schedules: Schedules;
  /** What the workers perform. */
  readonly workSources: readonly WorkSource[];
  /** Refuses new scans; resolves when those that run have ended, and everything that they owe is written. */
  close(): Promise<void>;
}

export interface ServicesDeps {
  readonly config: Config;
  readonly db: Database;
  readonly logger: Logger;
  readonly scanning: Scanning;
  readonly offerWork: OfferWork;
}

export function createServices({ config, db, logger, scanning, offerWork }: ServicesDeps): Services {
  const { monthlyQuota, scanConcurrency } = config;
  const slots = createSlots(scanConcurrency);
  const returns = createReturns(db);
  const rateLimits = createRateLimits({ db, clock, returns });
  const desk = createDesk({ db, scanning, monthlyQuotaOverride: monthlyQuota, limits: rateLimits });
  const scan = createScanner(scanning);
  const onFailure = (cause: unknown): void => logger.error({ cause }, 'a scan failed');
  const access = createAccess({ db, clock, returns, monthlyQuotaOverride: monthlyQuota });
  const performRun = createRunPerformer({ db, clock, scan, slots, offerWork });
  const runs = createRuns({ db, clock, returns, performRun });
  const schedules = createSchedules({ db, clock });
  const runQueue = createRunQueue({
    ...{ db, clock, performRun, offerWork },
    planDue: () => schedules.planDue(),
    observer: {
      retried: ({ siteId, trigger }, cause) => logger.warn({ siteId, trigger, cause }, 'a queued run is tried again'),
      givenUp: ({ siteId, trigger }, cause) => logger.error({ siteId, trigger, cause }, 'a queued run was given up'),
    },
  });
  const liveRuns = createLiveRuns({ db, runs, clock, onFailure });
  const freeScans = createFreeScans({
    ...{ db, clock, scan, slots, scanConcurrency, rateLimits, returns, onFailure },
    vetSite: desk.vetSite,
  });
  return {
    ...desk,
    access,
    runs,
    liveRuns,
    freeScans,
    schedules,
    workSources: [runQueue],
    history: createHistory({ db, clock }),
    signIn: createSignIn({ db, clock, limits: rateLimits }),
    async close() {
      await slots.close();
      await Promise.all([liveRuns.settle(), freeScans.settle()]);
      await access.settle();
      await returns.settle();
    },
  };
}
