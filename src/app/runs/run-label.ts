import { hashFrom, shortLabel } from '../../platform/label.js';
import { execute, type Transaction } from '../../store/transaction.js';
import { type RunLabelRow, upsertNextLabel } from './run-label-statements.js';

/** What the caller who asked for a run named it by. These are the caller's words: for the site's owner alone. */
export interface RunLabel {
  /** Such as `v2.3.1`; both are as platform/label.ts says. */
  readonly label: string | null;
  readonly commit: string | null;
}

/** The commit in messages, where words of others have no place: the hash, cut short; null where there is none. */
export function hashIn({ label, commit }: RunLabel): string | null {
  return hashFrom(commit ?? '') ?? hashFrom(label ?? '');
}

/** The name in a few words: `v2.3.1, 4f2a1c9`. */
export function describeLabel({ label, commit }: RunLabel): string {
  const parts = [label, commit].filter((text) => text !== null).map(shortLabel);
  return [...new Set(parts)].join(', ');
}

/** Null for a run without one. */
export function labelOfRow({ label, commit_id: commit }: RunLabelRow): RunLabel | null {
  return label === null && commit === null ? null : { label, commit };
}

/** Names the site's next run after a deployment, or takes the name away that another deployment has given it. */
export function* nameNextRun(site_id: string, given: RunLabel | null, now: Date): Transaction<void> {
  const { label, commit } = given ?? { label: null, commit: null };
  yield* execute(upsertNextLabel({ site_id, label, commit_id: commit, named_at: now.toISOString() }));
}
