import { Counter, Histogram, type Registry } from 'prom-client';
import { ServiceError } from '../../platform/errors.js';
import type { Finding } from '../../scanner/verdict/finding.js';
import { type RefusalReason, REFUSALS } from '../../net/refusal.js';
import { QUEUED_TRIGGERS, type RunResponse, type Trigger, TRIGGERS } from './run.js';
import { openReason } from '../../scanner/report/no-score.js';
import { PROGRAM } from '../../scanner/report/program.js';
import type { Flip } from './flips.js';

/** The outcome of a scan, paid or free. */
type Scanned = Pick<RunResponse['run'], 'score'> & { readonly findings: readonly Finding[] };

/**
 * `scored`, or `undetermined` where nothing scorable could be found out; `failed`: a fault of ours; `dropped`: nothing was wrong
 * with the scan, but no slot came free, the database was away, or the site was removed meanwhile.
 */
const RESULTS = ['scored', 'undetermined', 'failed', 'dropped'] as const;
type ScanResult = (typeof RESULTS)[number];

type ScanTrigger = Trigger | 'FREE';

/** A scan ends within 45 s, or 65 where it waits for places of others; past that comes only the wait for the database. */
const BUCKETS_S = [1, 2, 3, 5, 8, 13, 20, 30, 45, 60, 90];

/**
 * Counts scans, automatic runs, and what the guard refuses.
 * @param checkIds those whose verdicts may flip
 */
export function createScanMetrics(register: Registry, checkIds: readonly string[]) {
  const { scans, durations, results, flips, retried, givenUp, refusals, broken } = defineAll(register, checkIds);
  const count = (trigger: ScanTrigger, { score, findings }: Scanned, durationMs: number): void => {
    scans.inc({ trigger, result: score === null ? 'undetermined' : 'scored' });
    durations.observe({ trigger }, durationMs / 1000);
    for (const finding of findings)
      results.inc({ check: finding.checkId, result: finding.result, ...causeOf(finding) });
  };
  const fail = (trigger: ScanTrigger, error: unknown): void => {
    const result: ScanResult = error instanceof ServiceError && error.code !== 'internal_error' ? 'dropped' : 'failed';
    scans.inc({ trigger, result });
  };
  return {
    finished: ({ run, findings }: RunResponse, durationMs: number): void =>
      count(run.trigger, { score: run.score, findings }, durationMs),
    freeScanFinished: (scanned: Scanned, durationMs: number): void => count('FREE', scanned, durationMs),
    flipped: (found: readonly Flip[]): void => {
      for (const { checkId, to } of found) flips.inc({ check: checkId, to });
    },
    failed: (trigger: Trigger, error: unknown): void => fail(trigger, error),
    freeScanFailed: (error: unknown): void => fail('FREE', error),
    /** A queued run failed and waits for its next try. */
    retried: ({ trigger }: { readonly trigger: Trigger }): void => retried.inc({ trigger }),
    /** A queued run was tried in vain too often. */
    givenUp: ({ trigger }: { readonly trigger: Trigger }): void => givenUp.inc({ trigger }),
    guardRefused: (reason: RefusalReason): void => refusals.inc({ reason }),
    /** A run and its link in the chain of its site do not belong together. */
    chainBroken: (): void => broken.inc(),
  };
}

export type ScanMetrics = ReturnType<typeof createScanMetrics>;

/** By what a failure, or a check that was left open, is counted as well. */
function causeOf({ result, errorType, detail }: Finding): { readonly error_type?: string; readonly reason?: string } {
  if (errorType !== null) return { error_type: errorType };
  return result === 'UNDETERMINED' ? { reason: openReason(detail) } : {};
}

function defineAll(register: Registry, checkIds: readonly string[]) {
  const registers = [register];
  const defineCounter = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Counter({ name: `agent_readiness_${name}`, help, labelNames, registers });
  const scans = defineCounter(
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
  const results = defineCounter(
    'check_results_total',
    'Findings of finished scans, by check and result; of a FAIL by its error type, too, and of an UNDETERMINED by its reason: "challenge", "status_4xx", "status_5xx", a failure such as "dns_failed", or "other".',
    ['check', 'result', 'error_type', 'reason'],
  );
  const flips = defineCounter(
    'verdict_flips_total',
    'Verdicts that changed between PASS and FAIL within 24 hours, by check and the later one. Left out where another release judged, or where a deploy of the site was told of in between.',
    ['check', 'to'],
  );
  const retried = defineCounter(
    'queued_runs_retried_total',
    'Queued runs that failed and were put back for another try.',
    ['trigger'],
  );
  const givenUp = defineCounter('queued_runs_given_up_total', 'Queued runs that were given up after their last try.', [
    'trigger',
  ]);
  const refusals = defineCounter(
    'guard_refusals_total',
    'Connections and addresses that the guard refused, by reason.',
    ['reason'],
  );
  const broken = defineCounter(
    'broken_chain_links_total',
    `Times that a run was stored, linked or shown, or an event linked, and the chain of its site or account was found to be broken: see "${PROGRAM} verify".`,
    [],
  );
  // A series that begins at zero shows its first increment; one that begins at one does not.
  for (const trigger of [...(Object.keys(TRIGGERS) as Trigger[]), 'FREE']) {
    for (const result of RESULTS) scans.inc({ trigger, result }, 0);
  }
  for (const check of checkIds) for (const to of ['PASS', 'FAIL']) flips.inc({ check, to }, 0);
  for (const trigger of QUEUED_TRIGGERS) for (const counter of [retried, givenUp]) counter.inc({ trigger }, 0);
  for (const reason of Object.keys(REFUSALS)) refusals.inc({ reason }, 0);
  return { scans, durations, results, flips, retried, givenUp, refusals, broken };
}
