import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const PREFIX = 'ars_';
const RANDOM_CHARS = 30;
const CHECKSUM_CHARS = 6;
const HINT_CHARS = 4;
const SHAPE = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM_CHARS + CHECKSUM_CHARS}}$`);

/** Bytes from here on would make the first characters of the alphabet likelier than the last. */
const UNBIASED_BYTE_END = 256 - (256 % BASE62.length);

/**
 * A fresh API key: `ars_`, 30 random base62 characters (178 bits, so that a plain digest is enough at rest), and their CRC-32
 * in 6 base62 characters. The fixed prefix and the checksum let secret scanners recognise a leaked key.
 */
export function newApiKey(): string {
  const head = PREFIX + randomBase62(RANDOM_CHARS);
  return head + checksumOf(head);
}

/** Whether `text` has the form of a key and its checksum is right: one that has not costs no query. */
export function isApiKey(text: string): boolean {
  return SHAPE.test(text) && checksumOf(text.slice(0, -CHECKSUM_CHARS)) === text.slice(-CHECKSUM_CHARS);
}

/** What is stored in place of the key: SHA-256, in hexadecimal digits. */
export function digestApiKey(key: string): string {
  return hash('sha256', key, 'hex');
}

/**
 * The characters by which a person tells their keys apart in a list. Without the prefix, so that no search for leaked keys
 * ever finds the database; 24 of the 178 bits, too few to help in guessing the rest.
 */
export function hintOfApiKey(key: string): string {
  return key.slice(PREFIX.length, PREFIX.length + HINT_CHARS);
}

function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < UNBIASED_BYTE_END && text.length < length) text += BASE62.charAt(byte % BASE62.length);
    }
  }
  return text;
}

function checksumOf(head: string): string {
  let rest = crc32(head);
  let digits = '';
  for (let place = 0; place < CHECKSUM_CHARS; place += 1) {
    digits = BASE62.charAt(rest % BASE62.length) + digits;
    rest = Math.floor(rest / BASE62.length);
  }
  return digits;
}
