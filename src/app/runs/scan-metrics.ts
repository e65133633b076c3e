import { Counter, Histogram, type Registry } from 'prom-client';
import { ServiceError } from '../../platform/errors.js';
import type { Finding } from '../../scanner/verdict/finding.js';
import { type RefusalReason, REFUSALS } from '../../net/url-gate.js';
import { QUEUED_TRIGGERS, type RunResponse, type Trigger, TRIGGERS } from './run.js';
import type { HomePageFailure } from '../../scanner/artifacts/evidence.js';
import { metricLabel } from '../../scanner/report/no-score.js';

/** The result of a scan, with or without a key. */
type Scanned = Pick<RunResponse['run'], 'score'> & {
  readonly findings: readonly Finding[];
  readonly gap?: HomePageFailure | undefined;
};

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
  const results = counter(
    'check_results_total',
    'Findings of finished scans, by check and result; of a FAIL by its error type, too, and of an UNDETERMINED by what the home page answered: "challenge", "status_4xx", "status_5xx", a failure such as "dns_failed", or "other".',
    ['check', 'result', 'error_type', 'reason'],
  );
  const retried = counter('queued_runs_retried_total', 'Queued runs that failed and will be retried.', ['trigger']);
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
  for (const trigger of QUEUED_TRIGGERS) for (const failures of [retried, abandoned]) failures.inc({ trigger }, 0);
  for (const reason of Object.keys(REFUSALS)) refusals.inc({ reason }, 0);

  return {
    finished(trigger: ScanTrigger, { score, findings, gap }: Scanned, durationMs: number): void {
      scans.inc({ trigger, result: score === null ? 'undetermined' : 'scored' });
      durations.observe({ trigger }, durationMs / 1000);
      for (const finding of findings) {
        results.inc({ check: finding.checkId, result: finding.result, ...causeLabels(finding, gap) });
      }
    },
    failed(trigger: ScanTrigger, error: unknown): void {
      const isDropped = error instanceof ServiceError && error.code !== 'internal_error';
      scans.inc({ trigger, result: (isDropped ? 'dropped' : 'failed') satisfies ScanResult });
    },
    retried: (trigger: Trigger): void => retried.inc({ trigger }),
    abandoned: (trigger: Trigger): void => abandoned.inc({ trigger }),
    guardRefused: (reason: RefusalReason): void => refusals.inc({ reason }),
  };
}

export type ScanMetrics = ReturnType<typeof createScanMetrics>;

/** Returns the label that explains a failure, or why a check could not be determined. */
function causeLabels(
  { result, errorType }: Finding,
  gap: HomePageFailure | undefined,
): { readonly error_type?: string; readonly reason?: string } {
  if (errorType !== null) return { error_type: errorType };
  return result === 'UNDETERMINED' ? { reason: gap ? metricLabel(gap) : 'other' } : {};
}
