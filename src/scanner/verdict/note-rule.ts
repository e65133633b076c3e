import type { EvidenceKind, EvidenceMap } from '../artifacts/evidence.js';
import type { SafeText } from '../artifacts/safe-text.js';
import type { StandardId } from './standards.js';

export interface NoteRule<K extends EvidenceKind = EvidenceKind> {
  /** In kebab-case. */
  readonly id: string;
  readonly standard: StandardId;
  readonly uses: readonly K[];
  /** A pure function. Missing evidence is null. Returns null if there is nothing to say. */
  observe(seen: { readonly [E in K]: EvidenceMap[E] | null }): SafeText | null;
}

/** A note with the check that it belongs to; null if it is about the whole report. */
export interface OwnedNote extends NoteRule {
  readonly checkId: string | null;
}

/** Declares a note: its type ensures that it observes only what it uses. */
export function defineNote<const K extends EvidenceKind>(rule: NoteRule<K>): NoteRule {
  return rule;
}
