import { Counter, Histogram, type Registry } from 'prom-client';
import { ServiceError } from '../../platform/errors.js';
import { type RefusalReason, REFUSALS } from '../../net/url-gate.js';
import { QUEUED_TRIGGERS, type RunResponse, type Trigger, TRIGGERS } from './run.js';

/**
 * `undetermined`: nothing scorable could be determined. `failed`: a fault of ours. `dropped`: the scan was not stored because no slot was
 * free, the database was away, or the site was removed.
 */
const RESULTS = ['scored', 'undetermined', 'failed', 'dropped'] as const;
type ScanResult = (typeof RESULTS)[number];

type ScanTrigger = Trigger | 'FREE';

/** A scan ends within 45 s, or 65 s if it waits for slots of others; only the wait for the database can add to that. */
const BUCKETS_S = [1, 2, 3, 5, 8, 13, 20, 30, 45, 60, 90];

/** Counts scans, queued runs that fail, and what the guard refuses. */
export function createScanMetrics(register: Registry) {
  const registers = [register];
  const counter = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Counter({ name: `agent_readiness_${name}`, help, labelNames, registers });
  const scans = counter(
    'scans_total',
    'Scans that ended, by what started them and result: "scored", "undetermined" (nothing scorable could be found out), "failed" (a fault of ours), "dropped" (no slot or database, or the site was removed).',
    ['trigger', 'result'],
  );
  const durations = new Histogram({
    name: 'agent_readiness_scan_duration_seconds',
    help: 'Time of a scan that ended well, with storing it, by what started it. Without the wait for a slot.',
    labelNames: ['trigger'] as const,
    buckets: BUCKETS_S,
    registers,
  });
  const abandoned = counter('queued_runs_given_up_total', 'Queued runs that failed at their last attempt.', [
    'trigger',
  ]);
  const refusals = counter('guard_refusals_total', 'Connections and addresses that the guard refused, by reason.', [
    'reason',
  ]);
  // A series that starts at zero shows its first increment.
  for (const trigger of [...(Object.keys(TRIGGERS) as Trigger[]), 'FREE']) {
    for (const result of RESULTS) scans.inc({ trigger, result }, 0);
  }
  for (const trigger of QUEUED_TRIGGERS) abandoned.inc({ trigger }, 0);
  for (const reason of Object.keys(REFUSALS)) refusals.inc({ reason }, 0);

  return {
    finished(trigger: ScanTrigger, { score }: Pick<RunResponse['run'], 'score'>, durationMs: number): void {
      scans.inc({ trigger, result: score === null ? 'undetermined' : 'scored' });
      durations.observe({ trigger }, durationMs / 1000);
    },
    failed(trigger: ScanTrigger, error: unknown): void {
      const isDropped = error instanceof ServiceError && error.code !== 'internal_error';
      scans.inc({ trigger, result: (isDropped ? 'dropped' : 'failed') satisfies ScanResult });
    },
    abandoned: (trigger: Trigger): void => abandoned.inc({ trigger }),
    guardRefused: (reason: RefusalReason): void => refusals.inc({ reason }),
  };
}

export type ScanMetrics = ReturnType<typeof createScanMetrics>;
