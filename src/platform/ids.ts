import { hash, randomBytes, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { InputError } from './errors.js';

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';
const ID_CHARS = 20;

export type IdKind = 'acc' | 'site' | 'key' | 'wh' | 'msg' | 'evt';

/** Returns a new id: `site_` and 20 characters of lower-case base32 (100 random bits, so it cannot be guessed). */
export function newId(kind: IdKind): string {
  const characters = Array.from(randomBytes(ID_CHARS), (byte) => BASE32[byte % BASE32.length]);
  return `${kind}_${characters.join('')}`;
}

/** True if `value` has the syntax of such an id. Other values need no query. */
export function isId(kind: IdKind, value: string): boolean {
  return value.startsWith(`${kind}_`) && /^[a-z2-7]{20}$/.test(value.slice(kind.length + 1));
}

const KIND_NAMES = { acc: 'account', site: 'site', key: 'key' } as const;

/** Parses an id that a person typed. @throws InputError */
export function parseId(kind: keyof typeof KIND_NAMES, text: string): string {
  return requireFound(kind, isId(kind, text) ? text : undefined);
}

/** @throws InputError if `found` is undefined */
export function requireFound<T>(kind: keyof typeof KIND_NAMES, found: T | undefined): T {
  if (found === undefined) throw notFound(kind);
  return found;
}

export function notFound(kind: keyof typeof KIND_NAMES): InputError {
  const name = KIND_NAMES[kind];
  return new InputError(
    `There is no such ${name}. Copy its id (${kind}_ and 20 characters) from the list of ${name}s.`,
  );
}

const TOKEN_BYTES = 32;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** Returns a new secret of 256 random bits in base64url, for links and sessions. With that many bits, a plain digest is safe storage. */
export function newSecretToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/** True if `text` has the syntax of a token. Other texts need no query. */
export function isSecretToken(text: string): boolean {
  return TOKEN.test(text);
}

/** Returns the digest that is stored instead of the token: SHA-256, in hexadecimal digits. */
export function digestSecretToken(token: string): string {
  return hash('sha256', token, 'hex');
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const KEY_PREFIX = 'ars_';
const KEY_RANDOM_CHARS = 30;
const CHECKSUM_CHARS = 6;
const HINT_CHARS = 4;
const KEY_FORMAT = new RegExp(`^${KEY_PREFIX}[0-9A-Za-z]{${KEY_RANDOM_CHARS + CHECKSUM_CHARS}}$`);

/**
 * Returns a new API key: `ars_`, 30 random base62 characters (178 bits, so a plain digest is safe storage), and their CRC-32 in 6
 * base62 characters. The prefix and the checksum let secret scanners recognise a leaked key.
 */
export function newApiKey(): string {
  const random = Array.from({ length: KEY_RANDOM_CHARS }, () => BASE62.charAt(randomInt(BASE62.length)));
  const head = KEY_PREFIX + random.join('');
  return head + base62Checksum(head);
}

/** True if `text` has the form of a key and the right checksum. Anything else is refused without a query. */
export function isApiKey(text: string): boolean {
  return KEY_FORMAT.test(text) && base62Checksum(text.slice(0, -CHECKSUM_CHARS)) === text.slice(-CHECKSUM_CHARS);
}

/**
 * Returns the characters that identify a key in a list. They omit the prefix, so that no secret scanner flags the database. They reveal 24
 * of the 178 bits, which does not make the rest guessable.
 */
export function hintOfApiKey(key: string): string {
  return key.slice(KEY_PREFIX.length, KEY_PREFIX.length + HINT_CHARS);
}

function base62Checksum(head: string): string {
  let rest = crc32(head);
  let digits = '';
  while (digits.length < CHECKSUM_CHARS) {
    digits = BASE62.charAt(rest % BASE62.length) + digits;
    rest = Math.floor(rest / BASE62.length);
  }
  return digits;
}
