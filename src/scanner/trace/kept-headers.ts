import type { ResponseHeaders } from '../../net/transport.js';
import { maskSecrets } from './mask.js';

/** The header fields that a verdict may depend on, or that say who answered. Never Set-Cookie, nor anything else that may hold a secret. */
const KEPT_FIELDS = [
  'content-type',
  'content-length',
  'content-encoding',
  'content-disposition',
  'location',
  'retry-after',
  'cache-control',
  'vary',
  'link',
  'x-robots-tag',
  'content-signal',
  'content-usage',
  'allow',
  'last-modified',
  'server',
  'via',
  'cf-mitigated',
  'x-vercel-mitigated',
] as const;

const VALUE_CHARS_MAX = 300;
const CHARS_MAX = 1000;

/** Those of an answer from this URL, masked, and cut where they are long. */
export function keptHeaders(headers: ResponseHeaders, url: URL): (readonly [name: string, value: string])[] {
  const kept: (readonly [string, string])[] = [];
  let charsLeft = CHARS_MAX;
  for (const name of KEPT_FIELDS) {
    const value = headers.get(name);
    if (value === null || charsLeft <= 0) continue;
    const shown = name === 'location' ? withoutQuery(value, url) : maskSecrets(value.slice(0, CHARS_MAX));
    const cut = shown.slice(0, Math.min(VALUE_CHARS_MAX, charsLeft));
    charsLeft -= cut.length;
    kept.push([name, cut.length < shown.length ? `${cut}…` : cut]);
  }
  return kept;
}

function withoutQuery(location: string, base: URL): string {
  const target = URL.parse(location, base);
  return target ? maskSecrets(target.origin + target.pathname) : '';
}
