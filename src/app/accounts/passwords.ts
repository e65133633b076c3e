import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { networkOf } from '../../platform/http/request.js';
import { InputError } from '../../platform/errors.js';
import { Slots } from '../../platform/slots.js';
import { SCANNER_TOKEN } from '../../scanner/artifacts/scanner.js';
import { currentActor } from '../audit/audit.js';

/** The parameters of scrypt: N (as its power of 2), r and p. */
export interface PasswordCost {
  readonly logN: number;
  readonly r: number;
  readonly p: number;
}

/** OWASP's first choice for scrypt (Password Storage Cheat Sheet): 128 MiB and about a third of a second. */
const PASSWORD_COST: PasswordCost = { logN: 17, r: 8, p: 1 };

/** Two hashes at once need 256 MiB. A full queue drains within the 5 seconds that a caller waits for a slot. */
const AT_ONCE_MAX = 2;
const WAITING_MAX = 20;

const PREFERRED_MAX = 10_000;

const SALT_BYTES = 16;
const HASH_BYTES = 32;
const STORED_HASH = /^scrypt\$(\d{1,2})\$(\d{1,2})\$(\d{1,2})\$([\w-]+)\$([\w-]+)$/;

interface Hashed {
  readonly cost: PasswordCost;
  readonly salt: Buffer;
  readonly hash: Buffer;
}

/**
 * Hashes and compares passwords, a few at a time. Slots are shared fairly among owners. An owner is an account, or the network of a client
 * that is not signed in. `hash` and `matches` reject with ServiceError overloaded if too many calls are waiting.
 */
export function createPasswords({
  cost = PASSWORD_COST,
  waitingMax = WAITING_MAX,
}: { readonly cost?: PasswordCost; readonly waitingMax?: number } = {}) {
  const preferred = new Set<string>();
  const slots = new Slots(AT_ONCE_MAX, { waitingMax, isPreferred: (owner) => preferred.has(owner) });
  const decoy: Hashed = { cost, salt: Buffer.alloc(SALT_BYTES), hash: Buffer.alloc(HASH_BYTES) };
  const derive = (owner: string, password: string, salt: Buffer, hashCost: PasswordCost): Promise<Buffer> =>
    slots.run(owner, () => deriveKey(normalisePassword(password), salt, hashCost));

  return {
    /** Returns the hash to store, such as `scrypt$17$8$1$salt$hash`. It includes the cost, which can then be raised later. */
    async hash(password: string, owner: string): Promise<string> {
      const salt = randomBytes(SALT_BYTES);
      const hash = await derive(owner, password, salt, cost);
      return ['scrypt', cost.logN, cost.r, cost.p, salt.toString('base64url'), hash.toString('base64url')].join('$');
    },
    /** @param stored the stored hash; null if there is no account, which refuses every password after the same time */
    async matches(password: string, stored: string | null, owner: string): Promise<boolean> {
      const expected = stored === null ? decoy : parseStored(stored);
      const hash = await derive(owner, password, expected.salt, expected.cost);
      return timingSafeEqual(hash, expected.hash) && stored !== null;
    },
    /** Gives a signed-in account, or its network, priority from now on. */
    prefer(owner: string): void {
      if (preferred.size >= PREFERRED_MAX) preferred.clear();
      preferred.add(owner);
    },
  };
}

export type Passwords = ReturnType<typeof createPasswords>;

/**
 * Normalises a password, so that it is the same from every keyboard: maps every space to U+0020, composes characters, and preserves case
 * (RFC 8265, section 4.2.2, OpaqueString).
 */
export function normalisePassword(password: string): string {
  return password.replace(/\p{Zs}/gu, ' ').normalize('NFC');
}

function deriveKey(password: string, salt: Buffer, { logN, r, p }: PasswordCost): Promise<Buffer> {
  const N = 2 ** logN;
  // These parameters need slightly more than 128 · N · r bytes, which is above Node's default limit.
  const options = { N, r, p, maxmem: 2 * 128 * N * r };
  return new Promise((resolve, reject) => {
    scrypt(password, salt, HASH_BYTES, options, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });
}

function parseStored(stored: string): Hashed {
  const [, logN, r, p, salt = '', hash = ''] = STORED_HASH.exec(stored) ?? [];
  const parsed = {
    cost: { logN: Number(logN), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, 'base64url'),
    hash: Buffer.from(hash, 'base64url'),
  };
  if (parsed.hash.length !== HASH_BYTES) throw new Error('unknown format of a stored password hash');
  return parsed;
}

/** Minimum length of a password that is the only factor (NIST SP 800-63B-4, section 3.1.1.2). */
export const PASSWORD_CHARS_MIN = 15;

/** Far more than the 64 characters that the same section requires. */
const PASSWORD_CHARS_MAX = 1000;

/** Sequences of characters that are easy to type. */
const ROWS = 'abcdefghijklmnopqrstuvwxyz 01234567890123456789 qwertyuiopasdfghjklzxcvbnm';

/** Maximum length of a repeated part that makes a password weak. */
const REPEATED_CHARS_MAX = 10;

/** The passwords of at least 15 characters among the 49,000 most common leaked ones (list of zxcvbn-ts). */
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

export const PASSWORD_HINT = `At least ${PASSWORD_CHARS_MIN} characters of any kind: four or five random words work well.`;

/**
 * Checks a new password and returns its normal form. Refuses only short and common passwords, and allows any characters, because length is
 * what makes a password hard to guess.
 * @param ownWords e-mail address and name of the account
 * @throws InputError with field `password`
 */
export function parseNewPassword(input: string, ownWords: readonly string[]): string {
  const password = normalisePassword(input);
  const { length } = Array.from(password);
  const refuse = (message: string): never => {
    throw new InputError(message, 'password');
  };
  if (length < PASSWORD_CHARS_MIN) refuse(`Use at least ${PASSWORD_CHARS_MIN} characters: this has ${length}.`);
  if (length > PASSWORD_CHARS_MAX) refuse(`Use at most ${PASSWORD_CHARS_MAX} characters.`);
  if (isCommon(fold(password), ownWords)) {
    refuse(
      'Attackers try this password first: it is common, a sequence, or made only of your name, your e-mail address or the name of this service. Use four or five random words.',
    );
  }
  return password;
}

/**
 * Checks and hashes a new password of an account. Gives the client's network priority, because the client has proved to be the owner.
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

/**
 * True for a sequence, and for a password of only common passwords and words from the account or the service, besides digits and
 * punctuation (NIST SP 800-63B-4, section 3.1.1.2, "commonly used, expected").
 */
function isCommon(password: string, ownWords: readonly string[]): boolean {
  const letters = password.replace(/\P{L}/gu, '');
  const trimmed = /\p{L}(?:.*\p{L})?/su.exec(password)?.[0] ?? password;
  if ([password, trimmed, letters].some((text) => LEAKED.includes(text))) return true;
  if (ROWS.includes(password) || isRepetition(password) || isRepetition(trimmed)) return true;
  const words = [...COMMON_WORDS, ...[SCANNER_TOKEN.replace(/([A-Z])/g, ' $1'), ...ownWords].flatMap(splitWords)];
  // Longest first, so that a shorter word does not split a longer one.
  words.sort((one, other) => other.length - one.length);
  return letters !== '' && words.reduce((rest, word) => rest.replaceAll(word, ''), letters) === '';
}

function isRepetition(text: string): boolean {
  const longest = Math.min(REPEATED_CHARS_MAX, text.length / 2);
  for (let length = 1; length <= longest; length += 1) if (text.startsWith(text.slice(length))) return true;
  return false;
}

function splitWords(text: string): readonly string[] {
  return fold(text).match(/\p{L}+/gu) ?? [];
}

function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}
