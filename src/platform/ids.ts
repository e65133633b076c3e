import { hash, randomBytes } from 'node:crypto';
import { InputError } from './input-error.js';

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';
const ID_CHARS = 20;

export type IdKind = 'acc' | 'site' | 'key' | 'wh' | 'msg' | 'evt';

/** Returns a new id: `site_` and 20 characters of lower-case base32 (100 random bits, so it cannot be guessed). */
export function newId(kind: IdKind): string {
  const characters = Array.from(randomBytes(ID_CHARS), (byte) => BASE32[byte % BASE32.length]);
  return `${kind}_${characters.join('')}`;
}

/** True if `value` has the syntax of an id of this kind; others need no query. */
export function isId(kind: IdKind, value: string): boolean {
  return value.startsWith(`${kind}_`) && /^[a-z2-7]{20}$/.test(value.slice(kind.length + 1));
}

const NAMES = { acc: 'account', site: 'site', key: 'key' } as const;

/** Parses an id that somebody typed. @throws InputError */
export function parseId(kind: keyof typeof NAMES, text: string): string {
  return requireFound(kind, isId(kind, text) ? text : undefined);
}

/** @throws InputError if it was not found */
export function requireFound<T>(kind: keyof typeof NAMES, found: T | undefined): T {
  if (found === undefined) throw notFound(kind);
  return found;
}

export function notFound(kind: keyof typeof NAMES): InputError {
  const name = NAMES[kind];
  return new InputError(
    `There is no such ${name}. Take its id (${kind}_ and 20 characters) from the list of ${name}s.`,
  );
}

const TOKEN_BYTES = 32;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** Returns a new secret of 256 random bits in base64url, for links and sessions. With that many bits, a plain digest is safe storage. */
export function newSecretToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/** True if `text` has the syntax of a token; others need no query. */
export function isSecretToken(text: string): boolean {
  return TOKEN.test(text);
}

/** Returns the digest that is stored instead of the token: SHA-256, in hexadecimal digits. */
export function digestSecretToken(token: string): string {
  return hash('sha256', token, 'hex');
}
