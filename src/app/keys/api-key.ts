import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { laterThan, timeAfter, utcDay } from '../../platform/clock.js';
import { InputError } from '../../platform/input-error.js';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const PREFIX = 'ars_';
const RANDOM_CHARS = 30;
const CHECKSUM_CHARS = 6;
const HINT_CHARS = 4;
const SHAPE = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM_CHARS + CHECKSUM_CHARS}}$`);

/** Larger bytes would make the first characters of the alphabet likelier than the last. */
const UNBIASED_BYTE_END = 256 - (256 % BASE62.length);

/**
 * Returns a new API key: `ars_`, 30 random base62 characters (178 bits, so a plain digest is enough at rest), and their CRC-32 in 6
 * base62 characters. The prefix and the checksum let secret scanners recognise a leaked key.
 */
export function newApiKey(): string {
  const head = PREFIX + randomBase62(RANDOM_CHARS);
  return head + checksumOf(head);
}

/** True if `text` has the form of a key and the right checksum. Anything else is refused without a query. */
export function isApiKey(text: string): boolean {
  return SHAPE.test(text) && checksumOf(text.slice(0, -CHECKSUM_CHARS)) === text.slice(-CHECKSUM_CHARS);
}

/** Returns the SHA-256 that is stored instead of the key, in hexadecimal digits. */
export function digestApiKey(key: string): string {
  return hash('sha256', key, 'hex');
}

/**
 * Returns the characters by which people recognise a key in a list. They omit the prefix, so that no search for leaked keys finds the
 * database, and give away 24 of the 178 bits, too few to help with guessing the rest.
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

const DAY_MS = 86_400_000;

/** Ten years. */
const EXPIRY_DAYS_MAX = 3650;

/**
 * Parses when a key expires: a number of days, or the UTC day `YYYY-MM-DD`, at its start.
 * @returns ISO 8601, UTC; null for an empty text: the key does not expire
 * @throws InputError with field `expires`
 */
export function parseExpiry(text: string, now: Date): string | null {
  const asked = text.trim();
  if (asked === '') return null;
  const at = /^\d{1,4}$/.test(asked) ? laterThan(now, Number(asked) * DAY_MS) : startOfDay(asked);
  if (at === null || at <= now.toISOString() || at > laterThan(now, EXPIRY_DAYS_MAX * DAY_MS)) {
    throw new InputError(
      `Say when the key expires: a number of days up to ${EXPIRY_DAYS_MAX}, or a later day, such as ${utcDay(timeAfter(now, 90 * DAY_MS))}.`,
      'expires',
    );
  }
  return at;
}

/** Returns null if the text is not a day. */
function startOfDay(text: string): string | null {
  const at = `${text}T00:00:00.000Z`;
  const date = new Date(at);
  // A day that its month does not have would be read as one of the next month.
  return !Number.isNaN(date.getTime()) && date.toISOString() === at ? at : null;
}
