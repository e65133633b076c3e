import { createHash } from 'node:crypto';
import type { SiteResponse } from '../fetch/visit.js';

/** An answer with the requested path, which its page or redirect may echo. */
export interface Asked {
  readonly path: string;
  readonly response: SiteResponse;
  /** Of the whole body, if the answer is kept without it. */
  readonly fingerprint?: string;
}

/** A shorter name occurs in any text by chance. */
const NAME_CHARS_MIN = 4;

/** Whether both were redirected to the same place, disregarding an echo of the requested path in the query. */
export function isSameTarget(a: Asked, b: Asked): boolean {
  return a.response.hops.length > 0 && b.response.hops.length > 0 && targetOf(a) === targetOf(b);
}

/** Whether both bodies are equal except for what changes from one request to the next. */
export function isSameBody(a: Asked, b: Asked): boolean {
  if (a.response.isOverLimit || b.response.isOverLimit) return false;
  return fingerprintOf(a) === fingerprintOf(b);
}

/** Cached because a control and the home page are compared with many answers. */
const fingerprints = new WeakMap<SiteResponse, { readonly path: string; readonly fingerprint: string }>();

/**
 * A digest of a body without the requested path, white space, numbers and long hexadecimal runs (ids, nonces, times): equal for
 * bodies that differ only in these, and empty for a body of nothing else.
 */
export function fingerprintOf({ path, response, fingerprint: given }: Asked): string {
  if (given !== undefined) return given;
  const known = fingerprints.get(response);
  if (known?.path === path) return known.fingerprint;
  const fingerprint = hashSteadyBytes(partsWithoutName(response.body, path));
  fingerprints.set(response, { path, fingerprint });
  return fingerprint;
}

const HEX_RUN_MIN = 8;
const BLOCK_BYTES = 65_536;

/**
 * Hashes all bytes except ASCII white space, digits and hexadecimal runs of 8 or more. Works in one pass over any input, and
 * block by block: copies of many large bodies at once would fill the memory.
 */
function hashSteadyBytes(parts: Iterable<Uint8Array>): string {
  const hash = createHash('sha256');
  const kept = Buffer.allocUnsafe(BLOCK_BYTES);
  let length = 0;
  let runStart = 0;
  let runLength = 0;
  let isEmpty = true;
  for (const part of parts) {
    for (const byte of part) {
      const kind = KINDS[byte];
      if (kind === DIGIT || kind === HEX_LETTER) {
        if (runLength === 0) runStart = length;
        runLength += 1;
        if (runLength >= HEX_RUN_MIN) length = runStart;
      } else runLength = 0;
      if (kind === SPACE || kind === DIGIT || runLength >= HEX_RUN_MIN) continue;
      if (length === BLOCK_BYTES) {
        // A run that has just begun may still become a long one.
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
  return url.origin + url.pathname + removeName(url.search, path);
}

function removeName(text: string, path: string): string {
  return namesOf(path).reduce((rest, name) => rest.replaceAll(name, ''), text);
}

/** The forms in which a body or an address may echo a path: its name as it is, and encoded. */
function namesOf(path: string): string[] {
  const name = path.slice(1);
  return name.length < NAME_CHARS_MIN ? [] : [name, encodeURIComponent(name)];
}

/** The parts of a body between occurrences of a path's names. */
function* partsWithoutName(body: Uint8Array, path: string): Generator<Uint8Array> {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const names = namesOf(path).map((name) => ({ length: name.length, name, next: bytes.indexOf(name, 0, 'latin1') }));
  for (let at = 0; at < bytes.length;) {
    let [end, length] = [bytes.length, 0];
    for (const one of names) {
      if (one.next !== -1 && one.next < at) one.next = bytes.indexOf(one.name, at, 'latin1');
      if (one.next !== -1 && one.next < end) [end, length] = [one.next, one.length];
    }
    yield bytes.subarray(at, end);
    at = end + length;
  }
}
