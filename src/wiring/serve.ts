import type { Config } from '../config.js';
import { AddressExchange } from '../app/limits/address-exchange.js';
import type { RefusalReason } from '../net/refusal.js';
import type { SiteNote } from '../app/sites/site-note.js';
import { InputError } from '../platform/input-error.js';
import type { Role } from '../platform/role.js';
import { connectionLimitsOf } from '../platform/http/connection-limits.js';
import { createServer } from '../platform/http/server.js';
import type { JobSignal } from '../queue/signal.js';
import { Worker } from '../queue/worker.js';
import { systemClock, utcDay } from '../platform/clock.js';
import { PROGRAM } from '../scanner/report/program.js';
import { Lifecycle, nextStopSignal } from '../platform/lifecycle.js';
import { createLogger, logConsole, type Logger } from '../platform/logging.js';
import type { Metrics } from './process-metrics.js';
import type { Database } from '../store/database.js';
import { observeDatabase } from '../store/observed-database.js';
import { isOlderThanMark, moveMark } from '../store/database-mark.js';
import { openDatabase } from '../store/open-database.js';
import { explainUnguarded, schemaStatus } from '../store/schema-status.js';
import { SCHEMA_BEHIND } from './admin.js';
import { type DemoPlaces, endpointsOf, NO_PLACES, openPlaces, showDemo } from './demo.js';
import { createSignal } from './workers.js';
import { listenOn } from './listen.js';
import { createMetricsServer, createProcessMetrics } from './metrics.js';
import { createApps, createWorkerApps } from './apps.js';
import { createReadiness } from './readiness.js';
import { createScanning } from '../package/scanning.js';
import { ScanThread } from './scan-thread.js';
import { createServices } from './services.js';

export interface ServeOptions {
  readonly config: Config;
  readonly role: Role;
  /** Set up the demonstration, and let the scanner visit our own origin although it is on loopback. */
  readonly isDemo: boolean;
  readonly readDocument: () => Promise<string>;
  /** Of this build: see build/release.ts. */
  readonly version: string;
  /** For a person at the terminal. */
  readonly print: (text: string) => void;
  /** See Start. */
  readonly onWarm?: (() => void) | undefined;
}

/**
 * Starts the service; resolves when a signal has stopped it and everything is closed.
 * @throws InputError for a role that the database or the demonstration does not have; Error for a database whose triggers are not
 * as they were made
 */
export async function serve(options: ServeOptions): Promise<void> {
  const { config, role, isDemo, version } = options;
  if (isDemo && role !== 'all') throw new InputError('--demo shows all that the service does: leave --role out.');
  const logger = createLogger(config.logLevel);
  logConsole(logger);
  const metrics = createProcessMetrics(config, { version, role });
  const db = observeDatabase(await openDatabase(config.databaseUrl), metrics.database);
  try {
    const signal = createSignal(db, role);
    announceExceptions(config, logger);
    await checkDatabase(db, logger);
    const places = isDemo ? await openPlaces(config, logger) : NO_PLACES;
    try {
      await serveUntilStopped({ logger, signal, db, metrics, places, ...options });
    } finally {
      await places.shop?.close();
    }
  } finally {
    await db.close();
  }
  logger.info({}, 'stopped');
}

function announceExceptions({ scanAllowCidrs, scanAllowPorts }: Config, logger: Logger): void {
  if (scanAllowCidrs.length === 0 && scanAllowPorts.length === 0) return;
  logger.warn({ scanAllowCidrs, scanAllowPorts }, 'guard exceptions active: these targets may be scanned');
}

/** @throws Error for a database whose triggers are not as they were made */
async function checkDatabase(db: Database, logger: Logger): Promise<void> {
  const status = await schemaStatus(db);
  if (status === 'behind') logger.error({}, `${SCHEMA_BEHIND}; until then /readyz is 503`);
  // Waiting would not fix it, and every run that is stored meanwhile could be changed.
  if (status === 'unguarded') throw new Error(await explainUnguarded(db));
  if (status === 'current') await compareMark(db, logger);
}

/** A disk that is full, or a folder that is read-only, is not a reason not to start. */
async function compareMark(db: Database, logger: Logger): Promise<void> {
  try {
    if (await isOlderThanMark(db)) logger.error({}, OLDER_COPY);
    await moveMark(db, utcDay(systemClock.now()), { isStart: true });
  } catch (cause) {
    logger.warn({ cause }, 'cannot move the database mark');
  }
}

const OLDER_COPY =
  'the database is older than the mark next to it: a copy was put in its place without "restore", so what was revoked since lets in ' +
  `again. Stop the service, run "${PROGRAM} backup FILE", then "${PROGRAM} restore FILE" with the same new file`;

interface Serving extends ServeOptions {
  readonly logger: Logger;
  readonly signal: JobSignal;
  readonly db: Database;
  readonly metrics: Metrics;
  /** What the demonstration lets the scanner visit on loopback. */
  readonly places: DemoPlaces;
}

async function serveUntilStopped(serving: Serving): Promise<void> {
  const { config, logger, db, metrics, signal, role, version, isDemo, places, onWarm } = serving;
  const endpoints = endpointsOf(places);
  const onRefused = (reason: RefusalReason): void => metrics.scans.guardRefused(reason);
  const scanning = createScanning(config, logger, { endpoints, onRefused });
  // One process does everything on SQLite.
  const peers = db.dialect === 'postgres' ? new AddressExchange({ db, clock: systemClock }) : undefined;
  const exchange = peers && ((addresses: readonly string[]) => peers.exchange(addresses));
  const scanners = new ScanThread({ config, version, endpoints, exchange, onRefused });
  const siteNotes = new Map<string, SiteNote>();
  const { app, queues, health } = createServices({ ...serving, scanning, scanners, peers });
  const worker = role === 'api' ? null : new Worker(queues, signal, { db, clock: systemClock, logger });
  const isWorking = worker ? () => worker.isWorking : undefined;
  metrics.watch({ ...health, isWorking, scanLagS: () => scanners.lagS });
  const lifecycle = new Lifecycle();
  const { connections, streams } = connectionLimitsOf(config);
  const readiness = createReadiness({ db, clock: systemClock, worker });
  const deps = { ...serving, lifecycle, streams, readiness, siteNotes };
  const apps = role === 'worker' ? createWorkerApps(deps) : await createApps(deps, app);
  const server = createServer({ handle: apps.handle, lifecycle, logger, connections });
  const stopped = nextStopSignal();
  const metricsServer = createMetricsServer(serving);
  const { address, port } = await listenOn(server, { ...config, variable: 'PORT' });
  logger.info({ address, port, role, version, publicUrl: config.publicUrl }, 'listening');
  let endDemo = (): void => undefined;
  const begin = async (): Promise<void> => {
    await metricsServer.open();
    await worker?.start();
    onWarm?.();
    if (isDemo) endDemo = await showDemo(app, { ...serving, shop: places.shop, siteNotes });
  };
  try {
    // A signal is obeyed at any moment, also while the first jobs are claimed or the demonstration is set up.
    logger.info({ signal: await Promise.race([stopped, begin().then(() => stopped)]) }, 'stopping');
  } finally {
    endDemo();
    // Together: each takes on nothing more, and finishes what it has begun.
    await Promise.all([server.close(), worker?.close(), app.close()]);
    await app.settle();
    await scanners.close();
    await apps.close();
    await metricsServer.close();
  }
}
