import { createHash } from 'node:crypto';
import type { SiteResponse } from '../client/visit.js';
import { namesIn, partsWithout } from './path-echo.js';
import { remember } from '../../net/keyed.js';

/** A response with the requested path, which its page or redirect may echo. */
export interface Asked {
  readonly path: string;
  readonly response: SiteResponse;
  /** Digest of the whole body without this path, if the body itself is not stored. */
  readonly fingerprint?: string;
}

/** True if both were redirected to the same URL, ignoring an echo of the requested path in the query. */
export function isSameTarget(a: Asked, b: Asked): boolean {
  return a.response.hops.length > 0 && b.response.hops.length > 0 && targetOf(a) === targetOf(b);
}

/** True if both bodies are equal except for parts that change with each request. */
export function isSameBody(a: Asked, b: Asked): boolean {
  if (a.response.isOverLimit || b.response.isOverLimit) return false;
  return fingerprintOf(a, b.path) === fingerprintOf(b, a.path);
}

/** Fingerprints by removed names. Cached because a control and the home page are compared with many responses. */
const fingerprints = new WeakMap<SiteResponse, Map<string, string>>();

/**
 * Returns a digest of a body without the requested path, white space, numbers and long hexadecimal runs (ids, nonces, times); an empty
 * string if nothing else is left.
 * @param others further paths to remove: the menu of a not-found page may link to the missing page itself
 */
export function fingerprintOf({ path, response, fingerprint: stored }: Asked, ...others: readonly string[]): string {
  if (stored !== undefined) return stored;
  const names = namesIn(response.body, [path, ...others]);
  const known = remember(fingerprints, response, () => new Map<string, string>());
  return remember(known, JSON.stringify(names), () => hashSteadyBytes(partsWithout(response.body, names)));
}

const HEX_RUN_MIN = 8;
const BLOCK_BYTES = 65_536;

/**
 * Hashes all bytes except ASCII white space, digits and hexadecimal runs of 8 or more. Works block by block, since copies of many large
 * bodies would fill the memory.
 */
function hashSteadyBytes(parts: Iterable<Uint8Array>): string {
  const hash = createHash('sha256');
  const kept = Buffer.allocUnsafe(BLOCK_BYTES);
  let length = 0;
  let runStart = 0;
  let runLength = 0;
  let isEmpty = true;
  for (const part of parts) {
    const end = part.length;
    // An iterator would take two and a half times as long.
    for (let at = 0; at < end; at += 1) {
      const byte = part[at] ?? 0;
      const kind = KINDS[byte];
      if (kind === DIGIT || kind === HEX_LETTER) {
        if (runLength === 0) runStart = length;
        runLength += 1;
        if (runLength >= HEX_RUN_MIN) length = runStart;
      } else runLength = 0;
      if (kind === SPACE || kind === DIGIT || runLength >= HEX_RUN_MIN) continue;
      if (length === BLOCK_BYTES) {
        // Holds back an unfinished run, which may still become a long one.
        const settled = runLength > 0 ? runStart : length;
        hash.update(kept.subarray(0, settled));
        isEmpty = false;
        kept.copyWithin(0, settled, length);
        length -= settled;
        runStart = 0;
      }
      kept[length] = byte;
      length += 1;
    }
  }
  return isEmpty && length === 0 ? '' : hash.update(kept.subarray(0, length)).digest('base64');
}

const [OTHER, SPACE, DIGIT, HEX_LETTER] = [0, 1, 2, 3];
const KINDS = Uint8Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte);
  if (/[0-9]/.test(character)) return DIGIT;
  if (/[a-f]/i.test(character)) return HEX_LETTER;
  return ' \t\n\v\f\r'.includes(character) ? SPACE : OTHER;
});

function targetOf({ path, response: { url } }: Asked): string {
  const query = Buffer.from(url.search);
  return url.origin + url.pathname + Buffer.concat([...partsWithout(query, namesIn(query, [path]))]).toString();
}
