import type { EvidenceKind, EvidenceMap } from '../artifacts/evidence.js';
import type { SafeText } from '../artifacts/safe-text.js';
import type { Note } from './note.js';
import { nameStandard, STANDARDS, type StandardId } from './standards.js';

/** Evidence of these kinds, each null where it is missing. */
type Seen<K extends EvidenceKind> = { readonly [E in K]: EvidenceMap[E] | null };

interface NoteDefinition<K extends EvidenceKind> {
  /** In kebab-case. */
  readonly id: string;
  readonly standard: StandardId;
  readonly uses: readonly K[];
  /** Pure, like a judge. Null if there is nothing to say. */
  observe(seen: Seen<K>): SafeText | null;
}

/** A note without its type parameter, as a check lists it. */
export interface NoteRule {
  readonly id: string;
  readonly uses: readonly EvidenceKind[];
  /** @param checkId see {@link Note.checkId} */
  note(evidence: Partial<Readonly<Record<EvidenceKind, unknown>>>, checkId: string | null): Note | null;
}

/** A note with the check that it belongs to; null if it is about the whole report. */
export interface OwnedNote {
  readonly checkId: string | null;
  readonly rule: NoteRule;
}

export function defineNote<const K extends EvidenceKind>({ id, standard, uses, observe }: NoteDefinition<K>): NoteRule {
  return {
    id,
    uses,
    note: (evidence, checkId) => {
      const text = observe(evidence as Seen<K>);
      return text && { id, checkId, text: text.text, standard: nameStandard(standard), url: STANDARDS[standard].url };
    },
  };
}
