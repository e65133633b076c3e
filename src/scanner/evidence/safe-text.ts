let make: (text: string) => SafeText;

/**
 * Text that is provably ours. A finding's `detail` must never carry a string that the scanned site chose
 * (it may be handed to an agent, and would carry a prompt injection along), so `detail` is built from `Words`:
 * the compiler takes only literals of the source, numbers and other `Words`, never a plain `string`, nor an object that happens to
 * have a `text`. Only the functions of this file make words.
 */
export class SafeText {
  readonly #text: string;

  private constructor(text: string) {
    this.#text = text;
  }

  static {
    make = (text) => new SafeText(text);
  }

  get text(): string {
    return this.#text;
  }

  toString(): string {
    return this.#text;
  }
}

/** Longest `detail`, in characters. */
export const DETAIL_CHARS_MAX = 600;

/** Most positions (line numbers, sample indexes …) that one list names. */
export const POSITIONS_MAX = 10;

declare const OURS: unique symbol;

/** Has no key that is a string, so that it fits no record of literals, but one of `string`, whose keys need not be there. */
type Keyless = Readonly<Record<typeof OURS, true>>;

/** A string type that the source wrote out: not `string`, nor a pattern (`${string}!`) or a brand of it, alone or in a union. */
type Literal<S extends string> = S extends unknown ? (Keyless extends Record<S, 1> ? never : S) : never;

/** Words of which a site may choose one. */
export type Vocabulary = ReadonlySet<string> & { readonly [OURS]: true };

/** The members as they stand in the source. */
export function vocabularyOf<S extends string>(...members: readonly Literal<S>[]): Vocabulary {
  return new Set<string>(members) as unknown as Vocabulary;
}

/** Names that the build reduced from a pinned package; never anything that was fetched. */
export function generatedVocabulary(names: Iterable<string>): Vocabulary {
  return new Set(names) as unknown as Vocabulary;
}

/** Our own words with numbers and other words put in: ``words`sample ${2} has no JSON-LD` ``. */
export function safeText(literals: TemplateStringsArray, ...values: readonly (number | SafeText)[]): SafeText {
  const text = literals.reduce((before, literal, index) => {
    const value = values[index - 1];
    return `${before}${value instanceof SafeText ? value.text : writeNumber(value)}${literal}`;
  });
  return make(text);
}

/** A string constant of the source as words. The compiler refuses a value whose type is only `string`. */
export function term<S extends string>(literal: Literal<S>): SafeText {
  return make(literal);
}

/** `value` as words when it is a member of our own `vocabulary`, else null. */
export function listed(value: string, vocabulary: Vocabulary): SafeText | null {
  return vocabulary.has(value) ? make(value) : null;
}

/** Joins words with a separator of ours. */
export function joinSafeText<S extends string>(parts: readonly SafeText[], separator: Literal<S>): SafeText {
  return make(parts.map((part) => part.text).join(separator));
}

/** "a, b and c", or "a, b, c and 4 more": at most {@link POSITIONS_MAX} of the parts are named. */
export function listSafeText(parts: readonly SafeText[]): SafeText {
  const rest = parts.length - POSITIONS_MAX;
  const named = rest > 0 ? [...parts.slice(0, POSITIONS_MAX), safeText`${rest} more`] : parts;
  const last = named.at(-1);
  if (last === undefined || named.length === 1) return joinSafeText(named, '');
  return safeText`${joinSafeText(named.slice(0, -1), ', ')} and ${last}`;
}

/** "line 3", or "lines 3, 5 and 8". */
export function listLines(lines: readonly number[]): SafeText {
  const list = listSafeText(lines.map((line) => safeText`${line}`));
  return lines.length === 1 ? safeText`line ${list}` : safeText`lines ${list}`;
}

/** Sentences one after the other; nulls are left out. Cut at {@link DETAIL_CHARS_MAX}. */
export function sentences(...parts: readonly (SafeText | null)[]): SafeText {
  const text = parts
    .filter((part) => part !== null)
    .map((part) => part.text)
    .join(' ');
  return make(text.length > DETAIL_CHARS_MAX ? `${text.slice(0, DETAIL_CHARS_MAX - 1)}…` : text);
}

/** "1 link", "3 links" or "12,345 links". */
export function count<One extends string, Many extends string>(
  n: number,
  one: Literal<One>,
  many: Literal<Many>,
): SafeText {
  return make(`${writeNumber(n, (finite) => finite.toLocaleString('en'))} ${n === 1 ? one : many}`);
}

/** Whatever the types say, what comes from parsed data may be no number: then it is not written. */
function writeNumber(value: unknown, format: (finite: number) => string = String): string {
  return typeof value === 'number' && Number.isFinite(value) ? format(value) : '?';
}
