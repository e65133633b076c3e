import { countOf } from '../../platform/counts.js';
import { InputError } from '../../platform/input-error.js';

/** The most that a site has, and how long each may be. */
export const TAGS_MAX = 10;
export const TAG_CHARS_MAX = 40;

/** What cannot be seen in a line of text: control characters, what turns its direction, breaks, letters and patterns without ink. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\u115F\u1160\u2800\u3164\uFFA0]/u;

/** By which two tags are the same: upper and lower case, and ways to write one letter, do not differ. */
export function foldTag(tag: string): string {
  // A capital ẞ is itself in upper case, and a small one is SS.
  return tag.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase();
}

/** A tag in normal form. @throws InputError */
export function parseTag(text: string): string {
  const tag = text.normalize('NFC').trim().replaceAll(/\s+/g, ' ');
  if (tag === '') throw new InputError('Give a tag, such as shops.', 'tag');
  if (Array.from(tag).length > TAG_CHARS_MAX) {
    throw new InputError(`A tag has at most ${TAG_CHARS_MAX} characters.`, 'tag');
  }
  if (UNSEEN.test(tag)) throw new InputError('A tag has letters, digits and signs that can be seen.', 'tag');
  if (tag.includes(',')) throw new InputError('A comma parts tags: leave it out.', 'tag');
  return tag;
}

/** Those of a text with commas between them, each once. @throws InputError */
export function parseTags(text: string): readonly string[] {
  const parts = text.split(',').filter((part) => part.trim() !== '');
  return withTags([], parts.map(parseTag));
}

/** With more tags, those that it has in other letters left as they are. @throws InputError for one too many */
export function withTags(tags: readonly string[], more: readonly string[]): readonly string[] {
  const all = new Map(tags.map((tag) => [foldTag(tag), tag]));
  for (const tag of more) if (!all.has(foldTag(tag))) all.set(foldTag(tag), tag);
  if (all.size > TAGS_MAX) throw new InputError(`A site has at most ${countOf(TAGS_MAX, 'tag')}.`, 'tag');
  return [...all.values()];
}

export function withoutTag(tags: readonly string[], tag: string): readonly string[] {
  return tags.filter((one) => foldTag(one) !== foldTag(tag));
}

/** @param stored the column: JSON, or null for none */
export function tagsOf(stored: string | null): readonly string[] {
  return stored === null ? [] : (JSON.parse(stored) as string[]);
}

export function storedTags(tags: readonly string[]): string | null {
  return tags.length === 0 ? null : JSON.stringify(tags);
}
