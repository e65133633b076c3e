import type { SampledPages } from '../artifacts/pages.js';
import type { EvidenceKind } from '../artifacts/evidence.js';
import { CHECKS } from '../checks/index.js';
import type { Check } from '../verdict/check.js';
import type { Finding } from '../verdict/finding.js';
import type { ErrorType, Result } from '../verdict/vocabulary.js';

export interface ComparedRun {
  readonly findings: readonly ComparedFinding[];
  /** Undefined if pages were never chosen. */
  readonly pages?: SampledPages | null | undefined;
}

type ComparedFinding = Pick<Finding, 'checkId' | 'result'> & Partial<Pick<Finding, 'title' | 'errorType'>>;

export interface Change {
  readonly checkId: string;
  readonly title: string | null;
  /** The last determined result of the earlier runs; UNDETERMINED if there is none. */
  readonly before: Result;
  readonly now: Result;
  /** Error type of the current failure, otherwise of the failure in the run compared with. */
  readonly errorType: ErrorType | null;
  /** The earlier error type, if the check fails in both runs in different ways. */
  readonly errorBefore?: ErrorType;
}

/** Differences between a run and earlier ones. Each check is in exactly one of the lists. */
export interface Comparison {
  /** FAIL now, but not when it was last determined. */
  readonly newFailures: readonly Change[];
  /** PASS now, and FAIL when it last passed or failed. */
  readonly fixed: readonly Change[];
  /** FAIL now, and never PASS or FAIL before, or only without chosen pages that are read now. */
  readonly nowJudged: readonly Change[];
  /** Any other change, such as PASS to UNDETERMINED. */
  readonly changed: readonly Change[];
  /** The same result as before. */
  readonly unchanged: readonly Change[];
  /** Ids of checks that only one of the runs has, because the registry changed. */
  readonly notComparable: readonly string[];
  /** True if the two runs read different chosen pages. */
  readonly hasOtherPages: boolean;
}

type ChangeKind = 'newFailures' | 'fixed' | 'nowJudged' | 'changed' | 'unchanged';

/**
 * Compares findings by check id, in the order of the later run. Pages, reports, alerts and exit codes all use this rule.
 * @param earlier runs with a score, newest first: the run to compare with, then runs that supply what it could not determine
 */
export function compareFindings(earlier: readonly [ComparedRun, ...ComparedRun[]], now: ComparedRun): Comparison {
  const history: History = new Map();
  for (const run of earlier.toReversed()) addRun(history, run);
  return compareWith(history, earlier[0], now);
}

/** Compares each run with the runs before it. Returns null for the first. @param runs with a score, oldest first */
export function compareEach(runs: readonly ComparedRun[]): readonly (Comparison | null)[] {
  const history: History = new Map();
  let unchanged: Comparison | null = null;
  return runs.map((run, index) => {
    const before = runs[index - 1];
    const isSame = before !== undefined && hasSameResults(before, run);
    // After two equal runs the history stops changing, so a third compares like the second.
    if (isSame && unchanged !== null) return unchanged;
    const comparison = before ? compareWith(history, before, run) : null;
    addRun(history, run);
    unchanged = isSame ? comparison : null;
    return comparison;
  });
}

/** True if both runs share their arrays, as most runs of a site do. Does not compare the content. */
function hasSameResults(one: ComparedRun, other: ComparedRun): boolean {
  return one.findings === other.findings && one.pages === other.pages;
}

/** Returns the checks that fail in both runs in different ways. */
export function changedFailures({ unchanged }: Comparison): readonly Change[] {
  return unchanged.filter(({ errorBefore }) => errorBefore !== undefined);
}

/** Returns the chosen paths that a run has read. They are user input. */
function listReadPaths(pages: ComparedRun['pages']): readonly string[] {
  return (pages?.chosen ?? []).flatMap(({ path, isRead }) => (isRead ? [path] : []));
}

/** Earlier results of a check. UNDETERMINED results are ignored, since they say nothing about the site. */
interface Past {
  /** The last determined result; UNDETERMINED if there is none. */
  readonly last: Result;
  /** The last result that was PASS or FAIL; null if there is none. */
  readonly judged: 'PASS' | 'FAIL' | null;
  /** Chosen paths that were read for that result; after several PASS in a row, for any of them. */
  readonly readPaths: readonly string[];
  /** Error type of the last failure. */
  readonly failedBy: ErrorType | null;
}

const NO_PAST: Past = { last: 'UNDETERMINED', judged: null, readPaths: [], failedBy: null };

type History = Map<string, Past>;

function addRun(history: History, { findings, pages }: ComparedRun): void {
  const paths = listReadPaths(pages);
  for (const finding of findings) {
    history.set(finding.checkId, addResult(history.get(finding.checkId) ?? NO_PAST, finding, paths));
  }
}

function compareWith(history: History, before: ComparedRun, now: ComparedRun): Comparison {
  const unmatched = new Map(before.findings.map(({ checkId, result }) => [checkId, result]));
  const paths = { before: listReadPaths(before.pages), now: listReadPaths(now.pages) };
  const changes: Record<ChangeKind, Change[]> = {
    newFailures: [],
    fixed: [],
    nowJudged: [],
    changed: [],
    unchanged: [],
  };
  const added: string[] = [];
  for (const finding of now.findings) {
    const { checkId, result } = finding;
    const was = unmatched.get(checkId);
    unmatched.delete(checkId);
    const past = history.get(checkId) ?? NO_PAST;
    // A check that neither run could determine has not changed.
    const isStillUndetermined = result === 'UNDETERMINED' && was === 'UNDETERMINED';
    if (was === undefined) added.push(checkId);
    else {
      const kind = isStillUndetermined ? 'unchanged' : classify(past, finding, paths.now);
      changes[kind].push(toChange(past, was, finding));
    }
  }
  const hasOtherPages =
    paths.before.length !== paths.now.length || paths.before.some((path) => !paths.now.includes(path));
  return { ...changes, notComparable: [...added, ...unmatched.keys()], hasOtherPages };
}

function toChange({ last, failedBy }: Past, was: Result, finding: ComparedFinding): Change {
  const { checkId, title = null, result, errorType } = finding;
  const failure = errorType ?? (was === 'FAIL' ? failedBy : null);
  const change = { checkId, title, before: last, now: result, errorType: failure };
  const isOtherFailure = errorType && failedBy && errorType !== failedBy && last === 'FAIL';
  return isOtherFailure ? { ...change, errorBefore: failedBy } : change;
}

function addResult(past: Past, { checkId, result, errorType = null }: ComparedFinding, paths: readonly string[]): Past {
  if (result === 'UNDETERMINED') return past;
  if (result === 'NOT_APPLICABLE') return { ...past, last: result };
  const readPaths = relevantPaths(checkId, paths);
  if (result === 'FAIL') return { last: result, judged: result, readPaths, failedBy: errorType };
  const isRepeatedPass = past.judged === 'PASS' && past.readPaths.length > 0;
  const passedPaths = isRepeatedPass ? [...new Set([...readPaths, ...past.readPaths])] : readPaths;
  return { last: result, judged: result, readPaths: passedPaths, failedBy: past.failedBy };
}

/**
 * Classifies a result by the earlier results of its check.
 *
 * A FAIL is new if the check passed before, or if it failed and then did not apply for a while. It is only `nowJudged` if the check never
 * passed or failed, or if it now reads a chosen page that the last PASS or FAIL did not. A PASS fixes a failure only if it read every
 * chosen page of that failure.
 */
function classify(
  { last, judged, readPaths }: Past,
  { checkId, result }: ComparedFinding,
  paths: readonly string[],
): ChangeKind {
  const pathsNow = relevantPaths(checkId, paths);
  if (result === 'FAIL') {
    if (judged === null) return 'nowJudged';
    if (last === 'FAIL') return 'unchanged';
    return pathsNow.every((path) => readPaths.includes(path)) ? 'newFailures' : 'nowJudged';
  }
  if (result === 'PASS' && judged === 'FAIL')
    return readPaths.every((path) => pathsNow.includes(path)) ? 'fixed' : 'changed';
  return result === last ? 'unchanged' : 'changed';
}

const PAGE_EVIDENCE: readonly EvidenceKind[] = ['structuredData', 'markdown', 'agentReplies'];

/** Checks whose result depends on which pages are read. */
const PAGE_CHECKS: ReadonlySet<string> = new Set(
  CHECKS.filter(({ needs }: Check) => needs.some((kind) => PAGE_EVIDENCE.includes(kind))).map(({ id }) => id),
);

function relevantPaths(checkId: string, paths: readonly string[]): readonly string[] {
  return paths.length > 0 && PAGE_CHECKS.has(checkId) ? paths : [];
}
