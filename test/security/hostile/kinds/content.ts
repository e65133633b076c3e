import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { FixtureRoute } from '../../../support/fixture-site.js';
import { HOSTILE_ROBOTS } from '../hostile-policies.js';
import type { HostileText } from '../hostile-text.js';
import * as texts from '../hostile-texts.js';
import type { HostileKind } from '../kind.js';
import { type Routes, siteKind } from '../site.js';

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

/** One kind for each of these texts of a family. */
function kindsOf(
  family: string,
  all: readonly HostileText[],
  names: readonly string[],
  chars: number,
  routesOf: (text: string) => Routes,
  yields: HostileKind['yields'] = {},
): HostileKind[] {
  return names.map((name) => {
    const text = all.find((one) => one.name === name);
    if (!text) throw new Error(`no hostile text is called ${name}`);
    return siteKind(`${family}: ${name}`, () => routesOf(text.make(chars)), yields);
  });
}

/** Every page of the site, so that each of the sample is one. */
const everyPage = (html: string): Routes => ({ '/': html, '*': html });

const markupPage = (json: string): string =>
  `<!doctype html><title>Bread</title>${['a', 'b', 'c'].map((path) => `<a href="/${path}">${path}</a>`).join('')}<p>${'Some words of bread. '.repeat(20)}</p><script type="application/ld+json">${json}</script>`;

function manifests(json: string): Routes {
  return Object.fromEntries(MANIFEST_PATHS.map((path) => [path, { type: 'application/json', body: json }]));
}

const bomb = (body: string, coding: 'gzip' | 'br'): FixtureRoute => ({
  type: 'application/xml',
  headers: { 'content-encoding': coding },
  body:
    coding === 'gzip' ? gzipSync(body) : brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
});

/** Sites whose harm is in what a complete and correct answer holds. */
export const CONTENT_KINDS: readonly HostileKind[] = [
  ...kindsOf(
    'page',
    texts.HOSTILE_HTML,
    [
      ...['nothing but <', 'character references', 'a million links', 'links to different places', 'depth'],
      ...['links on a long base', 'templates in templates', 'an attribute without end', 'attributes on one tag'],
      ...['a list of types', 'a million metas', 'one title', 'a comment without end', 'JSON-LD blocks', 'NUL'],
      ...['combining marks', 'characters that become many', 'entity bomb'],
    ],
    2 * MIB - 100,
    everyPage,
  ),
  ...kindsOf(
    'markup',
    texts.HOSTILE_JSON_LD,
    [
      ...[
        'numbers',
        'depth of objects',
        'keys of every object',
        'small nodes',
        'identity nodes',
        'misspelt properties',
      ],
      ...['one node in many parts', 'links', 'dates', 'list items', 'one long context'],
    ],
    MIB - 1_000,
    (json) => everyPage(markupPage(json)),
  ),
  ...kindsOf(
    'robots.txt',
    HOSTILE_ROBOTS,
    [
      ...['empty lines', 'groups with a signal', 'names between signals', 'rules for each agent', 'wildcards'],
      ...['wildcards for each agent', 'one wildcard rule', 'different sitemaps', 'signals'],
    ],
    MIB - 100,
    (text) => ({ '/robots.txt': text }),
  ),
  ...kindsOf(
    'llms.txt',
    texts.HOSTILE_MARKDOWN,
    ['"> "', '"["', '"*a"', '"`"', '"- a\\n"', '"[a]: b\\n"'],
    MIB - 100,
    (text) => ({
      '/llms.txt': text,
    }),
  ),
  ...kindsOf(
    'sitemap',
    texts.HOSTILE_XML,
    ['entity bomb', 'entries', 'one loc', 'depth', 'namespaces', 'comments', 'lines of text'],
    4 * MIB,
    (text) => ({ '/sitemap.xml': text }),
  ),
  ...kindsOf(
    'manifest',
    texts.HOSTILE_MANIFESTS,
    ['skills', 'linkset entries', 'targets', 'MCP entries', 'MCP servers', 'servers', 'references in circles'],
    MIB - 100,
    manifests,
  ),
  ...kindsOf('OpenAPI', texts.HOSTILE_YAML, ['aliases of aliases', 'lines', 'flow of "["'], MIB - 100, (text) => ({
    '/openapi.yaml': { type: 'application/yaml', body: text },
  })),
  ...(['gzip', 'br'] as const).map((coding) =>
    siteKind(`sitemap: entries in a ${coding} bomb`, () => ({
      '/sitemap.xml': bomb(`<urlset>${'<url/>'.repeat(5 * MIB)}</urlset>`, coding),
    })),
  ),
];
