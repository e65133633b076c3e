/** A part of a check's fix: sentences, a list of them, or a snippet to paste. */
export interface FixPart {
  readonly kind: 'prose' | 'list' | 'snippet';
  readonly text: string;
}

/**
 * Splits a fix, which is plain text, into paragraphs and the snippets between them. Stored runs keep the texts of their day, so
 * parts are recognised by their appearance. A snippet may contain empty lines.
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

/** A line of code may have as many words as a short sentence, but does not end like one. */
const PROSE_WORDS_MIN = 6;

/** Prose begins with a word, and ends like a sentence or with an address; a snippet does neither. */
function kindOf(text: string): FixPart['kind'] {
  const lines = text.split('\n');
  const isList = lines.every((line) => line.startsWith('- '));
  const isWordy = lines.some((line) => line.split(' ').length >= PROSE_WORDS_MIN);
  const beginsLikeProse = /^(?:- )?(?:"|\/\.?)?[A-Za-z]/.test(text);
  const endsLikeProse = /[.:?!]$/.test(text) || (isWordy && !/[\])}>;,]$/.test(text));
  if (!beginsLikeProse || !endsLikeProse) return 'snippet';
  return isList ? 'list' : 'prose';
}
