/** A part of a check's fix: sentences, a list of them, or something to paste. */
export interface FixPart {
  readonly kind: 'prose' | 'list' | 'snippet';
  readonly text: string;
}

/**
 * The parts of a fix, which is plain text: paragraphs with snippets between them. Stored runs keep the texts of their day,
 * so that the parts are told apart by how they look. One snippet may hold empty lines.
 */
export function splitFix(fix: string): readonly FixPart[] {
  const parts: FixPart[] = [];
  for (const text of fix.split(/\n{2,}/)) {
    const kind = kindOf(text);
    const last = parts.at(-1);
    if (kind === 'snippet' && last?.kind === 'snippet') parts.splice(-1, 1, { kind, text: `${last.text}\n\n${text}` });
    else parts.push({ kind, text });
  }
  return parts;
}

/** A line of code may hold as many words as a short sentence, but does not end like one. */
const PROSE_WORDS_MIN = 6;

/** Prose begins with a word, and ends like a sentence or with an address; what is pasted does neither. */
function kindOf(text: string): FixPart['kind'] {
  const lines = text.split('\n');
  const isList = lines.every((line) => line.startsWith('- '));
  const isWordy = lines.some((line) => line.split(' ').length >= PROSE_WORDS_MIN);
  const beginsLikeProse = /^(?:- )?(?:"|\/\.?)?[A-Za-z]/.test(text);
  const endsLikeProse = /[.:?!]$/.test(text) || (isWordy && !/[\])}>;,]$/.test(text));
  if (!beginsLikeProse || !endsLikeProse) return 'snippet';
  return isList ? 'list' : 'prose';
}
