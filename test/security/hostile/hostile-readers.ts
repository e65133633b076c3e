import { setImmediate as nextTurn } from 'node:timers/promises';
import { CORE_TOKENS } from '../../../src/scanner/artifacts/agents.js';
import { findAdmission } from '../../../src/scanner/checks/bot-policy.js';
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
import { findMentions } from '../../../src/scanner/parsers/addresses.js';
import { parseRobots } from '../../../src/scanner/parsers/robots.js';
import { SitemapReader } from '../../../src/scanner/parsers/sitemap/sitemap.js';
import { decodeHtml, looksLikeHtml } from '../../../src/scanner/parsers/text.js';
import { readHeadMetas } from '../../../src/scanner/parsers/verification-meta.js';
import { scan } from '../../../src/scanner/scan/scan.js';
import { openFixtureRun } from '../../support/collect.js';
import { FIXTURE_ORIGIN, type FixtureRoute } from '../../support/fixture-site.js';
import { HOSTILE_ROBOTS } from './hostile-policies.js';
import type { HostileText } from './hostile-text.js';
import * as texts from './hostile-texts.js';

/** Reads a text as a run would; whatever comes of it. */
export type Read = (text: string) => unknown;

/** A reader, the most that it is ever given, and what it is given here. */
export interface HostileReader {
  readonly name: string;
  readonly charsMax: number;
  readonly read: Read;
  readonly texts: readonly HostileText[];
}

/** Bytes that are dear to decode in the charsets that a page may declare. */
const CHARSETS: readonly HostileText[] = [
  'gb18030',
  'shift_jis',
  'iso-2022-jp',
  'big5',
  'euc-kr',
  'windows-1252',
  'x',
].map((charset) => ({
  name: charset,
  make: (chars) => `<meta charset=${charset}>${'\u001b\u00ff\u0080'.repeat(Math.floor(chars / 6))}`,
}));

const MIB = 1_048_576;
const URL_HERE = new URL(FIXTURE_ORIGIN);
const BODY_BYTES = 16_384;
const NOW = new Date('2026-06-01T00:00:00Z');

/** Scans a site whose paths answer so, and judges it by every check. */
export async function scanSite(texts: Readonly<Record<string, FixtureRoute>>): Promise<readonly Finding[]> {
  // Encoded once: the site's own work is not what is measured.
  const encoded = Object.entries(texts).map(([path, text]): [string, FixtureRoute] => [
    path,
    typeof text === 'string' ? { body: Buffer.from(text) } : text,
  ]);
  const routes = Object.fromEntries(encoded);
  const session = openFixtureRun({ routes }, { now: NOW });
  const { findings } = await scan(session, { checks: CHECKS, clock: { now: () => NOW } });
  return findings;
}

const MANIFEST_READERS: readonly ((text: string) => unknown)[] = [
  (text) => readAgentCard(text, URL_HERE, false),
  (text) => readApiCatalog(text, URL_HERE),
  (text) => readCatalog(text, URL_HERE, 'ard'),
  (text) => readCatalog(text, URL_HERE, 'aiCatalog'),
  (text) => readMcpCard(text, URL_HERE, true),
  (text) => readProtectedResource(text, { url: URL_HERE, hops: [] }),
  (text) => readAuthorizationServer(text, { url: URL_HERE, hops: [] }),
  (text) => isOpenApi(text, URL_HERE),
];

async function readManifest(text: string): Promise<void> {
  for (const read of MANIFEST_READERS) {
    await nextTurn();
    read(text);
  }
}

function readSitemap(text: string): void {
  const reader = new SitemapReader(NOW);
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length && reader.write(bytes.subarray(at, at + BODY_BYTES)); at += BODY_BYTES);
  reader.finish();
}

/** Its segments occur in the texts, as they are and in their other forms. */
const ECHOED = '/aaaa/b%26bb/%C3%A9%C3%A9%C3%A9%C3%A9/cccc/dddd';
const ECHOES = repeated('aaaa', 'aaaa ', 'aaa', 'b&amp;bb ', '%C3%A9', 'éééé/', 'dddd/aaaa/', `${ECHOED.slice(1)} `);

/** Compares an answer with what an address that does not exist answers. */
function compareEchoes(text: string): string {
  const body = Buffer.from(text);
  const headers = new ResponseHeaders([]);
  const answer = {
    status: 200,
    url: URL_HERE,
    hops: [],
    headers,
    body,
    byteCount: body.length,
    isOverLimit: false,
    challenge: null,
  };
  return fingerprintOf({ path: ECHOED, response: answer }, '/x0123456789');
}

const MARKUP_PAGE = '<!doctype html><title>Bread</title><a href="/a">a</a><a href="/b">b</a><a href="/c">c</a><p>';

/** A page with this markup: the home page, and three others that it links to. */
async function scanMarkup(text: string): Promise<void> {
  const page = `${MARKUP_PAGE}${'Some words of bread. '.repeat(20)}<script type="application/ld+json">${text}</script>`;
  await scanSite({ '/': page, '/a': page, '/b': page, '/c': page });
}

/** What robots.txt means for the core agents. */
function admit(text: string): void {
  const robots = parseRobots(text);
  findAdmission({ robots, origin: URL_HERE }, { url: URL_HERE, candidates: [] }, CORE_TOKENS);
}

async function scanPolicy(text: string | Buffer): Promise<void> {
  const links = Array.from({ length: 200 }, (_, index) => `- [x](/${'a'.repeat(20)}${index})\n`).join('');
  const pages = { '/': MARKUP_PAGE, '/a': MARKUP_PAGE, '/b': MARKUP_PAGE, '/c': MARKUP_PAGE };
  await scanSite({ ...pages, '/robots.txt': { body: text }, '/llms.txt': `# A\n\n${links}` });
}

/** Each given again and again. */
function repeated(...pieces: readonly string[]): readonly HostileText[] {
  return pieces.map((piece) => ({
    name: JSON.stringify(piece),
    make: (chars) => piece.repeat(Math.ceil(chars / piece.length)).slice(0, chars),
  }));
}

/** What people type and clients send. */
function readInput(text: string): void {
  for (const parse of [parseEmail, parseSiteInput, parseSiteOfPage, parseDisplayName]) {
    try {
      parse(text);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
    }
  }
}

/** What a finding names in a manifest, as far to the end as may be. */
const POINTERS = [
  '',
  '/a',
  '/0/x',
  '/skills/99999/tags',
  '/linkset/0/item/99999/href',
  '/securitySchemes/x',
  '/x/0/a/b/c',
];

function findPlaces(text: string): void {
  excerptOf(
    text,
    POINTERS.map((pointer) => ({ file: URL_HERE, at: { pointer } })),
    2000,
  );
}

const MENTIONS = repeated('/a', '/a ', 'a/a', 'https://[/a', '/a.', 'x', '/a?');
const INPUTS = repeated('a', 'a.', '@', 'a@', ' ', 'ü.');
const FIXES = repeated('\n', '- ', '\n\n', 'a ', '#\n\n');
const HEADS = [...texts.HOSTILE_HTML, ...repeated('<template>', '<meta name=x ', '<noscript>', '<!--', '<meta>')];
const MARKDOWN_TEXTS = [...texts.HOSTILE_MARKDOWN, ...texts.HOSTILE_MARKDOWN_LABELS];

export const HOSTILE_READERS: readonly HostileReader[] = [
  { name: 'page', charsMax: 2 * MIB, read: (text) => parsePage(text, URL_HERE), texts: texts.HOSTILE_HTML },
  {
    ...{ name: 'page of XHTML', charsMax: 2 * MIB, texts: texts.HOSTILE_HTML },
    read: (text) => parsePage(text, URL_HERE, { isXhtml: true }),
  },
  { name: 'head', charsMax: MIB, read: (text) => readHeadMetas(text, 'x'), texts: HEADS },
  { name: 'kind of body', charsMax: 2 * MIB, read: looksLikeHtml, texts: texts.HOSTILE_HTML },
  { name: 'charset', charsMax: 2 * MIB, read: (text) => decodeHtml(Buffer.from(text), null), texts: CHARSETS },
  { name: 'manifest', charsMax: MIB, read: readManifest, texts: [...texts.HOSTILE_JSON, ...texts.HOSTILE_MANIFESTS] },
  { name: 'place', charsMax: MIB, read: findPlaces, texts: [...texts.HOSTILE_JSON, ...texts.HOSTILE_MANIFESTS] },
  { name: 'mention', charsMax: MIB, read: (text) => findMentions(text, '/a', URL_HERE), texts: MENTIONS },
  { name: 'YAML', charsMax: MIB, read: (text) => isOpenApi(text, URL_HERE), texts: texts.HOSTILE_YAML },
  { name: 'YAML head', charsMax: 4_000, read: (text) => isOpenApi(text, URL_HERE), texts: texts.HOSTILE_YAML },
  { name: 'robots.txt', charsMax: MIB, read: parseRobots, texts: HOSTILE_ROBOTS },
  { name: 'admission by robots.txt', charsMax: MIB, read: admit, texts: HOSTILE_ROBOTS },
  { name: 'llms.txt', charsMax: 20_000, read: parseLlms, texts: MARKDOWN_TEXTS },
  { name: 'sitemap', charsMax: 2 * MIB, read: readSitemap, texts: texts.HOSTILE_XML },
  { name: 'echoes', charsMax: MIB, read: compareEchoes, texts: ECHOES },
  { name: 'input', charsMax: 100_000, read: readInput, texts: INPUTS },
  { name: 'fix', charsMax: 100_000, read: splitFix, texts: FIXES },
  { name: 'scan of markup', charsMax: MIB - 5_000, read: scanMarkup, texts: texts.HOSTILE_JSON_LD },
  { name: 'scan of a policy', charsMax: MIB, read: scanPolicy, texts: HOSTILE_ROBOTS },
  { name: 'scan of a page', charsMax: 2 * MIB, read: (text) => scanSite({ '*': text }), texts: texts.HOSTILE_HTML },
];
