import type { Finding } from './finding.js';
import type { ErrorType, Result } from './vocabulary.js';

/** One check in two runs. */
export interface Change {
  readonly checkId: string;
  readonly title: string | null;
  readonly before: Result;
  readonly now: Result;
  /** Of the failure that came, else of the one that went. */
  readonly errorType: ErrorType | null;
}

/** How one run's findings differ from an earlier run's. Each check is in exactly one of the lists. */
export interface Comparison {
  /** FAIL now, and not before. */
  readonly newFailures: readonly Change[];
  /** FAIL before, and PASS now. */
  readonly fixed: readonly Change[];
  /** Any other change, such as PASS to UNDETERMINED. */
  readonly changed: readonly Change[];
  /** The same result as before. */
  readonly unchanged: readonly Change[];
  /** Check ids that only one of the two runs has: the registry changed in between. */
  readonly notComparable: readonly string[];
}

type Judged = Pick<Finding, 'checkId' | 'result'> & Partial<Pick<Finding, 'title' | 'errorType'>>;

/** Compares findings by check id, in the order of the later run. */
export function compareFindings(before: readonly Judged[], now: readonly Judged[]): Comparison {
  const earlier = new Map(before.map((finding) => [finding.checkId, finding]));
  const later = new Set(now.map(({ checkId }) => checkId));
  const changes = now.flatMap(({ checkId, result, title = null, errorType }): Change[] => {
    const was = earlier.get(checkId);
    if (!was) return [];
    return [{ checkId, title, before: was.result, now: result, errorType: errorType ?? was.errorType ?? null }];
  });
  const kindOf = ({ before, now }: Change): 'newFailures' | 'fixed' | 'changed' | 'unchanged' => {
    if (before === now) return 'unchanged';
    if (now === 'FAIL') return 'newFailures';
    return before === 'FAIL' && now === 'PASS' ? 'fixed' : 'changed';
  };
  const ofKind = (kind: ReturnType<typeof kindOf>): Change[] => changes.filter((change) => kindOf(change) === kind);
  return {
    newFailures: ofKind('newFailures'),
    fixed: ofKind('fixed'),
    changed: ofKind('changed'),
    unchanged: ofKind('unchanged'),
    notComparable: [
      ...now.filter(({ checkId }) => !earlier.has(checkId)),
      ...before.filter(({ checkId }) => !later.has(checkId)),
    ].map(({ checkId }) => checkId),
  };
}
