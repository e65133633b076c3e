import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { createDeliveryMetrics } from '../app/alerts/delivery-metrics.js';
import { type Backlog, createBacklogMetrics } from '../app/data/backlog.js';
import { createScanMetrics } from '../app/runs/scan-metrics.js';
import { createDatabaseMetrics } from '../platform/database-metrics.js';
import { createRequestMetrics } from '../platform/http/metrics.js';
import { type Role } from '../platform/lifecycle.js';

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

/**
 * The metrics of a process for Prometheus. No label contains anything that a site or an account chose: neither host names nor ids.
 * @param isShown true to measure the process too: event loop, memory, garbage collection
 */
export function createMetrics({ version, role, isShown }: { version: string; role: Role; isShown: boolean }) {
  const register = new Registry();
  if (isShown) collectDefaultMetrics({ register });
  const gauge = (name: string, help: string, labelNames: readonly string[] = []): Gauge =>
    new Gauge({ name: `agent_readiness_${name}`, help, labelNames, registers: [register] });
  const info = 'Always 1: the version of the service and the role of the process.';
  gauge('build_info', info, ['version', 'role']).set({ version, role }, 1);
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
  let watched: WatchedProcess | undefined;
  return {
    observeRequest: createRequestMetrics(register),
    scans: createScanMetrics(register),
    deliveries: createDeliveryMetrics(register),
    database: createDatabaseMetrics(register),
    /** Sets what `text` reads. */
    watch: (toWatch: WatchedProcess): void => void (watched = toWatch),
    contentType: register.contentType as string,
    /** Returns all metrics as text; without those of the database while it is away. */
    async text(): Promise<string> {
      if (watched) {
        showBacklog(await watched.readBacklog());
        const { running, waiting } = watched.scanSlots();
        slots.set({ state: 'running' }, running);
        slots.set({ state: 'waiting' }, waiting);
        limit.set(watched.scanConcurrency);
        if (watched.isWorking) worker.set({ role }, watched.isWorking() ? 1 : 0);
        if (watched.measureBusyShare) busyShare.set(watched.measureBusyShare());
      }
      return register.metrics();
    },
  };
}

export type Metrics = ReturnType<typeof createMetrics>;
