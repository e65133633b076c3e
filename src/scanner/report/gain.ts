import { countOf } from '../artifacts/counts.js';
import type { Finding } from '../verdict/finding.js';
import { scoreOf } from './score.js';

/** What fixing one failure adds to the score. */
export interface Gain {
  readonly checkId: string;
  /** Points out of 100 if nothing else were fixed; 0 if the check is not scored. */
  readonly points: number;
  /** True if the fix makes further checks applicable, which may pass. */
  readonly isAtLeast: boolean;
}

/** Describes a gain: `+19 points`, or `+6 points or more`. Null if it is unknown or zero. */
export function describeGain(gains: readonly Gain[], { checkId }: Pick<Finding, 'checkId'>): string | null {
  const gain = gains.find((one) => one.checkId === checkId);
  if (!gain || gain.points <= 0) return null;
  return `+${countOf(gain.points, 'point')}${gain.isAtLeast ? ' or more' : ''}`;
}

/** The fields of a check that gains depend on. The npm package publishes this file's types, so it cannot import `Check`. */
interface DependentCheck {
  readonly needs: readonly string[];
  readonly unlocks: readonly string[];
}

/** Returns the gain of each failure: the score if only that check passed as well, minus the current score. */
export function gainsOf(checks: readonly DependentCheck[], findings: readonly Finding[]): Gain[] {
  const score = scoreOf(findings) ?? 0;
  return findings.flatMap((failure, index) => {
    if (failure.result !== 'FAIL') return [];
    const unlocks = checks[index]?.unlocks ?? [];
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
            checks[at]?.needs.some((kind) => unlocks.includes(kind)) === true,
        ),
    };
  });
}
