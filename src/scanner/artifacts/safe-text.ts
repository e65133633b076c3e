import { formatCount } from './counts.js';

let make: (text: string, places?: readonly Place[]) => SafeText;

/** A position on the site that a text refers to. Only owners may see the content there. */
export interface Place {
  /** The final URL of a file, or the name of the file that the checks read. */
  readonly file: 'robots.txt' | 'llms.txt' | URL;
  /**
   * A line or an entry, from 1; a character offset in a part of its text, from 0; or a JSON Pointer (RFC 6901), whose names are untrusted.
   * Null for the whole response.
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

  /** Places that the text refers to. At most {@link POSITIONS_MAX}. */
  get places(): readonly Place[] {
    return this.#places;
  }

  toString(): string {
    return this.#text;
  }
}

/** Maximum length of a `detail`, in characters. */
export const DETAIL_CHARS_MAX = 400;

/** Maximum number of positions (lines, pages …) in one list. */
export const POSITIONS_MAX = 10;

declare const FROM_SOURCE: unique symbol;

/**
 * Lets {@link Literal} distinguish literals from `string`: an object without string keys is assignable to a record keyed by `string`, but
 * not to one keyed by literals.
 */
type Keyless = Readonly<Record<typeof FROM_SOURCE, true>>;

/** The string literals of a type. Excludes `string`, patterns (`${string}!`) and branded strings. */
export type Literal<S extends string> = S extends unknown ? (Keyless extends Record<S, 1> ? never : S) : never;

/** A fixed set of texts: a site can select one, but not add one. */
export type Vocabulary = ReadonlySet<string> & { readonly [FROM_SOURCE]: true };

export function vocabularyOf<S extends string>(...members: readonly Literal<S>[]): Vocabulary {
  return new Set<string>(members) as unknown as Vocabulary;
}

/** Wraps names that the build took from a pinned package. Never pass fetched data. */
export function generatedVocabulary(names: Iterable<string>): Vocabulary {
  return new Set(names) as unknown as Vocabulary;
}

/** Interpolates numbers and safe texts into a literal: ``safeText`page ${2} has no JSON-LD` ``. */
export function safeText(literals: TemplateStringsArray, ...values: readonly (number | SafeText)[]): SafeText {
  const text = literals.reduce((before, literal, index) => {
    const value = values[index - 1];
    return `${before}${value instanceof SafeText ? value.text : writeNumber(value)}${literal}`;
  });
  return make(text, placesOf(values));
}

export function addPlaces(text: SafeText, ...places: readonly Place[]): SafeText {
  return make(text.text, [...text.places, ...places]);
}

export function lineOf(file: Place['file'], line: number): SafeText {
  return addPlaces(safeText`line ${line}`, { file, at: { line } });
}

/** Adds the whole response of a URL to a text's places. */
export function addResponsePlace(text: SafeText, url: URL): SafeText {
  return addPlaces(text, { file: url, at: null });
}

function placesOf(parts: readonly unknown[]): Place[] {
  return parts.flatMap((part) => (part instanceof SafeText ? part.places : []));
}

/** Wraps a string literal; a value of type `string` does not compile. */
export function term<S extends string>(literal: Literal<S>): SafeText {
  return make(literal);
}

/** Returns `value` as safe text if the vocabulary has it, else null. */
export function findTerm(value: string, vocabulary: Vocabulary): SafeText | null {
  return vocabulary.has(value) ? make(value) : null;
}

/** Joins safe texts with a literal separator. */
export function joinSafeText<S extends string>(parts: readonly SafeText[], separator: Literal<S>): SafeText {
  return make(parts.map((part) => part.text).join(separator), placesOf(parts));
}

/** Returns "a, b and c", or "a, b, c and 4 more" beyond {@link POSITIONS_MAX} parts. */
export function listSafeText(parts: readonly SafeText[]): SafeText {
  const rest = parts.length - POSITIONS_MAX;
  const named = rest > 0 ? [...parts.slice(0, POSITIONS_MAX), safeText`${rest} more`] : parts;
  const last = named.at(-1);
  if (last === undefined || named.length === 1) return joinSafeText(named, '');
  return safeText`${joinSafeText(named.slice(0, -1), ', ')} and ${last}`;
}

/** Returns "line 3", or "lines 3, 5 and 8", with those places of the file. */
export function listLines(file: Place['file'], lines: readonly (number | { readonly line: number })[]): SafeText {
  const numbers = lines.map((entry) => (typeof entry === 'object' ? entry.line : entry));
  const list = listSafeText(numbers.map((line) => addPlaces(safeText`${line}`, { file, at: { line } })));
  return lines.length === 1 ? safeText`line ${list}` : safeText`lines ${list}`;
}

/** Cuts a text to {@link DETAIL_CHARS_MAX}, at a word boundary, with an ellipsis. */
export function cutDetail(text: string): string {
  if (text.length <= DETAIL_CHARS_MAX) return text;
  const prefix = text.slice(0, DETAIL_CHARS_MAX);
  const end = prefix.lastIndexOf(' ');
  return `${prefix.slice(0, end === -1 ? DETAIL_CHARS_MAX - 1 : end).replace(/[.,:;]$/, '')}…`;
}

/** Joins sentences with spaces, skipping nulls, and cuts the result to {@link DETAIL_CHARS_MAX}. */
export function sentences(...parts: readonly (SafeText | null)[]): SafeText {
  const text = parts
    .filter((part) => part !== null)
    .map((part) => part.text)
    .join(' ');
  return make(cutDetail(text), placesOf(parts));
}

/** Returns "1 link", "3 links" or "12,345 links". */
export function count<One extends string, Many extends string>(
  n: number,
  one: Literal<One>,
  many: Literal<Many>,
): SafeText {
  return make(`${writeNumber(n, formatCount)} ${n === 1 ? one : many}`);
}

/** Formats a number; `?` for another value, which parsed data may contain despite its type. */
function writeNumber(value: unknown, format: (finite: number) => string = String): string {
  return typeof value === 'number' && Number.isFinite(value) ? format(value) : '?';
}
