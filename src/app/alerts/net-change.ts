import type { FailureKind } from '../../scanner/verdict/finding.js';
import { type AlertChange, type AlertState, isSameScore, type ObservedRun, observeRun } from './changes.js';

/** What alerts of some runs say, taken together. */
export interface NetChange {
  /** The score after them: the last that was not in doubt. */
  readonly to: number;
  /** The score that it fell or rose from; the same as `to` where alerts tell of no fall, and the same checks make no rise. */
  readonly from: number;
  readonly newFailures: number;
  readonly fixed: number;
}

type Scored = ObservedRun & { readonly run: { readonly score: number } };
type CheckMove = Extract<AlertChange, { readonly checkId: string }>['kind'];

/**
 * What has changed by some runs, as alerts would tell of each of them: so what they keep quiet about is not in it, and neither is what came and
 * went again.
 * @param before the runs until then, and `since` those that are judged: the oldest first. Runs without a score change neither score nor checks.
 * @returns null where there is none before: the first one changes nothing
 */
export function netChangeOf(
  { before, since }: { readonly before: readonly Scored[]; readonly since: readonly Scored[] },
  accepted: readonly FailureKind[],
): NetChange | null {
  const known = before.reduce<AlertState | null>((state, run) => observeRun(state, run, accepted).state, null);
  if (typeof known?.score !== 'number') return null;
  let state = known;
  let from = known.score;
  // Of a fall that was told and not made up for since; without one, higher than any score.
  let fellFrom = Infinity;
  const moves = new Map<string, readonly [first: CheckMove, last: CheckMove]>();
  for (const run of since) {
    const { state: after, changes } = observeRun(state, run, accepted);
    // Other checks make it: what came before cannot be compared with it.
    if (!isSameScore(state.scored, after.scored)) {
      from = run.run.score;
      fellFrom = Infinity;
    }
    state = after;
    for (const change of changes) {
      if (change.kind === 'SCORE_FELL' && fellFrom === Infinity) fellFrom = Math.min(from, change.from);
      if ('checkId' in change) moves.set(change.checkId, [moves.get(change.checkId)?.[0] ?? change.kind, change.kind]);
    }
    if ((state.score ?? 0) >= fellFrom) fellFrom = Infinity;
  }
  const to = state.score ?? from;
  const countOf = (kind: CheckMove): number =>
    [...moves.values()].filter(([first, last]) => first === kind && last === kind).length;
  return {
    ...{ to, from: fellFrom === Infinity ? Math.min(from, to) : fellFrom },
    ...{ newFailures: countOf('CHECK_FAILING'), fixed: countOf('CHECK_FIXED') },
  };
}
