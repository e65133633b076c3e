import { TextDecoder } from 'node:util';

/** How much of a page is searched for a charset declaration (HTML standard, "prescan a byte stream"). */
const PRESCAN_BYTES = 1024;
const META_CHARSET = /<meta[^>]{0,200}?charset\s{0,9}=\s{0,9}["']?([\w-]{1,40})/i;
/** Elements that occur only at the start of an HTML document; Markdown may well begin with `<p>`, `<a>` or `<h1>`. */
const DOCUMENT_START = /^<(?:!doctype\s+html|html|head|body|title|meta|link|script)(?=[\s/>])/i;
const START_CHARS = 40;

/**
 * Decodes a body: a BOM decides, then `charset` if it is a known label; the default is UTF-8 (WHATWG Encoding standard, "decode"). A BOM
 * is kept, and invalid bytes become U+FFFD.
 */
export function decodeBody(bytes: Uint8Array, charset: string | null): string {
  const label = bomCharset(bytes) ?? charset ?? 'utf-8';
  try {
    return new TextDecoder(label, { ignoreBOM: true }).decode(bytes);
  } catch {
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  }
}

/** Decodes an HTML page like {@link decodeBody}; without a charset in the header, the page's `<meta charset>` counts. */
export function decodeHtml(bytes: Uint8Array, charset: string | null): string {
  return decodeBody(bytes, charset ?? metaCharset(bytes));
}

/** True if a body is an HTML document by its first characters, whatever its media type. */
export function looksLikeHtml(text: string): boolean {
  let at = skipWhiteSpace(text, text.startsWith('\uFEFF') ? 1 : 0);
  for (;;) {
    const end = text.startsWith('<!--', at) ? '-->' : text.startsWith('<?', at) ? '>' : null;
    if (end === null) return DOCUMENT_START.test(text.slice(at, at + START_CHARS));
    const close = text.indexOf(end, at + 2);
    if (close < 0) return false;
    at = skipWhiteSpace(text, close + end.length);
  }
}

function bomCharset(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return null;
}

/** The first bytes of a body, which are not copied. */
export function headOf(body: Uint8Array, bytesMax: number): Buffer {
  return Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, bytesMax));
}

function metaCharset(bytes: Uint8Array): string | null {
  const label = META_CHARSET.exec(headOf(bytes, PRESCAN_BYTES).toString('latin1'))?.[1]?.toLowerCase() ?? null;
  // A declaration found by reading ASCII cannot be in UTF-16, so it means UTF-8 (same section).
  return label?.startsWith('utf-16') ? 'utf-8' : label;
}

function skipWhiteSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charCodeAt(at) <= 0x20) at += 1;
  return at;
}
