import t from 'tap';
import { listTrialChanges } from '../../../src/scanner/report/trial.js';
import { tryOverlay } from '../../../src/scanner/scan/recorded-scan.js';
import type { ScanReport } from '../../../src/scanner/scan/scan.js';
import { createPartialReplay } from '../../../src/scanner/trace/replay-transport.js';
import { hopRequest } from '../../net/hop-request.js';
import { FIXTURE_ORIGIN, type FixtureRequest, FixtureTransport } from '../../support/fixture-site.js';
import { GOLDEN_NOW, scanFixture } from '../../support/golden.js';
import { overlayOf, tryAt } from '../../support/overlay.js';
import { recordFixture } from '../../support/recorded.js';

const HTML = 'text/html; charset=utf-8';
const HOME = '<!doctype html><title>Home</title><p>Hello</p>';

/** An llms.txt with links to these paths. */
const llmsOf = (...paths: readonly string[]) =>
  `# Shop\n\n> A shop.\n\n## Pages\n\n${paths.map((path) => `- [Page](${FIXTURE_ORIGIN}${path})\n`).join('')}`;

const resultOf = ({ findings }: ScanReport, id: string) => findings.find(({ checkId }) => checkId === id);

t.test('the files of a site that redirects to its other host are those of that host', async (t) => {
  const home =
    '<!doctype html><link rel="canonical" href="https://www.fixture-site.com/"><title>Home</title><p>Hello</p>';
  const sitemap =
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://www.fixture-site.com/</loc></url></urlset>';
  const served = { '/': home, '/robots.txt': 'User-agent: *\nAllow: /\n', '/sitemap.xml': sitemap };
  const redirect = ({ url }: FixtureRequest) => ({
    status: 301,
    headers: { location: url.href.replace('//', '//www.') },
  });
  const onWww = Object.entries(served).map(([path, body]) => [`https://www.fixture-site.com${path}`, body]);
  const site = { origin: 'https://fixture-site.com', routes: { '*': redirect, ...Object.fromEntries(onWww) } };
  const { before, after } = await tryAt(site, overlayOf(served));
  t.same(after.findings, before.findings, 'the same files change nothing');
});

t.test('the second scan asks for what the files lead to, and for nothing else', async (t) => {
  const routes = { '/': HOME, '/new': HOME };
  const { after, asked } = await tryAt({ routes }, overlayOf({ '/llms.txt': llmsOf('/new', '/gone') }));
  t.ok(asked.includes(`${FIXTURE_ORIGIN}/gone`));
  for (const url of asked) t.match(url, /\/(new|gone|x[0-9a-f]{24})$/);
  t.match(
    resultOf(after, 'C-LLMS-03'),
    { result: 'FAIL', errorType: 'DEAD_LINK' },
    'a dead link of the new file is seen',
  );
});

t.test('both scans together send no more than one may, and wait for nothing that the site has answered', async (t) => {
  const paths = Array.from({ length: 12 }, (_, index) => `/new-${index}`);
  const overlay = overlayOf({ '/llms.txt': llmsOf(...paths) });
  const transport = new FixtureTransport({ routes: { '/': HOME } });
  const paced: string[] = [];
  const pace = { reserve: (address: string) => (paced.push(address), 0), released: new AbortController().signal };
  const anonymousLimits = { pace, mayRequestDomain: async () => true };
  const target = { origin: new URL(FIXTURE_ORIGIN), isOwnershipVerified: false, anonymousLimits };
  const deps = { clock: { now: () => GOLDEN_NOW }, overlay };
  const { before, after } = await tryOverlay({ target, transport, pause: async () => undefined }, deps);
  t.equal(paced.length, transport.requests.length, 'a turn for each request that is sent');
  t.equal(before.siteRequestCount + after.siteRequestCount, transport.requests.length);
  t.equal(after.siteRequestCount, 24, 'each dead link of the file is asked twice');
  t.ok(transport.isClosed);
});

t.test('a file that changes nothing changes no finding: the header fields of its answer stay', async (t) => {
  const headers = {
    ...{ 'x-robots-tag': 'noindex', 'content-signal': 'ai-train=no', 'tdm-reservation': '1' },
    ...{ link: '</openapi.json>; rel="service-desc"', vary: 'Accept', etag: '"a"' },
  };
  const sitemap = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>${FIXTURE_ORIGIN}/</loc></url></urlset>`;
  const site = { routes: { '/': { type: HTML, headers, body: HOME }, '/sitemap.xml': sitemap } };
  const { before, after } = await tryAt(site, overlayOf({ '/': { body: HOME, type: HTML } }));
  t.same(after.findings, before.findings);
  const none = { 'X-Robots-Tag': null };
  const freed = await tryAt(site, overlayOf({ '/': { body: HOME, type: HTML } }, { '/': none }));
  t.match(
    listTrialChanges(before.findings, freed.after.findings),
    [{ checkId: 'C-BOT-02', before: 'FAIL' }],
    '_headers wins',
  );
});

t.test('a link to a new file is alive on both hosts of a site that answers on both', async (t) => {
  const routes = { '/': HOME, 'https://fixture-site.com/': HOME };
  const llms = llmsOf('/new').replaceAll('//www.', '//');
  const { after, asked } = await tryAt({ routes }, overlayOf({ '/llms.txt': llms, '/new': HOME }));
  t.match(resultOf(after, 'C-LLMS-03'), { result: 'PASS' });
  t.notOk(asked.includes('https://fixture-site.com/new'));
});

t.test('a trial says which errors its files replace', async (t) => {
  const routes = { '/': 403, '/robots.txt': { failure: 'reset' }, '/sitemap.xml': 403, '/llms.txt': 503 } as const;
  const files = { '/': HOME, '/robots.txt': 'User-agent: *\nAllow: /\n', '/new': HOME };
  const { note } = await tryAt({ routes }, overlayOf(files));
  const [, today = ''] = note.split(' are not tested. ');
  t.same(new Set(today.split(/(?<=\.) /)), new Set(['/ answers 403 today.', '/robots.txt does not answer today.']));
});

t.test('a file that cannot be read ends the trial with its error', async (t) => {
  const fault = new Error('cannot be read');
  const body = async function* (): AsyncGenerator<Uint8Array> {
    throw fault;
    yield new Uint8Array();
  };
  const overlay = { fileAt: () => ({ type: HTML, body: body() }), fieldsFor: () => [] };
  await t.rejects(tryAt({ routes: { '/': HOME } }, overlay), fault);
});

t.test('header fields of _headers join those of the server, and can remove them', async (t) => {
  const site = { routes: { '/': { type: HTML, headers: { 'x-robots-tag': 'noindex' }, body: HOME } } };
  const freed = await tryAt(site, overlayOf({}, { '/': { 'X-Robots-Tag': null } }));
  t.notSame(freed.after.findings, freed.before.findings, 'the noindex is gone');
  t.same(freed.after.findings, (await scanFixture({ routes: { '/': HOME } })).findings);
});

t.test('what the first scan has left of its requests is all that the second may send', async (t) => {
  const site = { routes: { '/': HOME } };
  const { recording } = await recordFixture(site);
  const network = new FixtureTransport(site);
  const transport = createPartialReplay(recording, network, 1);
  const ask = (path: string) => transport.exchange(hopRequest(FIXTURE_ORIGIN + path, { 'user-agent': 'x' }));
  t.equal((await ask('/a')).status, 404);
  await t.rejects(ask('/b'), { name: 'TransportError', failure: 'budget_spent' });
  t.equal(network.requests.length, 1);
});
