import { EventLoopYielder } from '../../net/event-loop.js';

/** One line of a list of sites that is not empty: what stands in the column of addresses. */
export interface TextLine {
  /** From 1 on, as an editor counts; of a record with line breaks in it, its first. */
  readonly line: number;
  readonly text: string;
  /** Whether a quotation mark is opened in it that is never closed. */
  readonly isOpen?: true;
}

/** One cell, and where what follows it begins. */
interface Cell {
  readonly text: string;
  readonly end: number;
  readonly isOpen?: true;
}

/** What the column of addresses may be called; any other has to be the first. */
const COLUMNS = new Set(['url', 'site', 'domain', 'host', 'hostname', 'website']);

/**
 * The lines of a list: addresses one a line, or a table as RFC 4180 has it, with commas, semicolons or tabs, with or without headings. The
 * column is the one with a heading of {@link COLUMNS}, or else the first.
 * @param linesMax where there are more, one more is read
 */
export async function readListText(given: string, linesMax = Infinity): Promise<TextLine[]> {
  const text = given.replace(/^\uFEFF/, '');
  const table = { text, delimiter: delimiterOf(text), yielder: new EventLoopYielder() };
  const lines: TextLine[] = [];
  let [place, line, column, isFirst] = [0, 1, 0, true];
  while (place < text.length && lines.length <= linesMax) {
    const record = await readRecord(table, place, column);
    if (!record.isEmpty) {
      const { heading, isOpen } = record;
      if (isFirst && heading !== null) column = heading;
      else lines.push({ line, text: record.text, ...(isOpen && { isOpen }) });
      isFirst = false;
    }
    line += breaksIn(text, place, record.end);
    place = record.end;
    if (table.yielder.isDue) await table.yielder.yieldNow();
  }
  return lines;
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

interface Table {
  readonly text: string;
  readonly delimiter: string;
  readonly yielder: EventLoopYielder;
}

/** A record, and where what follows it begins. */
interface TableRecord {
  /** What stands in the column; empty where it has none. */
  readonly text: string;
  /** The first column that is named as one of addresses. */
  readonly heading: number | null;
  readonly isEmpty: boolean;
  readonly end: number;
  readonly isOpen?: true;
}

/** Of its cells none but that of the column is kept: one record may have a million. */
async function readRecord({ text, delimiter, yielder }: Table, from: number, column: number): Promise<TableRecord> {
  let [wanted, heading, isEmpty, place]: [string, number | null, boolean, number] = ['', null, true, from];
  for (let index = 0; ; index += 1) {
    const cell = readCell(text, place, delimiter);
    const trimmed = cell.text.trim();
    if (index === column) wanted = trimmed;
    if (trimmed !== '') {
      isEmpty = false;
      if (COLUMNS.has(trimmed.toLowerCase())) heading ??= index;
    }
    if (cell.isOpen) return { text: wanted, heading, isEmpty, end: endOfLine(text, from), isOpen: true };
    if (text[cell.end] !== delimiter) return { text: wanted, heading, isEmpty, end: pastBreak(text, cell.end) };
    place = cell.end + 1;
    if (yielder.isDue) await yielder.yieldNow();
  }
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
