import { FREE_SCANS } from '../app/free-scan/free-scan-slots.js';
import type { QueuedRunObserver } from '../app/runs/queued-runs.js';
import type { RunObserver } from '../app/runs/run-performer.js';
import type { ScanMetrics } from '../app/runs/scan-metrics.js';
import { ServiceError } from '../platform/errors.js';
import { Slots } from '../platform/slots.js';
import { OutOfResources } from '../scanner/artifacts/out-of-resources.js';
import type { ScanReport } from '../scanner/scan/scan.js';
import { createAccountMailHandler } from '../app/accounts/mails.js';
import { DeliveryHandler } from '../app/alerts/deliver.js';
import { type App, createApp } from '../app/app.js';
import type { Context } from '../app/context.js';
import { createBacklog } from '../app/data/backlog.js';
import { createRefunds } from '../app/limits/limits.js';
import type { OwnershipDns } from '../app/sites/ownership-recheck.js';
import type { Config } from '../config.js';
import { createPoster } from '../net/post.js';
import { vetWebhook } from '../net/guard.js';
import type { Scanning } from '../package/scanning.js';
import { systemClock as clock } from '../platform/clock.js';
import type { Role } from '../platform/lifecycle.js';
import type { Logger } from '../platform/logging.js';
import { createMailer, type SendMail } from '../platform/mail.js';
import type { WorkerQueue } from '../queue/worker.js';
import { scannerUserAgent } from '../scanner/artifacts/scanner.js';
import type { ScanTarget } from '../scanner/client/visit.js';
import type { Database } from '../store/database.js';
import { networkServices, withExcludedHosts } from './network.js';
import type { Metrics, WatchedProcess } from './metrics.js';
import { createQueues } from './workers.js';

/** The services of a serving process. */
export interface Services {
  readonly app: App;
  readonly queues: readonly WorkerQueue[];
  /** Read by the metrics. */
  readonly health: WatchedProcess;
}

export interface ServicesOptions {
  readonly config: Config;
  readonly db: Database;
  readonly logger: Logger;
  readonly scanning: Scanning;
  readonly scanners: Pick<Context, 'scan' | 'scanFree' | 'tryFree'>;
  readonly role: Role;
  readonly version: string;
  readonly metrics: Pick<Metrics, 'scans' | 'deliveries'>;
}

export function createServices(options: ServicesOptions): Services {
  const { config, logger, scanning, role, metrics } = options;
  const { scanConcurrency, evidenceDays } = config;
  const { scans, deliveries } = metrics;
  const sendMail = createSendMail(config, logger);
  const observer = observeRuns(scans, logger, options.version);
  const context = createContext(options, sendMail !== null);
  const app = createApp(context, observer);
  const work = {
    ...context,
    ...app,
    observer,
    dns: dnsFor(scanning, config),
    consequences: app.proofConsequences,
    evidenceDays,
    deliveryHandler: new DeliveryHandler({
      ...context,
      sendMail,
      post: createPoster(scanning),
      userAgent: scannerUserAgent(scanning.infoUrl),
      metrics: deliveries,
    }),
    accountMailHandler: createAccountMailHandler({
      ...context,
      sendMail,
      onFailure: (cause) => logger.error({ cause }, 'account mail failed'),
      onAttempt: (result) => deliveries.attempted('account-mail', result),
    }),
  };
  return {
    app,
    queues: createQueues(work, role, scanConcurrency),
    health: {
      scanConcurrency,
      scanSlots: () => context.slots.occupancy(),
      readBacklog: createBacklog({ db: context.db, clock }),
    },
  };
}

function createContext(options: ServicesOptions, hasMail: boolean): Context {
  const { config, db, logger, scanning, scanners, role, version, metrics } = options;
  const { publicUrl, scanConcurrency } = config;
  const scanOf = async <Made>(target: ScanTarget, scan: (target: ScanTarget) => Promise<Made>): Promise<Made> =>
    refuseOverload(scan(await withExcludedHosts(target, db)));
  return {
    ...networkServices(scanning, config, db),
    db,
    clock,
    logger,
    refunds: createRefunds(),
    publicUrl,
    release: version,
    hasMail,
    slots: createScanSlots(role, scanConcurrency),
    scanConcurrency,
    scan: (target, ...rest) => scanOf(target, (vetted) => scanners.scan(vetted, ...rest)),
    scanFree: (target, ...rest) =>
      countFreeScan(
        scanOf(target, (vetted) => scanners.scanFree(vetted, ...rest)),
        metrics.scans,
        (report) => report,
      ),
    tryFree: (target, ...rest) =>
      countFreeScan(
        scanOf(target, (vetted) => scanners.tryFree(vetted, ...rest)),
        metrics.scans,
        ({ before }) => before,
      ),
    addressesOf: (origin) => findAddresses(origin, scanning),
    vetWebhook: (url) => vetWebhook(scanning, url),
    onFailure: (cause) => logger.error({ cause }, 'scan failed'),
  };
}

function dnsFor({ resolver }: Scanning, { ownershipControlName }: Config): OwnershipDns {
  return {
    isNameGone: (name) => resolver.isNameGone(name),
    // It rejects only if no answer arrives.
    answersControl: () =>
      resolver.resolveTxt(ownershipControlName).then(
        () => true,
        () => false,
      ),
  };
}

/** Returns all addresses that a scan may connect to, since the first may be dead; the name if it has none. */
export async function findAddresses(
  { hostname }: URL,
  { resolver }: { readonly resolver: Pick<Scanning['resolver'], 'resolveAddresses'> },
): Promise<readonly string[]> {
  const addresses = await resolver.resolveAddresses(hostname).catch(() => []);
  return addresses.length > 0 ? addresses : [hostname];
}

/** Returns null if no mail server is configured. */
function createSendMail({ smtpUrl, mailFrom }: Config, logger: Logger): SendMail | null {
  if (smtpUrl === null || mailFrom === null) return null;
  return createMailer({
    server: smtpUrl,
    from: mailFrom,
    onFailure: (failure) => logger.warn({ ...failure }, 'e-mail not sent'),
  });
}

/** One of this many slots is reserved for free scans: accounts may use all others. */
const FREE_SHARE = 8;

/** The slots that all scans of a process share. A worker performs no free scans, and reserves none for them. */
export function createScanSlots(role: Role, scanConcurrency: number): Slots {
  if (role === 'worker') return new Slots(scanConcurrency);
  const reserved = { owner: FREE_SCANS, slots: Math.floor(scanConcurrency / FREE_SHARE) };
  return new Slots(scanConcurrency, { reserved });
}

/** Refuses as overloaded where our own limits cost evidence. The cause distinguishes it from a scan that never began. */
export async function refuseOverload<Made>(scan: Promise<Made>): Promise<Made> {
  return scan.catch((error: unknown) => {
    throw error instanceof OutOfResources ? new ServiceError('overloaded', { cause: error }) : error;
  });
}

/** Counts a scan without a key; others are counted when their runs are stored. */
async function countFreeScan<Made>(
  scan: Promise<Made>,
  metrics: ScanMetrics,
  reportOf: (made: Made) => ScanReport,
): Promise<Made> {
  const startedMs = performance.now();
  try {
    const made = await scan;
    metrics.finished('FREE', reportOf(made), performance.now() - startedMs);
    return made;
  } catch (error) {
    metrics.failed('FREE', error);
    throw error;
  }
}

/** Counts runs, and logs each that ends or fails. */
export function observeRuns(metrics: ScanMetrics, logger: Logger, release: string): RunObserver & QueuedRunObserver {
  return {
    finished({ accountId, response: { site, run }, report }, durationMs) {
      const { trigger, number, score } = run;
      metrics.finished(trigger, report, durationMs);
      const fields = { siteId: site.id, accountId, trigger, number, score, release };
      logger.info({ ...fields, ms: Math.round(durationMs), requests: report.requestCount }, 'run finished');
    },
    failed: (trigger, error) => metrics.failed(trigger, error),
    retried({ siteId, trigger }, cause) {
      logger.warn({ siteId, trigger, cause }, 'queued run failed, retrying');
    },
    abandoned({ siteId, trigger }, cause) {
      metrics.abandoned(trigger);
      logger.error({ siteId, trigger, cause }, 'queued run abandoned');
    },
  };
}
