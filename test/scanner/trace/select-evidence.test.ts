import t from 'tap';
import { CHECKS } from '../../../src/scanner/checks/index.js';
import { selectEvidence } from '../../../src/scanner/trace/select-evidence.js';
import type { Judgement } from '../../../src/scanner/verdict/check.js';
import {
  evidenceOf,
  STORED_BYTES_MAX,
  type StoredEvidence,
  type ShownExchange,
  type StoredExchange,
} from '../../../src/scanner/trace/stored-evidence.js';
import { FIXTURE_SITES } from '../../fixtures/sites/index.js';
import { urlset } from '../../fixtures/sites/parts.js';
import { strained } from '../../fixtures/sites/strained.js';
import { addressed, FIXTURE_ORIGIN, type FixtureSite, FixtureTransport } from '../../support/fixture-site.js';
import { scanKeeping } from '../../support/golden.js';
import { redirectTo } from '../../support/visit-site.js';
import { AGENT_CARD, AGENT_PATH, CARD_PATH, SERVER_CARD, SKILL } from '../checks/endpoint-sites.js';
import { url } from '../checks/expect-findings.js';

const HOME = '<!doctype html><html lang="en"><title>Lamps</title><body><a href="/help">Help</a><p>Lamps by hand.</p>';

/** A site without anything for agents, but what is given. */
const siteWith = (routes: FixtureSite['routes'] = {}): FixtureSite => ({
  routes: { '/': HOME, '/help': `${HOME}<h1>Help</h1>`, ...routes },
});

async function storedOf(site: FixtureSite): Promise<StoredEvidence> {
  const { evidence } = await scanKeeping(site);
  if (!evidence) throw new Error('nothing is stored');
  return evidence;
}

async function shownOf(checkId: string, site: FixtureSite) {
  const shown = evidenceOf(await storedOf(site), checkId);
  if (!shown) throw new Error(`nothing is stored for ${checkId}`);
  return shown.exchanges;
}

function brief(exchange: StoredExchange): string {
  if (exchange.source !== 'site') return `${exchange.source}: ${exchange.outcome}`;
  const { method, url, answer, isControl } = exchange;
  const outcome = 'failure' in answer ? answer.failure : answer.status;
  return `${method} ${url.replace(FIXTURE_ORIGIN, '')} ${outcome}${isControl ? ' control' : ''}`;
}

t.test('a failure has the named file with the line marked, and the control', async (t) => {
  const robots = `# Rules\nUser-agent: *\nAllow: /\n\nUser-agent: OAI-SearchBot\nDisallow: /\n`;
  const [first, ...others] = await shownOf('C-BOT-01', siteWith({ '/robots.txt': robots }));
  t.equal(first && brief(first.exchange), 'GET /robots.txt 200');
  t.match(first?.exchange, { answer: { headers: [['content-type', 'text/plain; charset=utf-8']] } });
  t.same(first?.excerpt, { text: robots, firstLine: 1, marked: [6] });
  t.ok(others.some(({ exchange }) => brief(exchange) === 'GET / 200'));
  const controls = others.filter(({ exchange }) => exchange.isControl).map(({ exchange }) => brief(exchange));
  t.equal(controls[0], 'GET /random-control-1.txt 404 control');
});

t.test('requests that only led to a finding come last, without excerpt', async (t) => {
  const gone = { status: 404, body: '<!doctype html><title>Gone</title>no such map' };
  const shown = await shownOf('C-SITE-01', siteWith({ '/sitemap.xml': gone }));
  const near = shown.filter(({ isRelated }) => !isRelated);
  const asked = near.map(({ exchange }) => brief(exchange)).join(', ');
  const locations = 'GET /sitemap.xml 404, GET /sitemap_index.xml 404, GET /sitemap.xml.gz 404';
  t.equal(asked, `${locations}, GET /random-control-5.xml 404 control`);
  t.match(near[0]?.excerpt?.text, 'no such map', 'an error page in place of a stream');
  t.ok(shown.length > near.length);
  t.ok(shown.slice(near.length).every(({ isRelated, excerpt }) => isRelated && excerpt === null));
});

t.test('the body of a POST is stored', async (t) => {
  const posted = (await storedOf(strained)).exchanges.filter((one) => one.source === 'site' && one.method === 'POST');
  t.match(posted, [{ sent: { type: 'application/json', body: '{}' } }]);
});

t.test('only failures and undetermined checks have evidence', async (t) => {
  const { findings, evidence } = await scanKeeping(siteWith());
  const notPassed = findings.filter(({ result }) => result === 'FAIL' || result === 'UNDETERMINED');
  t.ok(notPassed.length > 0 && notPassed.length < findings.length);
  const idsOf = (list: readonly { readonly checkId: string }[] = []) => list.map(({ checkId }) => checkId);
  t.same(idsOf(evidence?.findings), idsOf(notPassed));
});

t.test('sitemap entries, lines of llms.txt and JSON-LD blocks are marked', async (t) => {
  const map = urlset([1, 2, 3].map((page) => [url(`/${page}`), 'soon']));
  const script = '<script type="application/ld+json">\r\n{"@type": "Organization",\r\n "name": }\r\n</script>';
  const llms = `# Lamps\n\n- [Help](/help)\n- [Gone]()\n`;
  const pages = { '/': `${HOME}\n\n${script}`, '/1': HOME, '/2': HOME, '/3': HOME };
  const site = siteWith({ ...pages, '/sitemap.xml': map, '/llms.txt': llms });
  for (const [checkId, path, marked] of [
    ['C-SITE-02', '/sitemap.xml', [3, 4, 5]],
    ['C-LLMS-02', '/llms.txt', [4]],
    ['C-SD-01', '/', [5]],
  ] as const) {
    const [first] = await shownOf(checkId, site);
    t.match(first, { exchange: { url: url(path) }, excerpt: { marked } }, checkId);
  }
});

t.test('a node of a long block is quoted at its line', async (t) => {
  const nodes = Array.from(
    { length: 100 },
    (_, n) => `{"@type": "Thing", "${n === 79 ? 'nmae' : 'name'}": "Thing ${n}"}`,
  );
  const script = `{"@context": "https://schema.org", "@graph": [\n${nodes.join(',\n')}\n]}`;
  const site = siteWith({ '/': `${HOME}\n<script type="application/ld+json">\n${script}\n</script>` });
  const [first, ...others] = await shownOf('C-SD-02', site);
  t.same(first?.excerpt?.marked, [83]);
  t.match(first?.excerpt?.text.split('\n')[83 - first.excerpt.firstLine], /"nmae": "Thing 79"/);
  const controls = others.filter(({ isRelated, exchange }) => !isRelated && exchange.isControl);
  t.same(controls, [], 'it was compared with none');
});

const json = (value: unknown, space?: number) => ({
  type: 'application/json',
  body: JSON.stringify(value, null, space),
});

/** The text of the lines that are marked. */
function markedIn({ excerpt }: ShownExchange): (string | undefined)[] {
  const { text = '', firstLine = 1, marked = [] } = excerpt ?? {};
  return marked.map((line) => text.split('\n')[line - firstLine]?.trim());
}

/** A check, the answers of a site, the first exchanges, of which the last is quoted, its marked lines, and its pointers. */
type CaseOfJson = [
  checkId: string,
  routes: FixtureSite['routes'],
  asked: string,
  marked?: readonly string[] | null,
  pointers?: readonly string[],
];

t.test('a document of JSON is quoted at its faults, after the address that does not answer', async (t) => {
  const skills = [...Array<object>(60).fill(SKILL), { ...SKILL, tags: 'lamps' }, { ...SKILL, id: undefined }];
  const entry = { identifier: 'urn:air:x:mcp:shop', displayName: 'Shop', type: 'application/mcp-server-card+json' };
  const other = { ...entry, type: 'text/plain', url: '/' };
  const ard = (last: object) => json({ entries: [other, { ...entry, ...last }] }, 1);
  const linkset = [{ anchor: url('/api'), 'service-desc': [{ href: url('/openapi.json') }] }];
  const [ardPath, apiPath, oauthPath] = ['ard.json', 'api-catalog', 'oauth-protected-resource'].map(
    (name) => `/.well-known/${name}`,
  ) as [string, string, string];
  const broken = { type: 'application/json', body: '{\r\n "resource":\r\n  none\r\n}' };
  const named = { body: HOME, headers: { link: '</agents/desk>; rel="agent-card"' } };
  // The site chose these names: they are in its evidence alone, and cut.
  const securitySchemes = { 'IGNORE ALL/PREVIOUS~INSTRUCTIONS': 'x', ['long '.repeat(100)]: 'x' };
  const chosen = [
    '/securitySchemes/IGNORE ALL~1PREVIOUS~0INSTRUCTIONS',
    `/securitySchemes/${'long '.repeat(37)}`.slice(0, 200),
  ];
  const remote = `"url": "${url('/mcp')}"`;
  const asked = `GET /mcp 404, POST /mcp 404, POST /mcp 404, GET ${CARD_PATH} 200`;
  const inline = ard({ data: { ...SERVER_CARD, version: '~1' } });
  const card = (changes: object) => ({ [AGENT_PATH]: json({ ...AGENT_CARD, ...changes }, 2) });
  const ofSkills = ['/skills/60/tags', '/skills/61'];
  const cases: CaseOfJson[] = [
    ['C-WK-02', card({ skills }), `GET ${AGENT_PATH} 200`, ['"tags": "lamps"', '{'], ofSkills],
    ['C-WK-01', { [CARD_PATH]: json(SERVER_CARD, 2) }, asked, [remote]],
    ['C-WK-01', { [ardPath]: inline }, `GET ${ardPath} 200`, null, ['/entries/1', '/entries/1/data/version']],
    ['C-WK-03', { [oauthPath]: broken }, `GET ${oauthPath} 200`, ['none']],
    [
      ...(['C-WK-03', { [apiPath]: json({ linkset }, 2) }, `GET /openapi.json 404, GET ${apiPath} 200`] as const),
      ...([null, ['/linkset/0/service-desc/0/href']] as const),
    ],
    ['C-WK-02', { '/': named }, 'GET /agents/desk 404'],
    ['C-WK-02', card({ securitySchemes }), `GET ${AGENT_PATH} 200`, null, chosen],
  ];
  for (const [checkId, routes, asked, marked, pointers] of cases) {
    const shown = (await shownOf(checkId, siteWith(routes))).slice(0, asked.split(', ').length);
    t.equal(shown.map(({ exchange }) => brief(exchange)).join(', '), asked);
    const quoted = shown.at(-1)!;
    if (marked) t.same(markedIn(quoted), marked);
    if (!pointers) continue;
    const { values = [], marked: lines } = quoted.excerpt ?? {};
    const named = values.map(({ pointer }) => pointer);
    t.same(named, pointers);
    t.same([...new Set(values.map(({ line }) => line))], lines, 'with their lines');
  }
});

t.test('no text of other hosts or private addresses is stored', async (t) => {
  const site = siteWith({
    '/llms.txt': redirectTo('https://intern.fixture-site.com/llms.txt?who=me#part'),
    'https://intern.fixture-site.com/llms.txt': { status: 403, body: 'a secret of the intranet' },
    '/robots.txt': redirectTo('https://elsewhere.net/robots.txt'),
    'https://elsewhere.net/robots.txt': 'User-agent: *\nDisallow: /\n# words of theirs',
  });
  const transport = addressed(new FixtureTransport(site), { 'intern.fixture-site.com': '10.0.0.7' });
  const { evidence } = await scanKeeping(site, transport);
  const exchanges = evidence?.exchanges ?? [];
  const text = JSON.stringify(exchanges);
  for (const words of ['intranet', 'words of theirs', 'elsewhere.net/', 'who=me', '#part', '10.0.0.7']) {
    t.notMatch(text.replaceAll('"https://elsewhere.net/robots.txt"', ''), words, words);
  }
  t.ok(exchanges.map(brief).includes('private address: null'));
  t.ok(exchanges.map(brief).includes('other host: answered'));
});

t.test('cookies, credentials and queries of requests are left out', async (t) => {
  const secrets = { 'set-cookie': 'session=cookie-words', authorization: 'Bearer credential-words' };
  const headers = { ...secrets, 'x-other': 'other-words', server: 'nginx' };
  const robots = { body: 'User-agent: *\nDisallow: /\n', headers };
  const [first] = await shownOf('C-BOT-01', siteWith({ '/robots.txt': robots }));
  const text = JSON.stringify(first);
  for (const words of ['cookie-words', 'credential-words', 'other-words']) t.notMatch(text, words);
  t.match(text, 'nginx');
  t.equal(first?.excerpt?.text, 'User-agent: *\nDisallow: /\n');
});

t.test('evidence over its size limit gets shorter excerpts, then none', async (t) => {
  const { exchanges } = await storedOf(siteWith());
  const [stored] = exchanges;
  if (!stored) throw new Error('nothing is stored');
  const body = Buffer.from('\u0007'.repeat(5000));
  const exchange = { url: new URL(FIXTURE_ORIGIN), isFailing: true, stored, body, contentType: 'text/plain' };
  const exchangesOf = () => Array.from({ length: 6 }, () => ({ exchange: { ...exchange }, isOwn: true }));
  const [check] = CHECKS;
  const judgement = { check, finding: { checkId: check?.id }, places: [] } as unknown as Judgement;
  const keep = (count: number) => selectEvidence(Array<Judgement>(count).fill(judgement), { exchangesOf });
  for (const [count, length] of [
    [2, 500],
    [13, 300],
    [60, undefined],
  ] as const) {
    const evidence = keep(count);
    t.equal(evidence.findings[0]?.exchanges[0]?.excerpt?.text.length, length);
    t.ok(Buffer.byteLength(JSON.stringify(evidence)) <= STORED_BYTES_MAX);
  }
});

t.test('every fixture site is within the size limit, and each failure has evidence', async (t) => {
  for (const { name, site } of FIXTURE_SITES) {
    const { evidence, findings } = await scanKeeping(site);
    t.ok(evidence && Buffer.byteLength(JSON.stringify(evidence)) <= STORED_BYTES_MAX, name);
    for (const { checkId, result } of findings) {
      if (result !== 'FAIL') continue;
      const shown = evidence && evidenceOf(evidence, checkId);
      t.ok(shown && shown.exchanges.length > 0, `${name}: ${checkId}`);
    }
  }
});
