import type { Change } from '../../../scanner/report/comparison.js';

/** Changes that neither broke nor fixed anything, by what became of the check. */
export interface OtherChanges {
  readonly title: string;
  readonly changes: readonly Change[];
}

export function otherChangesOf(changes: readonly Change[]): readonly OtherChanges[] {
  return [...Map.groupBy(changes, titleOf)].map(([title, ofTitle]) => ({ title, changes: ofTitle }));
}

function titleOf({ before, now }: Change): string {
  if (now === 'NOT_APPLICABLE') return before === 'UNDETERMINED' ? 'Does not apply' : 'No longer applies';
  if (now === 'UNDETERMINED') return 'Undetermined now';
  return before === 'NOT_APPLICABLE' ? 'Applies now' : 'Now judged';
}
