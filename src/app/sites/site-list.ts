import { EventLoopYielder } from '../../net/event-loop.js';
import { countOf } from '../../platform/counts.js';
import { InputError } from '../../platform/input-error.js';
import { readListText, type TextLine } from './list-text.js';
import { hostOf, parseSiteInput } from './site-input.js';
import { parseTags } from './tags.js';

/** So many lines that are not empty. */
export const LIST_LINES_MAX = 2000;
/** The whole of it. */
export const LIST_BYTES_MAX = 1_000_000;

/**
 * What comes of a line: it can be added, or was; its name could not be looked up yet; the account has the site; an earlier line of the list names it; it is not the address of a
 * site, or of one that may be added; the account has no room for it.
 */
export const LINE_STATES = ['new', 'late', 'added', 'had', 'twice', 'refused', 'over'] as const;
export type LineState = (typeof LINE_STATES)[number];

export interface ListLine {
  /** As an editor counts. */
  readonly line: number;
  /** As it was given, cut off. */
  readonly given: string;
  /** Null where it is not the address of a site. */
  readonly hostname: string | null;
  readonly origin: string | null;
  /** For the site, where it is added. */
  readonly tags?: readonly string[];
  readonly state: LineState;
  /** What to know of it, in our words; null where there is nothing more to say. */
  readonly why: string | null;
  /** Of the site that was added. */
  readonly siteId: string | null;
}

/** A line that may be added, as far as the list itself tells. */
export type Candidate = ListLine & { readonly hostname: string; readonly origin: string };

export function isCandidate(line: ListLine): line is Candidate {
  return line.state === 'new' && line.hostname !== null && line.origin !== null;
}

/** How the files of spreadsheets begin, read as text: .xlsx and .ods, which are ZIP, and .xls. */
const WORKBOOKS = ['PK\u0003\u0004', '\uFFFD\uFFFD\u0011'];

/** Of what was given, so much is kept. */
const GIVEN_CHARS_MAX = 200;

/**
 * Every line with what the list itself tells of it.
 * @throws InputError where it has no line, or more than {@link LIST_LINES_MAX}
 */
export async function readList(text: string): Promise<ListLine[]> {
  if (WORKBOOKS.some((start) => text.startsWith(start))) {
    throw new InputError('This is a workbook, not text. Save its sheet as CSV, and give that.');
  }
  const given = await readListText(text, LIST_LINES_MAX);
  if (given.length === 0) throw new InputError('Give at least one address, such as example.com.');
  if (given.length > LIST_LINES_MAX) {
    throw new InputError(`This list has more than ${countOf(LIST_LINES_MAX, 'line')}. Split it.`);
  }
  const yielder = new EventLoopYielder();
  const firsts = new Map<string, number>();
  const lines: ListLine[] = [];
  for (const one of given) {
    lines.push(lineOf(one, firsts));
    if (yielder.isDue) await yielder.yieldNow();
  }
  return lines;
}

/** @param firsts by what is one site, the line that names it first */
function lineOf({ line, text, tags: tagsGiven = '', isOpen }: TextLine, firsts: Map<string, number>): ListLine {
  const common = { line, given: shownOf(text), siteId: null };
  try {
    if (isOpen) throw new InputError('A quotation mark is opened here and never closed.');
    const site = parseSiteInput(text);
    const tags = parseTags(tagsGiven);
    const named = { ...common, hostname: site.hostname, origin: site.origin.origin, ...(tags.length > 0 && { tags }) };
    const host = hostOf(site.hostname);
    const first = firsts.get(host);
    if (first !== undefined) return { ...named, state: 'twice', why: `Line ${first} has this site.` };
    firsts.set(host, line);
    return { ...named, state: 'new', why: null };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return { ...common, hostname: null, origin: null, state: 'refused', why: error.message };
  }
}

/**
 * Without what no line has: PostgreSQL refuses some of it, and a terminal would obey some. Nor is a secret kept: passwords stand before an `@`,
 * tokens in queries and fragments.
 */
function shownOf(text: string): string {
  const shown = text
    .toWellFormed()
    .replace(/^([^/\\:]*:[/\\]*)?[^/\\]*@/u, '$1…@')
    .replace(/[?#].*/su, '')
    .replaceAll(/\p{C}/gu, '\uFFFD');
  if (shown === '' && text !== '') return '…';
  return shown.length > GIVEN_CHARS_MAX ? `${shown.slice(0, GIVEN_CHARS_MAX - 1).toWellFormed()}…` : shown;
}

/** How many lines there are of each. */
export function countStates(lines: readonly ListLine[]): Readonly<Record<LineState, number>> {
  const counts = { new: 0, late: 0, added: 0, had: 0, twice: 0, refused: 0, over: 0 };
  for (const { state } of lines) counts[state] += 1;
  return counts;
}
