import { MIMEType } from 'whatwg-mimetype';
import { MEDIA_TYPE_CHARS_MAX } from '../limits.js';

/** A parsed Content-Type. */
export interface MediaType {
  /** Type and subtype in lower case, such as `text/html`; null if there is no readable one. */
  readonly essence: string | null;
  /** The charset parameter in lower case, or null. */
  readonly charset: string | null;
}

const NO_TYPE: MediaType = { essence: null, charset: null };
export const XHTML_TYPE = 'application/xhtml+xml';
const HTML_TYPES: ReadonlySet<string> = new Set(['text/html', XHTML_TYPE]);

/**
 * Reads a Content-Type. Of several values the last readable one counts (Fetch standard, "extract a MIME type"), since servers and
 * the proxies in front of them often both add one.
 */
export function parseMediaType(header: string | null): MediaType {
  if (header === null || header === '' || header.length > MEDIA_TYPE_CHARS_MAX) return NO_TYPE;
  const values = header.split(',').map((value) => MIMEType.parse(value));
  const last = values.findLast((value) => value !== null);
  return { essence: last?.essence ?? null, charset: last?.parameters.get('charset')?.toLowerCase() ?? null };
}

/** True if a media type says that the body is an HTML page. */
export function isHtmlType(essence: string | null): boolean {
  return essence !== null && HTML_TYPES.has(essence);
}

/** True if a media type says that the body is JSON (`application/json`, `application/ld+json`, `…+json`). */
export function isJsonType(essence: string | null): boolean {
  return essence !== null && (essence.endsWith('/json') || essence.endsWith('+json'));
}
