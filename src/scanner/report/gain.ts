import { countOf } from '../artifacts/counts.js';
import type { Finding } from '../verdict/finding.js';
import { scoreOf } from './score.js';

/** What fixing one failure adds to the score. */
export interface Gain {
  readonly checkId: string;
  /** Points out of 100 if nothing else were fixed; 0 if the check is not scored. */
  readonly points: number;
  /** True if further checks become applicable with it, which may pass. */
  readonly isAtLeast: boolean;
}

/** Describes a gain: `+19 points`, or `+6 points or more`. Null if it is unknown or zero. */
export function describeGain(gains: readonly Gain[], { checkId }: Pick<Finding, 'checkId'>): string | null {
  const gain = gains.find((one) => one.checkId === checkId);
  if (!gain || gain.points <= 0) return null;
  return `+${countOf(gain.points, 'point')}${gain.isAtLeast ? ' or more' : ''}`;
}

/** The part of a check that gains depend on. The package publishes the types of this file, so it cannot name `Check`. */
interface Judge {
  readonly needs: readonly string[];
  readonly opens: readonly string[];
}

/** Returns what each failure is worth by the score's formula: the score if that one check passed, less the score as it is. */
export function gainsOf(checks: readonly Judge[], findings: readonly Finding[]): Gain[] {
  const score = scoreOf(findings) ?? 0;
  return findings.flatMap((failure, index) => {
    if (failure.result !== 'FAIL') return [];
    const opens = checks[index]?.opens ?? [];
    const fixed = findings.map((finding) => (finding === failure ? { ...finding, result: 'PASS' as const } : finding));
    return {
      checkId: failure.checkId,
      points: (scoreOf(fixed) ?? 0) - score,
      isAtLeast:
        failure.scored &&
        findings.some(
          ({ scored, result }, at) =>
            scored &&
            (result === 'NOT_APPLICABLE' || result === 'UNDETERMINED') &&
            checks[at]?.needs.some((kind) => opens.includes(kind)) === true,
        ),
    };
  });
}

/** What one fix adds to the score once those before it are done. */
export interface Rung {
  readonly from: number;
  readonly to: number;
  /** See {@link Gain.isAtLeast}. */
  readonly isAtLeast: boolean;
}

export interface Ladder {
  readonly rungs: ReadonlyMap<string, Rung>;
  /** The score once all of them are done. */
  readonly to: number;
  readonly isAtLeast: boolean;
}

/** Returns how the score rises when these failures are fixed in their order; null if there is no score. */
export function ladderOf(
  findings: readonly Finding[],
  gains: readonly Gain[],
  failures: readonly Finding[],
): Ladder | null {
  let from = scoreOf(findings);
  if (from === null) return null;
  const fixed = new Set<string>();
  const rungs = new Map<string, Rung>();
  for (const { checkId } of failures) {
    fixed.add(checkId);
    const to: number =
      scoreOf(findings.map((one) => (fixed.has(one.checkId) ? { ...one, result: 'PASS' as const } : one))) ?? from;
    const isAtLeast = gains.find((gain) => gain.checkId === checkId)?.isAtLeast ?? false;
    rungs.set(checkId, { from, to, isAtLeast });
    from = to;
  }
  return { rungs, to: from, isAtLeast: [...rungs.values()].some(({ isAtLeast }) => isAtLeast) };
}
