import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { createDeliveryMetrics, type DeliveryMetrics } from '../app/alerts/delivery-metrics.js';
import { type Backlog, createBacklogMetrics } from '../app/data/backlog.js';
import { createScanMetrics, type ScanMetrics } from '../app/runs/scan-metrics.js';
import type { Config } from '../config.js';
import { createDatabaseMetrics, type DatabaseObserver } from '../platform/database-metrics.js';
import { createMetricsEndpoint, createRequestMetrics } from '../platform/http/metrics.js';
import type { ObserveRequest } from '../platform/http/app.js';
import { createServer, type Handle, Lifecycle } from '../platform/http/server.js';
import { type Role } from '../platform/lifecycle.js';
import type { Logger } from '../platform/logging.js';
import { listenOn } from './listen.js';

/** What the metrics read at each request. */
export interface WatchedProcess {
  readonly scanConcurrency: number;
  /** How many scans run, and how many wait for a slot. */
  readonly scanSlots: () => { readonly running: number; readonly waiting: number };
  /** Waiting work in the database; null if it does not answer. Never rejects, and never takes long. */
  readonly lookAtBacklog: () => Promise<Backlog | null>;
  /** True if queued runs are performed; left out where that is not the process's role. */
  readonly isWorking?: (() => boolean) | undefined;
  /** The lag of the event loop of scan threads, in seconds; left out without threads. */
  readonly scanLagS?: (() => number) | undefined;
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
  new Gauge({
    name: 'agent_readiness_build_info',
    help: 'Always 1: the version of the service and the role of the process.',
    labelNames: ['version', 'role'] as const,
    registers: [register],
  }).set({ version, role }, 1);
  const showProcess = createProcessGauges(register, role);
  const showBacklog = createBacklogMetrics(register);
  let watched: WatchedProcess | null = null;
  return {
    observeRequest: createRequestMetrics(register),
    scans: createScanMetrics(register),
    deliveries: createDeliveryMetrics(register),
    database: createDatabaseMetrics(register),
    watch: (toWatch) => {
      watched = toWatch;
    },
    contentType: register.contentType,
    async text() {
      if (watched) {
        showBacklog(await watched.lookAtBacklog());
        showProcess(watched);
      }
      return register.metrics();
    },
  };
}

function createProcessGauges(register: Registry, role: Role): (watched: WatchedProcess) => void {
  const slots = new Gauge({
    name: 'agent_readiness_scan_slots',
    help: 'Scans of this process: "running" in a slot, or "waiting" for one.',
    labelNames: ['state'] as const,
    registers: [register],
  });
  const limit = new Gauge({
    name: 'agent_readiness_scan_slots_limit',
    help: 'How many scans this process performs at a time (SCAN_CONCURRENCY).',
    registers: [register],
  });
  const workers = new Gauge({
    name: 'agent_readiness_worker_up',
    help: 'Whether this process performs queued runs: 1 or 0. Absent in a process without that role.',
    labelNames: ['role'] as const,
    registers: [register],
  });
  const scanLag = new Gauge({
    name: 'agent_readiness_scan_thread_lag_seconds',
    help: 'Event loop delay of the scan thread: the 99th percentile over 20 seconds; 0 if there is no thread.',
    registers: [register],
  });
  return ({ scanConcurrency, scanSlots, isWorking, scanLagS }) => {
    limit.set(scanConcurrency);
    const { running, waiting } = scanSlots();
    slots.set({ state: 'running' }, running);
    slots.set({ state: 'waiting' }, waiting);
    if (scanLagS) scanLag.set(scanLagS());
    if (isWorking) workers.set({ role }, isWorking() ? 1 : 0);
  };
}

/** Limits of connections, which count against the descriptors that the process reserves for itself. */
const SCRAPERS = { total: 32, perAddress: 32 };

type MetricsConfig = Pick<Config, 'metricsToken' | 'metricsPort'>;

interface MetricsOutput {
  readonly config: MetricsConfig & Pick<Config, 'host'>;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

/** `/metrics` at the main port; undefined if no token is set. */
export function createMetricsApp({ config, metrics, logger }: MetricsOutput, lifecycle: Lifecycle): Handle | undefined {
  const token = config.metricsToken;
  return token === null ? undefined : createMetricsEndpoint({ metrics, token, logger, lifecycle }).callback();
}

/** `/metrics` at a separate port, if METRICS_PORT is set. */
export interface MetricsServer {
  /** Resolves once it listens. */
  open(): Promise<void>;
  /** May be called before it is open. */
  close(): Promise<void>;
}

export function createMetricsServer({ config, metrics, logger }: MetricsOutput): MetricsServer {
  const { host, metricsPort } = config;
  if (metricsPort === null) return { open: () => Promise.resolve(), close: () => Promise.resolve() };
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
