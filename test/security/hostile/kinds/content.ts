import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { HostileKind } from '../host.js';
import { type Routes, siteKind } from '../site.js';
import * as texts from '../texts.js';

const MIB = 1_048_576;
const MANIFEST_PATHS = [
  '/.well-known/ard.json',
  '/.well-known/ai-catalog.json',
  '/.well-known/mcp/server-card.json',
  '/.well-known/mcp.json',
  '/.well-known/agent-card.json',
  '/.well-known/api-catalog',
  '/.well-known/oauth-protected-resource',
  '/openapi.json',
];

/** One kind for each text, made as long as its reader allows. */
function kindsOf(
  family: string,
  all: readonly texts.HostileText[],
  chars: number,
  routesOf: (text: string) => Routes,
): HostileKind[] {
  return all.map(({ name, make }) => siteKind(`${family}: ${name}`, () => routesOf(make(chars))));
}

/** Each page of the sample is this one. */
const everyPage = (html: string): Routes => ({ '/': html, '*': html });

const bomb = (body: string, coding: 'gzip' | 'br') => ({
  type: 'application/xml',
  headers: { 'content-encoding': coding },
  body:
    coding === 'gzip' ? gzipSync(body) : brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
});

/** Sites whose harm is in what a complete and correct answer contains. */
export const CONTENT_KINDS: readonly HostileKind[] = [
  ...kindsOf('page', texts.HOSTILE_HTML, 2 * MIB - 100, everyPage),
  ...kindsOf('markup', texts.HOSTILE_JSON_LD, MIB - 1_000, (json) => everyPage(texts.markupPage(json))),
  ...kindsOf('robots.txt', texts.HOSTILE_ROBOTS, MIB - 100, (text) => ({ '/robots.txt': text })),
  ...kindsOf('llms.txt', texts.HOSTILE_MARKDOWN, MIB - 100, (text) => ({ '/llms.txt': text })),
  ...kindsOf('sitemap', texts.HOSTILE_XML, 4 * MIB, (text) => ({ '/sitemap.xml': text })),
  ...kindsOf('manifest', texts.HOSTILE_MANIFESTS, MIB - 100, (body) =>
    Object.fromEntries(MANIFEST_PATHS.map((path) => [path, { type: 'application/json', body }])),
  ),
  ...(['gzip', 'br'] as const).map((coding) =>
    siteKind(`sitemap: entries in a ${coding} bomb`, () => ({
      '/sitemap.xml': bomb(`<urlset>${'<url/>'.repeat(5 * MIB)}</urlset>`, coding),
    })),
  ),
];
