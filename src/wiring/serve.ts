import type { AddressInfo } from 'node:net';
import { readBacklog } from '../app/data/backlog.js';
import { consume, limitOf } from '../app/limits/limits.js';
import type { Role, ServeCommandOptions } from '../cli/service.js';
import type { Config } from '../config.js';
import type { RefusalReason } from '../net/url-gate.js';
import { createScanning } from '../package/scanning.js';
import { type Clock, systemClock as clock } from '../platform/clock.js';
import {
  type CheckReadiness,
  createAppRouter,
  createMetricsEndpoint,
  createProbeApp,
  SILENT_DATABASE,
} from '../platform/http/app.js';
import { connectionLimitsOf } from '../platform/http/connections.js';
import { type ApiServer, createServer, Lifecycle } from '../platform/http/server.js';
import { InputError } from '../platform/errors.js';
import { createLogger, logConsole, type Logger } from '../platform/logging.js';
import { Worker } from '../queue/worker.js';
import { type Database, isFailure } from '../store/database.js';
import { assertGuarded, openDatabase, refuseOtherSchema, type SchemaStatus, schemaStatus } from '../store/open.js';
import { SCHEMA_BEHIND } from './admin.js';
import type { AppsOptions } from './apps.js';
import { startDemoSites, setUpDemo } from './demo.js';
import { createMetrics, type Metrics } from './metrics.js';
import { createScanThreads } from './scan-thread.js';
import { createServices } from './services.js';

export interface ServeOptions extends ServeCommandOptions {
  readonly config: Config;
  readonly readDocument: () => Promise<string>;
  /** See build/release.ts. */
  readonly version: string;
  readonly print: (text: string) => void;
}

/** Connection limits of the metrics port, whose descriptors come from the process's own reserve. */
const METRICS_CONNECTIONS = { total: 32, perAddress: 32 };

/**
 * Runs the service. Resolves when a signal has stopped it and everything is closed.
 * @throws InputError for a role that the database or the demo does not support, or a database of another version; Error for a database
 * with changed triggers, or an address that cannot be used
 */
export async function serve(options: ServeOptions): Promise<void> {
  const { config, role, isDemo, version } = options;
  if (isDemo && role !== 'all') throw new InputError('--demo runs the whole service: leave out --role.');
  const logger = createLogger(config.logLevel);
  logConsole(logger);
  warnAboutSettings(config, logger);
  /** Functions that close what is open, in the order of opening. */
  const closers: (() => unknown)[][] = [];
  const failures: unknown[] = [];
  try {
    const isExposed = config.metricsToken !== null || config.metricsPort !== null;
    const metrics = createMetrics({ version, role, isExposed });
    const db = await openDatabase(config.databaseUrl, metrics.database);
    closers.push([() => db.close()]);
    assertRole(db, role);
    await checkDatabase(db, logger);

    const { shop, endpoints } = isDemo ? await startDemoSites(config, logger) : { shop: null, endpoints: [] };
    closers.push([() => shop?.close()]);
    const onRefused = (reason: RefusalReason): void => metrics.scans.guardRefused(reason);
    const scanning = createScanning(config, logger, { endpoints, onRefused });
    const scanners = createScanThreads({ config, endpoints, onRefused });
    const { context, app, queues } = createServices({ ...options, db, logger, metrics, scanning, scanners });

    const workers = role === 'api' ? [] : queues.map((queue) => new Worker(queue, { db, clock, logger }));
    const isWorking = role === 'api' ? undefined : () => workers.every((worker) => worker.isWorking);
    metrics.watch({
      scanConcurrency: config.scanConcurrency,
      scanSlots: () => context.slots.occupancy(),
      readBacklog: () => readBacklog(context),
      isWorking,
      measureBusyShare: scanners.measureBusyShare,
    });

    const checkReadiness = createReadiness(db, clock, isWorking);
    const { server, closeApps } = await createAppServer(options, { context, app }, metrics, checkReadiness);
    const metricsServer = config.metricsPort === null ? null : createMetricsServer(logger, metrics);

    closers.push([closeApps, scanners.close, () => metricsServer?.close()]);
    closers.push([app.settle]);
    // Each stops accepting work and finishes the work it has.
    closers.push([server.close, app.close, ...workers.map((worker) => () => worker.close())]);
    const stopped = nextStopSignal();
    const { host, port, metricsPort, publicUrl } = config;
    const command = isDemo ? ' make run' : '';
    const address = await listenOn(server, { host, port, variable: 'PORT', command });
    logger.info({ address: address.address, port: address.port, role, version, publicUrl }, 'listening');
    const begin = async (): Promise<void> => {
      if (metricsServer) {
        const listening = await listenOn(metricsServer, { host, port: metricsPort ?? 0, variable: 'METRICS_PORT' });
        logger.info({ address: listening.address, port: listening.port }, 'metrics listening');
      }
      for (const worker of workers) worker.start();
      if (isDemo) await setUpDemo(app, { ...options, logger, shop });
    };
    // A signal stops the process at any moment, even while the first jobs are claimed or the demo is set up.
    logger.info({ signal: await Promise.race([stopped, begin().then(() => stopped)]) }, 'stopping');
  } catch (error) {
    failures.push(error);
  }
  failures.push(...(await closeAll(closers)));
  if (failures.length > 0) throw failures[0];
  logger.info({}, 'stopped');
}

/**
 * Resolves with the name of the first stop signal. A second signal has no handler and ends the process at once, so that an impatient
 * operator does not have to wait.
 */
function nextStopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, resolve);
  });
}

/** Closes the groups one after another, last opened first, even if some fail. @returns the failures */
export async function closeAll(groups: readonly (readonly (() => unknown)[])[]): Promise<unknown[]> {
  const failures: unknown[] = [];
  for (const group of groups.toReversed()) {
    const results = await Promise.allSettled(group.map(async (close) => close()));
    for (const result of results) if (result.status === 'rejected') failures.push(result.reason);
  }
  return failures;
}

function warnAboutSettings({ scanAllowCidrs, scanAllowPorts, retiredVariables }: Config, logger: Logger): void {
  if (scanAllowCidrs.length > 0 || scanAllowPorts.length > 0) {
    logger.warn({ scanAllowCidrs, scanAllowPorts }, 'guard exceptions active: these targets may be scanned');
  }
  if (retiredVariables.length > 0) {
    logger.warn({ variables: retiredVariables }, 'these variables no longer exist and are ignored: remove them');
  }
}

/** @throws InputError for a role that requires several processes, which SQLite does not support */
function assertRole({ dialect }: Database, role: Role): void {
  if (role === 'all' || dialect === 'postgres') return;
  throw new InputError(
    `--role ${role} needs PostgreSQL: on SQLite, one process does everything. Leave out --role, or set DATABASE_URL to postgres://…`,
  );
}

/** @throws InputError for a database of another version; Error for one with changed triggers */
async function checkDatabase(db: Database, logger: Logger): Promise<void> {
  await refuseOtherSchema(db);
  const status = await schemaStatus(db);
  if (status === 'behind') logger.error({}, `${SCHEMA_BEHIND}; until then /readyz is 503`);
  // Waiting would not help, and in the meantime stored runs could be changed.
  if (status === 'unguarded') await assertGuarded(db);
}

/** Creates the server of all apps. In a worker process, these are only the probes, and metrics if there is a token. */
async function createAppServer(
  options: ServeOptions,
  services: Pick<AppsOptions, 'context' | 'app'>,
  metrics: Metrics,
  checkReadiness: CheckReadiness,
) {
  const { config, role } = options;
  const { metricsToken: token, trustProxy } = config;
  const { logger } = services.context;
  const lifecycle = new Lifecycle();
  const http = { observeRequest: metrics.observeRequest, logger, lifecycle, trustProxy };
  // Loads the pages only on use: they are most of the program.
  const apps =
    role === 'worker' ? null : await (await import('./apps.js')).createApps({ ...options, ...services, http });
  const handle = createAppRouter({
    ...apps?.handlers,
    probes: createProbeApp(http, checkReadiness).callback(),
    metrics: token === null ? undefined : createMetricsEndpoint(http, metrics, token).callback(),
  });
  const server = createServer({ handle, lifecycle, logger, connections: connectionLimitsOf(config) });
  return { server, closeApps: async () => apps?.close() };
}

/** Creates the server of `/metrics` on a separate port, which stays open while the process stops. */
function createMetricsServer(logger: Logger, metrics: Metrics): ApiServer {
  const http = { observeRequest: metrics.observeRequest, logger, lifecycle: new Lifecycle() };
  const handle = createMetricsEndpoint(http, metrics, null).callback();
  return createServer({ ...http, handle, connections: METRICS_CONNECTIONS });
}

interface Endpoint {
  readonly host: string;
  readonly port: number;
  /** The variable that sets the port. */
  readonly variable: string;
  /** The command that follows the variable, if any. */
  readonly command?: string;
}

/** Messages for addresses that cannot be listened on, by the system's error code. */
const REMEDIES: Readonly<Record<string, (endpoint: Endpoint) => string>> = {
  EADDRINUSE: ({ port, variable, command = '' }) =>
    `port ${port} is in use. Stop what listens there, or choose another port: ` +
    `${variable}=${port === 4000 ? 5000 : 4000}${command}`,
  EACCES: ({ port, variable }) => `port ${port} needs more privileges: set ${variable} to one above 1023`,
  EADDRNOTAVAIL: ({ host }) => `${host} is not an address of this machine: set HOST to one that is`,
  ENOTFOUND: ({ host }) => `there is no host ${host}: set HOST to an address of this machine`,
};

/** @throws Error that says what to do if it cannot listen on the address */
export async function listenOn(server: Pick<ApiServer, 'listen'>, endpoint: Endpoint): Promise<AddressInfo> {
  try {
    return await server.listen(endpoint.port, endpoint.host);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const remedy = REMEDIES[code]?.(endpoint);
    throw remedy === undefined ? error : new Error(remedy, { cause: error });
  }
}

const SCHEMA_REASONS: Readonly<Record<SchemaStatus, string | null>> = {
  current: null,
  behind: 'the database lacks the current schema',
  other: 'another version of the program created the database',
  unguarded: 'triggers of the database are missing or changed',
  unreachable: SILENT_DATABASE,
};

/** How long the result of a test write is reused. */
const WRITE_CHECK_MS = 5000;

/**
 * Returns a check that the database answers, has the current schema and accepts writes, and that the workers work.
 * @param isWorking omitted if this process performs no queued work
 */
export function createReadiness(db: Database, clock: Clock, isWorking?: () => boolean): CheckReadiness {
  let checkedMs = -Infinity;
  let lastCheck: Promise<string | null> = Promise.resolve(null);
  const checkWrite = (): Promise<string | null> => {
    const nowMs = clock.now().getTime();
    if (Math.abs(nowMs - checkedMs) < WRITE_CHECK_MS) return lastCheck;
    checkedMs = nowMs;
    lastCheck = consume(db, [limitOf('readyz', 'trial')], clock.now()).then(
      () => null,
      (error: unknown) =>
        isFailure(error, 'diskFull') ? 'the disk of the database is full' : 'the database accepts no writes',
    );
    return lastCheck;
  };
  return async () =>
    SCHEMA_REASONS[await schemaStatus(db)] ??
    (await checkWrite()) ??
    (isWorking?.() === false ? 'queued work is not performed' : null);
}
