import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { DeliveryObserver } from '../app/alerts/deliver.js';
import type { Backlog } from '../app/data/backlog.js';
import { QUEUED_TRIGGERS, type RunResponse, type Trigger, TRIGGERS } from '../app/runs/run.js';
import { type RefusalReason, REFUSALS } from '../net/url-gate.js';
import { ServiceError } from '../platform/errors.js';
import type { ObserveRequest } from '../platform/http/app.js';
import type { Role } from '../cli/service.js';
import type { DatabaseObserver } from '../store/database.js';

/** State of the process that each request for metrics reads. */
export interface WatchedProcess {
  readonly scanConcurrency: number;
  /** How many scans are running, and how many are waiting for a slot. */
  readonly scanSlots: () => { readonly running: number; readonly waiting: number };
  /** Waiting work in the database; null if it does not answer. Never rejects, and never takes long. */
  readonly readBacklog: () => Promise<Backlog | null>;
  /** True if queued runs are performed; omitted if the process has another role. */
  readonly isWorking?: (() => boolean) | undefined;
  /** Omitted without scan threads. */
  readonly measureBusyShare?: (() => number) | undefined;
}

type ScanTrigger = Trigger | 'FREE';

const SCAN_TRIGGERS: readonly ScanTrigger[] = [...(Object.keys(TRIGGERS) as Trigger[]), 'FREE'];

/** Methods with their own series; all others share one, since a client could send all three dozen that Node accepts. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

const SAME_IN_ALL_PROCESSES = 'Every process reports the same number: use the maximum, not the sum.';

function optionsOf(name: string, help: string, labelNames: readonly string[]) {
  return { name: `agent_readiness_${name}`, help, labelNames };
}

function counter(name: string, help: string, ...labels: string[]) {
  return (registers: Registry[]) => new Counter({ ...optionsOf(name, help, labels), registers });
}

function gauge(name: string, help: string, ...labels: string[]) {
  return (registers: Registry[]) => new Gauge({ ...optionsOf(name, help, labels), registers });
}

function histogram(name: string, help: string, buckets: number[], ...labels: string[]) {
  return (registers: Registry[]) => new Histogram({ ...optionsOf(name, help, labels), buckets, registers });
}

/** All metrics. No label contains anything that belongs to a site or an account, such as a host name or id. */
const METRICS = {
  info: gauge('build_info', 'Always 1: the version of the service and the role of the process.', 'version', 'role'),
  requestTime: histogram(
    'http_request_duration_seconds',
    'Time to answer an HTTP request, by app, method, path template ("none" if none matched) and status class.',
    // Reads take milliseconds; a client may wait up to 70 s for a run.
    [0.005, 0.025, 0.05, 0.1, 0.25, 1, 2.5, 5, 15, 60, 90],
    'app',
    'method',
    'route',
    'status',
  ),
  requestsInFlight: gauge('http_requests_in_flight', 'HTTP requests in progress, by app.', 'app'),
  scans: counter(
    'scans_total',
    'Scans that ended, by trigger and result: "scored", "undetermined" (nothing scorable could be determined), "failed" (internal error), "dropped" (no slot or database, or the site was removed).',
    'trigger',
    'result',
  ),
  scanTime: histogram(
    'scan_duration_seconds',
    'Time of a successful scan, by trigger. Includes storing it, but not the wait for a slot.',
    // A scan ends within 45 s, or 65 s if it waits for slots. Only the wait for the database can add to that.
    [1, 2, 3, 5, 8, 13, 20, 30, 45, 60, 90],
    'trigger',
  ),
  scanSlots: gauge('scan_slots', 'Scans of this process that are "running" in a slot, or "waiting" for one.', 'state'),
  scanSlotsLimit: gauge('scan_slots_limit', 'How many scans this process performs at a time (SCAN_CONCURRENCY).'),
  busyShare: gauge(
    'scan_thread_busy_ratio',
    'Share of the time since the last scrape that the busier scan thread was busy; 0 without a thread.',
  ),
  guardRefusals: counter(
    'guard_refusals_total',
    'Connections and addresses that the guard refused, by reason.',
    'reason',
  ),
  worker: gauge(
    'worker_up',
    'Whether this process performs queued runs: 1 or 0. Absent in a process without that role.',
    'role',
  ),
  abandonedRuns: counter('queued_runs_given_up_total', 'Queued runs whose last attempt failed.', 'trigger'),
  queuedRuns: gauge(
    'queued_runs',
    `Queued runs by trigger and state: "waiting" (due or not) or "running". ${SAME_IN_ALL_PROCESSES}`,
    'trigger',
    'state',
  ),
  oldestDue: gauge(
    'queue_oldest_due_seconds',
    `Seconds that the oldest due run has been waiting. ${SAME_IN_ALL_PROCESSES}`,
    'trigger',
  ),
  deliveries: gauge(
    'deliveries',
    `Alert messages not sent yet: "waiting" for the first attempt, or "retrying" after a failed one. ${SAME_IN_ALL_PROCESSES}`,
    'state',
  ),
  deliveryAttempts: counter(
    'delivery_attempts_total',
    'Attempts to deliver alerts and account mails (receiver "account-mail"), by receiver and result: "delivered", "retried" (not delivered, another attempt follows) or "failed" (not delivered, no attempts left).',
    'receiver',
    'result',
  ),
  deliveryCrashes: counter('delivery_crashes_total', 'Delivery attempts that ended in an internal error.'),
  database: gauge('database_up', 'Whether the database answers and has the schema that the queue needs: 1 or 0.'),
  databaseTime: histogram(
    'database_duration_seconds',
    'Time of single statements ("read", "write") and whole transactions ("transaction"), including the wait for a connection or lock.',
    // A prepared SQLite read takes 10 µs; a statement times out after 10 s.
    [0.0001, 0.0005, 0.002, 0.01, 0.05, 0.25, 1, 5, 15],
    'kind',
  ),
  databaseErrors: counter(
    'database_errors_total',
    'Statements and transactions that failed: "unavailable" (unreachable, locked, or without the current schema) or "fault".',
    'kind',
    'reason',
  ),
};

type Definitions = { readonly [Name in keyof typeof METRICS]: ReturnType<(typeof METRICS)[Name]> };

/** Sets the counters that alerts watch to zero, so that their first increment is visible. */
function startAtZero({ scans, guardRefusals, abandonedRuns, deliveryAttempts, databaseErrors }: Definitions): void {
  for (const trigger of SCAN_TRIGGERS) {
    for (const result of ['scored', 'undetermined', 'failed', 'dropped']) scans.inc({ trigger, result }, 0);
  }
  for (const reason of Object.keys(REFUSALS)) guardRefusals.inc({ reason }, 0);
  for (const trigger of QUEUED_TRIGGERS) abandonedRuns.inc({ trigger }, 0);
  for (const receiver of ['webhook', 'mail', 'account-mail']) {
    for (const result of ['delivered', 'retried', 'failed']) deliveryAttempts.inc({ receiver, result }, 0);
  }
  for (const kind of ['read', 'write', 'transaction']) {
    for (const reason of ['unavailable', 'fault']) databaseErrors.inc({ kind, reason }, 0);
  }
}

/** @param backlog null if the database did not answer */
function setBacklogGauges({ database, queuedRuns, oldestDue, deliveries }: Definitions, backlog: Backlog | null): void {
  database.set(backlog ? 1 : 0);
  for (const gauge of [queuedRuns, oldestDue, deliveries]) gauge.reset();
  if (!backlog) return;
  const { depths, now } = backlog;
  for (const trigger of QUEUED_TRIGGERS) {
    const depth = depths.find(({ kind }) => kind === trigger);
    queuedRuns.set({ trigger, state: 'waiting' }, depth ? depth.waiting + depth.retrying : 0);
    queuedRuns.set({ trigger, state: 'running' }, depth?.running ?? 0);
    const sinceMs = depth?.oldest_due ? Date.parse(depth.oldest_due) : now.getTime();
    oldestDue.set({ trigger }, (now.getTime() - sinceMs) / 1000);
  }
  const messages = depths.filter(({ kind }) => kind === 'WEBHOOK' || kind === 'MAIL');
  for (const state of ['waiting', 'retrying'] as const) {
    const count = messages.reduce((sum, depth) => sum + depth[state], 0);
    deliveries.set({ state }, count);
  }
}

/**
 * Creates the Prometheus metrics of a process.
 * @param isExposed if true, also measures the event loop, memory and garbage collection
 */
export function createMetrics({ version, role, isExposed }: { version: string; role: Role; isExposed: boolean }) {
  const register = new Registry();
  if (isExposed) collectDefaultMetrics({ register });
  const define = ([name, create]: [string, (registers: Registry[]) => unknown]) => [name, create([register])];
  const metrics = Object.fromEntries(Object.entries(METRICS).map(define)) as Definitions;
  metrics.info.set({ version, role }, 1);
  startAtZero(metrics);
  const observeRequest: ObserveRequest = (app) => {
    metrics.requestsInFlight.inc({ app });
    return ({ method, route, status: code, durationMs }) => {
      metrics.requestsInFlight.dec({ app });
      const status = `${Math.floor(code / 100)}xx`;
      const labels = { app, method: METHODS.has(method) ? method : 'other', route: route ?? 'none', status };
      metrics.requestTime.observe(labels, durationMs / 1000);
    };
  };
  const database: DatabaseObserver = (kind, durationMs, reason) => {
    metrics.databaseTime.observe({ kind }, durationMs / 1000);
    if (reason) metrics.databaseErrors.inc({ kind, reason });
  };
  const deliveries: DeliveryObserver = {
    attempted: (receiver, result) => metrics.deliveryAttempts.inc({ receiver, result }),
    crashed: () => metrics.deliveryCrashes.inc(),
  };
  const scans = {
    finished(trigger: ScanTrigger, { score }: Pick<RunResponse['run'], 'score'>, durationMs: number): void {
      metrics.scans.inc({ trigger, result: score === null ? 'undetermined' : 'scored' });
      metrics.scanTime.observe({ trigger }, durationMs / 1000);
    },
    failed(trigger: ScanTrigger, error: unknown): void {
      const isDropped = error instanceof ServiceError && error.code !== 'internal_error';
      metrics.scans.inc({ trigger, result: isDropped ? 'dropped' : 'failed' });
    },
    abandoned: (trigger: Trigger): void => metrics.abandonedRuns.inc({ trigger }),
    guardRefused: (reason: RefusalReason): void => metrics.guardRefusals.inc({ reason }),
  };
  let watched: WatchedProcess | undefined;
  return {
    observeRequest,
    scans,
    deliveries,
    database,
    /** Sets the process whose state `text` reads. */
    watch: (toWatch: WatchedProcess): void => void (watched = toWatch),
    contentType: register.contentType as string,
    /** Returns all metrics as text. Omits the backlog while the database is unavailable. */
    async text(): Promise<string> {
      if (watched) {
        setBacklogGauges(metrics, await watched.readBacklog());
        const { running, waiting } = watched.scanSlots();
        metrics.scanSlots.set({ state: 'running' }, running);
        metrics.scanSlots.set({ state: 'waiting' }, waiting);
        metrics.scanSlotsLimit.set(watched.scanConcurrency);
        if (watched.isWorking) metrics.worker.set({ role }, watched.isWorking() ? 1 : 0);
        if (watched.measureBusyShare) metrics.busyShare.set(watched.measureBusyShare());
      }
      return register.metrics();
    },
  };
}

export type Metrics = ReturnType<typeof createMetrics>;
