import { AccountMailHandler } from '../app/accounts/account-mail-handler.js';
import { type App, createApp } from '../app/app.js';
import { createBacklog } from '../app/data/backlog.js';
import { FEATURES } from '../app/features.js';
import type { OwnershipNames } from '../app/sites/proof-look.js';
import type { Config } from '../config.js';
import { vetWebhook } from '../net/vet-webhook.js';
import { systemClock as clock } from '../platform/clock.js';
import type { Logger } from '../platform/logging.js';
import type { Role } from '../platform/role.js';
import type { Peers } from '../scanner/client/address-slots.js';
import type { WorkerQueue } from '../queue/worker.js';
import type { Database } from '../store/database.js';
import { createDeliveryHandlers, createSendMail } from './delivering.js';
import { networkOf } from './network.js';
import { observeChains, observeEvents, observeFreeScans, observeRuns } from './observed-scans.js';
import type { Metrics, WatchedProcess } from './process-metrics.js';
import { createScanSlots } from './scan-slots.js';
import { refuseOverload } from './scanner.js';
import type { Scanners } from './scanners.js';
import type { Scanning } from '../package/scanning.js';
import { createQueues } from './workers.js';

/** The services of a serving process, and what is made of them. */
export interface Services {
  readonly app: App;
  /** What the workers do. */
  readonly queues: readonly WorkerQueue[];
  /** What the metrics look at. */
  readonly health: WatchedProcess;
}

export interface ServicesDeps {
  readonly config: Config;
  readonly db: Database;
  readonly logger: Logger;
  readonly scanning: Scanning;
  readonly scanners: Scanners;
  /** Other processes that scan too; by default none. */
  readonly peers?: Pick<Peers, 'countAt'> | undefined;
  readonly role: Role;
  /** Of this build: runs say that it judged them. */
  readonly version: string;
  readonly metrics: Pick<Metrics, 'scans' | 'deliveries'>;
}

export function createServices(deps: ServicesDeps): Services {
  const { config, db, logger, scanning, peers, role, version, metrics } = deps;
  const { publicUrl, scanConcurrency, evidenceDays, runFormat } = config;
  const { scans, deliveries } = metrics;
  const slots = createScanSlots(role, scanConcurrency);
  const scan = refuseOverload(deps.scanners.scan);
  const tryFile = refuseOverload(deps.scanners.tryFile);
  const sendMail = createSendMail(config, logger);
  const onBrokenChain = observeChains(scans, logger);
  const observer = observeRuns(scans, logger, onBrokenChain);
  const common = { db, clock, logger, publicUrl, observer, onBrokenChain };
  const app = createApp({
    ...common,
    ...networkOf(scanning, config),
    features: FEATURES,
    release: version,
    runFormat,
    slots,
    scanConcurrency,
    scan,
    scanFree: observeFreeScans(scan, scans, (report) => report),
    tryFree: observeFreeScans(tryFile, scans, ({ before }) => before),
    peers,
    addressesOf: (origin) => findAddresses(origin, scanning),
    vetWebhook: (url) => vetWebhook(scanning, url),
    hasMail: sendMail !== null,
    onFailure: (cause) => logger.error({ cause }, 'scan failed'),
  });
  const work = {
    ...common,
    ...app,
    names: namesFor(scanning, config),
    consequences: app.proofConsequences,
    onLinkedEvents: observeEvents(scans, logger),
    onPreviewFailure: (cause: unknown) => logger.error({ cause }, 'preview not drawn'),
    evidenceDays,
    features: FEATURES,
    hasMail: sendMail !== null,
    deliveryHandlers: createDeliveryHandlers({ ...common, sendMail, scanning, deliveries }),
    accountMailHandler: new AccountMailHandler({
      ...{ db, clock, publicUrl, sendMail },
      onFailure: (cause) => logger.error({ cause }, 'account mail failed'),
      onAttempt: (result) => deliveries.attempted('account-mail', result),
    }),
  };
  return {
    app,
    queues: createQueues(work, role, scanConcurrency),
    health: {
      scanConcurrency,
      scanSlots: () => slots.occupancy(),
      lookAtBacklog: createBacklog({ db, clock, features: FEATURES }),
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

/** All that a scan may connect to, since the first may be dead; the name where it has none. */
export async function findAddresses(
  { hostname }: URL,
  { resolver }: { readonly resolver: Pick<Scanning['resolver'], 'resolveAddresses'> },
): Promise<readonly string[]> {
  const addresses = await resolver.resolveAddresses(hostname).catch(() => []);
  return addresses.length > 0 ? addresses : [hostname];
}
