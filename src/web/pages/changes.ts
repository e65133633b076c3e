import { type Change, type Comparison, failingOtherwise } from '../../scanner/report/comparison.js';
import { countOf } from '../../scanner/artifacts/counts.js';
import { SINCE_RUNS_MAX } from '../../app/runs/run-lines.js';

/** Changes that neither broke nor fixed anything, by what became of the check. */
export interface OtherChanges {
  readonly title: string;
  readonly changes: readonly Change[];
}

export function otherChangesOf(changes: readonly Change[]): readonly OtherChanges[] {
  return [...Map.groupBy(changes, titleOf)].map(([title, ofTitle]) => ({ title, changes: ofTitle }));
}

/** What came out between two runs, in a few words each: `1 new failure`, `2 fixed`. */
export function newsOf(comparison: Comparison): readonly string[] {
  const { newFailures, fixed, nowJudged } = comparison;
  const otherwise = failingOtherwise(comparison);
  const news = [
    [newFailures, countOf(newFailures.length, 'new failure')],
    [fixed, `${fixed.length} fixed`],
    [nowJudged, `${nowJudged.length} now judged`],
    [otherwise, `${otherwise.length} failing differently`],
  ] as const;
  return news.flatMap(([changes, words]) => (changes.length > 0 ? [words] : []));
}

/** Since when a finding is so. @param number of the first run that found it; undefined where that is longer ago than is looked */
export function describeSince(number: number | undefined): string {
  return number === undefined ? `for more than ${SINCE_RUNS_MAX} runs` : `since run ${number}`;
}

function titleOf({ before, now }: Change): string {
  if (now === 'NOT_APPLICABLE') return before === 'UNDETERMINED' ? 'Does not apply' : 'No longer applies';
  if (now === 'UNDETERMINED') return 'Undetermined now';
  // Else it would be fixed: no page was read that showed the failure.
  if (before === 'FAIL') return 'Passes on other pages';
  return before === 'NOT_APPLICABLE' ? 'Applies now' : 'Now judged';
}
