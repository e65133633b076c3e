import type { EvidenceKind, EvidenceMap } from '../evidence/evidence.js';
import type { SafeText } from '../evidence/safe-text.js';
import type { Note } from '../findings/note.js';
import { nameStandard, STANDARDS, type StandardId } from '../findings/standards.js';

/** Evidence of these kinds, each null where it is missing. */
type Seen<K extends EvidenceKind> = { readonly [E in K]: EvidenceMap[E] | null };

interface NoteDefinition<K extends EvidenceKind> {
  /** In kebab-case. */
  readonly id: string;
  readonly checkId: string | null;
  readonly standard: StandardId;
  readonly uses: readonly K[];
  /** Pure, like a judge. Null if there is nothing to say. */
  observe(seen: Seen<K>): SafeText | null;
}

/** A note without its type parameter, as the list holds it. */
export interface NoteRule {
  readonly id: string;
  readonly checkId: string | null;
  readonly uses: readonly EvidenceKind[];
  note(evidence: Partial<Readonly<Record<EvidenceKind, unknown>>>): Note | null;
}

export function defineNote<const K extends EvidenceKind>({
  id,
  checkId,
  standard,
  uses,
  observe,
}: NoteDefinition<K>): NoteRule {
  return {
    id,
    checkId,
    uses,
    note: (evidence) => {
      const text = observe(evidence as Seen<K>);
      return text && { id, checkId, text: text.text, standard: nameStandard(standard), url: STANDARDS[standard].url };
    },
  };
}
