/** A parsed Content-Type. */
export interface MediaType {
  /** Type and subtype in lower case, such as `text/html`; null if there is no readable one. */
  readonly essence: string | null;
  /** The charset parameter in lower case, or null. */
  readonly charset: string | null;
}

const ESSENCE = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+$/;
const HTML_TYPES: ReadonlySet<string> = new Set(['text/html', 'application/xhtml+xml']);

/**
 * Reads a Content-Type. Of several values the last readable one counts (Fetch standard, "extract a MIME type"), since servers and
 * the proxies in front of them often both add one.
 */
export function parseMediaType(header: string | null): MediaType {
  let found: MediaType = { essence: null, charset: null };
  for (const value of (header ?? '').split(',')) {
    const [essence = '', ...parameters] = value.split(';').map((part) => part.trim());
    if (ESSENCE.test(essence)) found = { essence: essence.toLowerCase(), charset: charsetOf(parameters) };
  }
  return found;
}

/** Whether a media type says that the body is an HTML page. */
export function isHtmlType(essence: string | null): boolean {
  return essence !== null && HTML_TYPES.has(essence);
}

/** Whether a media type says that the body is JSON (`application/json`, `application/ld+json`, `…+json`). */
export function isJsonType(essence: string | null): boolean {
  return essence !== null && (essence.endsWith('/json') || essence.endsWith('+json'));
}

function charsetOf(parameters: readonly string[]): string | null {
  for (const parameter of parameters) {
    const equals = parameter.indexOf('=');
    if (equals < 0 || parameter.slice(0, equals).trim().toLowerCase() !== 'charset') continue;
    const charset = parameter
      .slice(equals + 1)
      .trim()
      .replaceAll(/["']/g, '')
      .toLowerCase();
    if (charset !== '') return charset;
  }
  return null;
}
