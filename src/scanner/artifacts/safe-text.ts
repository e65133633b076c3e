import { formatCount } from './counts.js';

let make: (text: string, places?: readonly Place[]) => SafeText;

/** A place on the site that a statement is about. Only owners may see the site's own words there. */
export interface Place {
  /** The final URL of a file, or the name of the one that is judged. */
  readonly file: 'robots.txt' | 'llms.txt' | URL;
  /**
   * A line or an entry, from 1; an offset in a part of its text, in characters from 0; or a JSON Pointer (RFC 6901), whose names the site may
   * have chosen. Null for the whole response.
   */
  readonly at:
    | { readonly line: number }
    | { readonly entry: number }
    | { readonly text: string; readonly offset: number }
    | { readonly pointer: string }
    | null;
}

/**
 * Text that provably comes from our source. A finding's `detail` must never contain a string that the scanned site chose, since
 * it may be passed to an agent and could carry a prompt injection. So `detail` is built from `SafeText`: the compiler accepts
 * only literals of the source, numbers and other `SafeText`, never a plain `string`, nor an object that happens to have a `text`.
 * Only the functions of this file create it.
 */
export class SafeText {
  readonly #text: string;
  readonly #places: readonly Place[];

  private constructor(text: string, places: readonly Place[]) {
    this.#text = text;
    this.#places = places;
  }

  static {
    make = (text, places = []) => new SafeText(text, places.slice(0, POSITIONS_MAX));
  }

  get text(): string {
    return this.#text;
  }

  /** Places that the text refers to, which are not part of it. At most {@link POSITIONS_MAX}. */
  get places(): readonly Place[] {
    return this.#places;
  }

  toString(): string {
    return this.#text;
  }
}

/** Most characters of a `detail`. */
export const DETAIL_CHARS_MAX = 400;

/** Most positions (lines, pages …) in one list. */
export const POSITIONS_MAX = 10;

declare const FROM_SOURCE: unique symbol;

/**
 * Has no string key, so it is not assignable to a record of literal keys, but is assignable to a record keyed by `string`, where
 * no key is required.
 */
type Keyless = Readonly<Record<typeof FROM_SOURCE, true>>;

/**
 * A string type made of literals in the source: not `string`, nor a pattern (`${string}!`) or a brand of it, alone or in a union.
 */
export type Literal<S extends string> = S extends unknown ? (Keyless extends Record<S, 1> ? never : S) : never;

/** A fixed set of texts; a site may select one, never add one. */
export type Vocabulary = ReadonlySet<string> & { readonly [FROM_SOURCE]: true };

export function vocabularyOf<S extends string>(...members: readonly Literal<S>[]): Vocabulary {
  return new Set<string>(members) as unknown as Vocabulary;
}

/** A vocabulary that the build reduced from a pinned package; never pass anything that was fetched. */
export function generatedVocabulary(names: Iterable<string>): Vocabulary {
  return new Set(names) as unknown as Vocabulary;
}

/** A literal with numbers and other safe texts interpolated: ``safeText`page ${2} has no JSON-LD` ``. */
export function safeText(literals: TemplateStringsArray, ...values: readonly (number | SafeText)[]): SafeText {
  const text = literals.reduce((before, literal, index) => {
    const value = values[index - 1];
    return `${before}${value instanceof SafeText ? value.text : writeNumber(value)}${literal}`;
  });
  return make(text, placesOf(values));
}

/** Returns the text with further places. */
export function pointTo(text: SafeText, ...places: readonly Place[]): SafeText {
  return make(text.text, [...text.places, ...places]);
}

export function lineOf(file: Place['file'], line: number): SafeText {
  return pointTo(safeText`line ${line}`, { file, at: { line } });
}

/** Adds the whole response of a URL to a text's places. */
export function pointToAnswer(text: SafeText, url: URL): SafeText {
  return pointTo(text, { file: url, at: null });
}

function placesOf(parts: readonly unknown[]): Place[] {
  return parts.flatMap((part) => (part instanceof SafeText ? part.places : []));
}

/** A string constant of the source as safe text. The compiler refuses a value of type `string`. */
export function term<S extends string>(literal: Literal<S>): SafeText {
  return make(literal);
}

/** `value` as safe text if it is a member of `vocabulary`, else null. */
export function listed(value: string, vocabulary: Vocabulary): SafeText | null {
  return vocabulary.has(value) ? make(value) : null;
}

/** Joins safe texts with a literal separator. */
export function joinSafeText<S extends string>(parts: readonly SafeText[], separator: Literal<S>): SafeText {
  return make(parts.map((part) => part.text).join(separator), placesOf(parts));
}

/** "a, b and c", or "a, b, c and 4 more": at most {@link POSITIONS_MAX} of the parts are named. */
export function listSafeText(parts: readonly SafeText[]): SafeText {
  const rest = parts.length - POSITIONS_MAX;
  const named = rest > 0 ? [...parts.slice(0, POSITIONS_MAX), safeText`${rest} more`] : parts;
  const last = named.at(-1);
  if (last === undefined || named.length === 1) return joinSafeText(named, '');
  return safeText`${joinSafeText(named.slice(0, -1), ', ')} and ${last}`;
}

/** "line 3", or "lines 3, 5 and 8" of the file, which it points to. */
export function listLines(file: Place['file'], lines: readonly (number | { readonly line: number })[]): SafeText {
  const numbers = lines.map((one) => (typeof one === 'object' ? one.line : one));
  const list = listSafeText(numbers.map((line) => pointTo(safeText`${line}`, { file, at: { line } })));
  return lines.length === 1 ? safeText`line ${list}` : safeText`lines ${list}`;
}

/** Cuts a text to the length of a detail, at a word boundary and with an ellipsis. */
export function cutDetail(text: string): string {
  if (text.length <= DETAIL_CHARS_MAX) return text;
  const kept = text.slice(0, DETAIL_CHARS_MAX);
  const end = kept.lastIndexOf(' ');
  return `${kept.slice(0, end === -1 ? DETAIL_CHARS_MAX - 1 : end).replace(/[.,:;]$/, '')}…`;
}

/** Joins sentences with spaces, skipping nulls. Cut between words, at {@link DETAIL_CHARS_MAX} at most. */
export function sentences(...parts: readonly (SafeText | null)[]): SafeText {
  const text = parts
    .filter((part) => part !== null)
    .map((part) => part.text)
    .join(' ');
  return make(cutDetail(text), placesOf(parts));
}

/** "1 link", "3 links" or "12,345 links". */
export function count<One extends string, Many extends string>(
  n: number,
  one: Literal<One>,
  many: Literal<Many>,
): SafeText {
  return make(`${writeNumber(n, formatCount)} ${n === 1 ? one : many}`);
}

/** Despite its type, a value from parsed data may not be a number: it is then written as `?`. */
function writeNumber(value: unknown, format: (finite: number) => string = String): string {
  return typeof value === 'number' && Number.isFinite(value) ? format(value) : '?';
}
