import { InputError } from '../../platform/input-error.js';
import { networkOf } from '../../platform/client-address.js';
import { currentActor } from '../audit/actor.js';
import { findWeakness } from './common-passwords.js';
import { normalisePassword, type Passwords } from './passwords.js';

/** The fewest characters of a password (NIST SP 800-63B-4, section 3.1.1.2: 15 where it is the only factor). */
export const PASSWORD_CHARS_MIN = 15;

/** Far more than the 64 characters that the same section requires. */
const PASSWORD_CHARS_MAX = 1000;

/** The longest repeated sequence that is refused. */
const REPEATED_PIECE_CHARS_MAX = 10;

/** Sequences that are easy to type: alphabet, digits, rows and columns of keys. */
const ROWS = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890123456789',
  'qwertyuiopasdfghjklzxcvbnm',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm',
];

export const PASSWORD_HINT = `At least ${PASSWORD_CHARS_MIN} characters of any kind: four or five random words are good.`;

const INSTEAD = 'Use four or five random words.';

const WEAKNESSES = {
  common: 'This is one of the passwords that are guessed first, as it is or with digits and signs added.',
  'own words': 'This is made of your name, your e-mail address or the name of this service, which others know.',
};

/**
 * Checks a new password and returns its normal form. Any characters are allowed: length makes a password hard to guess, so only short ones and
 * common guesses are refused.
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
  if (ROWS.some((row) => isPartOf(row, lower))) {
    throw unfit(`This is a row of keys or letters, which is guessed early. ${INSTEAD}`);
  }
  if (isRepetition(characters) || isRepetition(Array.from(lettersWithin(lower)))) {
    throw unfit(`This repeats one short sequence, which is easy to guess. ${INSTEAD}`);
  }
  const weakness = findWeakness(password, ownWords);
  if (weakness !== null) throw unfit(`${WEAKNESSES[weakness]} ${INSTEAD}`);
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
  const party = address === null ? email : networkOf(address);
  passwords.prefer(party);
  return passwords.hash(password, party);
}

/** Removes digits and signs around the letters, as in `passwordpassword1`. */
function lettersWithin(text: string): string {
  return text.replace(/^\P{L}+|\P{L}+$/gu, '');
}

function isRepetition(characters: readonly string[]): boolean {
  const longest = Math.min(REPEATED_PIECE_CHARS_MAX, characters.length / 2);
  for (let length = 1; length <= longest; length += 1) {
    const isRepeated = characters.every((character, at) => at < length || character === characters[at - length]);
    if (isRepeated) return true;
  }
  return false;
}

/** True if the text is a part of the row, forwards or backwards. */
function isPartOf(row: string, text: string): boolean {
  return row.includes(text) || Array.from(row).reverse().join('').includes(text);
}

function unfit(message: string): InputError {
  return new InputError(message, 'password');
}
