import type { SampledPages } from '../artifacts/chosen-pages.js';
import type { Finding } from '../verdict/finding.js';
import type { ErrorType, Result } from '../verdict/vocabulary.js';
import { areOthers, isSeenAgain, isShownBefore, pagesRead, type Sight, sightOf } from './sight.js';

/** What the runs until now say of a check. UNDETERMINED is looked through: it says nothing of the site. */
export interface Known {
  /** Its last determined result; UNDETERMINED: there is none. */
  readonly last: Result;
  /** How it came out when it last passed or failed; null: it never did. */
  readonly judged: 'PASS' | 'FAIL' | null;
  /** The pages that were looked at then; left out where they were the usual ones. */
  readonly sight?: Sight;
}

export const NOTHING_KNOWN: Known = { last: 'UNDETERMINED', judged: null };

/** What is known of a check after another run. */
export function knownAfter(known: Known, result: Result, sight?: Sight): Known {
  if (result === 'UNDETERMINED') return known;
  if (result === 'NOT_APPLICABLE') return { ...known, last: result };
  return { last: result, judged: result, ...(sight && { sight }) };
}

export type ChangeKind = 'newFailures' | 'fixed' | 'nowJudged' | 'changed' | 'unchanged';

/**
 * How a result differs from what was known of its check: the one rule behind pages, reports, alerts and exit codes.
 *
 * A check that passed once and fails now is a new failure, whatever lies between; so is one that failed, did not apply for a while
 * and fails again. A failure of a check that never passed or failed before tells nothing of what has changed: it is judged now. So is
 * one that only pages show which were not looked at then, since others were chosen.
 */
export function kindOfChange({ last, judged, sight: before }: Known, now: Result, sight?: Sight): ChangeKind {
  if (now === 'FAIL') {
    if (judged === null) return 'nowJudged';
    if (last === 'FAIL') return 'unchanged';
    return isShownBefore(sight, before) ? 'newFailures' : 'nowJudged';
  }
  if (now === 'PASS' && judged === 'FAIL') return isSeenAgain(sight, before) ? 'fixed' : 'changed';
  return now === last ? 'unchanged' : 'changed';
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
    const change = { checkId, title, before: known.last, now: result, errorType: errorType ?? failedBy };
    if (was === undefined) notComparable.push(checkId);
    else changes[isOpen ? 'unchanged' : kindOfChange(known, result, sightOf(now.pages, checkId))].push(change);
  }
  return {
    ...{ ...changes, notComparable: [...notComparable, ...left.keys()] },
    hasOtherPages: areOthers(pagesRead(before.pages), pagesRead(now.pages)),
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
      known: knownAfter(known, result, sightOf(pages, checkId)),
      failedBy: result === 'FAIL' ? (errorType ?? null) : failedBy,
    });
  }
}
