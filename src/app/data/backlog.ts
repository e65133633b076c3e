import { Gauge, type Registry } from 'prom-client';
import { type StartTimer, startNodeTimer } from '../../platform/timer.js';
import { defineQuery } from '../../store/query.js';
import type { Context } from '../context.js';
import { QUEUED_TRIGGERS } from '../runs/run.js';

interface QueueDepth {
  readonly kind: string;
  /** Jobs waiting for their first attempt. */
  readonly waiting: number;
  /** Jobs waiting after a failed attempt. */
  readonly retrying: number;
  readonly running: number;
  /** Due time of the job that has been due longest; null if none is due. */
  readonly oldest_due: string | null;
}

export interface Backlog {
  readonly now: Date;
  readonly depths: readonly QueueDepth[];
}

export const selectQueueDepth = defineQuery<QueueDepth, { now: string }>((sql, { now }) =>
  sql('jobs')
    .select('kind')
    .select(sql.raw('sum(CASE WHEN lease IS NULL AND attempts = 0 THEN 1 ELSE 0 END) AS waiting'))
    .select(sql.raw('sum(CASE WHEN lease IS NULL AND attempts > 0 THEN 1 ELSE 0 END) AS retrying'))
    .select(sql.raw('sum(CASE WHEN lease IS NULL THEN 0 ELSE 1 END) AS running'))
    .select(sql.raw('min(CASE WHEN lease IS NULL AND run_after <= ? THEN run_after END) AS oldest_due', [now]))
    .groupBy('kind'),
);

/** Shorter than the timeout of scrapers. */
const WAIT_MS = 2000;

/** Reads the backlog. Resolves to null if the database does not answer in time, and never rejects. */
export async function readBacklog(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  startTimer: StartTimer = startNodeTimer,
): Promise<Backlog | null> {
  const now = clock.now();
  const read = db.run(selectQueueDepth({ now: now.toISOString() })).then(
    (depths) => ({ now, depths }),
    () => null,
  );
  let stopTimer = (): void => undefined;
  const timeout = new Promise<null>((resolve) => (stopTimer = startTimer(() => resolve(null), WAIT_MS)));
  return Promise.race([read, timeout]).finally(stopTimer);
}

/** Defines the gauges of the backlog. @returns a function that sets them from a backlog; null means that the database did not answer */
export function createBacklogMetrics(register: Registry): (backlog: Backlog | null) => void {
  // No label contains anything that a site or an account chose.
  const define = <Label extends string>(name: string, help: string, ...labelNames: readonly Label[]) =>
    new Gauge({ name: `agent_readiness_${name}`, help, labelNames, registers: [register] });
  const shared = 'Every process reports the same figure: take the maximum, not the sum.';
  const isUp = define('database_up', 'Whether the database answers, with the schema that the queue needs: 1 or 0.');
  const queuedRuns = define(
    'queued_runs',
    `Queued runs by trigger and state: "waiting" (due or not) or "running". ${shared}`,
    'trigger',
    'state',
  );
  const oldestDue = define(
    'queue_oldest_due_seconds',
    `Seconds that the oldest due run has been waiting. ${shared}`,
    'trigger',
  );
  const deliveries = define(
    'deliveries',
    `Alert messages that are not sent yet: "waiting" for the first attempt, or "retrying" after a failed one. ${shared}`,
    'state',
  );
  return (backlog) => {
    isUp.set(backlog ? 1 : 0);
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
      deliveries.set(
        { state },
        messages.reduce((sum, depth) => sum + depth[state], 0),
      );
    }
  };
}
