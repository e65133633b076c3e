import type { Finding } from '../verdict/finding.js';
import type { Gain } from './gain.js';
import { scoreOf } from './score.js';

/** What one fix adds to the score once those before it are done. */
export interface Rung {
  readonly from: number;
  readonly to: number;
  /** Checks come into view with it: they are counted as not passed, so that the score is this or more. */
  readonly isAtLeast: boolean;
  /** The fix before it with which its check passes already; null where it takes one of its own. */
  readonly comesWith: string | null;
}

/** The fixes of a scan, one after another. */
export interface Ladder {
  /** By check id. */
  readonly rungs: ReadonlyMap<string, Rung>;
  /** The score once all of them are done. */
  readonly to: number;
  readonly isAtLeast: boolean;
}

/**
 * How the score rises when failures are fixed in an order: arithmetic over which checks pass with each fix and which come into view.
 * @param failures in that order; the others stay as they are
 * @returns null where there is no score, or where the run is of a version that did not store which checks these are
 */
export function ladderOf(
  findings: readonly Finding[],
  gains: readonly Gain[],
  failures: readonly Finding[],
): Ladder | null {
  const score = scoreOf(findings);
  if (score === null) return null;
  /** By check that passes, the failure whose fix does it. */
  const passedWith = new Map<string, string>();
  const opened = new Set<string>();
  const rungs = new Map<string, Rung>();
  let from = score;
  for (const { checkId } of failures) {
    const gain = gains.find((one) => one.checkId === checkId);
    if (!gain?.passing || !gain.opening) return null;
    const comesWith = passedWith.get(checkId) ?? null;
    for (const id of [checkId, ...gain.passing]) if (!passedWith.has(id)) passedWith.set(id, checkId);
    for (const id of gain.opening) opened.add(id);
    const to = scoreOf(findings.map((finding) => asThen(finding, passedWith, opened))) ?? from;
    rungs.set(checkId, { from, to, isAtLeast: gain.isAtLeast, comesWith });
    from = to;
  }
  return { rungs, to: from, isAtLeast: [...rungs.values()].some(({ isAtLeast }) => isAtLeast) };
}

function asThen(
  finding: Finding,
  passed: ReadonlyMap<string, string>,
  opened: ReadonlySet<string>,
): Pick<Finding, 'scored' | 'result'> {
  const { checkId, scored, result } = finding;
  if (passed.has(checkId)) return { scored, result: 'PASS' };
  return { scored, result: opened.has(checkId) && result === 'NOT_APPLICABLE' ? 'UNDETERMINED' : result };
}
