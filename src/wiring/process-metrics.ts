import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Role } from '../platform/role.js';
import { CHECKS } from '../scanner/checks/index.js';
import type { Backlog } from '../app/data/backlog.js';
import { createBacklogMetrics } from '../app/data/backlog-metrics.js';
import { FEATURES } from '../app/features.js';
import { createDatabaseMetrics, type DatabaseObserver } from '../platform/database-metrics.js';
import { createDeliveryMetrics, type DeliveryMetrics } from '../app/alerts/delivery-metrics.js';
import { createRequestMetrics, type ObserveRequest } from '../platform/http/request-metrics.js';
import { createScanMetrics, type ScanMetrics } from '../app/runs/scan-metrics.js';

/** What is looked at when the metrics are asked for. */
export interface WatchedProcess {
  readonly scanConcurrency: number;
  /** How many scans have a slot, and how many wait for one. */
  readonly scanSlots: () => { readonly running: number; readonly waiting: number };
  /** What waits in the database; null when it does not answer. Never rejects, and never takes long. */
  readonly lookAtBacklog: () => Promise<Backlog | null>;
  /** Whether queued runs are performed; left out where that is not the process's job. */
  readonly isWorking?: (() => boolean) | undefined;
  /** How late the event loop is of the thread that performs the scans, in seconds; left out where they have none. */
  readonly scanLagS?: (() => number) | undefined;
}

/**
 * What an operator can see of the process from outside, in the words of Prometheus. No label holds anything that a site or an
 * account chose: neither host names nor ids.
 */
export interface Metrics {
  readonly observeRequest: ObserveRequest;
  readonly scans: ScanMetrics;
  readonly deliveries: DeliveryMetrics;
  readonly database: DatabaseObserver;
  /** Has these looked at with each {@link text}. */
  watch(watched: WatchedProcess): void;
  readonly contentType: string;
  /** All of it as text. Does not reject while the database is away: what it would tell is then left out. */
  text(): Promise<string>;
}

export interface MetricsOptions {
  /** Of this build. */
  readonly version: string;
  readonly role: Role;
  /** Whether to measure the process too: event loop, memory, garbage collection. Off where the metrics are off. */
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
  const showBacklog = createBacklogMetrics(register, FEATURES);
  let watched: WatchedProcess | null = null;
  return {
    observeRequest: createRequestMetrics(register),
    scans: createScanMetrics(
      register,
      CHECKS.map(({ id }) => id),
    ),
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
    help: 'Whether this process performs queued runs now: 1 or 0. Left out where that is not its role.',
    labelNames: ['role'] as const,
    registers: [register],
  });
  const scanLag = new Gauge({
    name: 'agent_readiness_scan_thread_lag_seconds',
    help: 'Of a hundred turns of the event loop in the thread of scans, 99 came no later than this, within the last 20 seconds; 0 where no thread has told of any.',
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
