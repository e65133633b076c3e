import { InputError } from '../../platform/input-error.js';
import { findWeakness, knownWords } from './common-passwords.js';
import type { StrengthTest } from './password-strength.js';

/** The fewest characters of a password (NIST SP 800-63B-4, section 3.1.1.2: 15 where it is the only factor). */
export const PASSWORD_CHARS_MIN = 15;

/** Far more than the 64 that the same section asks for, and still nothing that a form could not carry. */
const PASSWORD_CHARS_MAX = 1000;

/** A piece of up to so many characters that is written again and again is no harder to guess than the piece. */
const REPEATED_PIECE_CHARS_MAX = 10;

/** What fingers write without thinking: alphabet, digits, rows and columns of keys. */
const ROWS = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890123456789',
  'qwertyuiopasdfghjklzxcvbnm',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm',
];

/** What forms ask for. */
export const PASSWORD_HINT = `At least ${PASSWORD_CHARS_MIN} characters of any kind: four or five random words are good.`;

const INSTEAD = 'Use four or five random words.';

const WEAKNESSES = {
  common: 'This is one of the passwords that are guessed first, as it is or with digits and signs added.',
  'own words': 'This is made of your name, your e-mail address or the name of this service, which others know.',
};

/**
 * The form of a password that is hashed and compared, so that it is the same from every keyboard: RFC 8265, section 4.2.2
 * (OpaqueString: any space is a space, then Unicode's composed form; case stays).
 */
export function normalisePassword(password: string): string {
  return password.replace(/\p{Zs}/gu, ' ').normalize('NFC');
}

/**
 * A new password in its normal form. Any characters will do: length is what makes one hard to guess, so the only ones refused are
 * short, or among the first guesses.
 * @param ownWords e-mail address and name of the account
 * @throws InputError with field `password`
 */
export function parseNewPassword(input: string, ownWords: readonly string[]): string {
  const password = normalisePassword(input);
  const characters = Array.from(password);
  if (characters.length < PASSWORD_CHARS_MIN) {
    throw unfit(`Use at least ${PASSWORD_CHARS_MIN} characters: this has ${characters.length}.`);
  }
  if (characters.length > PASSWORD_CHARS_MAX) throw unfit(`Use at most ${PASSWORD_CHARS_MAX} characters.`);
  const lower = password.toLowerCase();
  if (ROWS.some((row) => isStretchOf(row, lower))) {
    throw unfit(`This is a row of keys or letters, which is guessed early. ${INSTEAD}`);
  }
  if (isRepetition(characters)) {
    throw unfit(`This is one short piece again and again, which is guessed early. ${INSTEAD}`);
  }
  const weakness = findWeakness(password, ownWords);
  if (weakness !== null) throw unfit(`${WEAKNESSES[weakness]} ${INSTEAD}`);
  return password;
}

/**
 * What no list and no simple rule finds: words, names, dates and pieces that go well together.
 * @param password one that {@link parseNewPassword} let through
 * @throws InputError with field `password`
 */
export async function assertHard(password: string, ownWords: readonly string[], isHard: StrengthTest): Promise<void> {
  if (await isHard(password, [...ownWords, ...knownWords(ownWords)])) return;
  throw unfit(`This is made of parts that are guessed early, such as common words, years and repetitions. ${INSTEAD}`);
}

function isRepetition(characters: readonly string[]): boolean {
  for (let length = 1; length <= REPEATED_PIECE_CHARS_MAX; length += 1) {
    const isRepeated = characters.every((character, at) => at < length || character === characters[at - length]);
    if (isRepeated) return true;
  }
  return false;
}

/** Forwards or backwards. */
function isStretchOf(row: string, text: string): boolean {
  return row.includes(text) || Array.from(row).reverse().join('').includes(text);
}

function unfit(message: string): InputError {
  return new InputError(message, 'password');
}
