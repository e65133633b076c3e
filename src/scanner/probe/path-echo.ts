/** Shorter names occur in any text by chance. */
const NAME_CHARS_MIN = 4;
/** Longer names stay in the body, so that such a page differs from the control. */
const NAME_CHARS_MAX = 256;
/** Last segments of a path that are searched, since each name costs a search of the whole body. */
const SEGMENTS_MAX = 4;
/** Larger bodies are not searched, since not-found pages are smaller. */
const BODY_BYTES_MAX = 256 * 1024;

/**
 * Finds the strings by which a body echoes one of these paths, longest first: the whole path and each of its segments, as written in
 * a URL, decoded, encoded again, and HTML-escaped.
 */
export function namesIn(body: Uint8Array, paths: readonly string[]): string[] {
  if (body.length > BODY_BYTES_MAX) return [];
  const parts = paths.flatMap(partsOf).filter((part) => part.length <= NAME_CHARS_MAX);
  return [...new Set(parts.flatMap(formsOf))]
    .filter((name) => name.length >= NAME_CHARS_MIN && findWhole(body, needleOf(name), 0) !== -1)
    .sort((a, b) => b.length - a.length);
}

/** Yields the parts of a body between occurrences of these names. Longer names must come before the names they contain. */
export function* partsWithout(body: Uint8Array, names: readonly string[]): Generator<Uint8Array> {
  const found = names.map((text) => {
    const name = needleOf(text);
    return { name, next: findWhole(body, name, 0) };
  });
  for (let at = 0; at < body.length;) {
    let [end, length] = [body.length, 0];
    for (const one of found) {
      if (one.next !== -1 && one.next < at) one.next = findWhole(body, one.name, at);
      if (one.next !== -1 && one.next < end) [end, length] = [one.next, one.name.bytes.length];
    }
    yield body.subarray(at, end);
    at = end + length;
  }
}

function partsOf(path: string): string[] {
  const segments = path.split('/').filter((segment) => decode(segment).length >= NAME_CHARS_MIN);
  return [path.slice(1), ...segments.slice(-SEGMENTS_MAX)];
}

function formsOf(part: string): string[] {
  const decoded = decode(part);
  return [part, decoded, encodeURIComponent(decoded), encodeURIComponent(part), escapeHtml(decoded)];
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** A search string with its failure table for Knuth-Morris-Pratt. */
interface Needle {
  readonly bytes: Uint8Array;
  readonly fallbacks: readonly number[];
}

function needleOf(name: string): Needle {
  const bytes = Buffer.from(name);
  const fallbacks: number[] = [0];
  for (let index = 1, length = 0; index < bytes.length; index += 1) {
    while (length > 0 && bytes[index] !== bytes[length]) length = fallbacks[length - 1] ?? 0;
    if (bytes[index] === bytes[length]) length += 1;
    fallbacks.push(length);
  }
  return { bytes, fallbacks };
}

/**
 * Finds the next occurrence of a name that is not part of a longer word, such as "news" in "newsletter"; -1 if there is none. Uses
 * Knuth-Morris-Pratt, since a hostile site could make `indexOf` take quadratic time.
 */
function findWhole(body: Uint8Array, { bytes, fallbacks }: Needle, from: number): number {
  for (let index = from, length = 0; index < body.length; index += 1) {
    while (length > 0 && body[index] !== bytes[length]) length = fallbacks[length - 1] ?? 0;
    if (body[index] === bytes[length]) length += 1;
    if (length < bytes.length) continue;
    const at = index - length + 1;
    if (!endsInWord(body, at) && !isInWord(body[index + 1])) return at;
    length = fallbacks[length - 1] ?? 0;
  }
  return -1;
}

/** True if the byte before `end` belongs to a word. The hexadecimal digits of `%2F` do not. */
function endsInWord(bytes: Uint8Array, end: number): boolean {
  return isInWord(bytes[end - 1]) && !(bytes[end - 3] === PERCENT && isHex(bytes[end - 2]) && isHex(bytes[end - 1]));
}

const PERCENT = 0x25;

/** True for ASCII letters and digits, and for every byte of a non-ASCII character. */
function isInWord(byte = 0): boolean {
  const letter = byte | 0x20;
  return byte >= 0x80 || (byte >= 0x30 && byte <= 0x39) || (letter >= 0x61 && letter <= 0x7a);
}

function isHex(byte = 0): boolean {
  const letter = byte | 0x20;
  return (byte >= 0x30 && byte <= 0x39) || (letter >= 0x61 && letter <= 0x66);
}
