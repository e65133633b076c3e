import t from 'tap';
import { TRIED_TOKENS } from '../../../src/scanner/artifacts/agents.js';
import { cBot03 } from '../../../src/scanner/checks/c-bot-03.js';
import { LLMS_TXT } from '../../../src/scanner/checks/fixes.js';
import { CHECKS } from '../../../src/scanner/checks/index.js';
import type { Check } from '../../../src/scanner/verdict/check.js';
import { type ExampleAnswers, exampleOf, showAnswers } from '../../../src/scanner/report/examples.js';
import type { ScanReport } from '../../../src/scanner/scan/scan.js';
import { namedFailures } from '../../../src/scanner/verdict/failure.js';
import { type Server, SERVERS, splitFix, generalPart } from '../../../src/scanner/verdict/fix-parts.js';
import type { Finding } from '../../../src/scanner/verdict/finding.js';
import { exampleSite, filesOf, tryAt } from '../../support/overlay.js';
import { scanFixture } from '../../support/golden.js';

const LINES_SHOWN_MAX = 30;

/** Every failure of the registry, with its fix. */
const FAILURES = CHECKS.flatMap((check: Check) => namedFailures(check).map((failure) => ({ check, ...failure })));

/** Services whose blocks can be JSON. */
const WITH_JSON: readonly Server[] = ['Cloudflare', 'Vercel and Netlify'];

/** Fixes with nothing to copy, and why. */
const NOTHING_TO_COPY: Readonly<Record<string, string>> = {
  'C-SD-04 BROKEN_SAMEAS': 'only the owner knows the right address',
};

/** Addresses of the site in snippets: the home page, what the fix itself publishes, and the endpoint that it describes. */
const OWN_PATHS =
  /^(?:\/|\/(?:wp-)?sitemap(?:-[12])?\.xml|\/\.well-known\/mcp\/server-card\.json|\/mcp|\/a2a|\/openapi\.json)?$/;
const OTHER_HOSTS = ['schema.org', 'www.sitemaps.org', 'static.modelcontextprotocol.io'];

/** What a fix offers to copy whatever the server is; a curl command changes nothing. */
function snippetsOf(fix: string): string[] {
  return splitFix(generalPart(fix)).flatMap(({ kind, text }) =>
    kind === 'snippet' && !text.startsWith('curl ') ? [text] : [],
  );
}

for (const { check, errorType, fix } of FAILURES) {
  const name = `${check.id} ${errorType}`;
  t.test(
    `${name}: what the fix offers to copy passes as it is, also in a trial, and breaks no other check`,
    async (t) => {
      const example = exampleOf({ checkId: check.id, errorType });
      if (!example) throw new Error(`${name} has no example`);
      const { failing, passing, otherwise = {} } = example;
      const ways = Object.entries({ 'as shown first': passing, ...otherwise });
      const before = await scanned(failing);
      t.match(before.get(check.id), { result: 'FAIL', errorType }, before.get(check.id)?.detail ?? '');
      const bodies: string[] = [];
      for (const [way, answers] of ways) {
        const after = await scanned({ ...failing, ...answers });
        t.equal(after.get(check.id)?.result, 'PASS', `${way}: ${after.get(check.id)?.detail ?? ''}`);
        t.same(listBroken(before, after), [], `${way}: what it breaks`);
        t.same(listUnannounced(check, before, after), [], `${way}: what unlocks does not name`);
        const overlay = filesOf(answers);
        if (overlay) {
          const tried = await tryAt(exampleSite(failing), overlay);
          t.same(byCheck(tried.after), after, `${way}: tried before it is there`);
        }
        bodies.push(...showAnswers({ ...failing, ...answers }).map(({ body }) => body ?? ''));
      }
      for (const body of bodies) t.ok(body.split('\n').length <= LINES_SHOWN_MAX, 'short enough to be shown');
      for (const snippet of snippetsOf(fix)) {
        const isCopied = bodies.some((body) => body.includes(snippet));
        t.ok(isCopied, `an example has this as it is: ${snippet}`);
      }
      const hasNothing = snippetsOf(fix).length === 0 && generalPart(fix) === fix;
      t.equal(hasNothing, name in NOTHING_TO_COPY, 'it has something to copy, or is listed with the reason');
    },
  );
}

t.test('snippets name no business, and lead to nothing that may not exist', async (t) => {
  for (const snippet of new Set(FAILURES.flatMap(({ fix }) => snippetsOf(fix)))) {
    t.notMatch(snippet.replaceAll('www.example.com', ''), /example|shop/i, snippet);
    for (const [, host = '', path = ''] of snippet.matchAll(/https?:\/\/([^/\s"<>)]+)([^\s"<>)]*)/g)) {
      const isOwn = host === 'www.example.com' && OWN_PATHS.test(path);
      t.ok(isOwn || OTHER_HOSTS.includes(host), `${host}${path}`);
    }
  }
});

t.test('JSON in blocks for services parses', async (t) => {
  for (const { check, errorType, fix } of FAILURES) {
    let server = '';
    for (const { kind, text } of splitFix(fix)) {
      if (kind === 'server') server = text;
      else if (kind === 'snippet' && text.startsWith('{') && WITH_JSON.some((name) => name === server))
        t.doesNotThrow(() => void JSON.parse(text), `${check.id} ${errorType} ${server}`);
    }
  }
});

async function scanned(answers: ExampleAnswers): Promise<ReadonlyMap<string, Finding>> {
  return byCheck(await scanFixture(exampleSite(answers)));
}

function byCheck({ findings }: ScanReport): ReadonlyMap<string, Finding> {
  return new Map(findings.map((finding) => [finding.checkId, finding]));
}

/** Checks that fail only after the fix. One that could not be determined before may have failed all along. */
function listBroken(before: ReadonlyMap<string, Finding>, after: ReadonlyMap<string, Finding>): string[] {
  return [...after.values()].flatMap(({ checkId, result }) =>
    result === 'FAIL' && /PASS|NOT_APPLICABLE/.test(before.get(checkId)?.result ?? '') ? [checkId] : [],
  );
}

/** Checks that can be judged, and pass, only after the fix, although the failure does not say that it brings what they need. */
function listUnannounced(
  check: Check,
  before: ReadonlyMap<string, Finding>,
  after: ReadonlyMap<string, Finding>,
): string[] {
  return (CHECKS as readonly Check[]).flatMap(({ id, needs }) => {
    const isJudgedNow = !/PASS|FAIL/.test(before.get(id)?.result ?? '') && after.get(id)?.result === 'PASS';
    // C-BOT-02 compares whatever robots.txt says: a fix that writes one for another reason gives it something to compare.
    return isJudgedNow && id !== 'C-BOT-02' && !needs.some((kind) => check.unlocks.includes(kind)) ? [id] : [];
  });
}

t.test("the names that the examples' servers refuse are those of the fix, and none that answers people", async (t) => {
  for (const { fix } of Object.values(cBot03.failures)) {
    const nginx = splitFix(fix).find(({ text }) => text.includes('map $http_user_agent'))?.text ?? '';
    const rules = [...nginx.matchAll(/"~\*(.+)" (\S+);/g)].map(([, names = '', value]) => ({
      names: new RegExp(names, 'i'),
      isRefused: value !== '0' && value !== '""',
    }));
    const isRefused = (name: string) => rules.find(({ names }) => names.test(name))?.isRefused ?? false;
    t.ok(isRefused('GPTBot/1.2'));
    t.same(TRIED_TOKENS.filter(isRefused), []);
  }
});

t.test('what is too long to be shown is told in one line', (t) => {
  const long = { before: '<a>\n', line: '<b/>', times: 50_000, after: '</a>' };
  t.match(showAnswers({ '/a.xml': { body: long }, '/b': { failure: 'stalled' }, '/c': { status: 403, body: 'no' } }), [
    { request: '/a.xml', answer: '200, application/xml, 50,000 lines like "<b/>"', body: null },
    { request: '/b', answer: 'no complete response arrives in time', body: null },
    { request: '/c', answer: '403, text/html; charset=utf-8', body: 'no' },
  ]);
  t.end();
});

t.test('the first paragraph of each fix says in itself what to do, in at most 200 characters', async (t) => {
  for (const { check, errorType, fix } of FAILURES) {
    const [first] = splitFix(fix);
    const name = `${check.id} ${errorType}`;
    t.equal(first?.kind, 'prose', name);
    t.match(first?.text, /^[A-Z].{20,198}\.$/, `${name}: ${first?.text.length}`);
  }
});

t.test('an llms.txt with the placeholders of our own fix passes, with a note', async (t) => {
  const { notes } = await scanFixture(exampleSite({ '/llms.txt': splitFix(LLMS_TXT)[0]?.text ?? '' }));
  t.ok(notes.some(({ id }) => id === 'llms-template'));
});

t.test('each block for a server has something to say, and they come in one order', async (t) => {
  const names = Object.keys(SERVERS);
  for (const { check, errorType, fix } of FAILURES) {
    const parts = splitFix(fix);
    const order = parts.flatMap(({ kind, text }) => (kind === 'server' ? [names.indexOf(text)] : []));
    const sorted = [...new Set(order)].sort((one, other) => one - other);
    t.same(order, sorted, `${check.id} ${errorType}`);
    for (const [index, { kind }] of parts.entries())
      if (kind === 'server') t.match(parts[index + 1]?.kind, /^(?:prose|list|snippet)$/);
  }
});
