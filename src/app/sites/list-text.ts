import { EventLoopYielder } from '../../net/event-loop.js';
import { ADDRESS_CHARS_MAX } from './site-input.js';

/** One line of a list of sites that is not empty: what stands in the column of addresses. */
export interface TextLine {
  /** From 1 on, as an editor counts; of a record with line breaks in it, its first. */
  readonly line: number;
  readonly text: string;
  /** What stands in the column of tags, where there is one. */
  readonly tags?: string;
  /** Whether a quotation mark is opened in it that is never closed. */
  readonly isOpen?: true;
}

/** One cell, and where what follows it begins. */
interface Cell {
  readonly text: string;
  readonly end: number;
  readonly isOpen?: true;
}

/** What the column of addresses may be called. */
const COLUMNS = new Set(['url', 'site', 'domain', 'host', 'hostname', 'website']);
const TAGS = 'tags';

/** What is taken for an address wherever it stands in a table without headings: other columns hold names, dates and figures. */
const ADDRESS =
  /^(?:https?:\/\/)?[\p{L}\p{M}\p{N}_.-]+\.(?:\p{L}[\p{L}\p{M}]+|xn--[a-z0-9-]+)\.?(?::\d+)?(?:[/?#].*)?$/iu;

/** By which Excel is told what parts the cells. */
const SEPARATOR_LINE = /^sep=(.)(?:\r\n|\r|\n)/i;

/**
 * The lines of a list: addresses one a line, or a table as RFC 4180 has it, with commas, semicolons or tabs. With headings, the column is
 * the one that {@link COLUMNS} has; without, each cell that is an address counts as a line, or the first where none is. What begins with `#`
 * is a comment.
 * @param linesMax where there are more, one more is read
 */
export async function readListText(given: string, linesMax = Infinity): Promise<TextLine[]> {
  const text = given.replace(/^\uFEFF/, '');
  const [intro = '', separator] = SEPARATOR_LINE.exec(text) ?? [];
  const table = { text, delimiter: separator ?? delimiterOf(text), yielder: new EventLoopYielder(), linesMax };
  const lines: TextLine[] = [];
  let [place, line, columns]: [number, number, Columns | null] = [intro.length, intro === '' ? 1 : 2, null];
  while (place < text.length && lines.length <= linesMax) {
    const record = await readRecord(table, place, columns);
    if (!record.isEmpty) {
      columns ??= record.headings ?? NO_HEADINGS;
      if (record.headings !== columns) lines.push(...linesOf(record, line, columns));
    }
    line += breaksIn(text, place, record.end);
    place = record.end;
    if (table.yielder.isDue) await table.yielder.yieldNow();
  }
  return lines;
}

function linesOf(
  { texts: [first = '', ...others], tags, isOpen }: TableRecord,
  line: number,
  { address }: Columns,
): readonly TextLine[] {
  if (address === null && first.startsWith('#')) return [];
  const of = { line, ...(tags !== '' && { tags }), ...(isOpen && { isOpen }) };
  return [first, ...others].map((text) => ({ ...of, text }));
}

/** So much of the text shows what its cells are parted by. */
const LOOKED_AT_CHARS = 4000;

/** The one that the first line has most of, outside of quotation marks. */
function delimiterOf(text: string): string {
  const unquoted = text
    .slice(0, LOOKED_AT_CHARS)
    .trimStart()
    .replaceAll(/"[^"]*"/g, '');
  const [first = ''] = unquoted.split(/[\r\n]/, 1);
  const counts = [',', ';', '\t'].map((sign) => [sign, first.split(sign).length] as const);
  return counts.reduce((most, one) => (one[1] > most[1] ? one : most))[0];
}

/** Where in a table stands what. */
interface Columns {
  /** Null: wherever there are any. */
  readonly address: number | null;
  readonly tags: number | null;
}

const NO_HEADINGS: Columns = { address: null, tags: null };

interface Table {
  readonly text: string;
  readonly delimiter: string;
  readonly yielder: EventLoopYielder;
  readonly linesMax: number;
}

/** A record, and where what follows it begins. */
interface TableRecord {
  /** What stands in the column of addresses, or all addresses; empty where it has none. */
  readonly texts: readonly string[];
  readonly tags: string;
  /** Null where no cell is named as the column of addresses. */
  readonly headings: Columns | null;
  readonly isEmpty: boolean;
  readonly end: number;
  readonly isOpen?: true;
}

/**
 * Of its cells none are kept but those that count: one record may have a million.
 * @param columns null where this may be the one with the headings
 */
async function readRecord(table: Table, from: number, columns: Columns | null): Promise<TableRecord> {
  const { text, delimiter, yielder, linesMax } = table;
  const { address, tags: tagsAt } = columns ?? NO_HEADINGS;
  let [first, tags, isEmpty, place] = ['', '', true, from];
  let [named, tagsNamed]: [number | null, number | null] = [null, null];
  const addresses: string[] = [];
  for (let index = 0; ; index += 1) {
    const cell = readCell(text, place, delimiter);
    const trimmed = cell.text.trim();
    if (index === (address ?? 0)) first = trimmed;
    if (index === tagsAt) tags = trimmed;
    if (trimmed !== '') {
      isEmpty = false;
      const word = trimmed.toLowerCase();
      if (COLUMNS.has(word)) named ??= index;
      if (word === TAGS) tagsNamed ??= index;
      if (address === null && addresses.length <= linesMax && isAddress(trimmed)) addresses.push(trimmed);
    }
    const texts = addresses.length > 0 ? addresses : [first];
    const headings = columns === null && named !== null ? { address: named, tags: tagsNamed } : null;
    const record = { texts, tags, headings, isEmpty };
    if (cell.isOpen) return { ...record, end: endOfLine(text, from), isOpen: true };
    if (text[cell.end] !== delimiter) return { ...record, end: pastBreak(text, cell.end) };
    place = cell.end + 1;
    if (yielder.isDue) await yielder.yieldNow();
  }
}

function isAddress(text: string): boolean {
  return text.length <= ADDRESS_CHARS_MAX && ADDRESS.test(text);
}

function readCell(text: string, from: number, delimiter: string): Cell {
  const isQuoted = text[from] === '"';
  const close = isQuoted ? closeOf(text, from, delimiter) : from;
  // The rest of the list is not taken for one cell.
  if (close === null) return { text: text.slice(from, endOfLine(text, from)), end: from, isOpen: true };
  let end = close;
  while (end < text.length && text[end] !== delimiter && text[end] !== '\n' && text[end] !== '\r') end += 1;
  const quoted = isQuoted ? text.slice(from + 1, close - 1).replaceAll('""', '"') : '';
  return { text: quoted + text.slice(close, end), end };
}

/** Past the mark that closes a quoted cell, with which it ends; two in a row are one within it. Null: the first one is a stray. */
function closeOf(text: string, from: number, delimiter: string): number | null {
  for (let place = text.indexOf('"', from + 1); place !== -1; place = text.indexOf('"', place + 2)) {
    const next = text[place + 1] ?? '\n';
    if (next !== '"') return next === delimiter || /\s/.test(next) ? place + 1 : null;
  }
  return null;
}

function endOfLine(text: string, from: number): number {
  let end = from;
  while (end < text.length && text[end] !== '\n' && text[end] !== '\r') end += 1;
  return pastBreak(text, end);
}

function pastBreak(text: string, at: number): number {
  return text.startsWith('\r\n', at) ? at + 2 : Math.min(text.length, at + 1);
}

function breaksIn(text: string, from: number, to: number): number {
  let count = 0;
  for (let place = from; place < to; place += 1) {
    const isPair = text[place] === '\r' && text[place + 1] === '\n';
    if (!isPair && (text[place] === '\n' || text[place] === '\r')) count += 1;
  }
  return count;
}
