import { getOrCreate } from '../../net/keyed.js';
import type { Place } from '../artifacts/safe-text.js';
import type { Excerpt } from './stored-evidence.js';
import { createPointerLookup } from '../parsers/json.js';

/** Length of an excerpt from the start of a body. */
const START_CHARS_MAX = 500;

/** Share of an excerpt that precedes the first named place. */
const SHARE_BEFORE = 0.3;
const POINTER_CHARS_MAX = 200;

/** Returns the part of a body around the first of these places that it contains; otherwise its start. */
export function excerptOf(body: string, places: readonly Place[], charsMax: number): Excerpt {
  const text = withLineFeeds(body);
  const offsets: number[] = [];
  const values: NonNullable<Excerpt['values']>[number][] = [];
  const offsetOf = createOffsetFinder(text);
  for (const { at } of places) {
    const offset = offsetOf(at);
    if (offset === null) continue;
    offsets.push(offset);
    if (at === null || !('pointer' in at)) continue;
    const pointer = at.pointer.slice(0, POINTER_CHARS_MAX);
    if (values.every((value) => value.pointer !== pointer)) values.push({ pointer, line: lineAt(text, offset) });
  }
  const [first] = offsets;
  if (first === undefined) return cut(text, 0, Math.min(START_CHARS_MAX, charsMax), []);
  const excerpt = cut(text, startBefore(text, first, Math.floor(charsMax * SHARE_BEFORE)), charsMax, offsets);
  return values.length > 0 ? { ...excerpt, values } : excerpt;
}

/** Returns a function that finds the offset of a place; null if the text, which may be cut, does not contain it. */
function createOffsetFinder(text: string): (at: Place['at']) => number | null {
  let offsetOfPointer: ReturnType<typeof createPointerLookup> | undefined;
  // All places in one part carry the same text.
  const offsetsOfParts = new Map<string, number>();
  return (at) => {
    if (at === null) return null;
    if ('pointer' in at) return (offsetOfPointer ??= createPointerLookup(text))(at.pointer);
    if ('line' in at) return offsetAfterNth(text, '\n', at.line - 1);
    if ('entry' in at) return offsetOfEntry(text, at.entry);
    const offset = getOrCreate(offsetsOfParts, at.text, () => text.indexOf(withLineFeeds(at.text)));
    if (offset < 0) return null;
    const crlfCount = at.text.slice(0, at.offset).split('\r\n').length - 1;
    return offset + at.offset - crlfCount;
  };
}

function withLineFeeds(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n');
}

/** Returns the offset of a sitemap entry: its loc element, or its line in a plain list. */
function offsetOfEntry(text: string, entry: number): number | null {
  const isXml = /^\s*</.test(text.slice(0, 1000));
  if (!isXml) return offsetAfterNth(text, '\n', entry - 1);
  let count = 0;
  for (const { index } of text.matchAll(/<(?:\w{1,20}:)?loc[\s>]/g)) if ((count += 1) === entry) return index;
  return null;
}

/** Returns the offset after the nth occurrence, 0 for n = 0; null if there are fewer. */
function offsetAfterNth(text: string, separator: string, n: number): number | null {
  let offset = 0;
  for (let count = 0; count < n; count += 1) {
    const found = text.indexOf(separator, offset);
    if (found < 0) return null;
    offset = found + separator.length;
  }
  return offset;
}

/** Returns an offset at most `charsMax` before the place, at the start of a line if possible. */
function startBefore(text: string, offset: number, charsMax: number): number {
  if (offset <= charsMax) return 0;
  const lineEnd = text.indexOf('\n', offset - charsMax);
  return lineEnd >= 0 && lineEnd < offset ? lineEnd + 1 : offset - charsMax;
}

function cut(text: string, start: number, charsMax: number, offsets: readonly number[]): Excerpt {
  const first = offsets[0] ?? start;
  const lineEnd = text.lastIndexOf('\n', start + charsMax);
  const end = start + charsMax >= text.length ? text.length : lineEnd > first ? lineEnd : start + charsMax;
  const shown = offsets.filter((at) => at >= start && at < Math.max(end, start + 1));
  const marked = new Set(shown.map((offset) => lineAt(text, offset)));
  return {
    text: text.slice(start, end),
    firstLine: lineAt(text, start),
    marked: [...marked].sort((a, b) => a - b),
  };
}

function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}
