/**
 * Texts that may hold up one regular expression, made of its own parts: what each of its parts matches, again and again, after
 * what leads up to that part and before an end that fits nowhere.
 */

/** What one atom matches, or what a group does, so many times. */
type Part = { readonly max: number; readonly min: number } & (
  | { readonly samples: readonly string[] }
  | { readonly alternatives: readonly (readonly Part[])[]; readonly isZeroWidth: boolean }
);

/** One of each kind that the expressions tell apart. */
const ALPHABET = [
  ...Array.from({ length: 127 }, (_, code) => String.fromCharCode(code)),
  ...['\u00a0', 'é', 'ß', '\u0301', 'ひ', '漢', '가', 'ก', '\u2028', '\uFEFF', '\uD800', '😀'],
];
const SAMPLES_MAX = 3;
const PIECES_MAX = 24;

/** A piece is repeated after this start. */
export interface Attack {
  readonly start: string;
  readonly piece: string;
}

export interface RegexParts {
  readonly attacks: readonly Attack[];
  /** A quantifier without end stands inside another one: the usual sign of exponential time. */
  readonly hasNestedQuantifier: boolean;
}

export function takeApart(regex: RegExp): RegexParts {
  const parser = new Parser(regex);
  const alternatives = parser.readAlternatives();
  const attacks = new Map<string, Attack>();
  const add = (start: string, piece: string): void => {
    if (piece !== '') attacks.set(`${start}\0${piece}`, { start, piece });
  };
  const pieces = new Set<string>();
  for (const parts of alternatives) collect(parts, '', pieces, add);
  const few = [...pieces].filter((piece) => piece !== '').slice(0, PIECES_MAX);
  for (const one of few) for (const other of few) add('', one === other ? one : one + other);
  return { attacks: [...attacks.values()], hasNestedQuantifier: alternatives.some((parts) => isNested(parts, false)) };
}

function collect(
  parts: readonly Part[],
  before: string,
  pieces: Set<string>,
  add: (start: string, piece: string) => void,
): void {
  let start = before;
  for (const part of parts) {
    const units = 'samples' in part ? part.samples : part.alternatives.map(shortestOf);
    for (const unit of units) {
      pieces.add(unit);
      if (part.max > 1) add(start, unit);
    }
    if ('alternatives' in part) for (const inner of part.alternatives) collect(inner, start, pieces, add);
    start += shortestOf([part]);
    pieces.add(start);
  }
}

function shortestOf(parts: readonly Part[]): string {
  return parts
    .map((part) => {
      if ('samples' in part) return (part.samples[0] ?? '').repeat(Math.min(part.min, 20));
      return part.isZeroWidth ? '' : shortestOf(part.alternatives[0] ?? []).repeat(Math.min(part.min, 20));
    })
    .join('');
}

function isNested(parts: readonly Part[], isRepeated: boolean): boolean {
  return parts.some((part) => {
    const isEndless = part.max === Infinity;
    if (isEndless && isRepeated) return true;
    return 'alternatives' in part && part.alternatives.some((inner) => isNested(inner, isRepeated || isEndless));
  });
}

const CLASS = /\[(?:\\.|[^\\\]])*\]/y;
const ESCAPE = /\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|k<[^>]*>|.)/y;
const GROUP_START = /\((?:\?(?:<?[=!]|:|<[^>]*>))?/y;
const QUANTIFIER = /(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/y;

class Parser {
  readonly #source: string;
  readonly #flags: string;
  #at = 0;

  constructor({ source, flags }: RegExp) {
    this.#source = source;
    this.#flags = flags.replaceAll(/[gyd]/g, '');
  }

  /** Up to the end, or past the `)` of the group that is open. */
  readAlternatives(): Part[][] {
    const alternatives: Part[][] = [[]];
    for (; this.#at < this.#source.length;) {
      const character = this.#source[this.#at] ?? '';
      if (character === ')') break;
      if (character === '|') alternatives.push([]);
      if (character === '|' || character === '^' || character === '$') this.#at += 1;
      else alternatives.at(-1)?.push(this.#readPart(character));
    }
    this.#at += 1;
    return alternatives;
  }

  #readPart(character: string): Part {
    if (character === '(') {
      const start = this.#take(GROUP_START);
      const isZeroWidth = /[=!]$/.test(start);
      return { alternatives: this.readAlternatives(), isZeroWidth, ...this.#readQuantifier() };
    }
    const atom = this.#take(CLASS) || this.#take(ESCAPE) || this.#takeCharacter();
    return { samples: this.#samplesOf(atom), ...this.#readQuantifier() };
  }

  #readQuantifier(): { min: number; max: number } {
    QUANTIFIER.lastIndex = this.#at;
    const [text = '', sign, least, comma, most] = QUANTIFIER.exec(this.#source) ?? [];
    this.#at += text.length;
    if (sign !== undefined) return { min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : Infinity };
    if (least === undefined) return { min: 1, max: 1 };
    const min = Number(least);
    return { min, max: comma === '' ? min : most ? Number(most) : Infinity };
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const text = pattern.exec(this.#source)?.[0] ?? '';
    this.#at += text.length;
    return text;
  }

  #takeCharacter(): string {
    const character = String.fromCodePoint(this.#source.codePointAt(this.#at) ?? 0);
    this.#at += character.length;
    return character;
  }

  /** Different kinds of what an atom matches: the first letter, digit, space and so on. A back reference or `\b` has none. */
  #samplesOf(atom: string): string[] {
    if (/^\\(?:[bB1-9]|k<)/.test(atom)) return [];
    const pattern = new RegExp(`^(?:${atom})$`, this.#flags);
    const fitting = ALPHABET.filter((character) => pattern.test(character));
    const kinds = [/[a-z]/, /\s/, /\d/, /[^\w\s]/].flatMap((kind) => fitting.find((one) => kind.test(one)) ?? []);
    return [...new Set([...kinds, ...fitting.slice(0, 1)])].slice(0, SAMPLES_MAX);
  }
}
