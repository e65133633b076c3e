import type { SiteNote } from '../app/sites/site.js';
import type { Config } from '../config.js';
import type { RefusalReason } from '../net/url-gate.js';
import { createScanning } from '../package/scanning.js';
import { systemClock as clock } from '../platform/clock.js';
import { connectionLimitsOf } from '../platform/http/connections.js';
import { createServer, Lifecycle } from '../platform/http/server.js';
import { InputError } from '../platform/input-error.js';
import { nextStopSignal, type Role } from '../platform/lifecycle.js';
import { createLogger, logConsole, type Logger } from '../platform/logging.js';
import { Worker } from '../queue/worker.js';
import type { Database } from '../store/database.js';
import { openDatabase } from '../store/open-database.js';
import { explainUnguarded, refuseOtherSchema, schemaStatus } from '../store/schema-check.js';
import { SCHEMA_BEHIND } from './admin.js';
import { createApps, createWorkerApps } from './apps.js';
import { type DemoSites, NO_DEMO_SITES, openDemoSites, showDemo } from './demo.js';
import { listenOn } from './listen.js';
import { createMetrics, createMetricsServer, type Metrics } from './metrics.js';
import { createReadiness } from './readiness.js';
import { createScanThreads } from './scan-thread.js';
import { createServices } from './services.js';
import { assertRole } from './workers.js';

export interface ServeOptions {
  readonly config: Config;
  readonly role: Role;
  /** Sets up the demo and lets the scanner visit our own origin although it is on loopback. */
  readonly isDemo: boolean;
  /** Where restarts of the demo find the API key of the first start. */
  readonly keyFile?: string | undefined;
  readonly readDocument: () => Promise<string>;
  /** See build/release.ts. */
  readonly version: string;
  /** Prints for a person at the terminal. */
  readonly print: (text: string) => void;
}

/**
 * Starts the service; resolves when a signal has stopped it and everything is closed.
 * @throws InputError for a role that the database or the demo does not support, or a database of another version; Error for a database
 * with changed triggers
 */
export async function serve(options: ServeOptions): Promise<void> {
  const { config, role, isDemo, version } = options;
  if (isDemo && role !== 'all') throw new InputError('--demo shows all that the service does: leave --role out.');
  const logger = createLogger(config.logLevel);
  logConsole(logger);
  const isShown = config.metricsToken !== null || config.metricsPort !== null;
  const metrics = createMetrics({ version, role, isShown });
  const db = await openDatabase(config.databaseUrl, metrics.database);
  try {
    assertRole(db, role);
    warnOfSettings(config, logger);
    await checkDatabase(db, logger);
    const demoSites = isDemo ? await openDemoSites(config, logger) : NO_DEMO_SITES;
    try {
      await serveUntilStopped({ ...options, logger, metrics, db, demoSites });
    } finally {
      await demoSites.shop?.close();
    }
  } finally {
    await db.close();
  }
  logger.info({}, 'stopped');
}

function warnOfSettings({ scanAllowCidrs, scanAllowPorts, retiredVariables }: Config, logger: Logger): void {
  if (scanAllowCidrs.length > 0 || scanAllowPorts.length > 0) {
    logger.warn({ scanAllowCidrs, scanAllowPorts }, 'guard exceptions active: these targets may be scanned');
  }
  if (retiredVariables.length > 0) {
    logger.warn({ variables: retiredVariables }, 'these variables no longer exist and are ignored: remove them');
  }
}

/** @throws InputError for a database of another version; Error for one with changed triggers */
async function checkDatabase(db: Database, logger: Logger): Promise<void> {
  await refuseOtherSchema(db.url);
  const status = await schemaStatus(db);
  if (status === 'behind') logger.error({}, `${SCHEMA_BEHIND}; until then /readyz is 503`);
  // Waiting would not fix it, and in the meantime stored runs could be changed.
  if (status === 'unguarded') throw new Error(await explainUnguarded(db));
}

interface Serving extends ServeOptions {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly db: Database;
  readonly demoSites: DemoSites;
}

async function serveUntilStopped(serving: Serving): Promise<void> {
  const { config, role, isDemo, version, logger, metrics, db, demoSites } = serving;
  const lifecycle = new Lifecycle();
  const siteNotes = new Map<string, SiteNote>();

  const { endpoints, shop } = demoSites;
  const onRefused = (reason: RefusalReason): void => metrics.scans.guardRefused(reason);
  const scanning = createScanning(config, logger, { endpoints, onRefused });
  const scanners = createScanThreads({ config, endpoints, onRefused, logger });
  const { app, queues, health } = createServices({ config, db, logger, role, version, metrics, scanning, scanners });

  const workers = role === 'api' ? [] : queues.map((queue) => new Worker(queue, { db, clock, logger }));
  const isWorking = role === 'api' ? undefined : () => workers.every((worker) => worker.isWorking);
  metrics.watch({ ...health, isWorking, measureBusyShare: scanners.measureBusyShare });
  const metricsServer = createMetricsServer(config, metrics, logger);

  const readiness = createReadiness(db, clock, isWorking);
  const appsDeps = { ...serving, lifecycle, readiness, siteNotes };
  const apps = role === 'worker' ? createWorkerApps(appsDeps) : await createApps(appsDeps, app);
  const server = createServer({ handle: apps.handle, lifecycle, logger, connections: connectionLimitsOf(config) });

  const stopped = nextStopSignal();
  const command = isDemo ? ' make run' : '';
  const { address, port } = await listenOn(server, { ...config, variable: 'PORT', command });
  logger.info({ address, port, role, version, publicUrl: config.publicUrl }, 'listening');

  let endDemo = (): void => undefined;
  const begin = async (): Promise<void> => {
    await metricsServer?.open();
    for (const worker of workers) worker.start();
    if (isDemo) endDemo = await showDemo(app, { ...serving, shop, siteNotes });
  };
  try {
    // A signal stops the process at any moment, also while the first jobs are claimed or the demo is set up.
    logger.info({ signal: await Promise.race([stopped, begin().then(() => stopped)]) }, 'stopping');
  } finally {
    endDemo();
    // At once: each accepts no new work and finishes its own.
    await Promise.all([server.close(), ...workers.map((worker) => worker.close()), app.close()]);
    await app.settle();
    await scanners.close();
    await apps.close();
    await metricsServer?.close();
  }
}
