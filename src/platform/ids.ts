import { randomBytes } from 'node:crypto';

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';
const ID_CHARS = 20;

/** The kind of an id, which is its prefix. */
export type IdKind = 'acc' | 'site' | 'key' | 'wh' | 'msg' | 'evt' | 'list';

/** A new id: `site_` and 20 characters of lower-case base32 (100 random bits, so it cannot be guessed). */
export function newId(kind: IdKind): string {
  const characters = Array.from(randomBytes(ID_CHARS), (byte) => BASE32[byte % BASE32.length]);
  return `${kind}_${characters.join('')}`;
}

/** True if `value` has the syntax of an id of this kind; others are answered without a query. */
export function isId(kind: IdKind, value: string): boolean {
  return value.startsWith(`${kind}_`) && /^[a-z2-7]{20}$/.test(value.slice(kind.length + 1));
}
