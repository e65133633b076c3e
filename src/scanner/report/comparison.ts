import type { SampledPages } from '../artifacts/chosen-pages.js';
import { SCAN_LIMITS } from '../artifacts/scanner.js';
import type { Finding } from '../verdict/finding.js';
import type { ErrorType, Result } from '../verdict/vocabulary.js';

/** A run as it is compared. */
export interface ComparedRun {
  readonly findings: readonly Judged[];
  /** Undefined if pages were never chosen. */
  readonly pages?: SampledPages | null | undefined;
}

type Judged = Pick<Finding, 'checkId' | 'result'> & Partial<Pick<Finding, 'title' | 'errorType'>>;

/** One check in two runs. */
export interface Change {
  readonly checkId: string;
  readonly title: string | null;
  /** The last determined result before; UNDETERMINED if there is none. */
  readonly before: Result;
  readonly now: Result;
  /** Error type of the failure now, otherwise of the last one. */
  readonly errorType: ErrorType | null;
  /** Error type before, if the check fails in both runs in different ways. */
  readonly errorBefore?: ErrorType;
}

/** Differences between a run and earlier ones. Each check is in exactly one of the lists. */
export interface Comparison {
  /** FAIL now, but not when it was last determined. */
  readonly newFailures: readonly Change[];
  /** PASS now, and FAIL when it last passed or failed. */
  readonly fixed: readonly Change[];
  /** FAIL now, and never judged before, or not on the pages that show it now. */
  readonly nowJudged: readonly Change[];
  /** Any other change, such as PASS to UNDETERMINED. */
  readonly changed: readonly Change[];
  /** The same result as before. */
  readonly unchanged: readonly Change[];
  /** Ids of checks that only one of the runs has, since the registry changed. */
  readonly notComparable: readonly string[];
  /** True if the two runs read different chosen pages. */
  readonly hasOtherPages: boolean;
}

type ChangeKind = 'newFailures' | 'fixed' | 'nowJudged' | 'changed' | 'unchanged';

/**
 * Compares findings by check id, in the order of the later run: the one rule behind pages, reports, alerts and exit codes.
 * @param earlier the newest first, none without a score. The first is the run to compare with; the others supply what it could not
 * determine.
 */
export function compareFindings(earlier: readonly [ComparedRun, ...ComparedRun[]], now: ComparedRun): Comparison {
  const history = new History();
  for (const run of earlier.toReversed()) history.add(run);
  return history.compare(earlier[0], now);
}

/**
 * Compares each run with those before it, faster than one at a time. Null for the first.
 * @param runs the oldest first, none without a score
 */
export function compareEach(runs: readonly ComparedRun[]): readonly (Comparison | null)[] {
  const history = new History();
  const comparisons: (Comparison | null)[] = [];
  for (const [index, run] of runs.entries()) {
    const before = runs[index - 1];
    // The third equal run in a row changes nothing more, and most runs are equal.
    const isAsBefore = isSame(run, before) && isSame(before, runs[index - 2]);
    if (isAsBefore) comparisons.push(comparisons.at(-1) ?? null);
    else comparisons.push(before ? history.compare(before, run) : null);
    if (!isAsBefore) history.add(run);
  }
  return comparisons;
}

/** Equal runs usually share one list of findings. */
function isSame(run: ComparedRun | undefined, other: ComparedRun | undefined): boolean {
  return run?.findings === other?.findings && (run?.pages ?? null) === (other?.pages ?? null);
}

/**
 * Returns the index of the later run that fixed a failure for good, by the same rule. `unread` if the last one passes, but no passing run
 * has read the pages that showed it. Null if the last one does not pass.
 * @param failed the run that found the failure
 * @param later the oldest first, none without a score
 */
export function fixedAt(checkId: string, failed: ComparedRun, later: readonly ComparedRun[]): number | 'unread' | null {
  let known = learn(NOTHING_KNOWN, { checkId, result: 'FAIL' }, failed.pages);
  let fixed: number | 'unread' = 'unread';
  let last: Result | undefined;
  for (const [index, { findings, pages }] of later.entries()) {
    const finding = findings.find((one) => one.checkId === checkId);
    last = finding?.result;
    if (finding?.result === 'FAIL') {
      known = learn(known, finding, pages);
      fixed = 'unread';
    } else if (finding?.result === 'PASS' && fixed === 'unread' && kindOf(known, finding, pages) === 'fixed') {
      fixed = index;
    }
  }
  return last === 'PASS' ? fixed : null;
}

/** Returns the checks that fail in both runs in different ways. */
export function failingOtherwise({ unchanged }: Comparison): readonly Change[] {
  return unchanged.filter(({ errorBefore }) => errorBefore !== undefined);
}

/** Returns the chosen paths that only the first of two runs has read. They are user input. */
export function readAlone(one: ComparedRun['pages'], other: ComparedRun['pages']): readonly string[] {
  const pathsOf = (pages: ComparedRun['pages']): string[] =>
    (pages?.chosen ?? []).flatMap(({ path, came }) => (came === 'read' ? [path] : []));
  const others = pathsOf(other);
  return pathsOf(one).filter((path) => !others.includes(path));
}

/** What earlier runs found for a check. UNDETERMINED results are ignored, since they say nothing about the site. */
interface Known {
  /** The last determined result; UNDETERMINED if there is none. */
  readonly last: Result;
  /** The last result that was PASS or FAIL; null if there is none. */
  readonly judged: 'PASS' | 'FAIL' | null;
  /** Digests of the pages behind that result; null if its run lists none. */
  readonly read: readonly string[] | null;
  /** Digests of the pages that showed the failure, if the home page did not. */
  readonly found: readonly string[] | null;
  /** Error type of the last failure. */
  readonly failedBy: ErrorType | null;
}

const NOTHING_KNOWN: Known = { last: 'UNDETERMINED', judged: null, read: null, found: null, failedBy: null };

/** Digests that are remembered for a check at most. */
const READ_MAX = 64;

class History {
  readonly #known = new Map<string, Known>();

  add({ findings, pages }: ComparedRun): void {
    for (const finding of findings) this.#known.set(finding.checkId, learn(this.#of(finding), finding, pages));
  }

  compare(before: ComparedRun, now: ComparedRun): Comparison {
    const left = new Map(before.findings.map(({ checkId, result }) => [checkId, result]));
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
      const was = left.get(checkId);
      left.delete(checkId);
      const known = this.#of(finding);
      // A check that neither run could determine has not changed.
      const isOpen = result === 'UNDETERMINED' && was === 'UNDETERMINED';
      if (was === undefined) added.push(checkId);
      else changes[isOpen ? 'unchanged' : kindOf(known, finding, now.pages)].push(changeOf(known, finding));
    }
    const hasOtherPages = readAlone(before.pages, now.pages).length + readAlone(now.pages, before.pages).length > 0;
    return { ...changes, notComparable: [...added, ...left.keys()], hasOtherPages };
  }

  #of({ checkId }: Judged): Known {
    return this.#known.get(checkId) ?? NOTHING_KNOWN;
  }
}

function changeOf({ last, failedBy }: Known, { checkId, title = null, result, errorType }: Judged): Change {
  const change = { checkId, title, before: last, now: result, errorType: errorType ?? failedBy };
  const isOtherFailure = errorType && failedBy && errorType !== failedBy && last === 'FAIL';
  return isOtherFailure ? { ...change, errorBefore: failedBy } : change;
}

/** Adds the result of another run. */
function learn(known: Known, { checkId, result, errorType = null }: Judged, pages: ComparedRun['pages']): Known {
  if (result === 'UNDETERMINED') return known;
  if (result === 'NOT_APPLICABLE') return { ...known, last: result };
  const seen = seenBy(checkId, pages);
  const isPassAgain = result === 'PASS' && known.judged === 'PASS';
  const earlier = isPassAgain ? (known.read ?? seen?.usual ?? []) : [];
  const read = [...new Set([...(seen?.read ?? []), ...earlier])].slice(0, READ_MAX);
  const hasFailed = result === 'FAIL';
  return {
    last: result,
    judged: result,
    read: seen || read.length > 0 ? read : null,
    found: hasFailed && seen ? seen.found : null,
    failedBy: hasFailed ? errorType : known.failedBy,
  };
}

/**
 * Classifies a result by what was known of its check.
 *
 * A check that passed before and fails now is a new failure, and so is one that failed, did not apply for a while and fails again. If it
 * never passed or failed before, nothing is known to have changed: it is now judged.
 *
 * If pages were chosen, a run lists digests of the pages that it read besides the home page, and of those that show each failure. A failure
 * is also now judged if only pages show it that were not read for the earlier result (each PASS adds its pages to those of the PASS before).
 * A PASS does not fix a failure if none of the pages that showed it were read. Any other failure (of the home page, of all pages together,
 * of a file other than an llms.txt that a page announces) follows the ordinary rule, so that a choice of pages cannot hide it.
 */
function kindOf({ last, judged, read, found }: Known, finding: Judged, pages: ComparedRun['pages']): ChangeKind {
  const { checkId, result } = finding;
  const seen = seenBy(checkId, pages);
  if (result === 'FAIL') {
    if (judged === null) return 'nowJudged';
    if (last === 'FAIL') return 'unchanged';
    // A run that lists no pages has read the usual ones.
    return seen?.found && !isAnyOf(seen.found, read ?? seen.usual) ? 'nowJudged' : 'newFailures';
  }
  if (result === 'PASS' && judged === 'FAIL') return !found || isAnyOf(found, seen?.read ?? []) ? 'fixed' : 'changed';
  return result === last ? 'unchanged' : 'changed';
}

function isAnyOf(pages: readonly string[], others: readonly string[]): boolean {
  return pages.some((page) => others.includes(page));
}

/** Checks that read only so many other pages. */
const PAGES_READ: Readonly<Record<string, number>> = { 'C-MD-01': SCAN_LIMITS.markdownPagesMax - 1 };

/** Returns the pages behind the result of a check; null if the run lists none. */
function seenBy(checkId: string, pages: ComparedRun['pages']) {
  if (!pages) return null;
  const count = PAGES_READ[checkId];
  return {
    read: pages.read.slice(0, count),
    usual: pages.usual.slice(0, count),
    found: pages.found[checkId] ?? null,
  };
}
