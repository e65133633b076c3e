import t from 'tap';
import { EventEmitter, once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { SITE_NOTES } from '../../../src/scanner/checks/site-notes.js';
import { type EvidenceKind, type EvidenceMap, found, valueOf } from '../../../src/scanner/artifacts/evidence.js';
import { publicHostname } from '../../../src/net/url-gate.js';
import { type ControlShape, requestControl } from '../../../src/scanner/probe/control.js';
import type { ReadOptions } from '../../../src/scanner/probe/outcome.js';
import { COLLECTORS } from '../../../src/scanner/gatherers/collectors.js';
import { collectFrom, openFixtureRun } from '../../support/collect.js';
import { FIXTURE_ORIGIN, type FixtureAnswer, type FixtureRoute, type FixtureSite } from '../../support/fixture-site.js';
import { redirectTo } from '../../support/visit-site.js';

const HOME = '<!doctype html><title>Home</title><p>Welcome</p><a href="/about">About</a>';
const PAGE = '<!doctype html><title>Shell</title><p>Nothing here</p>';
const REFRESH = '<meta http-equiv="refresh" content="0;url=';
const TXT_CONTROL = '/random-control-1.txt';

const at = (path: string) => new URL(path, FIXTURE_ORIGIN);

/** What became of `/file.txt`. */
async function readOutcome(
  routes: FixtureSite['routes'],
  options: { path?: string; shape?: ControlShape; read?: ReadOptions } = {},
): Promise<string> {
  const run = openFixtureRun({ routes: { '/': HOME, ...routes } });
  const read = await run.context.read(at(options.path ?? '/file.txt'), options.shape ?? 'txt', options.read);
  await run.close();
  return read.kind;
}

t.test('an unusable baseline is one shortfall for every kind of evidence, and names its cause', async (t) => {
  const failure = (name: FixtureAnswer['failure'] & string): FixtureAnswer => ({ failure: name });
  const causes: [FixtureRoute, RegExp][] = [
    [failure('name_not_found'), /host name does not exist.*DNS records/],
    [failure('tls_expired'), /certificate has expired.*Install a valid certificate/],
    [failure('tls_untrusted'), /not from a trusted authority/],
    [failure('tls_outdated'), /TLS versions older than 1\.2.*Turn on TLS 1\.2/],
    [failure('dns_silent'), /scanning machine.*DNS settings of that machine/],
    [failure('cut_off'), /ends the response.*Content-Length/],
    [failure('connect_failed'), /refuses the connection.*no firewall/],
    [failure('stalled'), /no complete response arrives in time/],
    [failure('redirect_loop'), /Fix the redirects/],
    [{ failure: 'target_refused' }, /only visits public addresses/],
    [redirectTo('http://fixture-nowhere.com/'), /redirects to another host, but the host name does not exist.*Correct/],
    [redirectTo('https://www.fixture-site.com:4443/'), /redirects to port 4443 of this host/],
    [redirectTo('http://www.fixture-site.com/'), /redirects to http, but the server refuses the connection/],
    [redirectTo('http://10.0.0.1/'), /redirects to another host, which this scan does not cover\. Correct/],
    [redirectTo('javascript:alert(1)'), /to an address that is neither http nor https\. Correct the redirect/],
    [{ body: `${REFRESH}http://fixture-nowhere.com/">` }, /to another host, but the host name does not exist/],
    [403, /status 403.*Allow the User-Agent AgentReadinessScan/],
    [401, /status 401/],
    [429, /status 429.*rate limit/],
    [503, /status 503.*Fix the server/],
    [304, /status 304/],
    [{ status: 403, headers: { 'cf-mitigated': 'challenge' } }, /bot challenge from Cloudflare/],
    [{ status: 429, headers: { 'x-vercel-mitigated': 'challenge' } }, /Vercel/],
    [{ status: 202, headers: { 'x-amzn-waf-action': 'challenge' } }, /AWS WAF/],
    [{ status: 202, body: '<meta http-equiv="refresh" content="0;/.well-known/sgcaptcha/?r=%2F">' }, /SiteGround/],
    [{ body: '<html><iframe id="main-iframe" src="/_Incapsula_Resource?x">' }, /Imperva/],
    [{ body: '<html><script>var s={},sucuri_cloudproxy_js="";</script>' }, /Sucuri/],
    [{ body: '<html><script id="anubis_challenge" type="application/json">{}</script>' }, /Anubis/],
  ];
  for (const [route, cause] of causes) {
    const site = { routes: { '/': route, 'http://www.fixture-site.com/': failure('connect_failed') } };
    for (const kind of ['home', 'robots', 'sample'] satisfies EvidenceKind[]) {
      const evidence = await collectFrom(site, kind);
      t.match(evidence, { failed: { result: 'UNDETERMINED', detail: { text: cause } } }, `${kind}: ${cause}`);
    }
  }
});

t.test('a page that only mentions a challenge vendor is not a challenge', async (t) => {
  for (const body of [
    '<html><script src="/_Incapsula_Resource?SWJIYLWA=1"></script><p>Shop</p>',
    '<html><title>Just a moment...</title><p>A blog post</p>',
  ]) {
    t.match(await collectFrom({ routes: { '/': body } }, 'home'), { ok: { status: 200 } });
  }
});

t.test('a home page without https is read by http, and this is known', async (t) => {
  const http = 'http://www.fixture-site.com/';
  for (const failure of ['tls_expired', 'reset'] as const) {
    const home = await collectFrom({ routes: { '/': { failure }, [http]: HOME } }, 'home');
    t.match(home, { ok: { httpsFailure: { failure }, page: { title: 'Home' }, url: { href: http } } });
  }
  const expired = { '/': { failure: 'tls_expired' } } as const;
  const robots = { ...expired, [http]: HOME, [`${http}robots.txt`]: 'User-agent: *' };
  t.match(await collectFrom({ routes: robots }, 'robots'), { ok: { kind: 'present' } });
  const both = { ...expired, [http]: { failure: 'reset' } } as const;
  t.match(await collectFrom({ routes: both }, 'home'), { failed: { detail: { text: /certificate has expired/ } } });
});

t.test('a home page that is none leaves the files to be checked', async (t) => {
  const site = { routes: { '/': { status: 404, body: PAGE }, '/robots.txt': 'User-agent: *' } };
  t.match(await collectFrom(site, 'home'), { ok: { page: null } });
  t.match(await collectFrom(site, 'sample'), { failed: { result: 'NOT_APPLICABLE', detail: { text: /status 404/ } } });
  t.match(await collectFrom(site, 'robots'), { ok: { kind: 'present', value: { origin: { href: at('/').href } } } });
});

t.test('files are read on the final host of the home page if it is of the same site', async (t) => {
  const run = openFixtureRun({
    origin: 'https://fixture-site.com',
    routes: {
      '*': ({ url }) => redirectTo(`https://www.fixture-site.com${url.pathname}`, 301),
      '/moved.txt': redirectTo('https://www.fixture-site.com/', 301),
      'https://www.fixture-site.com/': HOME,
      'https://www.fixture-site.com/file.txt': { body: 'text', type: 'text/plain' },
      'https://www.fixture-site.com/moved.txt': { body: 'moved', type: 'text/plain' },
    },
  });
  const [file, moved] = await Promise.all(['/file.txt', '/moved.txt'].map((path) => run.context.readFile(path, 'txt')));
  t.match(file, { kind: 'present' });
  t.match(moved, { kind: 'present' }, 'a redirect that does not lead to the file is not an answer for it');
  t.equal((await run.context.fileOrigin()).href, 'https://www.fixture-site.com/');
  t.equal(run.urls().filter((url) => url === 'https://www.fixture-site.com/file.txt').length, 1, 'not asked for twice');
  await run.close();
});

t.test('the first files are asked for before the home page has answered', async (t) => {
  const gate = new EventEmitter();
  const home = once(gate, 'open').then(() => HOME);
  const run = openFixtureRun({ routes: { '/': () => home, '*': 404 } });
  const names = Array.from({ length: 9 }, (_, index) => `/${index}.txt`);
  const reads = Promise.all(names.map((path) => run.context.readFile(path, 'txt')));
  await nextTurn();
  await nextTurn();
  t.ok(run.urls().includes(at('/0.txt').href));
  t.notOk(run.urls().includes(at('/7.txt').href), 'the eighth waits for the home page');
  gate.emit('open');
  await reads;
  t.ok(run.urls().includes(at('/8.txt').href));
  await run.close();
});

t.test('the outcome of one resource, unlike the control', async (t) => {
  const cases: [string, FixtureRoute, string][] = [
    ['a text', 'text', 'present'],
    ['an empty answer', 204, 'present'],
    ['HTML', { body: PAGE }, 'present'],
    ...[404, 410, 418].map((status): [string, number, string] => [String(status), status, 'absent']),
    ...[401, 402, 403, 451].map((status): [string, number, string] => [String(status), status, 'blocked']),
    ['500 at every try', 500, 'unreachable'],
    ['a reset at every try', { failure: 'reset' }, 'unreachable'],
    ['a TLS error', { failure: 'tls_failed' }, 'unreachable'],
    ['a redirect loop', redirectTo('/file.txt'), 'unreachable'],
    ['a stall at every try', { failure: 'stalled' }, 'timeout'],
    ['429 at every try', 429, 'unknown'],
    ['a challenge', { status: 403, headers: { 'cf-mitigated': 'challenge' } }, 'unknown'],
    ['a bare 3xx', 304, 'unknown'],
    ['a body that the peer cut off', { body: 'a long text', cut: true }, 'unknown'],
    ['a target that the guard refuses', { failure: 'target_refused' }, 'unknown'],
  ];
  for (const [what, answer, outcome] of cases) t.equal(await readOutcome({ '/file.txt': answer }), outcome, what);
});

t.test('a reply like the control means absent', async (t) => {
  const shell = { body: PAGE, type: 'text/html' };
  const long = 'Long text. '.repeat(20_000);
  const naming = (text = ''): FixtureRoute => {
    return ({ url: { pathname } }) => `No ${pathname} ${Math.random()} ${text} ${pathname}`;
  };
  const login = ({ url }: { url: URL }): FixtureAnswer => redirectTo(`/login?next=${encodeURIComponent(url.pathname)}`);
  const locale = ({ url }: { url: URL }): FixtureAnswer =>
    url.pathname.startsWith('/en/') ? { status: 404 } : redirectTo(`/en${url.pathname}?from=${url.pathname}`);
  const growing = ({ url }: { url: URL }): FixtureAnswer => redirectTo(`/en${url.pathname}`);
  const cases: [string, FixtureSite['routes'], string, ReadOptions?][] = [
    ['redirects that only grow, for everything', { '*': growing }, 'absent'],
    ['redirects that only grow', { '/file.txt': growing, '/en/file.txt': growing }, 'unreachable'],
    ['a redirect to a bare 3xx', { '/file.txt': growing, '/en/file.txt': 302 }, 'unknown', { isRobots: true }],
    ['the same HTML for everything', { '*': shell }, 'absent'],
    ['another HTML page where everything is HTML', { '*': shell, '/file.txt': '<!doctype html>other' }, 'absent'],
    ['a text where everything else is HTML', { '*': shell, '/file.txt': 'text' }, 'present'],
    ['the same text where the rest is a bare 300', { '*': { status: 300, body: 'a' }, '/file.txt': 'a' }, 'present'],
    ['HTML where everything else is 404', { '/file.txt': shell }, 'present'],
    ['a redirect to the same login', { '*': login, '/login': shell }, 'absent'],
    ['a redirect to its own locale path', { '*': locale, '/en/file.txt': 'text' }, 'present'],
    ['the same page after other paths', { '*': locale, '/en/file.txt': PAGE }, 'present'],
    ['402 for everything', { '*': 402 }, 'absent'],
    ['a body with other names and numbers', { '*': naming() }, 'absent'],
    ['a long body with other names and numbers', { '*': naming(`abcdef ${long}`) }, 'absent'],
    ['a long body that differs at its end', { '*': `text ${long}`, '/file.txt': `text ${long}z` }, 'unknown'],
    ['an echo host without a proof', { '*': ({ url }) => `path ${url.pathname}`, '/file.txt': 'other' }, 'unknown'],
    ['an echo host and a valid body', { '*': 'echo', '/file.txt': 'other' }, 'present', { validates: () => true }],
    ['an echo host and an invalid body', { '*': 'echo', '/file.txt': 'other' }, 'absent', { validates: () => false }],
  ];
  for (const [what, routes, outcome, read] of cases) {
    t.equal(await readOutcome(routes, read ? { read } : {}), outcome, what);
  }
});

t.test('a control that fails proves nothing', async (t) => {
  const unsound: FixtureRoute[] = [
    { status: 503 },
    { status: 429 },
    { failure: 'stalled' },
    { failure: 'reset' },
    { status: 403, headers: { 'cf-mitigated': 'challenge' } },
  ];
  for (const control of unsound) {
    const what = JSON.stringify(control);
    t.equal(await readOutcome({ [TXT_CONTROL]: control, '/file.txt': control }), 'unknown', `${what}: the same`);
    t.equal(await readOutcome({ [TXT_CONTROL]: control, '/file.txt': { body: PAGE } }), 'unknown', `${what}: HTML`);
    t.equal(await readOutcome({ [TXT_CONTROL]: control, '/file.txt': 'text' }), 'present', `${what}: a text`);
    t.equal(await readOutcome({ [TXT_CONTROL]: control, '/file.txt': 404 }), 'absent', `${what}: 404`);
  }
  t.equal(await readOutcome({ [TXT_CONTROL]: 503, '/file.txt': 403 }), 'blocked');
});

t.test('401 and 403 for all unknown paths mean absent only where another page answers 200', async (t) => {
  for (const status of [401, 403]) {
    const store = { '*': { status } };
    t.equal(await readOutcome(store), 'unknown');
    t.equal(await readOutcome({ ...store, '/about': PAGE }), 'absent', 'a page that the home page links');
    t.equal(await readOutcome({ ...store, '/robots.txt': 'User-agent: *' }), 'absent', 'robots.txt');
  }
  t.equal(await readOutcome({ '*': 403 }, { read: { isRobots: true } }), 'absent');
});

t.test("another host's 401 and 403 are not proof of absence, whatever this one answers", async (t) => {
  const host = 'https://files.fixture-site.com';
  const run = openFixtureRun({ routes: { '/': HOME, '/robots.txt': 'User-agent: *', [`${host}/*`]: 403 } });
  t.match(await run.context.read(new URL(`${host}/sitemap.xml`), 'xml'), { kind: 'unknown' });
  await run.close();
});

t.test('a control is asked for once a shape, when the first of its kind is read', async (t) => {
  const run = openFixtureRun({ routes: { '/': HOME } });
  await Promise.all(['/a.txt', '/b.txt', '/c.txt'].map((path) => run.context.readFile(path, 'txt')));
  await run.context.readFile('/.well-known/x', 'well-known');
  const controls = run.urls().filter((url) => url.includes('random-control'));
  t.strictSame(controls, [at(TXT_CONTROL).href, at('/.well-known/random-control-2').href]);
  await run.close();
});

t.test('a large control is kept without its body, but for the start', async (t) => {
  const { visit } = openFixtureRun({ routes: { '*': 'A long text. '.repeat(30_000) } });
  const control = await requestControl(visit, at('/'), 'txt', 'random-name', {});
  t.match(control, { isSound: true, response: { byteCount: 390_000, body: { length: 4096 } } });
  t.equal(control.isSound && control.response.body.buffer.byteLength, 4096, 'nor by a part of its memory');
});

const SHELL =
  '<!doctype html><title>Kiosk</title><div id="app">Loading</div><script type="module" src="/app.js"></script>';
const titled = (html: string): string => html.replace('<title>', '<title>Tickets at the ');

/** The state of a link of a site. */
async function probeLink(routes: FixtureSite['routes'], link = '/link'): Promise<string> {
  const run = openFixtureRun({ routes: { '/': HOME, ...routes } });
  const state = await run.context.probeLink(at(link));
  await run.close();
  return state;
}

type LinkCase = [what: string, routes: FixtureSite['routes'], state: string, link?: string];

t.test('a link is dead only on proof', async (t) => {
  const moved: FixtureAnswer = redirectTo('/sorry');
  const toLogin: FixtureAnswer = redirectTo('/login');
  const homeward: FixtureAnswer = redirectTo('/');
  const cases: LinkCase[] = [
    ['a file', { '/link': { body: '%PDF', type: 'application/pdf' } }, 'alive'],
    ['410 twice', { '/link': 410 }, 'dead'],
    ['a soft 404 by redirect', { '*': moved, '/sorry': PAGE }, 'dead'],
    ['unknown and private paths are sent to sign in', { '*': toLogin, '/login': PAGE }, 'unknown'],
    ['the page itself that unknown paths are sent to', { '*': moved, '/sorry': PAGE }, 'alive', '/sorry'],
    ['unknown paths are sent home', { '*': homeward }, 'likeMissing'],
    ['the home page, where unknown paths are sent home', { '*': homeward }, 'alive', '/'],
    ['one page for every path, the home page too', { '*': HOME }, 'likeMissing'],
    ['a shell with another title than all others', { '*': SHELL, '/link': titled(SHELL) }, 'unknown'],
    ['a shell where unknown paths answer 404', { '/link': SHELL }, 'alive'],
    ...[401, 403, 429, 500, 503].map((status): LinkCase => [`${status}`, { '/link': status }, 'unknown']),
    ['a stall', { '/link': { failure: 'stalled' } }, 'unknown'],
    ['a challenge in place of 404', { '/link': { status: 404, headers: { 'cf-mitigated': 'challenge' } } }, 'unknown'],
  ];
  for (const [what, routes, state, link] of cases) t.equal(await probeLink(routes, link), state, what);
});

const notHere = (menu: string, echo: string): FixtureAnswer => ({
  body: `<!doctype html><title>Harbour</title><nav>${menu}</nav><p>Sorry, we have no ${echo}.</p>`,
});

t.test('a soft 404 is one whatever names the dead page in it', async (t) => {
  const menu = '<a href="/old-pricing">Prices</a>';
  const cases: [what: string, link: string, (asked: URL) => FixtureAnswer][] = [
    ['the menu links to it', '/old-pricing', ({ pathname }) => notHere(menu, pathname)],
    ['the menu links to it, and nothing echoes it', '/old-pricing', () => notHere(menu, 'such page')],
    ['the menu links below another page', '/shop/old-pricing', ({ pathname }) => notHere(menu, pathname)],
    ['decoded', '/caf%C3%A9-menu', ({ pathname }) => notHere('', decodeURIComponent(pathname))],
    ['decoded and escaped', '/fish%26chips', () => notHere('', '/fish&amp;chips')],
    ['encoded in a query', '/docs/old-pricing', ({ pathname }) => notHere('', `?from=${encodeURIComponent(pathname)}`)],
    ['encoded twice', '/caf%C3%A9-menu', ({ pathname }) => notHere('', `?from=${encodeURIComponent(pathname)}`)],
    ['by its last segment', '/docs/guides/tariffs', ({ pathname }) => notHere('', pathname.replace(/.*\//, ''))],
    ['in a class', '/old-pricing', ({ pathname }) => notHere(menu, `<b class="page-${pathname.slice(1)}">it</b>`)],
    ['with a part that is not a valid encoding', '/100%25-%E0%A4', ({ pathname }) => notHere('', pathname)],
  ];
  for (const [what, link, answer] of cases)
    t.equal(await probeLink({ '*': ({ url }) => answer(url) }, link), 'dead', what);
});

t.test('a page is not a soft 404 for what it says of others', async (t) => {
  const menu = '<a href="/news">News</a>';
  const cases: [what: string, link: string, page: FixtureAnswer][] = [
    ['a text of its own alongside the same menu', '/news', { body: `<!doctype html>${menu}<p>The pier opens.</p>` }],
    ['a longer word that holds its name', '/news', notHere(menu, 'newsletter')],
    ['a name of three letters, which any text holds', '/art', notHere(menu, 'art at all')],
  ];
  for (const [what, link, page] of cases) {
    const missing = ({ url }: { url: URL }): FixtureAnswer => notHere(menu, url.pathname.slice(1));
    t.equal(await probeLink({ [link]: page, '*': missing }, link), 'alive', what);
  }
});

t.test('the name of the host that a site moved to is one that DNS can hold', async (t) => {
  const names = {
    'www.fixture-newname.com': 'www.fixture-newname.com',
    'fixture-newname.co.uk': 'fixture-newname.co.uk',
    'WWW.Fixture-Newname.com.': 'www.fixture-newname.com',
    'b\u00fccher-fixture.com': 'xn--bcher-fixture-wob.com',
    'www.fixture-newname.com:8443': null,
    '203.0.113.9': null,
    'a_b.fixture-newname.com': null,
    'github.io': null,
  };
  for (const [host, hostname] of Object.entries(names))
    t.equal(publicHostname(new URL(`https://${host}/`)), hostname, host);
});

t.test('a fault of ours in a collector is not evidence', async (t) => {
  const collectors = {
    ...COLLECTORS,
    llms: () => Promise.reject(new Error('a bug')),
    home: async () => found({} as never),
  };
  await t.rejects(collectFrom({ routes: { '/': HOME } }, 'llms', { collectors }), /a bug/);
  t.match(await collectFrom({ routes: { '/': 403 } }, 'llms', { collectors }), { failed: {} });
});

t.test('instant refreshes of the home page are followed as redirects are', async (t) => {
  const refresh = (to: string) => `<!doctype html><meta http-equiv="refresh" content="0; url=${to}">`;
  const homeOf = async (routes: FixtureSite['routes']) => {
    const run = openFixtureRun({ routes });
    const baseline = await run.context.baseline();
    await run.close();
    if ('failed' in baseline) return baseline.failed.detail.text;
    const { url, hops } = baseline.response;
    return [...hops, url].map(({ pathname }) => pathname).join(' ');
  };
  const chain = (length: number): FixtureSite['routes'] =>
    Object.fromEntries(Array.from({ length }, (_, at) => [`/${at || ''}`, refresh(`/${at + 1}`)]));
  const header = (value: string, answer: FixtureAnswer = { body: '<p>Moved.</p>' }) => ({
    ...answer,
    headers: { refresh: value },
  });
  const instant = (answer: FixtureAnswer) => header('0; url=/en/', answer);
  const en = { '/en/': PAGE };
  const cases: [routes: FixtureSite['routes'], way: string][] = [
    [{ '/': refresh('/en/'), ...en }, '/ /en/'],
    [{ '/': refresh('/en/'), '/en/': redirectTo('/en/home'), '/en/home': PAGE }, '/ /en/ /en/home'],
    // A page that reloads itself is the page.
    [{ '/': refresh('/') }, '/'],
    [{ '/': refresh('/#top') }, '/'],
    [{ '/': refresh('/a'), '/a': refresh('/b'), '/b': refresh('/a') }, '/ /a /b'],
    [{ ...chain(5), '/5': PAGE }, '/ /1 /2 /3 /4 /5'],
    [{ '/': instant({ body: '' }), ...en }, '/ /en/'],
    [{ '/': instant({ type: 'text/plain', body: 'Moved' }), ...en }, '/ /en/'],
    [{ '/': instant({ body: `<p>${'text '.repeat(60)}` }), ...en }, '/'],
    [{ '/': instant({ status: 404 }), ...en }, '/'],
    [{ '/': header('0; url=/a'), '/a': refresh('/en/'), ...en }, '/ /a /en/'],
    [{ '/': header('0; url=/a', { body: refresh('/b') }), '/a': PAGE }, '/ /a'],
  ];
  for (const value of ['0; url=/en/', '0;/en/']) cases.push([{ '/': header(value), ...en }, '/ /en/']);
  for (const value of ['5; url=/en/', '0', '0url=/en/', '0; url=javascript:alert(1)'])
    cases.push([{ '/': header(value), ...en }, '/']);
  for (const [routes, way] of cases) t.equal(await homeOf(routes), way, JSON.stringify(routes));
  t.match(await homeOf({ ...chain(6), '/6': PAGE }), /redirect/);
  const stalling = { '/': refresh('/en/'), '/en/': { failure: 'stalled' } } as const;
  t.match(await homeOf(stalling), /no complete response arrives in time/);
});

t.test('a site whose home page leads to another domain has moved', async (t) => {
  const name = 'https://www.fixture-newname.com/';
  const gate = 'https://geo.fixture-gate.com/';
  const other = { [name]: HOME };
  const refresh = `<!doctype html><meta http-equiv="refresh" content="0; url=${name}">`;
  const cases: FixtureSite['routes'][] = [
    ...[301, 302, 307, 308].map((status) => ({ '/': redirectTo(name, status) })),
    { '/': refresh },
    { '/': redirectTo('/de/', 302), '/de/': refresh },
    { '/': redirectTo(gate, 307), [gate]: refresh },
    { '/': redirectTo('/old', 302), '/old': redirectTo(name, 301) },
  ];
  for (const routes of cases) {
    const site = { routes: { ...routes, ...other } };
    const away = { failed: { result: 'NOT_APPLICABLE', detail: { text: /to another domain/ } } };
    t.match(await collectFrom(site, 'sample'), away);
    const home = await collectFrom(site, 'home');
    t.match(home, { ok: { move: { hostname: 'www.fixture-newname.com' } } });
    const evidence = { home: valueOf(home) } as EvidenceMap;
    const [note] = SITE_NOTES.flatMap((note) => note.observe(evidence) ?? []);
    t.match(note?.text, 'another domain: scan that domain', 'the command line puts the name of the host there');
  }
});
