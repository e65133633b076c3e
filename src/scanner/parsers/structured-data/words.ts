import { Parser } from 'htmlparser2';
import type { PageFacts } from '../../artifacts/pages.js';
import type { SchemaNode } from '../../artifacts/structured-data.js';
import { schemaOrg } from '../../artifacts/schema-org.js';
import { PAGE_LIMITS } from '../../limits.js';

/** Properties whose value a reader of the page must see. */
export const SHOWN_PROPERTIES = [
  { type: 'Article', property: 'headline' },
  { type: 'Product', property: 'name' },
] as const;

/** A page with less text is probably rendered by scripts, so it proves nothing. */
const TEXT_CHARS_MIN = 200;

/**
 * Returns the words of a page's title and visible text. Null if its markup has no type of {@link SHOWN_PROPERTIES}, or if the words
 * prove nothing.
 */
export function readShownWords(
  { isCut, isMalformed, title, text, served }: PageFacts,
  nodes: readonly SchemaNode[],
): ReadonlySet<string> | null {
  if (isCut || isMalformed || served.isShell || !nodes.some(hasShownProperty)) return null;
  const compared = `${title ?? ''} ${text}`;
  if (text.length < TEXT_CHARS_MIN || compared.length > PAGE_LIMITS.comparedCharsMax) return null;
  const words = splitWords(compared);
  return words.size > PAGE_LIMITS.comparedWordsMax ? null : words;
}

function hasShownProperty({ types }: SchemaNode): boolean {
  const { isA } = schemaOrg();
  return types.some(({ name }) => SHOWN_PROPERTIES.some(({ type }) => isA(name, type)));
}

const SEGMENTER = new Intl.Segmenter('und', { granularity: 'word' });
/** Normalization orders a run of combining marks in quadratic time. */
const MARKS_RUN = /(\p{M}{8})\p{M}+/gu;

/**
 * Returns the distinct words of a text for comparison, ignoring case, accents, soft hyphens, letter styles, and differences between
 * quotes, dashes or spaces.
 */
export function splitWords(text: string): ReadonlySet<string> {
  const words = new Set<string>();
  for (const { segment, isWordLike } of SEGMENTER.segment(foldCase(text.replaceAll(MARKS_RUN, '$1'))))
    if (isWordLike === true) words.add(segment);
  return words;
}

/** Converts to upper case first, which unifies ß with SS, and ı with I. Recomposes, since decomposed Hangul is letters, not syllables. */
function foldCase(text: string): string {
  const bare = text
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[\p{Mn}\p{Cf}]/gu, '');
  return bare.replaceAll('’', "'").normalize('NFC');
}

/** Returns the visible text of a value written as HTML. */
export function decodeMarkup(value: string): string {
  if (!/[&<]/.test(value)) return value;
  let text = '';
  new Parser({ ontext: (chunk) => (text += chunk) }).end(value);
  return text;
}
