import { ACCOUNT_MAIL, createAccountMailHandler } from '../app/accounts/mails.js';
import { createDeliveryHandler } from '../app/alerts/deliver.js';
import { type App, createApp } from '../app/app.js';
import { QUEUE_DUE_EVERY_MS, queueDueRuns } from '../app/automation/schedules.js';
import { CLEAN_UP_EVERY_MS, cleanUp } from '../app/cleanups.js';
import type { Context } from '../app/context.js';
import { ERASE_EVERY_MS, eraseRemoved } from '../app/data/removal.js';
import { EVIDENCE_LIMIT_EVERY_MS, EvidenceLimit } from '../app/evidence/evidence.js';
import { FREE_SCANS } from '../app/free-scan/free-scan-slots.js';
import { RECHECK_EVERY_MS, recheckOwnership } from '../app/ownership-recheck.js';
import { createRunHandler } from '../app/runs/queued-runs.js';
import type { RunObserver } from '../app/runs/run-performer.js';
import { QUEUED_TRIGGERS } from '../app/runs/run.js';
import { createRecheckHandler } from '../app/triage/rechecks.js';
import type { Role } from '../cli/service.js';
import type { Config } from '../config.js';
import { vetWebhook } from '../net/guard.js';
import { createPoster } from '../net/post.js';
import type { Scanning } from '../package/scanning.js';
import { systemClock as clock } from '../platform/clock.js';
import type { Logger } from '../platform/logging.js';
import { createMailer, type SendMail } from '../platform/mail.js';
import { Slots } from '../platform/slots.js';
import type { JobHandler, WorkerQueue } from '../queue/worker.js';
import { scannerUserAgent } from '../scanner/artifacts/scanner.js';
import type { ScanTarget } from '../scanner/client/visit.js';
import type { OverlayComparison } from '../scanner/scan/recorded-scan.js';
import type { ScanReport } from '../scanner/scan/scan.js';
import type { Database } from '../store/database.js';
import { networkServices, withExcludedHosts } from './admin.js';
import type { Metrics } from './metrics.js';
import { recurringJob, type RecurringWork, upkeepQueue } from './recurring.js';

export interface ServicesOptions {
  readonly config: Config;
  readonly db: Database;
  readonly logger: Logger;
  readonly scanning: Scanning;
  readonly scanners: Pick<Context, 'scan' | 'scanFree' | 'tryFile'>;
  readonly role: Role;
  readonly version: string;
  readonly metrics: Pick<Metrics, 'scans' | 'deliveries'>;
}

/** Creates the services of a serving process and its queues. */
export function createServices(options: ServicesOptions) {
  const { config, db, logger, scanning, scanners, role, version, metrics } = options;
  const { scanConcurrency } = config;
  const sendMail = createSendMail(config, logger);
  const context: Context = {
    ...networkServices(scanning, config, db),
    db,
    clock,
    logger,
    scanConcurrency,
    publicUrl: config.publicUrl,
    release: version,
    hasMail: sendMail !== null,
    slots: createScanSlots(role, scanConcurrency),
    scan: excludeHosts(db, scanners.scan),
    scanFree: countFreeScans(metrics.scans, excludeHosts(db, scanners.scanFree)),
    tryFile: countFreeScans(metrics.scans, excludeHosts(db, scanners.tryFile)),
    addressesOf: (origin) => findAddresses(origin, scanning),
    vetWebhook: (url) => vetWebhook(scanning, url),
    onFailure: (cause) => logger.error({ cause }, 'scan failed'),
  };
  const observer = observeRuns(metrics.scans, logger, version);
  const app = createApp(context, observer);
  return { context, app, queues: createQueues(context, app, observer, sendMail, options) };
}

/** Sending is cheap but some receivers are slow. With this many slots, they do not block the others. */
const DELIVERY_CONCURRENCY = 10;

/** @param sendMail null if no mail server is configured */
function createQueues(
  context: Context,
  app: App,
  observer: RunObserver,
  sendMail: SendMail | null,
  { config, role, scanning, metrics }: ServicesOptions,
): WorkerQueue[] {
  const { db, clock, logger, scanConcurrency } = context;
  const { resolver } = scanning;
  const runs = { ...context, ...app, observer };
  const deliveries = createDeliveryHandler({
    ...context,
    sendMail,
    post: createPoster(scanning),
    userAgent: scannerUserAgent(scanning.infoUrl),
    metrics: metrics.deliveries,
  });
  const accountMails = createAccountMailHandler({
    ...context,
    sendMail,
    onFailure: (cause) => logger.error({ cause }, 'account mail failed'),
    onAttempt: (result) => metrics.deliveries.attempted('account-mail', result),
  });
  const ownership = {
    ...context,
    ...app,
    dns: {
      isNameGone: (name: string) => resolver.isNameGone(name),
      // An empty answer also counts: `resolveTxt` rejects only if DNS does not answer.
      answersControl: () =>
        resolver.resolveTxt(config.ownershipControlName).then(
          () => true,
          () => false,
        ),
    },
  };
  const evidence = new EvidenceLimit(db);
  const every = (ms: number, perform: RecurringWork): JobHandler => recurringJob(ms, perform, context);
  return [
    {
      name: 'runs',
      // A process that also serves requests reserves half of its scans for them.
      concurrency: role === 'all' ? Math.max(1, Math.floor(scanConcurrency / 2)) : scanConcurrency,
      handlers: Object.fromEntries(QUEUED_TRIGGERS.map((trigger) => [trigger, createRunHandler(trigger, runs)])),
    },
    // Users wait for rechecks, so they never queue behind runs.
    { name: 'rechecks', concurrency: scanConcurrency, handlers: { RECHECK: createRecheckHandler(context) } },
    { name: 'deliveries', concurrency: DELIVERY_CONCURRENCY, handlers: { WEBHOOK: deliveries, MAIL: deliveries } },
    { name: 'account-mails', concurrency: DELIVERY_CONCURRENCY, handlers: { [ACCOUNT_MAIL]: accountMails } },
    upkeepQueue(
      {
        OWNERSHIP: every(RECHECK_EVERY_MS, (pause) => recheckOwnership(ownership, pause)),
        EVIDENCE: every(EVIDENCE_LIMIT_EVERY_MS, (pause) => evidence.enforce(pause)),
        SCHEDULES: every(QUEUE_DUE_EVERY_MS, (pause) => queueDueRuns(context, pause)),
        ERASURE: every(ERASE_EVERY_MS, (pause) => eraseRemoved(db, pause)),
        CLEANUP: every(CLEAN_UP_EVERY_MS, (pause) => cleanUp(db, clock.now(), config.evidenceDays, pause)),
      },
      context,
    ),
  ];
}

/** Returns all addresses that a scan may connect to, since the first may be dead. Returns the host name if it has none. */
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
  const onFailure = (failure: object): void => logger.warn({ ...failure }, 'e-mail not sent');
  return createMailer({ server: smtpUrl, from: mailFrom, onFailure });
}

/** One slot in this many is reserved for free scans. Accounts may use all others. */
const FREE_SHARE = 8;

/** Creates the slots that all scans of a process share. A worker performs no free scans, so it reserves none for them. */
export function createScanSlots(role: Role, scanConcurrency: number): Slots {
  if (role === 'worker') return new Slots(scanConcurrency);
  const reserved = { owner: FREE_SCANS, slots: Math.floor(scanConcurrency / FREE_SHARE) };
  return new Slots(scanConcurrency, { reserved });
}

type Scan<Rest extends unknown[], Result> = (target: ScanTarget, ...rest: Rest) => Promise<Result>;

function excludeHosts<Rest extends unknown[], Result>(db: Database, scan: Scan<Rest, Result>): Scan<Rest, Result> {
  return async (target, ...rest) => scan(await withExcludedHosts(target, db), ...rest);
}

/** Counts free scans. Other scans are counted when their runs are stored. */
function countFreeScans<Rest extends unknown[], Result extends ScanReport | OverlayComparison>(
  metrics: Metrics['scans'],
  scan: Scan<Rest, Result>,
): Scan<Rest, Result> {
  return async (target, ...rest) => {
    const startedMs = performance.now();
    try {
      const result = await scan(target, ...rest);
      metrics.finished('FREE', 'before' in result ? result.before : result, performance.now() - startedMs);
      return result;
    } catch (error) {
      metrics.failed('FREE', error);
      throw error;
    }
  };
}

export function observeRuns(metrics: Metrics['scans'], logger: Logger, release: string): RunObserver {
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
