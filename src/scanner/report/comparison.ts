import type { SampledPages } from '../artifacts/chosen-pages.js';
import { SCAN_LIMITS } from '../artifacts/scanner.js';
import type { Finding } from '../verdict/finding.js';
import type { ErrorType, Result } from '../verdict/vocabulary.js';

/** What the runs until now say of a check. UNDETERMINED is looked through: it says nothing of the site. */
export interface Known {
  /** Its last determined result; UNDETERMINED: there is none. */
  readonly last: Result;
  /** How it came out when it last passed or failed; null: it never did. */
  readonly judged: 'PASS' | 'FAIL' | null;
  /** The pages on which that rests, as digests; left out where its run says nothing of them. */
  readonly read?: readonly string[];
  /** Those that showed the failure, where the home page did not. */
  readonly found?: readonly string[];
}

export const NOTHING_KNOWN: Known = { last: 'UNDETERMINED', judged: null };

/** The pages behind the result of one check: see {@link SampledPages}. */
export type Seen = Pick<SampledPages, 'read' | 'usual'> & Pick<Known, 'found'>;

/** How many digests are kept of a check that passes run after run. */
const READ_MAX = 64;

/** Checks that look at no more than so many other pages. */
const LOOKS_AT: Readonly<Record<string, number>> = { 'C-MD-01': SCAN_LIMITS.markdownPagesMax - 1 };

/** Undefined where the run says nothing of its pages. */
export function seenBy(checkId: string, pages: SampledPages | null | undefined): Seen | undefined {
  if (!pages) return undefined;
  const count = LOOKS_AT[checkId];
  const found = pages.found[checkId];
  return { read: pages.read.slice(0, count), usual: pages.usual.slice(0, count), ...(found && { found }) };
}

/** What is known of a check after another run. */
export function knownAfter(known: Known, result: Result, seen?: Seen): Known {
  if (result === 'UNDETERMINED') return known;
  if (result === 'NOT_APPLICABLE') return { ...known, last: result };
  const before = result === 'PASS' && known.judged === 'PASS' ? (known.read ?? seen?.usual ?? []) : [];
  const read = seen ? [...new Set([...seen.read, ...before])].slice(0, READ_MAX) : before;
  return {
    ...{ last: result, judged: result },
    ...((seen !== undefined || read.length > 0) && { read }),
    ...(result === 'FAIL' && seen?.found && { found: seen.found }),
  };
}

export type ChangeKind = 'newFailures' | 'fixed' | 'nowJudged' | 'changed' | 'unchanged';

/**
 * How a result differs from what was known of its check: the one rule behind pages, reports, alerts and exit codes.
 *
 * A check that passed once and fails now is a new failure, whatever lies between; so is one that failed, did not apply for a while
 * and fails again. A failure of a check that never passed or failed before tells nothing of what has changed: it is judged now.
 *
 * Where pages are chosen, a run names each page that it read besides the home page by a digest, and each page that shows a failure. A
 * failure is judged now, too, if such pages show it and none of them was read by the runs on which the earlier result rests: each PASS
 * adds its pages to those of the PASS before. A PASS fixes no failure whose pages are all left unread by now. Every other failure (that
 * of the home page, of all pages together, of a file but an llms.txt that one of them announces) follows the ordinary rule, so that no
 * choice hides it.
 */
export function kindOfChange(known: Known, now: Result, seen?: Seen): ChangeKind {
  const { last, judged, found } = known;
  if (now === 'FAIL') {
    if (judged === null) return 'nowJudged';
    if (last === 'FAIL') return 'unchanged';
    return isOnUnread(known, seen) ? 'nowJudged' : 'newFailures';
  }
  if (now === 'PASS' && judged === 'FAIL') return !found || isAnyOf(found, seen?.read) ? 'fixed' : 'changed';
  return now === last ? 'unchanged' : 'changed';
}

/** Whether only pages show a failure that were not read for what is known: for a run that says nothing of them, the usual ones. */
export function isOnUnread({ read }: Known, seen: Seen | undefined): boolean {
  return seen?.found !== undefined && !isAnyOf(seen.found, read ?? seen.usual);
}

/**
 * What became of a failure in later runs, by the same rule: at which of them it was fixed and has not failed since. `unread`: the last of
 * them passes, and none that did has read the pages that showed it. Null: the last of them does not pass.
 * @param failed the run that found it
 * @param later the oldest first, none without a score
 */
export function fixedAt(checkId: string, failed: ComparedRun, later: readonly ComparedRun[]): number | 'unread' | null {
  let known = knownAfter(NOTHING_KNOWN, 'FAIL', seenBy(checkId, failed.pages));
  let fixed: number | 'unread' = 'unread';
  let last: Result | undefined;
  for (const [index, { findings, pages }] of later.entries()) {
    last = findings.find((one) => one.checkId === checkId)?.result;
    const seen = seenBy(checkId, pages);
    if (last === 'FAIL') {
      known = knownAfter(known, last, seen);
      fixed = 'unread';
    } else if (last === 'PASS' && fixed === 'unread' && kindOfChange(known, last, seen) === 'fixed') fixed = index;
  }
  return last === 'PASS' ? fixed : null;
}

function isAnyOf(pages: readonly string[], others: readonly string[] = []): boolean {
  return pages.some((page) => others.includes(page));
}

/** Whether two runs have read other chosen pages. */
export function haveOtherPages(one: ComparedRun['pages'], other: ComparedRun['pages']): boolean {
  return readAlone(one, other).length + readAlone(other, one).length > 0;
}

/** The paths of the chosen pages that the first of two runs has read, and the other has not: words of the one who chose them. */
export function readAlone(one: ComparedRun['pages'], other: ComparedRun['pages']): readonly string[] {
  const pathsOf = (pages: ComparedRun['pages']): string[] =>
    (pages?.chosen ?? []).flatMap(({ path, came }) => (came === 'read' ? [path] : []));
  const others = pathsOf(other);
  return pathsOf(one).filter((path) => !others.includes(path));
}

/** One check in a run, and before it. */
export interface Change {
  readonly checkId: string;
  readonly title: string | null;
  /** Its last determined result before; UNDETERMINED where there is none. */
  readonly before: Result;
  readonly now: Result;
  /** Of the failure that came, else of the one that went. */
  readonly errorType: ErrorType | null;
  /** Where it fails in both, and in another way now: of the failure before. */
  readonly errorBefore?: ErrorType;
}

/** How one run's findings differ from earlier ones. Each check is in exactly one of the lists. */
export interface Comparison {
  /** FAIL now, and it has been better. */
  readonly newFailures: readonly Change[];
  /** FAIL when it was last judged, and PASS now. */
  readonly fixed: readonly Change[];
  /** FAIL now, and never judged before, or not on the pages that show it. */
  readonly nowJudged: readonly Change[];
  /** Any other change, such as PASS to UNDETERMINED. */
  readonly changed: readonly Change[];
  /** The same result as before. */
  readonly unchanged: readonly Change[];
  /** Check ids that only one of the two runs has: the registry changed in between. */
  readonly notComparable: readonly string[];
  /** Whether one of the two runs looked at chosen pages that the other one did not look at. */
  readonly hasOtherPages: boolean;
}

/** What fails in both runs, each time in another way: neither broke nor fixed. */
export function failingOtherwise({ unchanged }: Comparison): readonly Change[] {
  return unchanged.filter(({ errorBefore }) => errorBefore !== undefined);
}

/** A run as it is compared. */
export interface ComparedRun {
  readonly findings: readonly Judged[];
  /** Left out where nobody had ever chosen any. */
  readonly pages?: SampledPages | null | undefined;
}

type Judged = Pick<Finding, 'checkId' | 'result'> & Partial<Pick<Finding, 'title' | 'errorType'>>;

/**
 * Compares findings by check id, in the order of the later run.
 * @param earlier the newest first: runs without a score are left out, since they say nothing of the site.
 * The first is the run that the later one is compared with; the others tell what it could not determine.
 */
export function compareFindings(earlier: readonly [ComparedRun, ...ComparedRun[]], now: ComparedRun): Comparison {
  const recalled: Recollection = new Map();
  for (const run of earlier.toReversed()) learn(recalled, run);
  return differ(earlier[0], recalled, now);
}

/**
 * The same for each run of a row, which is quicker than one at a time. Null for the first: nothing is known before it.
 * @param runs the oldest first, none without a score
 */
export function compareEach(runs: readonly ComparedRun[]): readonly (Comparison | null)[] {
  const recalled: Recollection = new Map();
  const comparisons: (Comparison | null)[] = [];
  for (const [index, run] of runs.entries()) {
    const [before, earlier] = [runs[index - 1], runs[index - 2]];
    // A third time the same changes nothing more, and most runs are the same as before.
    const isAsBefore = isSame(run, before) && isSame(before, earlier);
    if (isAsBefore) comparisons.push(comparisons.at(-1) ?? null);
    else comparisons.push(before ? differ(before, recalled, run) : null);
    if (!isAsBefore) learn(recalled, run);
  }
  return comparisons;
}

/** Runs that found the same mostly have their findings in common. */
function isSame(run: ComparedRun | undefined, other: ComparedRun | undefined): boolean {
  return run?.findings === other?.findings && (run?.pages ?? null) === (other?.pages ?? null);
}

function differ(before: ComparedRun, recalled: Recollection, now: ComparedRun): Comparison {
  const left = new Map(before.findings.map(({ checkId, result }) => [checkId, result]));
  const changes: Record<ChangeKind, Change[]> = {
    ...{ newFailures: [], fixed: [], nowJudged: [], changed: [], unchanged: [] },
  };
  const notComparable: string[] = [];
  for (const { checkId, result, title = null, errorType } of now.findings) {
    const was = left.get(checkId);
    left.delete(checkId);
    const { known, failedBy } = recalled.get(checkId) ?? NOTHING_RECALLED;
    // What neither run could determine has not changed, whatever was known of it before.
    const isOpen = result === 'UNDETERMINED' && was === 'UNDETERMINED';
    const change = {
      ...{ checkId, title, before: known.last, now: result, errorType: errorType ?? failedBy },
      ...(errorType && failedBy && errorType !== failedBy && known.last === 'FAIL' && { errorBefore: failedBy }),
    };
    if (was === undefined) notComparable.push(checkId);
    else changes[isOpen ? 'unchanged' : kindOfChange(known, result, seenBy(checkId, now.pages))].push(change);
  }
  return {
    ...{ ...changes, notComparable: [...notComparable, ...left.keys()] },
    hasOtherPages: haveOtherPages(before.pages, now.pages),
  };
}

/** What is known of a check, and with what error it failed the last time. */
interface Recalled {
  readonly known: Known;
  readonly failedBy: ErrorType | null;
}

const NOTHING_RECALLED: Recalled = { known: NOTHING_KNOWN, failedBy: null };

/** By check id. */
type Recollection = Map<string, Recalled>;

/** Adds what another run says of each check. */
function learn(recalled: Recollection, { findings, pages }: ComparedRun): void {
  for (const { checkId, result, errorType } of findings) {
    const { known, failedBy } = recalled.get(checkId) ?? NOTHING_RECALLED;
    recalled.set(checkId, {
      known: knownAfter(known, result, seenBy(checkId, pages)),
      failedBy: result === 'FAIL' ? (errorType ?? null) : failedBy,
    });
  }
}
