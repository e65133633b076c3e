import { createHash, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;
const SHAPE = /^[A-Za-z0-9_-]{43}$/;

/**
 * A new secret of 256 random bits in base64url, for one-time links and sessions. With that many bits, a plain digest is safe
 * storage.
 */
export function newSecretToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/** True if `text` has the form of a token; others are refused without a query. */
export function isSecretToken(text: string): boolean {
  return SHAPE.test(text);
}

/** The digest that is stored instead of the token: SHA-256, in hexadecimal digits. */
export function digestSecretToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
