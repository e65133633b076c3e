import { dictionary } from '@zxcvbn-ts/language-common';
import { SCANNER_TOKEN } from '../../scanner/artifacts/scanner.js';

/** Those that everybody has read: examples of good and bad passwords, and sentences to try keyboards and typefaces with. */
const FAMOUS = [
  'correct horse battery staple',
  'the quick brown fox jumps over the lazy dog',
  'the quick brown fox',
  'lorem ipsum dolor sit amet',
  'lorem ipsum dolor',
  'to be or not to be',
  'to be or not to be that is the question',
  'may the force be with you',
  'open sesame open sesame',
  'this is a password',
  'this is my password',
  'this is a strong password',
  'this is a secure password',
  'this is not a password',
  'my password is password',
  'my voice is my passport',
  'never gonna give you up',
  'twinkle twinkle little star',
  'franz jagt im komplett verwahrlosten taxi quer durch bayern',
];

/** The 49,000 most common passwords of leaks, in lower case, and the famous ones with their words joined. */
const COMMON: ReadonlySet<string> = new Set([
  ...dictionary['passwords-common'],
  ...FAMOUS.map((sentence) => sentence.replaceAll(' ', '')),
]);

const SERVICE_WORDS = wordsOf(SCANNER_TOKEN.replace(/([A-Z])/g, ' $1'));

/** What people write in place of letters. */
const STAND_INS: Readonly<Record<string, string>> = {
  ...{ '@': 'a', '4': 'a', '3': 'e', '1': 'i', '!': 'i' },
  ...{ '0': 'o', $: 's', '5': 's', '7': 't' },
};

/**
 * Why a password is among those that are guessed first (NIST SP 800-63B-4, section 3.1.1.2, "commonly used, expected"): it is on the
 * list of common ones, or consists of the words of the service and the account. The whole is compared, but for what changes
 * nothing: case, accents, digits and signs around and between the letters, and stand-ins such as @ for a.
 * @param ownWords texts of the account that others know
 */
export function findWeakness(password: string, ownWords: readonly string[]): 'common' | 'own words' | null {
  const folded = fold(password);
  const core = folded.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  const unmasked = core.replace(/[@431!0$57]/g, (sign) => STAND_INS[sign] ?? sign);
  const spellings = [folded, core, ...[core, unmasked].map((text) => text.replace(/[^\p{L}]/gu, ''))];
  if (spellings.some((text) => COMMON.has(text))) return 'common';
  // The longest first, so that none is cut up by a part of it.
  const words = [...knownWords(ownWords)].sort((a, b) => b.length - a.length);
  for (const letters of spellings.slice(2).filter((text) => text !== '')) {
    const rest = words.reduce((text, word) => text.replaceAll(word, ''), letters);
    if (rest === '' || COMMON.has(rest)) return 'own words';
  }
  return null;
}

/** All the words that others know of an account, and that of the service. */
export function knownWords(ownWords: readonly string[]): readonly string[] {
  return [...SERVICE_WORDS, ...ownWords.flatMap(wordsOf)];
}

function wordsOf(text: string): readonly string[] {
  return fold(text).match(/\p{L}+/gu) ?? [];
}

function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}
