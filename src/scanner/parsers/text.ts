import { TextDecoder } from 'node:util';
import { MIMEType } from 'whatwg-mimetype';
import { MEDIA_TYPE_CHARS_MAX } from '../limits.js';

/** A parsed Content-Type. */
export interface MediaType {
  /** Type and subtype in lower case, such as `text/html`; null if there is no readable one. */
  readonly essence: string | null;
  /** The charset parameter in lower case, or null. */
  readonly charset: string | null;
}

export const XHTML_TYPE = 'application/xhtml+xml';

/** Most values of a Content-Type that are parsed, from the last: each unreadable one costs an exception. */
const MEDIA_TYPES_MAX = 10;

/**
 * Reads a Content-Type. The last readable value counts (Fetch standard, "extract a MIME type"), since servers and the proxies in
 * front of them often both add one.
 */
export function parseMediaType(header: string | null): MediaType {
  const values =
    header === null || header.length > MEDIA_TYPE_CHARS_MAX ? [] : header.split(',').slice(-MEDIA_TYPES_MAX);
  const last = values.map((value) => MIMEType.parse(value)).findLast((value) => value !== null);
  return { essence: last?.essence ?? null, charset: last?.parameters.get('charset')?.toLowerCase() ?? null };
}

/** True for the media types of an HTML page. */
export function isHtmlType(essence: string | null): boolean {
  return essence === 'text/html' || essence === XHTML_TYPE;
}

/** True for the media types of JSON (`application/json`, `application/ld+json`, `…+json`). */
export function isJsonType(essence: string | null): boolean {
  return essence !== null && (essence.endsWith('/json') || essence.endsWith('+json'));
}

/** How much of a page is searched for a charset declaration (HTML standard, "prescan a byte stream"). */
const PRESCAN_BYTES = 1024;
const META_CHARSET = /<meta[^>]{0,200}?charset\s{0,9}=\s{0,9}["']?([\w-]{1,40})/i;
/** Elements that occur only at the start of an HTML document; Markdown may begin with `<p>`, `<a>` or `<h1>`. */
const DOCUMENT_START = /^<(?:!doctype\s+html|html|head|body|title|meta|link|script)(?=[\s/>])/i;
const START_CHARS = 40;
/** What may precede the start of a document: white space, a BOM, a comment, a processing instruction. */
const BEFORE_START = /[\0-\x20\uFEFF]+|<!(?=--)[^]*?-->|<\?[^]*?>/y;

/**
 * Decodes a body: a BOM decides, then `charset` if it is a known label; the default is UTF-8 (WHATWG Encoding standard, "decode"). Keeps
 * a BOM, and replaces invalid bytes with U+FFFD.
 */
export function decodeBody(bytes: Uint8Array, charset: string | null): string {
  return new TextDecoder(bomCharset(bytes) ?? encodingOf(charset), { ignoreBOM: true }).decode(bytes);
}

/** Returns the encoding for a label, or UTF-8 if it is unknown. */
function encodingOf(label: string | null): string {
  try {
    return new TextDecoder(label ?? 'utf-8').encoding;
  } catch {
    return 'utf-8';
  }
}

/** Returns the encoding that a document declares. A declaration that was read as ASCII cannot be in UTF-16, whatever it says. */
export function declaredEncoding(label: string | undefined): string | null {
  const encoding = label === undefined ? null : encodingOf(label);
  return encoding?.startsWith('utf-16') === true ? 'utf-8' : encoding;
}

/** Decodes an HTML page like {@link decodeBody}; without a charset in the header, the page's `<meta charset>` counts. */
export function decodeHtml(bytes: Uint8Array, charset: string | null): string {
  return decodeBody(bytes, charset ?? metaCharset(bytes));
}

/** True if a text starts like an HTML document. */
export function looksLikeHtml(text: string): boolean {
  let at = 0;
  BEFORE_START.lastIndex = 0;
  while (BEFORE_START.test(text)) at = BEFORE_START.lastIndex;
  return DOCUMENT_START.test(text.slice(at, at + START_CHARS));
}

export function bomCharset([first, second, third]: Uint8Array): string | null {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return first === 0xff && second === 0xfe ? 'utf-16le' : null;
}

/** Returns the first bytes of a body without copying them. */
export function headOf(body: Uint8Array, bytesMax: number): Buffer {
  return Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, bytesMax));
}

function metaCharset(bytes: Uint8Array): string | null {
  return declaredEncoding(META_CHARSET.exec(headOf(bytes, PRESCAN_BYTES).toString('latin1'))?.[1]);
}
