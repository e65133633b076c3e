import { networkOf } from '../../platform/client-address.js';
import { InputError } from '../../platform/input-error.js';
import { SCANNER_TOKEN } from '../../scanner/artifacts/scanner.js';
import { currentActor } from '../audit/audit.js';
import { normalisePassword, type Passwords } from './passwords.js';

/** Minimum length of a password (NIST SP 800-63B-4, section 3.1.1.2: 15 where it is the only factor). */
export const PASSWORD_CHARS_MIN = 15;

/** Far more than the 64 characters that the same section requires. */
const PASSWORD_CHARS_MAX = 1000;

const REPEATED_CHARS_MAX = 10;

/** Sequences that are easy to type: alphabet, digits, rows and columns of keys. */
const ROWS = 'abcdefghijklmnopqrstuvwxyz 01234567890123456789 qwertyuiopasdfghjklzxcvbnm 1qaz2wsx3edc4rfv5tgb6yhn7ujm';

/** Passwords of at least 15 characters among the 49,000 most common leaked ones (the list of zxcvbn-ts). */
const LEAKED = (
  'mailcreated5240 polniypizdec0211 123456789987654321 1qaz2wsx3edc4rfv momsanaladventure hd764nw5d7e1vb1 ' +
  'qazwsxedcrfvtgb 23176djivanfros 123456789qwerty 12345678900987654321 qwerty123456789 polniypizdec110211 ' +
  '12345678987654321 q1w2e3r4t5y6u7i8 zqjphsyf6ctifgu lhbjkjubz2957704 1qazxsw23edcvfr4 nemvxyheqdd5oqxyxyzi ' +
  'passwordpassword 1234qwerasdfzxcv 1234567890987654321 1234567890qwerty q1w2e3r4t5y6u7i8o9p0 passwordstandard ' +
  'bpgjldsgjldthnf 1234567887654321 zxcvbnm123456789 122333444455555 111222333444555 qwertyuiop12345 ' +
  '1qa2ws3ed4rf5tg nick1234-rem936 qwertasdfgzxcvb aksjdlasdakj89879 lytdybrbdfvgbhf passwordassword ' +
  '420842084208555 polniypizdec1102 ne_e_pod_chehyl hd764nw5d7e1vbv bhrh0h2oof6xbqjeh'
).split(' ');

/** Common passwords, and well-known example passwords and pangrams. */
const COMMON =
  'password, passwort, passw, qwerty, letmein, iloveyou, welcome, admin, dragon, monkey, football, baseball, master, ' +
  'login, correct horse battery staple, the quick brown fox jumps over the lazy dog, the quick brown fox, ' +
  'lorem ipsum dolor sit amet, lorem ipsum dolor, to be or not to be, to be or not to be that is the question, ' +
  'may the force be with you, open sesame, this is a password, this is my password, this is a strong password, ' +
  'this is a secure password, this is not a password, my password is password, my voice is my passport, ' +
  'never gonna give you up, twinkle twinkle little star, franz jagt im komplett verwahrlosten taxi quer durch bayern';

const COMMON_WORDS = COMMON.split(', ').map((words) => words.replaceAll(' ', ''));

/** A single word, with any digits and signs around it. The 1,000 most common leaked passwords have at most ten letters. */
const LONE_WORD = /^\P{L}*\p{L}{3,10}\P{L}*$/u;

export const PASSWORD_HINT = `At least ${PASSWORD_CHARS_MIN} characters of any kind: four or five random words are good.`;

/**
 * Checks a new password and returns its normal form. Any characters are allowed: length makes a password hard to guess, so only short ones and
 * common guesses are refused.
 * @param ownWords e-mail address and name of the account
 * @throws InputError with field `password`
 */
export function parseNewPassword(input: string, ownWords: readonly string[]): string {
  const password = normalisePassword(input);
  const { length } = Array.from(password);
  if (length < PASSWORD_CHARS_MIN)
    throw weakPassword(`Use at least ${PASSWORD_CHARS_MIN} characters: this has ${length}.`);
  if (length > PASSWORD_CHARS_MAX) throw weakPassword(`Use at most ${PASSWORD_CHARS_MAX} characters.`);
  const weakness = findWeakness(fold(password), ownWords);
  if (weakness !== null) throw weakPassword(`${weakness} Use four or five random words.`);
  return password;
}

/**
 * Checks a new password of an account and hashes it. The caller has proved to be the owner, so its network gets priority.
 * @throws InputError with field `password`; ServiceError overloaded
 */
export async function hashNewPassword(
  passwords: Passwords,
  input: string,
  { email, name }: { readonly email: string; readonly name: string },
): Promise<string> {
  const password = parseNewPassword(input, [email, name]);
  const { address } = currentActor();
  const owner = address === null ? email : networkOf(address);
  passwords.prefer(owner);
  return passwords.hash(password, owner);
}

const SUBSTITUTES = new Map(
  Object.entries({ '@': 'a', '4': 'a', '3': 'e', '1': 'i', '!': 'i', '0': 'o', $: 's', '5': 's', '7': 't' }),
);

/**
 * Describes why a folded password is weak (NIST SP 800-63B-4, section 3.1.1.2, "commonly used, expected"); null if it is not. Digits and signs
 * do not count next to common passwords and words of the account, nor do substitutions such as @ for a.
 */
function findWeakness(password: string, ownWords: readonly string[]): string | null {
  const reversed = Array.from(password).reverse().join('');
  if (ROWS.includes(password) || ROWS.includes(reversed))
    return 'This is a keyboard or alphabet sequence, which attackers try first.';
  if (isRepetition(password) || isRepetition(trimNonLetters(password)))
    return 'This repeats one short sequence, which is easy to guess.';
  const unmasked = trimNonLetters(password).replace(/[@431!0$57]/g, (sign) => SUBSTITUTES.get(sign) ?? sign);
  const words = [...COMMON_WORDS, ...[SCANNER_TOKEN.replace(/([A-Z])/g, ' $1'), ...ownWords].flatMap(splitWords)];
  // Longest first, so that no word is split by a shorter one.
  words.sort((one, other) => other.length - one.length);
  const isMadeOfWords = [password, unmasked].some((text) => {
    const letters = removeNonLetters(text);
    return letters !== '' && words.reduce((rest, word) => rest.replaceAll(word, ''), letters) === '';
  });
  const variants = [password, trimNonLetters(password), removeNonLetters(password), removeNonLetters(unmasked)];
  const isLeaked = LEAKED.some((leaked) => variants.includes(leaked));
  if (isMadeOfWords || LONE_WORD.test(password) || isLeaked)
    return 'This is made of words that are guessed first, such as common passwords, your name or e-mail address, or the name of this service.';
  return null;
}

function splitWords(text: string): readonly string[] {
  return fold(text).match(/\p{L}+/gu) ?? [];
}

function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

/** Removes digits and signs around the letters, as in `passwordpassword1`. */
function trimNonLetters(text: string): string {
  return text.replace(/^\P{L}+|\P{L}+$/gu, '');
}

function removeNonLetters(text: string): string {
  return text.replace(/\P{L}/gu, '');
}

function isRepetition(text: string): boolean {
  const longest = Math.min(REPEATED_CHARS_MAX, text.length / 2);
  for (let length = 1; length <= longest; length += 1) if (text.startsWith(text.slice(length))) return true;
  return false;
}

function weakPassword(message: string): InputError {
  return new InputError(message, 'password');
}
