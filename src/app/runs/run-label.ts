import { hashFrom, shortHash, shortLabel } from '../../platform/label.js';
import { execute, type Transaction } from '../../store/transaction.js';
import { deleteNextLabel, type RunLabelRow, upsertNextLabel } from './run-label-statements.js';

/** What the caller who asked for a run named it by. These are the caller's words: for the site's owner alone. */
export interface RunLabel {
  /** Such as `v2.3.1`; both are as platform/label.ts says. */
  readonly label: string | null;
  readonly commit: string | null;
}

/** The commit in messages, where words of others have no place: its hash, cut short; null where there is none. */
export function hashIn({ label, commit }: RunLabel): string | null {
  return shortHash(commit ?? '') ?? hashFrom(label ?? '');
}

/** The name in a few words: `v2.3.1, 4f2a1c9`. */
export function describeLabel({ label, commit }: RunLabel): string {
  const parts = [label && shortLabel(label), commit && (shortHash(commit) ?? commit)].filter((text) => text !== null);
  return [...new Set(parts)].join(', ');
}

/** Null for a run without one. */
export function labelOfRow({ label, commit_id: commit }: RunLabelRow): RunLabel | null {
  return label === null && commit === null ? null : { label, commit };
}

/** As it stands in the export of an account and in the chain of supplements: JSON; null for a run without one. */
export function formatLabel(label: RunLabel | null): string | null {
  return label && JSON.stringify({ label: label.label, commit: label.commit });
}

/**
 * Names the run that is due then, or takes away the name that the deployment before has given it.
 * @param before when it was due until now; null: it is one more
 */
export function* nameNextRun(
  site_id: string,
  { runAfter, before }: { readonly runAfter: Date; readonly before: Date | null },
  given: RunLabel | null,
): Transaction<void> {
  if (before) yield* execute(deleteNextLabel({ site_id, due_at: before.toISOString() }));
  const { label, commit } = given ?? { label: null, commit: null };
  yield* execute(upsertNextLabel({ site_id, due_at: runAfter.toISOString(), label, commit_id: commit }));
}
