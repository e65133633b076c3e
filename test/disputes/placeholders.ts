import { createHash } from 'node:crypto';
import type { KnownWords } from './vocabulary.js';

/**
 * What is not prose: tags and the names of attributes, keys, escapes, character references, extensions and top-level domains. Then words,
 * percent-encoded ones among them, and numbers that may be somebody's.
 */
const PARTS = new RegExp(
  [
    String.raw`(?<kept><[/!?]?[a-z][\w:-]*|[\w:-]{1,60}(?=\s*=\s*["'])|"[\w$@.:-]{1,80}"(?=\s*:)|^[\t -]*[a-z][\w-]*(?=[\t ]*:)`,
    String.raw`\\u[0-9a-f]{4}|\\[a-z]|&#?\w{1,10};|\.[a-z]{2,4}(?![\w.]))`,
  ].join('|') + String.raw`|(?<word>(?:\p{L}|%[c-f][0-9a-f](?:%[89ab][0-9a-f]){1,3})+)|%[0-9a-f]{2}|(?<number>\d{5,})`,
  'gimu',
);

const CONSONANTS = 'bcdfghjklmnpqrstvwxz';
const VOWELS = 'aeiou';

/** A letter that stands for all of a script. */
const SCRIPTS: readonly (readonly [RegExp, string])[] = [
  [/\p{Script=Latin}/u, 'é'],
  [/\p{Script=Han}/u, '文'],
  [/\p{Script=Hiragana}/u, 'の'],
  [/\p{Script=Katakana}/u, 'ア'],
  [/\p{Script=Hangul}/u, '가'],
  [/\p{Script=Cyrillic}/u, 'ж'],
  [/\p{Script=Greek}/u, 'λ'],
  [/\p{Script=Arabic}/u, 'ع'],
  [/\p{Script=Hebrew}/u, 'ש'],
  [/\p{Script=Thai}/u, 'ก'],
  [/\p{Script=Devanagari}/u, 'क'],
];

/**
 * Replaces the words of a text by placeholders of the same length, the same word by the same one wherever it stands, so that links still
 * lead where they led. It keeps markup, keys, and what the scanner knows.
 */
export class Placeholders {
  readonly #byWord = new Map<string, string>();
  readonly #taken = new Set<string>();

  constructor(private readonly known: Pick<KnownWords, 'words'>) {}

  replaceIn(text: string): string {
    return text.replace(PARTS, (part: string, ...rest: unknown[]) => {
      const { word, number } = rest.at(-1) as { readonly word?: string; readonly number?: string };
      if (word !== undefined) return word.includes('%') ? this.#replaceEncoded(word) : this.#replace(word);
      return number === undefined ? part : `1${'0'.repeat(number.length - 1)}`;
    });
  }

  #replaceEncoded(word: string): string {
    try {
      return encodeURIComponent(this.replaceIn(decodeURIComponent(word)));
    } catch {
      return word;
    }
  }

  #replace(word: string): string {
    const lower = word.toLowerCase();
    // Latin words of one and two letters are codes of languages and units as often as prose.
    if (/^[a-z]{1,2}$/.test(lower) || this.known.words.has(lower)) return word;
    const found = this.#byWord.get(lower) ?? this.#choose(lower);
    return Array.from(word, (letter, at) => inCaseOf(letter, Array.from(found)[at] ?? 'a')).join('');
  }

  /** Another one for each word, as far as its length allows, so that what was different stays so. */
  #choose(word: string): string {
    let chosen = '';
    for (let attempt = 0; attempt < 100; attempt += 1) {
      chosen = letters(word, attempt);
      if (!this.#taken.has(chosen) && !this.known.words.has(chosen)) break;
    }
    this.#taken.add(chosen);
    this.#byWord.set(word, chosen);
    return chosen;
  }
}

function letters(word: string, attempt: number): string {
  const bytes = createHash('sha512').update(`${attempt} ${word}`).digest();
  return Array.from(word, (letter, at) => {
    if (!/[a-z]/.test(letter)) return SCRIPTS.find(([script]) => script.test(letter))?.[1] ?? letter;
    const from = at % 2 === 0 ? CONSONANTS : VOWELS;
    return from[(bytes[at % bytes.length] ?? 0) % from.length] ?? 'a';
  }).join('');
}

function inCaseOf(letter: string, placeholder: string): string {
  const isUpper = letter !== letter.toLowerCase();
  const upper = placeholder.toUpperCase();
  return isUpper && upper.length === placeholder.length ? upper : placeholder;
}
