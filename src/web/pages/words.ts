import type { SiteExchange } from '../../scanner/trace/kept-evidence.js';

/** Replaces control and format characters, which could hide or reorder words. */
export function visible(text: string): string {
  return text.replaceAll(/[^\P{C}\t]/gu, '\uFFFD');
}

/** Keeps pages readable if an address is long. */
const ADDRESS_CHARS_MAX = 120;

/** Returns the path of a request to the site's own origin, or else its URL. Queries are not stored. */
export function shortAddress({ url, hasQuery }: Pick<SiteExchange, 'url' | 'hasQuery'>, origin: string): string {
  const own = url.startsWith(`${origin}/`) ? url.slice(origin.length) : url;
  const shown = visible(own);
  return `${shown.length > ADDRESS_CHARS_MAX ? `${shown.slice(0, ADDRESS_CHARS_MAX)}…` : shown}${hasQuery ? '?…' : ''}`;
}

/** Returns the POSIX shell command that repeats the request. Without --globoff, curl reads brackets and braces as a pattern. */
export function curlOf({ url, userAgent, accept, sent }: SiteExchange): string {
  const option = (name: string, value: string): string => `${name} ${quoteForShell(value)}`;
  return [
    'curl --globoff --include --max-time 20',
    option('--user-agent', userAgent),
    option('--header', `Accept: ${accept}`),
    ...(sent ? [option('--header', `Content-Type: ${sent.type}`), option('--data', sent.body)] : []),
    quoteForShell(visible(url)),
  ].join(' ');
}

function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
