import type { SampledPages } from '../../scanner/artifacts/chosen-pages.js';
import { headlineOf } from '../../scanner/report/failures.js';
import type { FailureKind } from '../../scanner/verdict/finding.js';
import type { CheckResult, RunResults } from '../runs/run-results.js';
import {
  isOnUnread,
  type Known,
  kindOfChange,
  knownAfter,
  NOTHING_KNOWN,
  type Seen,
  seenBy,
} from '../../scanner/report/comparison.js';
import { scoreOf } from '../../scanner/report/score.js';
import type { ErrorType, Result } from '../../scanner/verdict/vocabulary.js';

/** What was last known of a site, so that only a change makes an alert. Small, and JSON as it stands. */
export interface AlertState {
  /** The number of the run that was observed last. */
  readonly run: number;
  /** The score that the next one is compared with: the last that was neither null nor in doubt. */
  readonly score: number | null;
  /** Whether the last score was lower, but only because of what could not be determined. */
  readonly isFallInDoubt: boolean;
  /** What is known of the checks of the last run that determined something, by id. */
  readonly checks: Readonly<Record<string, Known>>;
  /** Which of them counted towards the score. */
  readonly scored: readonly string[];
  /** How many runs in a row, the last among them, could determine nothing. */
  readonly unreachableRuns: number;
  /** Of its failing checks those whose failure was accepted, with their error types; absent where there are none. */
  readonly accepted?: Readonly<Record<string, ErrorType>>;
}

/** One thing that changed, in our own words only: nothing of the scanned site is in it. */
export type AlertChange =
  | { readonly kind: 'SCORE_FELL'; readonly from: number; readonly to: number }
  | {
      readonly kind: 'CHECK_FAILING';
      readonly checkId: string;
      readonly title: string | null;
      /** What is wrong. */
      readonly headline: string;
      readonly errorType: ErrorType | null;
    }
  | { readonly kind: 'CHECK_FIXED'; readonly checkId: string; readonly title: string | null }
  | { readonly kind: 'SITE_UNREACHABLE' }
  | { readonly kind: 'SITE_REACHABLE' };

/** A run to observe. Only the latest needs titles: changes of earlier ones are not reported. */
export interface ObservedRun {
  readonly run: Pick<RunResults['run'], 'number' | 'score'>;
  readonly findings: readonly Observed[];
  /** As in {@link RunResults}. */
  readonly pages?: SampledPages | null | undefined;
}

/** Error types of accepted failures, by check. */
type AcceptedByCheck = ReadonlyMap<string, ErrorType>;

type Observed = CheckResult & { readonly title?: string | null };

export interface Observation {
  readonly state: AlertState;
  readonly changes: readonly AlertChange[];
}

/** One run that reaches nothing may be a passing failure of the network; the second in a row is told of. */
const UNREACHABLE_RUNS_TO_TELL = 2;

/**
 * What a run changes in what is known of its site. The first run of a site changes nothing, since there is nothing to compare
 * it with, nor does the first time that a check passes or fails. Nor does a run that was observed already. What is a change is for
 * {@link kindOfChange} to say.
 *
 * An accepted failure is not news when it comes, and the score's fall by it is none either. That it is fixed is news, and so is that
 * the check fails in another way.
 */
export function observeRun(
  before: AlertState | null,
  { run, ...found }: ObservedRun,
  accepted: readonly FailureKind[] = [],
): Observation {
  if (before && run.number <= before.run) return { state: before, changes: [] };
  return run.score === null
    ? observeUnscored(before, run.number, found.findings)
    : observeScored(before, { ...run, score: run.score }, found, accepted);
}

/** A run without a score says nothing of the checks. Where it determined nothing, the site may be out of reach. */
function observeUnscored(before: AlertState | null, run: number, findings: readonly Observed[]): Observation {
  const known = before ?? {
    ...{ score: null, isFallInDoubt: false, scored: idsOfScored(findings) },
    checks: Object.fromEntries(findings.map(({ checkId }) => [checkId, NOTHING_KNOWN])),
  };
  // Unscored checks may have been determined, or none may apply, as on a site that has moved.
  if (findings.some(({ result }) => result === 'PASS' || result === 'FAIL') || findings.every(doesNotApply)) {
    return { state: { ...known, run, unreachableRuns: 0 }, changes: reachableAgain(before) };
  }
  const unreachableRuns = (before?.unreachableRuns ?? 0) + 1;
  const isTold = unreachableRuns === UNREACHABLE_RUNS_TO_TELL;
  return { state: { ...known, run, unreachableRuns }, changes: isTold ? [{ kind: 'SITE_UNREACHABLE' }] : [] };
}

function doesNotApply({ result }: Observed): boolean {
  return result === 'NOT_APPLICABLE';
}

function reachableAgain(before: AlertState | null): readonly AlertChange[] {
  return before && before.unreachableRuns >= UNREACHABLE_RUNS_TO_TELL ? [{ kind: 'SITE_REACHABLE' }] : [];
}

function observeScored(
  before: AlertState | null,
  { number, score }: { readonly number: number; readonly score: number },
  { findings, pages }: Pick<ObservedRun, 'findings' | 'pages'>,
  accepted: readonly FailureKind[],
): Observation {
  const changes = [...reachableAgain(before)];
  const acceptedNow = acceptedAfter(before, findings, accepted);
  const compared = compareScore(before, { score, findings, pages, accepted: acceptedNow });
  if (compared.change) changes.push(compared.change);
  const checks = findings.map((finding): [string, Known] => {
    const { checkId, title = null, errorType, result } = finding;
    const was = knownOf(before, checkId);
    const seen = seenBy(checkId, pages);
    if (isNews(before, finding, { seen, acceptedNow })) {
      const headline = headlineOf({ checkId, title, errorType });
      changes.push({ kind: 'CHECK_FAILING', checkId, title, headline, errorType });
    }
    if (kindOfChange(was, result, seen) === 'fixed') changes.push({ kind: 'CHECK_FIXED', checkId, title });
    return [checkId, knownAfter(was, result, seen)];
  });
  const { score: compareWith, isFallInDoubt } = compared;
  const known = {
    score: compareWith,
    isFallInDoubt,
    checks: Object.fromEntries(checks),
    scored: idsOfScored(findings),
    ...(acceptedNow.size > 0 && { accepted: Object.fromEntries(acceptedNow) }),
  };
  return { state: { run: number, ...known, unreachableRuns: 0 }, changes };
}

/** Whether a check fails newly, or in another way than the one that was accepted. */
function isNews(
  before: AlertState | null,
  { checkId, result, errorType }: Observed,
  { seen, acceptedNow }: { readonly seen: Seen | undefined; readonly acceptedNow: AcceptedByCheck },
): boolean {
  if (result !== 'FAIL' || acceptedNow.has(checkId)) return false;
  const acceptedBefore = before?.accepted?.[checkId];
  const was = knownOf(before, checkId);
  if (kindOfChange(was, result, seen) === 'newFailures') return true;
  return acceptedBefore !== undefined && acceptedBefore !== errorType && !isOnUnread(was, seen);
}

/** The accepted failures that the run found; an undetermined check keeps its own. */
function acceptedAfter(
  before: AlertState | null,
  findings: readonly Observed[],
  accepted: readonly FailureKind[],
): AcceptedByCheck {
  return new Map(
    findings.flatMap(({ checkId, result, errorType }): [string, ErrorType][] => {
      const failure = result === 'UNDETERMINED' ? before?.accepted?.[checkId] : errorType;
      const isAccepted = accepted.some((other) => other.checkId === checkId && other.errorType === failure);
      return failure && isAccepted ? [[checkId, failure]] : [];
    }),
  );
}

interface ComparedScore extends Pick<AlertState, 'score' | 'isFallInDoubt'> {
  readonly change?: AlertChange;
}

/**
 * A check that could not be determined counts as not passed, so a passing fault of the network lowers the score of a site on which
 * nothing got worse. A fall that would vanish if each such check had its last known result is in doubt: it is reported
 * of once the next run shows it too. A fall that would vanish without the accepted failures, and without those that are judged now, is
 * never told.
 */
function compareScore(
  before: AlertState | null,
  {
    score,
    findings,
    pages,
    accepted,
  }: Pick<ObservedRun, 'findings' | 'pages'> & { readonly score: number; readonly accepted: AcceptedByCheck },
): ComparedScore {
  const from = before?.score ?? null;
  if (!before || from === null || score >= from || !isSameScore(before.scored, idsOfScored(findings)))
    return { score, isFallInDoubt: false };
  const scoreWith = (resultOf: (finding: Observed) => Result): number =>
    scoreOf(findings.map((finding) => ({ ...finding, result: resultOf(finding) }))) ?? from;
  const excused = findings.filter(({ checkId, result }) => {
    const kind = kindOfChange(knownOf(before, checkId), result, seenBy(checkId, pages));
    return accepted.has(checkId) || kind === 'nowJudged';
  });
  const withoutExcused =
    (resultOf: (finding: Observed) => Result) =>
    (finding: Observed): Result =>
      excused.includes(finding) ? knownOf(before, finding.checkId).last : resultOf(finding);
  if (scoreWith(withoutExcused(({ result }) => result)) >= from) return { score, isFallInDoubt: false };
  // An undetermined check has its last known result.
  const settled = ({ checkId, result }: Observed): Result => knownAfter(knownOf(before, checkId), result).last;
  const isInDoubt = !before.isFallInDoubt && scoreWith(withoutExcused(settled)) >= from;
  if (isInDoubt) return { score: Math.min(from, scoreWith(settled)), isFallInDoubt: true };
  return { score, isFallInDoubt: false, change: { kind: 'SCORE_FELL', from, to: score } };
}

function knownOf(state: AlertState | null, checkId: string): Known {
  return (state && Object.hasOwn(state.checks, checkId) ? state.checks[checkId] : null) ?? NOTHING_KNOWN;
}

function idsOfScored(findings: readonly Observed[]): string[] {
  return findings.filter(({ scored }) => scored).map(({ checkId }) => checkId);
}

/** Whether the same checks make two scores. Those that others make cannot be compared: what came with a new version of ours would be the site's fall. */
export function isSameScore(before: AlertState['scored'], now: AlertState['scored']): boolean {
  return now.length === before.length && now.every((checkId) => before.includes(checkId));
}
