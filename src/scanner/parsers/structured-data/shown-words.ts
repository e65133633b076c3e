import type { PageFacts } from '../../artifacts/pages.js';
import type { SchemaNode } from '../../artifacts/structured-data.js';
import { schemaOrg } from '../../artifacts/schema-org.js';
import { EventLoopYielder } from '../../../net/event-loop.js';
import { splitWords } from './split-words.js';

/** The properties of the main thing that a reader of the page must see. */
export const SHOWN_PROPERTIES = [
  { type: 'Article', property: 'headline' },
  { type: 'Product', property: 'name' },
] as const;

/** A page with less served text than this is rendered by scripts, and proves nothing. */
const TEXT_CHARS_MIN = 200;
/** More text, or more distinct words, would take too much time and memory, and is not compared. */
const TEXT_CHARS_MAX = 500_000;
const WORDS_MAX = 50_000;
/** How many characters are split per step. */
const CHUNK_CHARS = 4_096;

/**
 * The words of a page's title and visible text, if its markup names something that they must show; null if it does not, or if
 * they prove nothing. Yields to other work.
 */
export async function readShownWords(
  { isCut, title, text, served }: PageFacts,
  nodes: readonly SchemaNode[],
): Promise<ReadonlySet<string> | null> {
  if (isCut || served.isShell || text.length < TEXT_CHARS_MIN || text.length > TEXT_CHARS_MAX || !nodes.some(isShown))
    return null;
  const words = new Set(splitWords(title ?? ''));
  const yielder = new EventLoopYielder();
  for (let at = 0; at < text.length;) {
    if (yielder.isDue) await yielder.yieldNow();
    const end = at + CHUNK_CHARS;
    const gap = end < text.length ? text.lastIndexOf(' ', end) : -1;
    const cut = gap > at ? gap : end;
    for (const word of splitWords(text.slice(at, cut))) words.add(word);
    if (words.size > WORDS_MAX) return null;
    at = cut;
  }
  return words;
}

function isShown({ types }: SchemaNode): boolean {
  const { isA } = schemaOrg();
  return types.some(({ name }) => SHOWN_PROPERTIES.some(({ type }) => isA(name, type)));
}
