import { InputError } from '../../platform/input-error.js';
import { formatCount } from '../../scanner/artifacts/counts.js';
import { hostOf } from '../../scanner/artifacts/site-address.js';
import { parseSiteInput } from './site-input.js';
import { parseTags } from './tags.js';

/** Maximum number of addresses in a list. */
export const LIST_LINES_MAX = 500;

/**
 * Result of a line. `late`: its name was not looked up in time. `had`: the account has this site. `twice`: an earlier line has it.
 * `refused`: it is not the address of a site that may be added. `over`: the plan's limit is reached.
 */
export type LineState = 'added' | 'late' | 'had' | 'twice' | 'refused' | 'over';

export interface LineResult {
  readonly state: LineState;
  /** Explains the state; null if it needs no explanation. */
  readonly why: string | null;
  /** Id of the added site. */
  readonly siteId: string | null;
}

/** A line of a list, with its result. */
export interface ListLine extends LineResult {
  /** Starts at 1. */
  readonly line: number;
  /** The address in the line, shortened and without secrets. */
  readonly given: string;
  /** Null if the line is not the address of a site. */
  readonly hostname: string | null;
  readonly origin: string | null;
  readonly tags: readonly string[];
}

/** A line whose site may be added. */
export interface PendingLine extends ListLine {
  readonly hostname: string;
  readonly origin: string;
}

export function isPending(line: ListLine): line is PendingLine {
  return line.state === 'late';
}

const GIVEN_CHARS_MAX = 200;
const NOT_LOOKED_UP = 'The name could not be checked in time. Add it again.';

/**
 * Parses a list of sites: one address per line, followed by tags as `#tag`. Skips blank lines and lines that begin with `#`. Sites that may be
 * added are `late` until the caller changes their state.
 * @throws InputError for a list without addresses, or with more than {@link LIST_LINES_MAX}
 */
export function parseSiteList(text: string): readonly ListLine[] {
  const given = text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/)
    .map((line, index) => ({ line: index + 1, text: line.trim() }))
    .filter((line) => line.text !== '' && !line.text.startsWith('#'));
  if (given.length === 0) throw new InputError('Give at least one address, such as example.com.');
  if (given.length > LIST_LINES_MAX) {
    throw new InputError(
      `This list has ${formatCount(given.length)} addresses. Nothing was added: give at most ${LIST_LINES_MAX} at a time.`,
    );
  }
  const firstLines = new Map<string, number>();
  return given.map(({ line, text }) => {
    const parsed = parseLine(line, text);
    if (parsed.hostname === null) return parsed;
    const host = hostOf(parsed.hostname);
    const first = firstLines.get(host);
    if (first !== undefined) return { ...parsed, state: 'twice', why: `Same as line ${first}.` };
    firstLines.set(host, line);
    return parsed;
  });
}

export function parseLine(line: number, text: string): ListLine {
  const [address = '', ...tags] = text.split(/\s#/);
  const parsed = { line, given: withoutSecrets(address.trim()), siteId: null };
  try {
    const { hostname, origin } = parseSiteInput(address);
    const site = { hostname, origin: origin.origin, tags: parseTags(tags.join(',')) };
    return { ...parsed, ...site, state: 'late', why: NOT_LOOKED_UP };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return { ...parsed, hostname: null, origin: null, tags: [], state: 'refused', why: error.message };
  }
}

/** Replaces control characters, which could control a terminal, and removes secrets: passwords before an `@`, queries, fragments. */
function withoutSecrets(text: string): string {
  const shown = text
    .toWellFormed()
    .replace(/^([^/\\:]*:[/\\]*)?[^/\\]*@/u, '$1…@')
    .replace(/[?#].*/su, '')
    .replaceAll(/\p{C}/gu, '\uFFFD');
  if (shown === '' && text !== '') return '…';
  return shown.length > GIVEN_CHARS_MAX ? `${shown.slice(0, GIVEN_CHARS_MAX - 1).toWellFormed()}…` : shown;
}
