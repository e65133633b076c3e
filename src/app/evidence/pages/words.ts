import type { SiteExchange } from '../../../scanner/trace/kept-evidence.js';

/** Control and format characters could hide words or turn them round: each is shown as one that is not known. */
export function visible(text: string): string {
  return text.replaceAll(/[^\P{C}\t]/gu, '\uFFFD');
}

/** A page stays readable whatever a site is called. */
const ADDRESS_CHARS_MAX = 120;

/** Where a request went, as short as it is clear: its path alone on the site's own origin. Queries are not kept. */
export function shortAddress({ url, hasQuery }: Pick<SiteExchange, 'url' | 'hasQuery'>, origin: string): string {
  const own = url.startsWith(`${origin}/`) ? url.slice(origin.length) : url;
  const shown = visible(own);
  return `${shown.length > ADDRESS_CHARS_MAX ? `${shown.slice(0, ADDRESS_CHARS_MAX)}…` : shown}${hasQuery ? '?…' : ''}`;
}

/** Repeats the request in a shell of POSIX. curl would read the brackets and braces of an address as a pattern. */
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
