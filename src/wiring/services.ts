import { openNetworkVisit } from '../scanner/scan/scanner.js';
import type { Config } from '../config.js';
import { systemClock as clock } from '../platform/clock.js';
import type { Logger } from '../platform/logging.js';
import type { Metrics, WatchedProcess } from './process-metrics.js';
import { type AcceptedFailures, createAcceptedFailures } from '../app/triage/accepted-failures.js';
import { type Access, createAccess } from '../app/keys/access.js';
import type { Webhooks } from '../app/alerts/webhooks.js';
import { createBacklog } from '../app/data/backlog.js';
import { RunEvidence } from '../app/evidence/evidence.js';
import { FreeScans } from '../app/free-scan/free-scans.js';
import { History } from '../app/runs/history.js';
import { ManualRuns } from '../app/runs/manual-runs.js';
import { type AuditPage, readEvents } from '../app/audit/audit.js';
import { type Badges, createBadges } from '../app/badges/badges.js';
import { createDeployHooks, type DeployHooks } from '../app/automation/deploy-hooks.js';
import { createRateLimits } from '../app/limits/rate-limits.js';
import { createRefunds } from '../app/limits/refunds.js';
import { Rechecks } from '../app/triage/rechecks.js';
import { createRunPerformer } from '../app/runs/run-performer.js';
import { createRuns, type Runs } from '../app/runs/runs.js';
import { createStrengthTest } from '../app/accounts/password-strength.js';
import { createSignIn, type SignIn } from '../app/accounts/sign-in.js';
import type { AnnounceJobs } from '../queue/job.js';
import type { WorkerQueue } from '../queue/worker.js';
import type { Role } from '../platform/role.js';
import type { Database } from '../store/database.js';
import { createAlerting } from './alerting.js';
import { createQueues } from './workers.js';
import { type AccountServices, createAccountServices } from './admin.js';
import { observeChains, observeEvents, observeFreeScans, observeRuns } from './observed-scans.js';
import { createServiceScanner } from './scanner.js';
import { createScanSlots } from './scan-slots.js';
import type { Scanning } from './scanning.js';
import type { OwnershipNames } from '../app/sites/proof-look.js';

/** Every use case of a serving process. */
export interface Services extends AccountServices {
  readonly access: Access;
  readonly runs: Runs;
  readonly history: History;
  readonly manualRuns: ManualRuns;
  readonly freeScans: FreeScans;
  readonly signIn: SignIn;
  readonly deployHooks: DeployHooks;
  readonly badges: Badges;
  readonly rechecks: Rechecks;
  readonly evidence: RunEvidence;
  readonly acceptedFailures: AcceptedFailures;
  readonly webhooks: Webhooks;
  readonly readEvents: (accountId: string, before?: string) => Promise<AuditPage>;
  /** What the workers do. */
  readonly queues: readonly WorkerQueue[];
  /** What the metrics look at. */
  readonly health: WatchedProcess;
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
  readonly role: Role;
  /** Of this build: runs say that it judged them. */
  readonly version: string;
  readonly announce: AnnounceJobs;
  readonly metrics: Pick<Metrics, 'scans' | 'deliveries'>;
}

export function createServices(deps: ServicesDeps): Services {
  const { config, db, logger, scanning, role, version: release, announce, metrics } = deps;
  const { monthlyQuota, scanConcurrency, evidenceDays } = config;
  const slots = createScanSlots(role, scanConcurrency);
  const refunds = createRefunds(db);
  const rateLimits = createRateLimits({ db, clock, refunds });
  const accountServices = createAccountServices({
    ...{ db, logger, scanning, openVisit: openNetworkVisit, overrides: config, limits: rateLimits },
  });
  const scan = createServiceScanner(scanning);
  const onFailure = (cause: unknown): void => logger.error({ cause }, 'a scan failed');
  const access = createAccess({ db, clock, refunds, monthlyQuotaOverride: monthlyQuota });
  const { consequences, atFinish, webhooks, handlers } = createAlerting({ ...deps, rateLimits });
  const onBrokenChain = observeChains(metrics.scans, logger);
  const observer = observeRuns(metrics.scans, logger, onBrokenChain);
  const signIn = createSignIn({ db, clock, limits: rateLimits, isHard: createStrengthTest() });
  const performRun = createRunPerformer({ db, clock, scan, slots, release, atFinish, announce, observer });
  const runs = createRuns({ db, clock, refunds, rateLimits, performRun });
  const freeScans = new FreeScans({
    ...{ db, clock, slots, scanConcurrency, rateLimits, refunds, onFailure, neighbours: scanning.neighbours },
    scan: observeFreeScans(scan, metrics.scans),
    ...{ vetSite: accountServices.vetSite, addressOf: (origin: URL) => findAddress(origin, scanning) },
  });
  const rechecks = new Rechecks({ db, clock, scan, slots, rateLimits, onFailure });
  return {
    ...accountServices,
    access,
    runs,
    manualRuns: new ManualRuns({ db, clock, announce }),
    freeScans,
    deployHooks: createDeployHooks({ db, clock, announce }),
    badges: createBadges({ db, clock }),
    rechecks,
    evidence: new RunEvidence(db),
    acceptedFailures: createAcceptedFailures({ db, clock }),
    webhooks,
    queues: createQueues(
      {
        ...{ db, clock, logger, performRun, announce, observer, onBrokenChain, rateLimits, ...handlers },
        onLinkedEvents: observeEvents(metrics.scans, logger),
        ...{ ownership: accountServices.ownership, names: namesFor(scanning, config), evidenceDays, consequences },
      },
      role,
      scanConcurrency,
    ),
    health: { scanConcurrency, scanSlots: () => slots.occupancy(), lookAtBacklog: createBacklog({ db, clock }) },
    history: new History({ db, clock, onBrokenChain }),
    signIn,
    readEvents: (accountId, before) => readEvents(db, accountId, before),
    async close() {
      runs.close();
      await Promise.all([slots.close(), freeScans.settle()]);
      await rechecks.settle();
    },
    async settle() {
      await Promise.all([access.settle(), signIn.settle()]);
      await refunds.settle();
    },
  };
}

function namesFor({ resolver }: Scanning, { ownershipControlName }: Config): OwnershipNames {
  return {
    isGone: (name) => resolver.isNameGone(name),
    resolvesControl: () =>
      resolver.resolveAddresses(ownershipControlName).then(
        () => true,
        () => false,
      ),
  };
}

/** Of several addresses always the same, whatever their order; its name where it has none. */
async function findAddress({ hostname }: URL, { resolver }: Pick<Scanning, 'resolver'>): Promise<string> {
  const addresses = await resolver.resolveAddresses(hostname).catch(() => []);
  return addresses.toSorted()[0] ?? hostname;
}
