import { findNamedValues, type Range } from './named-values.js';
import { findRandomParts } from './random-parts.js';
import { isPlaceholder } from './secret-names.js';
import { SECRET_SHAPES } from './secret-shapes.js';

/** Stands for each character that is masked, so that what is left keeps its place. */
const MASK = '•';

/**
 * The text with what looks like a secret masked, character by character, but for the ends of its lines: keys and tokens of known form,
 * values after a name that says so, credentials and queries in URLs, PEM blocks, and random words. It takes time in
 * proportion to the length of the text.
 */
export function maskSecrets(text: string): string {
  const ranges = FINDERS.flatMap((find) => [...find(text)]).sort(([a], [b]) => a - b);
  let masked = '';
  let at = 0;
  for (const [start, end] of ranges) {
    if (end <= at) continue;
    masked += text.slice(at, Math.max(at, start)) + text.slice(Math.max(at, start), end).replaceAll(/[^\n]/g, MASK);
    at = end;
  }
  return masked + text.slice(at);
}

const FINDERS: readonly ((text: string) => Iterable<Range>)[] = [
  findKnown,
  findNamedValues,
  findCredentials,
  findInUrls,
  findPemBlocks,
  findRandomParts,
];

/** A letter before it may belong to `\\n` or `%3D`. */
const KNOWN = new RegExp(
  String.raw`(?<!(?<!\\|%[0-9A-F])[A-Za-z0-9])(?:${SECRET_SHAPES.map(({ source }) => source).join('|')})`,
  'g',
);

function* findKnown(text: string): Generator<Range> {
  for (const { index, 0: found } of text.matchAll(KNOWN)) yield [index, index + found.length];
}

/** Credentials of a header field (RFC 9110 §11.4) without its name, and those that curl is given. */
const CREDENTIALS = /(?<![A-Za-z0-9])(bearer|basic|token|apikey|negotiate)[ \t]{1,4}([\w.~+/=-]{8,})/gi;
const OF_CURL = /(?<!\S)(?:-u|--user)[ \t=]{1,4}["']?([^\s"':]{1,64}:[^\s"']{4,})/g;

function* findCredentials(text: string): Generator<Range> {
  for (const { index, 0: whole, 1: scheme = '', 2: value = '' } of text.matchAll(CREDENTIALS)) {
    const isBearer = scheme.toLowerCase() === 'bearer';
    const isMixed = /\d/.test(value) && (isBearer || /^(?=.*[a-z])(?=.*[A-Z]).{12}/.test(value));
    // No word is so long that stands behind "bearer" in a sentence.
    if (isMixed || (isBearer && value.length >= 20) || /[^=]==?$/.test(value))
      yield [index + whole.length - value.length, index + whole.length];
  }
  for (const { index, 0: whole, 1: value = '' } of text.matchAll(OF_CURL)) {
    yield [index + whole.length - value.length, index + whole.length];
  }
}

const AUTHORITY = '://';
/** Userinfo (RFC 3986 §3.2.1): up to the last @, since a password may have one in it. */
const USERINFO = /:\/\/([^\s/?#"'<>`\\]+)@/g;
const URLS = /:\/\/[^\s"'<>]+/g;

function* findInUrls(text: string): Generator<Range> {
  for (const { index, 1: userinfo = '' } of text.matchAll(USERINFO)) {
    if (isPlaceholder(userinfo.slice(userinfo.indexOf(':') + 1))) continue;
    const start = index + AUTHORITY.length;
    yield [start, start + userinfo.length];
  }
  for (const { index, 0: url } of text.matchAll(URLS)) {
    // A query may hold anything.
    const at = url.indexOf('?') + 1;
    if (at > 0) yield [index + at, index + at + (/^[^#()[\]{}\\]+/.exec(url.slice(at))?.[0].length ?? 0)];
  }
}

const PEM_BEGIN = '-----BEGIN ';
const PEM_END = /-----END [^-\n]{0,60}-----/g;
/** What a block whose end is not there consists of: base64, header fields, and the marks of a string that it stands in. */
const PEM_BODY = /[\w+/=\s\\:,.-]+/y;

/** Whole blocks (RFC 7468), whatever their label. Where one is a string of a program, its lines end with the two characters of `\n`. */
function* findPemBlocks(text: string): Generator<Range> {
  let hasEnd = true;
  for (let at = text.indexOf(PEM_BEGIN), end = at; at >= 0; at = text.indexOf(PEM_BEGIN, end)) {
    PEM_END.lastIndex = at;
    PEM_BODY.lastIndex = at;
    const last: RegExpExecArray | null = hasEnd ? PEM_END.exec(text) : null;
    hasEnd = last !== null;
    end = last ? last.index + last[0].length : at + (PEM_BODY.exec(text)?.[0].length ?? 0);
    yield [at, end];
  }
}

/** Where the PEM block begins that this place is in, if it is in one. */
export function startOfPemBlock(text: string, at: number): number | null {
  const begin = text.lastIndexOf(PEM_BEGIN, at);
  if (begin < 0) return null;
  const end = text.indexOf('-----END ', begin);
  return end < 0 || end >= at ? begin : null;
}
