/** A shorter name occurs in any text by chance. */
const NAME_CHARS_MIN = 4;
/** Of a long path, its last segments: each name costs a search of the whole body. */
const SEGMENTS_MAX = 4;

/**
 * The forms in which a body echoes one of these paths, the longest first: the path as a whole and each of its segments, as written
 * in a URL, decoded, encoded once more, and as HTML escapes it. Only those that occur.
 */
export function namesIn(body: Uint8Array, paths: readonly string[]): string[] {
  const bytes = bufferOf(body);
  const names = new Set(paths.flatMap(partsOf).flatMap(formsOf));
  return [...names]
    .filter((name) => name.length >= NAME_CHARS_MIN && findWhole(bytes, Buffer.from(name), 0) !== -1)
    .sort((a, b) => b.length - a.length);
}

/** The parts of a body between the occurrences of these names, of which each longer one comes before those it contains. */
export function* partsWithout(body: Uint8Array, names: readonly string[]): Generator<Uint8Array> {
  const bytes = bufferOf(body);
  const found = names.map((text) => {
    const name = Buffer.from(text);
    return { name, next: findWhole(bytes, name, 0) };
  });
  for (let at = 0; at < bytes.length;) {
    let [end, length] = [bytes.length, 0];
    for (const one of found) {
      if (one.next !== -1 && one.next < at) one.next = findWhole(bytes, one.name, at);
      if (one.next !== -1 && one.next < end) [end, length] = [one.next, one.name.length];
    }
    yield bytes.subarray(at, end);
    at = end + length;
  }
}

function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
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

/** Where a name next stands as a whole, not within a longer word: "news" is no part of "newsletter". -1 if nowhere. */
function findWhole(bytes: Buffer, name: Buffer, from: number): number {
  for (let at = bytes.indexOf(name, from); at !== -1; at = bytes.indexOf(name, at + 1)) {
    if (!endsInWord(bytes, at) && !isInWord(bytes[at + name.length])) return at;
  }
  return -1;
}

/** The hexadecimal digits of `%2F` are no word. */
function endsInWord(bytes: Buffer, end: number): boolean {
  return isInWord(bytes[end - 1]) && !(bytes[end - 3] === PERCENT && isHex(bytes[end - 2]) && isHex(bytes[end - 1]));
}

const PERCENT = 0x25;

/** Letters and digits of ASCII, and every byte of other characters. */
function isInWord(byte = 0): boolean {
  const letter = byte | 0x20;
  return byte >= 0x80 || (byte >= 0x30 && byte <= 0x39) || (letter >= 0x61 && letter <= 0x7a);
}

function isHex(byte = 0): boolean {
  const letter = byte | 0x20;
  return (byte >= 0x30 && byte <= 0x39) || (letter >= 0x61 && letter <= 0x66);
}
