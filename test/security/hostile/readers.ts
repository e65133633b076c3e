import { CORE_TOKENS } from '../../../src/scanner/artifacts/agents.js';
import { findDisallowedAgents } from '../../../src/scanner/checks/bot-policy.js';
import { CHECKS } from '../../../src/scanner/checks/index.js';
import { parseDisplayName, parseEmail } from '../../../src/app/accounts/accounts.js';
import { InputError } from '../../../src/platform/input-error.js';
import { parseSiteInput, parseSiteOfPage } from '../../../src/app/sites/site-input.js';
import { splitFix } from '../../../src/scanner/verdict/fix-parts.js';
import type { Finding } from '../../../src/scanner/verdict/finding.js';
import { excerptOf } from '../../../src/scanner/trace/excerpt.js';
import { fingerprintOf } from '../../../src/scanner/probe/control.js';
import { ResponseHeaders } from '../../../src/net/transport.js';
import { parsePage } from '../../../src/scanner/parsers/html.js';
import { parseLlms } from '../../../src/scanner/parsers/llms.js';
import { readAgentCard } from '../../../src/scanner/parsers/manifests/a2a.js';
import { readApiCatalog } from '../../../src/scanner/parsers/manifests/api-catalog.js';
import { readCatalog } from '../../../src/scanner/parsers/manifests/catalog.js';
import { readMcpCard } from '../../../src/scanner/parsers/manifests/mcp.js';
import { readAuthorizationServer, readProtectedResource } from '../../../src/scanner/parsers/manifests/oauth.js';
import { isOpenApi } from '../../../src/scanner/parsers/manifests/openapi.js';
import { parseRobots } from '../../../src/scanner/parsers/robots.js';
import { SitemapReader } from '../../../src/scanner/parsers/sitemap/sitemap.js';
import { decodeHtml, looksLikeHtml } from '../../../src/scanner/parsers/text.js';
import { readHeadMetas } from '../../../src/scanner/parsers/verification-meta.js';
import { scan } from '../../../src/scanner/scan/scan.js';
import { openFixtureRun } from '../../support/collect.js';
import { FIXTURE_ORIGIN, type FixtureRoute } from '../../support/fixture-site.js';
import * as texts from './texts.js';

/** A reader of external text, and texts for it. */
export interface HostileReader {
  readonly name: string;
  /** The longest text that it gets in a run. */
  readonly charsMax: number;
  readonly read: (text: string) => unknown;
  readonly texts: readonly texts.HostileText[];
}

const MIB = 1_048_576;
const URL_HERE = new URL(FIXTURE_ORIGIN);
const BODY_BYTES = 16_384;
const NOW = new Date('2026-06-01T00:00:00Z');

/** Scans a site whose paths answer so with every check. */
export async function scanSite(texts: Readonly<Record<string, FixtureRoute>>): Promise<readonly Finding[]> {
  // Encoded before the scan, which alone is measured.
  const encoded = Object.entries(texts).map(([path, text]): [string, FixtureRoute] => [
    path,
    typeof text === 'string' ? { body: Buffer.from(text) } : text,
  ]);
  const session = openFixtureRun({ routes: Object.fromEntries(encoded) }, { now: NOW });
  const { findings } = await scan(session, { checks: CHECKS, clock: { now: () => NOW } });
  return findings;
}

const MANIFEST_READERS: Readonly<Record<string, (text: string) => unknown>> = {
  'agent card': (text) => readAgentCard(text, URL_HERE, false),
  'API catalog': (text) => readApiCatalog(text, URL_HERE),
  'ARD manifest': (text) => readCatalog(text, URL_HERE, 'ard'),
  'AI catalog': (text) => readCatalog(text, URL_HERE, 'aiCatalog'),
  'MCP card': (text) => readMcpCard(text, URL_HERE, true),
  'protected resource': (text) => readProtectedResource(text, { url: URL_HERE, hops: [] }),
  'authorization server': (text) => readAuthorizationServer(text, { url: URL_HERE, hops: [] }),
  OpenAPI: (text) => isOpenApi(text, URL_HERE),
  // The pointers that findings give for places in a manifest, as far to the end as possible.
  pointers: (text) => {
    const pointers = ['', '/a', '/0/x', '/skills/99999/tags', '/linkset/0/item/99999/href', '/x/0/a/b/c'];
    excerptOf(
      text,
      pointers.map((pointer) => ({ file: URL_HERE, at: { pointer } })),
      2000,
    );
  },
};

function readSitemap(text: string): void {
  const reader = new SitemapReader(NOW);
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length && reader.write(bytes.subarray(at, at + BODY_BYTES)); at += BODY_BYTES);
  reader.finish();
}

/** A path whose segments occur in the texts, as they are and in other forms. */
const ECHOED = '/aaaa/b%26bb/%C3%A9%C3%A9%C3%A9%C3%A9/cccc/dddd';

/** Compares an answer with the one of an address that does not exist. */
function compareEchoes(text: string): string {
  const body = Buffer.from(text);
  const answer = {
    ...{ status: 200, url: URL_HERE, hops: [], headers: new ResponseHeaders([]), challenge: null },
    ...{ body, byteCount: body.length, isOverLimit: false },
  };
  return fingerprintOf({ path: ECHOED, response: answer }, '/x0123456789');
}

/** Reads what robots.txt means for the core agents. */
function admit(text: string): void {
  const robots = parseRobots(text);
  findDisallowedAgents({ robots, origin: URL_HERE }, { url: URL_HERE, candidates: [] }, CORE_TOKENS);
}

async function scanPolicy(text: string): Promise<void> {
  const links = Array.from({ length: 200 }, (_, index) => `- [x](/${'a'.repeat(20)}${index})\n`).join('');
  await scanSite({ '*': texts.markupPage('{}'), '/robots.txt': { body: text }, '/llms.txt': `# A\n\n${links}` });
}

/** Reads what people type and clients send. */
function readInput(text: string): void {
  for (const parse of [parseEmail, parseSiteInput, parseSiteOfPage, parseDisplayName]) {
    try {
      parse(text);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
    }
  }
}

const repeated = (...pieces: readonly string[]) => pieces.map((piece) => texts.repeat(JSON.stringify(piece), piece));
const ECHOES = repeated('aaaa', 'b&amp;bb ', '%C3%A9', 'éééé/', 'dddd/aaaa/');
const HEADS = [...texts.HOSTILE_HTML, ...repeated('<meta name=x ', '<noscript>', '<!--', '<meta>')];
const CHARSETS = ['gb18030', 'iso-2022-jp', 'x'].map((charset) =>
  texts.repeat(charset, '\u001b\u00ff\u0080', `<meta charset=${charset}>`),
);
const MANIFESTS = [...texts.HOSTILE_JSON, ...texts.HOSTILE_MANIFESTS];
const { HOSTILE_HTML, HOSTILE_ROBOTS } = texts;

export const HOSTILE_READERS: readonly HostileReader[] = [
  { name: 'page', charsMax: 2 * MIB, read: (text) => parsePage(text, URL_HERE), texts: HOSTILE_HTML },
  {
    ...{ name: 'page of XHTML', charsMax: 2 * MIB, texts: HOSTILE_HTML },
    read: (text) => parsePage(text, URL_HERE, { isXhtml: true }),
  },
  { name: 'head', charsMax: MIB, read: (text) => readHeadMetas(text, 'x'), texts: HEADS },
  { name: 'kind of body', charsMax: 2 * MIB, read: looksLikeHtml, texts: HOSTILE_HTML },
  { name: 'charset', charsMax: 2 * MIB, read: (text) => decodeHtml(Buffer.from(text), null), texts: CHARSETS },
  ...Object.entries(MANIFEST_READERS).map(([name, read]) => ({ name, charsMax: MIB, read, texts: MANIFESTS })),
  { name: 'robots.txt', charsMax: MIB, read: parseRobots, texts: HOSTILE_ROBOTS },
  { name: 'admission by robots.txt', charsMax: MIB, read: admit, texts: HOSTILE_ROBOTS },
  { name: 'llms.txt', charsMax: 20_000, read: parseLlms, texts: texts.HOSTILE_MARKDOWN },
  { name: 'sitemap', charsMax: 2 * MIB, read: readSitemap, texts: texts.HOSTILE_XML },
  { name: 'echoes', charsMax: MIB, read: compareEchoes, texts: ECHOES },
  { name: 'input', charsMax: 100_000, read: readInput, texts: repeated('a', 'a.', '@', 'a@', ' ') },
  { name: 'fix', charsMax: 100_000, read: splitFix, texts: repeated('\n', '- ', 'a ', '#\n\n') },
  {
    ...{ name: 'scan of markup', charsMax: MIB - 5_000, texts: texts.HOSTILE_JSON_LD },
    read: (text) => scanSite({ '*': texts.markupPage(text) }),
  },
  { name: 'scan of a policy', charsMax: MIB, read: scanPolicy, texts: HOSTILE_ROBOTS },
  { name: 'scan of a page', charsMax: 2 * MIB, read: (text) => scanSite({ '*': text }), texts: HOSTILE_HTML },
];
