/**
 * Text that is provably ours. A finding's `detail` must never carry a string that the scanned site chose
 * (it may be handed to an agent, and would carry a prompt injection along), so `detail` is built from `Words`:
 * the compiler takes only literals of the source, numbers and other `Words`, never a plain `string`.
 */
export class Words {
  private constructor(readonly text: string) {}

  /** @internal Only the functions of this file build words. */
  static unsafe(text: string): Words {
    return new Words(text);
  }

  toString(): string {
    return this.text;
  }
}

/** Longest `detail`, in characters. */
export const DETAIL_CHARS_MAX = 600;

/** Most positions (line numbers, sample indexes …) that one list names. */
export const POSITIONS_MAX = 10;

type Literal<S extends string> = string extends S ? never : S;

/** Our own words with numbers and other words put in: ``words`sample ${2} has no JSON-LD` ``. */
export function words(literals: TemplateStringsArray, ...values: readonly (number | Words)[]): Words {
  const text = literals.reduce((before, literal, index) => {
    const value = values[index - 1];
    return `${before}${value instanceof Words ? value.text : String(value)}${literal}`;
  });
  return Words.unsafe(text);
}

/** A string constant of the source as words. The compiler refuses a value whose type is only `string`. */
export function term<S extends string>(literal: Literal<S>): Words {
  return Words.unsafe(literal);
}

/** `value` as words when it is a member of our own `vocabulary`, else null. */
export function listed(value: string, vocabulary: { has(value: string): boolean }): Words | null {
  return vocabulary.has(value) ? Words.unsafe(value) : null;
}

/** Joins words with a separator of ours. */
export function joinWords<S extends string>(parts: readonly Words[], separator: Literal<S>): Words {
  return Words.unsafe(parts.map((part) => part.text).join(separator));
}

/** "a, b and c", or "a, b, c and 4 more": at most {@link POSITIONS_MAX} of the parts are named. */
export function listWords(parts: readonly Words[]): Words {
  const rest = parts.length - POSITIONS_MAX;
  const named = rest > 0 ? [...parts.slice(0, POSITIONS_MAX), words`${rest} more`] : parts;
  const last = named.at(-1);
  if (last === undefined || named.length === 1) return joinWords(named, '');
  return words`${joinWords(named.slice(0, -1), ', ')} and ${last}`;
}

/** "line 3", or "lines 3, 5 and 8". */
export function listLines(lines: readonly number[]): Words {
  const list = listWords(lines.map((line) => words`${line}`));
  return lines.length === 1 ? words`line ${list}` : words`lines ${list}`;
}

/** Sentences one after the other; nulls are left out. Cut at {@link DETAIL_CHARS_MAX}. */
export function sentences(...parts: readonly (Words | null)[]): Words {
  const text = parts
    .filter((part) => part !== null)
    .map((part) => part.text)
    .join(' ');
  return Words.unsafe(text.length > DETAIL_CHARS_MAX ? `${text.slice(0, DETAIL_CHARS_MAX - 1)}…` : text);
}

/** "1 link", "3 links" or "12,345 links". */
export function count<One extends string, Many extends string>(
  n: number,
  one: Literal<One>,
  many: Literal<Many>,
): Words {
  return Words.unsafe(`${n.toLocaleString('en')} ${n === 1 ? one : many}`);
}
