import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { createDeliveryMetrics, type DeliveryMetrics } from '../app/alerts/delivery-metrics.js';
import { type Backlog, createBacklogMetrics } from '../app/data/backlog.js';
import { createScanMetrics, type ScanMetrics } from '../app/runs/scan-metrics.js';
import type { Config } from '../config.js';
import { createDatabaseMetrics, type DatabaseObserver } from '../platform/database-metrics.js';
import { createMetricsEndpoint, createRequestMetrics } from '../platform/http/metrics.js';
import type { ObserveRequest } from '../platform/http/app.js';
import { createServer, Lifecycle } from '../platform/http/server.js';
import { type Role } from '../platform/lifecycle.js';
import type { Logger } from '../platform/logging.js';
import { listenOn } from './listen.js';

/** What the metrics read at each request. */
export interface WatchedProcess {
  readonly scanConcurrency: number;
  /** How many scans run, and how many wait for a slot. */
  readonly scanSlots: () => { readonly running: number; readonly waiting: number };
  /** Waiting work in the database; null if it does not answer. Never rejects, and never takes long. */
  readonly readBacklog: () => Promise<Backlog | null>;
  /** True if queued runs are performed; left out where that is not the process's role. */
  readonly isWorking?: (() => boolean) | undefined;
  /** Left out without scan threads. */
  readonly measureBusyShare?: (() => number) | undefined;
}

/** The metrics of a process for Prometheus. No label contains anything that a site or an account chose: neither host names nor ids. */
export interface Metrics {
  readonly observeRequest: ObserveRequest;
  readonly scans: ScanMetrics;
  readonly deliveries: DeliveryMetrics;
  readonly database: DatabaseObserver;
  /** Sets what each {@link text} reads. */
  watch(watched: WatchedProcess): void;
  readonly contentType: string;
  /** Returns all metrics as text; without those of the database while it is away. */
  text(): Promise<string>;
}

export interface MetricsOptions {
  readonly version: string;
  readonly role: Role;
  /** True to measure the process too: event loop, memory, garbage collection. */
  readonly isShown: boolean;
}

export function createMetrics({ version, role, isShown }: MetricsOptions): Metrics {
  const register = new Registry();
  if (isShown) collectDefaultMetrics({ register });
  const gauge = (name: string, help: string, labelNames: readonly string[] = []): Gauge =>
    new Gauge({ name: `agent_readiness_${name}`, help, labelNames, registers: [register] });
  gauge('build_info', 'Always 1: the version of the service and the role of the process.', ['version', 'role']).set(
    { version, role },
    1,
  );
  const slots = gauge('scan_slots', 'Scans of this process: "running" in a slot, or "waiting" for one.', ['state']);
  const limit = gauge('scan_slots_limit', 'How many scans this process performs at a time (SCAN_CONCURRENCY).');
  const worker = gauge(
    'worker_up',
    'Whether this process performs queued runs: 1 or 0. Absent in a process without that role.',
    ['role'],
  );
  const busyShare = gauge(
    'scan_thread_busy_ratio',
    'Share of the time since the last scrape in which the busier scan thread was busy; 0 if there is no thread.',
  );
  const showBacklog = createBacklogMetrics(register);
  const show = async (watched: WatchedProcess): Promise<void> => {
    showBacklog(await watched.readBacklog());
    const { running, waiting } = watched.scanSlots();
    slots.set({ state: 'running' }, running);
    slots.set({ state: 'waiting' }, waiting);
    limit.set(watched.scanConcurrency);
    if (watched.isWorking) worker.set({ role }, watched.isWorking() ? 1 : 0);
    if (watched.measureBusyShare) busyShare.set(watched.measureBusyShare());
  };
  let watched: WatchedProcess | null = null;
  return {
    observeRequest: createRequestMetrics(register),
    scans: createScanMetrics(register),
    deliveries: createDeliveryMetrics(register),
    database: createDatabaseMetrics(register),
    watch: (toWatch) => void (watched = toWatch),
    contentType: register.contentType,
    async text() {
      if (watched) await show(watched);
      return register.metrics();
    },
  };
}

/** Limits of connections, which count against the descriptors that the process reserves for itself. */
const SCRAPERS = { total: 32, perAddress: 32 };

/** `/metrics` at a separate port. */
export interface MetricsServer {
  /** Resolves once it listens. */
  open(): Promise<void>;
  /** May be called before it is open. */
  close(): Promise<void>;
}

/** Returns null if METRICS_PORT is not set. */
export function createMetricsServer(
  { host, metricsPort }: Pick<Config, 'host' | 'metricsPort'>,
  metrics: Metrics,
  logger: Logger,
): MetricsServer | null {
  if (metricsPort === null) return null;
  // It stays open while the process stops.
  const lifecycle = new Lifecycle();
  const endpoint = createMetricsEndpoint({ metrics, token: null, logger, lifecycle });
  const server = createServer({ handle: endpoint.callback(), lifecycle, logger, connections: SCRAPERS });
  return {
    async open() {
      const { address, port } = await listenOn(server, { host, port: metricsPort, variable: 'METRICS_PORT' });
      logger.info({ address, port }, 'metrics listening');
    },
    close: () => server.close(),
  };
}
