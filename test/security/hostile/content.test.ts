import * as fc from 'fast-check';
import t from 'tap';
import { ResponseHeaders } from '../../../src/net/transport.js';
import { CORE_TOKENS } from '../../../src/scanner/artifacts/agents.js';
import { found, missing, valueOf } from '../../../src/scanner/artifacts/evidence.js';
import type { RobotsGroup, RobotsTxt } from '../../../src/scanner/artifacts/robots.js';
import { DETAIL_CHARS_MAX, safeText } from '../../../src/scanner/artifacts/safe-text.js';
import { findDisallowedAgents } from '../../../src/scanner/checks/bot-policy.js';
import { cBot02 } from '../../../src/scanner/checks/c-bot-02.js';
import { CHECKS } from '../../../src/scanner/checks/index.js';
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
import { fingerprintOf } from '../../../src/scanner/probe/control.js';
import { scan } from '../../../src/scanner/scan/scan.js';
import { excerptOf } from '../../../src/scanner/trace/excerpt.js';
import type { Finding } from '../../../src/scanner/verdict/finding.js';
import { textOfAnyCodePoints } from '../../support/code-points.js';
import { collectFrom, findingOf, openFixtureRun } from '../../support/collect.js';
import { FIXTURE_ORIGIN, type FixtureRoute } from '../../support/fixture-site.js';
import * as texts from './texts.js';

/** A reader of external text, the longest text that it gets in a run, and texts for it. */
type HostileReader = readonly [
  name: string,
  charsMax: number,
  read: (text: string) => unknown,
  texts: readonly texts.HostileText[],
];

const MIB = 1_048_576;
const URL_HERE = new URL(FIXTURE_ORIGIN);
const BODY_BYTES = 16_384;
const NOW = new Date('2026-06-01T00:00:00Z');

/** Scans a site with every check. */
async function scanSite(routes: Routes): Promise<readonly Finding[]> {
  // Encoded first, because only the scan is measured.
  const encoded = Object.entries(routes).map(([path, text]): [string, FixtureRoute] => [
    path,
    typeof text === 'string' ? { body: Buffer.from(text) } : text,
  ]);
  const session = openFixtureRun({ routes: Object.fromEntries(encoded) }, { now: NOW });
  const { findings } = await scan(session, { checks: CHECKS, clock: { now: () => NOW } });
  return findings;
}

/** Pointers into a manifest, as far to its end as possible. */
const PLACES = ['', '/a', '/0/x', '/skills/99999/tags', '/linkset/0/item/99999/href', '/x/0/a/b/c'].map((pointer) => ({
  ...{ file: URL_HERE, at: { pointer } },
}));

const MANIFEST_READERS: Readonly<Record<string, (text: string) => unknown>> = {
  'agent card': (text) => readAgentCard(text, URL_HERE, false),
  'API catalog': (text) => readApiCatalog(text, URL_HERE),
  'ARD manifest': (text) => readCatalog(text, URL_HERE, 'ard'),
  'AI catalog': (text) => readCatalog(text, URL_HERE, 'aiCatalog'),
  'MCP card': (text) => readMcpCard(text, URL_HERE, true),
  'protected resource': (text) => readProtectedResource(text, { url: URL_HERE, hops: [] }),
  'authorization server': (text) => readAuthorizationServer(text, { url: URL_HERE, hops: [] }),
  OpenAPI: (text) => isOpenApi(text, URL_HERE),
  pointers: (text) => excerptOf(text, PLACES, 2000),
};

function readSitemap(text: string): void {
  const reader = new SitemapReader(NOW);
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length && reader.write(bytes.subarray(at, at + BODY_BYTES)); at += BODY_BYTES);
  reader.finish();
}

/** A path whose segments occur in the texts, in several encodings. */
const ECHOED = '/aaaa/b%26bb/%C3%A9%C3%A9%C3%A9%C3%A9/cccc/dddd';

function compareEchoes(text: string): string {
  const body = Buffer.from(text);
  const answer = {
    ...{ status: 200, url: URL_HERE, hops: [], headers: new ResponseHeaders([]), challenge: null },
    ...{ body, byteCount: body.length, isOverLimit: false },
  };
  return fingerprintOf({ path: ECHOED, response: answer }, '/x0123456789');
}

/** Reads what robots.txt means for the core agents. */
const admit = (text: string) =>
  findDisallowedAgents({ robots: parseRobots(text), origin: URL_HERE }, { url: URL_HERE, candidates: [] }, CORE_TOKENS);

async function scanPolicy(text: string): Promise<void> {
  const links = Array.from({ length: 200 }, (_, index) => `- [x](/${'a'.repeat(20)}${index})\n`).join('');
  await scanSite({ '*': texts.markupPage('{}'), '/robots.txt': { body: text }, '/llms.txt': `# A\n\n${links}` });
}

const repeated = (...pieces: readonly string[]) => pieces.map((piece) => texts.repeat(JSON.stringify(piece), piece));
const ECHOES = repeated('aaaa', 'b&amp;bb ', '%C3%A9', 'éééé/', 'dddd/aaaa/');
const HEADS = [...texts.HOSTILE_HTML, ...repeated('<meta name=x ', '<noscript>', '<!--', '<meta>')];
const CHARSETS = ['gb18030', 'iso-2022-jp', 'x'].map((charset) =>
  texts.repeat(charset, '\u001b\u00ff\u0080', `<meta charset=${charset}>`),
);
const MANIFESTS = [...texts.HOSTILE_JSON, ...texts.HOSTILE_MANIFESTS];
const { HOSTILE_HTML, HOSTILE_ROBOTS, HOSTILE_JSON_LD } = texts;

const READERS: readonly HostileReader[] = [
  ['page', 2 * MIB, (text) => parsePage(text, URL_HERE), HOSTILE_HTML],
  ['page of XHTML', 2 * MIB, (text) => parsePage(text, URL_HERE, { isXhtml: true }), HOSTILE_HTML],
  ['head', MIB, (text) => readHeadMetas(text, 'x'), HEADS],
  ['kind of body', 2 * MIB, looksLikeHtml, HOSTILE_HTML],
  ['charset', 2 * MIB, (text) => decodeHtml(Buffer.from(text), null), CHARSETS],
  ...Object.entries(MANIFEST_READERS).map(([name, read]): HostileReader => [name, MIB, read, MANIFESTS]),
  ['robots.txt', MIB, parseRobots, HOSTILE_ROBOTS],
  ['admission by robots.txt', MIB, admit, HOSTILE_ROBOTS],
  ['llms.txt', 20_000, parseLlms, texts.HOSTILE_MARKDOWN],
  ['sitemap', 2 * MIB, readSitemap, texts.HOSTILE_XML],
  ['echoes', MIB, compareEchoes, ECHOES],
  ['scan of markup', MIB - 5_000, (text) => scanSite({ '*': texts.markupPage(text) }), HOSTILE_JSON_LD],
  ['scan of a policy', MIB, scanPolicy, HOSTILE_ROBOTS],
  ['scan of a page', 2 * MIB, (text) => scanSite({ '*': text }), HOSTILE_HTML],
];

/**
 * `make torture TORTURE=blocks` takes five minutes: it makes each text as long as its reader allows, and measures how long the reader blocks
 * the event loop. BLOCKS_ONLY selects readers by name.
 */
const CHARS = 1_000;
const isWhole = process.env.BLOCKS === 'all';
const ONLY = process.env.BLOCKS_ONLY ?? '';
const BLOCK_MS_MAX = 1_000;
/** The best try counts, to exclude garbage collection. */
const TRIES = 3;
type Routes = Readonly<Record<string, FixtureRoute>>;

t.test('no reader throws at a hostile text', async (t) => {
  for (const [name, charsMax, read, texts] of READERS) {
    if (name.startsWith('scan of') && !isWhole) continue;
    if (!name.includes(ONLY)) continue;
    let longestMs = 0;
    for (const { name: textName, make } of texts) {
      const text = make(isWhole ? charsMax : Math.min(CHARS, charsMax));
      let blockMs = isWhole ? Infinity : 0;
      if (!isWhole) await t.resolves(Promise.resolve(read(text)), `${name}: ${textName}`);
      for (let tries = 0; isWhole && tries < TRIES && blockMs > BLOCK_MS_MAX / 10; tries += 1)
        blockMs = Math.min(blockMs, await measureLongestBlock(() => read(text)));
      longestMs = Math.max(longestMs, blockMs);
      if (isWhole) t.ok(blockMs <= BLOCK_MS_MAX, `${name}: ${textName}: ${blockMs.toFixed(0)} ms`);
    }
    if (isWhole) t.comment(`${name}: at most ${longestMs.toFixed(0)} ms`);
  }
});

/** Returns the most CPU time between two turns of the event loop during `work`, in ms. */
async function measureLongestBlock(work: () => unknown): Promise<number> {
  let longestMs = 0;
  let began = process.cpuUsage();
  const look = (): void => {
    longestMs = Math.max(longestMs, process.cpuUsage(began).user / 1000);
    began = process.cpuUsage();
  };
  let isDone = false;
  const tick = (): void => {
    look();
    if (!isDone) setImmediate(tick);
  };
  setImmediate(tick);
  await new Promise(setImmediate);
  began = process.cpuUsage();
  await work();
  look();
  isDone = true;
  return longestMs;
}

t.test('no reader throws at a random mix of pieces', async () => {
  for (const [name, , read, texts] of READERS) {
    if (name.startsWith('scan of')) continue;
    const pieces = texts.flatMap(({ make }) => {
      const text = make(200);
      return [text.slice(0, 40), text.slice(60, 70), text.slice(-40)];
    });
    const parts = fc.array(fc.oneof(fc.constantFrom(...pieces), textOfAnyCodePoints(5)), { maxLength: 15 });
    const reads = fc.asyncProperty(parts, async (list) => void (await read(list.join(''))));
    await fc.assert(reads, { numRuns: 15 });
  }
});

t.test('whatever a site serves, every check has a finding of bounded length', async (t) => {
  const families: readonly (readonly [list: readonly texts.HostileText[], routesOf: (text: string) => Routes])[] = [
    [HOSTILE_HTML, (text) => ({ '*': text })],
    [HOSTILE_ROBOTS, (text) => ({ '/': '<p>x', '/robots.txt': text })],
    [HOSTILE_JSON_LD, (text) => ({ '/': texts.markupPage(text) })],
  ];
  for (const [list, routesOf] of families) {
    for (const { name, make } of list) {
      const findings = await scanSite(routesOf(make(CHARS)));
      t.strictSame(
        findings.map(({ checkId }) => checkId),
        CHECKS.map(({ id }) => id),
        name,
      );
      t.ok(
        findings.every(({ detail }) => (detail?.length ?? 0) <= DETAIL_CHARS_MAX),
        name,
      );
    }
  }
});

/** Counts how often `judge` reads the groups of a robots.txt. */
function countSteps(robots: RobotsTxt, judge: (robots: RobotsTxt) => unknown): number {
  let steps = 0;
  const counting = <T extends object>(of: T): T =>
    new Proxy(of, {
      get(target, key, receiver): unknown {
        steps += 1;
        return Reflect.get(target, key, receiver);
      },
    });
  const countingIn = (groups: readonly RobotsGroup[]) =>
    counting(
      groups.map(({ tokens, rules, preferences, ...rest }) =>
        counting({ ...rest, tokens: counting(tokens), rules: counting(rules), preferences: counting(preferences) }),
      ),
    );
  const { rfc, google } = robots.groups;
  judge({ ...robots, groups: { rfc: countingIn(rfc), google: countingIn(google) } });
  return steps;
}

t.test('judging a policy takes steps in proportion to robots.txt', async (t) => {
  const site = { routes: { '/': '<!doctype html><p>Some words', '/robots.txt': 'User-agent: *\nAllow: /\n' } };
  const home = valueOf(await collectFrom(site, 'home'));
  const file = valueOf(await collectFrom(site, 'robots'));
  if (!home || file?.kind !== 'present') throw new Error('the site has a home page and a robots.txt');
  const nothing = missing('NOT_APPLICABLE', safeText`none`);
  const others = { home, llms: nothing, llmsDocument: nothing, sitemapEntries: nothing };
  const judges: Readonly<Record<string, (robots: RobotsTxt) => unknown>> = {
    admission: (robots) => findDisallowedAgents({ ...file.value, robots }, home, CORE_TOKENS),
    consistency: (robots) =>
      cBot02.judge({ ...others, robots: found({ kind: 'present', value: { ...file.value, robots } }) }),
  };
  for (const { name, make } of HOSTILE_ROBOTS) {
    const [small, large] = [parseRobots(make(16_000)), parseRobots(make(32_000))];
    for (const [what, judge] of Object.entries(judges)) {
      const growth = (countSteps(large, judge) + 100) / (countSteps(small, judge) + 100);
      t.ok(growth < 3, `${what} of ${name}: ${growth.toFixed(1)} times the steps for twice the text`);
    }
  }
});

t.test('a hundred thousand signals of one group or one name are judged', async (t) => {
  for (const text of [
    HOSTILE_ROBOTS.find(({ name }) => name === 'one name again and again, with signals')?.make(1_000_000) ?? '',
    `User-agent: x\n${`Content-Signal: ${'search,'.repeat(200)}\n`.repeat(720)}`,
  ]) {
    const finding = await findingOf(cBot02, { routes: { '/': '<!doctype html><p>Some words', '/robots.txt': text } });
    t.match(finding, { result: 'FAIL', errorType: 'POLICY_INCONSISTENT' });
  }
});
