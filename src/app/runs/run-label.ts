import { execute, type Transaction } from '../../store/transaction.js';
import { type RunLabelRow, upsertNextLabel } from './run-label-statements.js';

/** What the caller who asked for a run named it by. These are the caller's words: for the site's owner alone. */
export interface RunLabel {
  /** Such as `v2.3.1`; 1 to {@link LABEL_MAX} printable ASCII characters, as is the commit. */
  readonly label: string | null;
  readonly commit: string | null;
}

/** In characters. */
export const LABEL_MAX = 100;

const PRINTABLE = /^[ -~]+$/;
const NOT_PRINTABLE = /[^ -~]+/g;
/** A whole or shortened hash of Git or Mercurial: nothing that could be read as somebody's words. */
const HASH = /^[0-9a-f]{7,64}$/i;
const SHORT_HASH_LENGTH = 7;

/** Whether the text can be stored as it is. */
export function isLabel(text: string): boolean {
  return text.length <= LABEL_MAX && PRINTABLE.test(text);
}

/** As much of any text as can be stored; null: nothing. */
export function labelFrom(text: string): string | null {
  return text.replaceAll(NOT_PRINTABLE, ' ').trim().slice(0, LABEL_MAX).trim() || null;
}

/** The commit in messages, where words of others have no place: seven digits of its hash; null where it is not known to be one. */
export function hashIn({ label, commit }: RunLabel): string | null {
  const hash = [commit, label].find((text) => text !== null && HASH.test(text));
  return hash?.slice(0, SHORT_HASH_LENGTH).toLowerCase() ?? null;
}

/** The name in a few words, with a hash cut short: `v2.3.1, 4f2a1c9`. */
export function describeLabel({ label, commit }: RunLabel): string {
  const parts = [label, commit].filter((text) => text !== null);
  return [...new Set(parts.map((text) => (HASH.test(text) ? text.slice(0, SHORT_HASH_LENGTH) : text)))].join(', ');
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
