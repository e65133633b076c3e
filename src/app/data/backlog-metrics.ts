import type { Backlog } from './backlog.js';
import { Gauge, type Registry } from 'prom-client';
import { QUEUED_TRIGGERS } from '../runs/run.js';

/** Shows what waits; null: the database did not answer, and nothing is known. */
export type ShowBacklog = (figures: Backlog | null) => void;

const SAME_EVERYWHERE = 'Every process reports the same figure: take the maximum, not the sum.';

export function createBacklogMetrics(register: Registry): ShowBacklog {
  const defineGauge = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Gauge({ name: `agent_readiness_${name}`, help, labelNames, registers: [register] });
  const isUp = defineGauge(
    'database_up',
    'Whether the database answers, with the schema that the queue needs: 1 or 0.',
    [],
  );
  const runs = defineGauge(
    'queued_runs',
    `Queued runs by what started them: "waiting", due or not yet, or "running". ${SAME_EVERYWHERE}`,
    ['trigger', 'state'],
  );
  const age = defineGauge(
    'queue_oldest_due_seconds',
    `How long the oldest queued run that is due has been waiting. ${SAME_EVERYWHERE}`,
    ['trigger'],
  );
  const deliveries = defineGauge(
    'deliveries',
    `Messages of alerts on their way: "waiting" for their first try, or "retrying" after one that failed. ${SAME_EVERYWHERE}`,
    ['state'],
  );
  const voidDays = defineGauge(
    'ownership_void_days',
    `Of yesterday and today, the days (UTC) on which the proofs of more than 5 % of the sites asked, and of more than 3, were newly not found. ${SAME_EVERYWHERE}`,
    [],
  );
  return (figures) => {
    isUp.set(figures ? 1 : 0);
    for (const gauge of [runs, age, deliveries, voidDays]) gauge.reset();
    if (!figures) return;
    for (const name of QUEUED_TRIGGERS) {
      const { waiting = 0, running = 0, oldestDueS = 0 } = figures.runs.find(({ trigger }) => trigger === name) ?? {};
      runs.set({ trigger: name, state: 'waiting' }, waiting);
      runs.set({ trigger: name, state: 'running' }, running);
      age.set({ trigger: name }, oldestDueS);
    }
    voidDays.set(figures.voidOwnershipDays);
    deliveries.set({ state: 'waiting' }, figures.deliveries.waiting);
    deliveries.set({ state: 'retrying' }, figures.deliveries.retrying);
  };
}
