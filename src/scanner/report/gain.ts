import type { Finding } from '../verdict/finding.js';

/** What fixing one failure adds to the score. */
export interface Gain {
  readonly checkId: string;
  /** Of 100, if nothing else were fixed; 0 where the check is not scored. */
  readonly points: number;
  /** There may be more: what other checks say then cannot be known before. */
  readonly isAtLeast: boolean;
  /** The other checks that pass with it. Runs of earlier versions do not say. */
  readonly passing?: readonly string[];
  /** The scored checks that come into view with it: how they turn out is unknown. Likewise. */
  readonly opening?: readonly string[];
}

/** `+19 points`, or `at least +6 points`; null where nothing is known or gained. */
export function describeGain(gains: readonly Gain[], { checkId }: Pick<Finding, 'checkId'>): string | null {
  const gain = gains.find((one) => one.checkId === checkId);
  if (!gain || gain.points <= 0) return null;
  return `${gain.isAtLeast ? 'at least ' : ''}+${gain.points} ${gain.points === 1 ? 'point' : 'points'}`;
}
