/**
 * Cuts Markdown into short segments that can be parsed one by one. Markdown parsers take quadratic time for lists, quotes and
 * nesting (measured: 3 s for 32 kB of nested lists), so no segment may be long. A cut is made where CommonMark has closed every
 * container: before a line that is not indented and starts a list item or a heading, or follows a blank line. Only fenced code
 * and raw HTML can still be open there; the parser of the segment reports that, and the rest of the block is skipped.
 */

/** A segment ends at the next suitable line past this many characters … */
const SEGMENT_CHARS = 1024;
/** … and at any line, or within a line, before it exceeds this many. */
const SEGMENT_CHARS_MAX = 2048;
/** How many containers (quotes, list items) on one line are examined; deeper nesting is not readable text. */
const DEPTH_MAX = 24;
/** How much leading white space is kept: enough for {@link DEPTH_MAX} nested lists. */
const INDENT_MAX = 100;
/** Prefixes the rest of a split line, so that it is not parsed as a heading or a list item. */
const CONTINUATION = '… ';

const LIST_ITEM = /^[ \t]*(?:[-+*]|\d{1,9}[.)])[ \t]/;

export interface Segment {
  readonly text: string;
  /** For each line of `text`, its line in the file, from 1. */
  readonly lineNumbers: readonly number[];
}

/** The block that is still open at the end of a segment, and how it ends. */
export interface OpenBlock {
  /** Whether this line is the last of the block. */
  isEnd(line: string): boolean;
  /** Within a list item: a line indented by fewer characters also ends the block, without being part of it. Otherwise 0. */
  readonly indentMin: number;
}

interface Line {
  readonly text: string;
  readonly number: number;
}

/** Yields the segments one after the other. */
export class SegmentCutter {
  readonly #lines: readonly Line[];
  #at = 0;
  #isInBlock = false;

  constructor(text: string) {
    this.#lines = text.split(/\r\n|\n|\r/).flatMap((line, index) => boundLine(line, index + 1));
  }

  /** The next segment, or null at the end. `open` is the block that the previous segment left open. */
  next(open: OpenBlock | null): Segment | null {
    if (open) this.#skip(open);
    if (this.#at >= this.#lines.length) return null;
    const cut = this.#findCut();
    const taken = this.#lines.slice(this.#at, cut);
    // A segment that starts within nested lists is moved to the margin; otherwise its lines would be parsed as indented code.
    const isWithinLists = open === null ? this.#isInBlock : open.indentMin > 0;
    const texts = taken.map(({ text }) => text);
    this.#at = cut;
    this.#isInBlock = !isClean(this.#lines[cut]?.text ?? '', texts.at(-1) ?? '');
    return {
      text: (isWithinLists ? dedent(texts) : texts).join('\n'),
      lineNumbers: taken.map(({ number }) => number),
    };
  }

  #skip(open: OpenBlock): void {
    for (; this.#at < this.#lines.length; this.#at += 1) {
      const line = this.#lines[this.#at]?.text ?? '';
      if (line.trim() !== '' && indentOf(line) < open.indentMin) return;
      if (open.isEnd(line)) {
        this.#at += 1;
        return;
      }
    }
  }

  #findCut(): number {
    let chars = 0;
    let lastItem = 0;
    let before: string | null = null;
    for (let index = this.#at; index < this.#lines.length; index += 1) {
      const text = this.#lines[index]?.text ?? '';
      const isLongEnough = chars >= SEGMENT_CHARS;
      if (before !== null && isLongEnough && isClean(text, before)) return index;
      if (before !== null && chars + text.length >= SEGMENT_CHARS_MAX) return lastItem > 0 ? lastItem : index;
      if (before !== null && isLongEnough && LIST_ITEM.test(text)) lastItem = index;
      chars += text.length + 1;
      before = text;
    }
    return this.#lines.length;
  }
}

/** Whether every container is closed, or can be treated as closed, before this line. */
function isClean(line: string, lineBefore: string): boolean {
  if (/^(?:#{1,6}|[-+*]|\d{1,9}[.)])(?=[ \t])/.test(line)) return true;
  return lineBefore.trim() === '' && /^[^\s]/.test(line);
}

/** Removes the first line's indentation from it and the following lines, up to one that is indented less. */
function dedent(lines: readonly string[]): readonly string[] {
  const indent = indentOf(lines[0] ?? '');
  if (indent === 0) return lines;
  const end = lines.findIndex((line) => line.trim() !== '' && indentOf(line) < indent);
  return lines.map((line, index) => (end >= 0 && index >= end ? line : line.slice(Math.min(indent, indentOf(line)))));
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** Limits a line's depth and length; a long line becomes several with the same number. */
function boundLine(line: string, number: number): Line[] {
  const text = boundPrefix(line);
  const parts: Line[] = [];
  let at = 0;
  let prefix = '';
  while (prefix.length + text.length - at > SEGMENT_CHARS_MAX) {
    const room = SEGMENT_CHARS_MAX - prefix.length;
    const end = at + findGap(text.slice(at, at + room + 1), room, CONTINUATION.length - prefix.length);
    parts.push({ text: prefix + text.slice(at, end), number });
    at = end;
    prefix = CONTINUATION;
  }
  return [...parts, { text: prefix + text.slice(at), number }];
}

/**
 * Where to cut a long line, within `room` and after `least` characters: at a space outside brackets, so that links stay whole;
 * else at any space, else anywhere.
 */
function findGap(line: string, room: number, least: number): number {
  let depth = 0;
  let gap = 0;
  for (let index = 0; index < room; index += 1) {
    const character = line[index];
    if (character === '[' || character === '(') depth += 1;
    else if (character === ']' || character === ')') depth = Math.max(0, depth - 1);
    else if (character === ' ' && depth === 0) gap = index;
  }
  if (gap > least) return gap;
  const space = line.lastIndexOf(' ', room);
  return space > least ? space : room;
}

function boundPrefix(line: string): string {
  const container = /[ \t]*(?:>|[-+*](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$))/y;
  for (let depth = 0; container.test(line); depth += 1) {
    if (depth >= DEPTH_MAX) return line.slice(0, container.lastIndex);
  }
  const indent = indentOf(line);
  return indent > INDENT_MAX ? line.slice(indent - INDENT_MAX) : line;
}
