import type { Finding } from './finding.js';
import type { RunResponse } from './run.js';
import type { ErrorType } from './vocabulary.js';

/** What is known of a check: whether it failed when it was last determined. */
type Known = 'FAILING' | 'SOUND' | 'UNKNOWN';

/** What was last known of a site, so that only a change makes an alert. Small, and JSON as it stands. */
export interface AlertState {
  /** The number of the run that was observed last. */
  readonly run: number;
  /** The last score that was not null. */
  readonly score: number | null;
  /** The checks of the last run, by id. */
  readonly checks: Readonly<Record<string, Known>>;
  /** How many runs in a row, the last among them, could determine nothing. */
  readonly unreachableRuns: number;
}

/** One thing that changed, in our own words only: nothing of the scanned site is in it. */
export type AlertChange =
  | { readonly kind: 'SCORE_FELL'; readonly from: number; readonly to: number }
  | {
      readonly kind: 'CHECK_FAILING';
      readonly checkId: string;
      readonly title: string | null;
      readonly errorType: ErrorType | null;
    }
  | { readonly kind: 'CHECK_FIXED'; readonly checkId: string; readonly title: string | null }
  | { readonly kind: 'SITE_UNREACHABLE' }
  | { readonly kind: 'SITE_REACHABLE' };

export interface Observation {
  readonly state: AlertState;
  readonly changes: readonly AlertChange[];
}

/** One run that reaches nothing may be a passing failure of the network; the second in a row is told of. */
const UNREACHABLE_RUNS_TO_TELL = 2;

/**
 * What a run changes in what is known of its site. The first run of a site changes nothing, since there is nothing to compare
 * it with, nor does the first determined result of a check. A run that was observed already changes nothing either.
 *
 * NOT_APPLICABLE counts as not failing, although nothing was passed: it is a determined result, and says that the defect is
 * no longer there. Were it "not known", a check that comes back failing would make no alert.
 */
export function observeRun(before: AlertState | null, { run, findings }: RunResponse): Observation {
  if (before && run.number <= before.run) return { state: before, changes: [] };
  return isUnreachable(run.score, findings)
    ? observeUnreachable(before, run.number, findings)
    : observeReachable(before, run, findings);
}

function isUnreachable(score: number | null, findings: readonly Finding[]): boolean {
  return score === null && !findings.some(({ result }) => result === 'PASS' || result === 'FAIL');
}

function observeUnreachable(before: AlertState | null, run: number, findings: readonly Finding[]): Observation {
  const unreachableRuns = (before?.unreachableRuns ?? 0) + 1;
  const checks = before?.checks ?? Object.fromEntries(findings.map(({ checkId }) => [checkId, 'UNKNOWN' as const]));
  const isTold = unreachableRuns === UNREACHABLE_RUNS_TO_TELL;
  return {
    state: { run, score: before?.score ?? null, checks, unreachableRuns },
    changes: isTold ? [{ kind: 'SITE_UNREACHABLE' }] : [],
  };
}

function observeReachable(
  before: AlertState | null,
  { number, score }: RunResponse['run'],
  findings: readonly Finding[],
): Observation {
  const changes: AlertChange[] = [];
  if (before && before.unreachableRuns >= UNREACHABLE_RUNS_TO_TELL) changes.push({ kind: 'SITE_REACHABLE' });
  const from = before?.score ?? null;
  if (before && from !== null && score !== null && score < from && areSameChecks(before, findings)) {
    changes.push({ kind: 'SCORE_FELL', from, to: score });
  }
  const checks = findings.map((finding): [string, Known] => {
    const { checkId, title, errorType } = finding;
    const was = knownOf(before, checkId);
    const now = knowledgeIn(finding) ?? was;
    if (was === 'SOUND' && now === 'FAILING') changes.push({ kind: 'CHECK_FAILING', checkId, title, errorType });
    if (was === 'FAILING' && now === 'SOUND') changes.push({ kind: 'CHECK_FIXED', checkId, title });
    return [checkId, now];
  });
  const state = { run: number, score: score ?? from, checks: Object.fromEntries(checks), unreachableRuns: 0 };
  return { state, changes };
}

/** Null for UNDETERMINED: what was known stays so. */
function knowledgeIn({ result }: Finding): Known | null {
  if (result === 'UNDETERMINED') return null;
  return result === 'FAIL' ? 'FAILING' : 'SOUND';
}

function knownOf(state: AlertState | null, checkId: string): Known {
  return (state && Object.hasOwn(state.checks, checkId) && state.checks[checkId]) || 'UNKNOWN';
}

/** Scores of different sets of checks cannot be compared: one that came with a new version would be the site's fall. */
function areSameChecks({ checks }: AlertState, findings: readonly Finding[]): boolean {
  return (
    findings.length === Object.keys(checks).length && findings.every(({ checkId }) => Object.hasOwn(checks, checkId))
  );
}
