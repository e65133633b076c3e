import t from 'tap';
import type { FetchOptions } from '../../../src/scanner/client/visit.js';
import { FIXTURE_ORIGIN, type FixtureAnswer, type FixtureRoute } from '../../support/fixture-site.js';
import { FIXTURE_TARGET, redirectTo, visitSite } from '../../support/visit-site.js';

t.test('sites of others', async (t) => {
  const away = 'https://elsewhere.com';
  const routes = { '/': redirectTo(`${away}/page`), '*': 'there' };
  const isAway = ({ url }: { readonly url: string }) => url.startsWith(away);

  t.test('are asked under our own name, whoever asked for the way there', async (t) => {
    const { fetch, visit, transport } = visitSite(routes);
    await fetch('/', { headers: { 'user-agent': 'GPTBot/1.0' } });
    await visit.fetch(new URL(`${away}/other`), { headers: { 'user-agent': 'GPTBot/1.0' } });
    const names = transport.requests.map((request) => `${isAway(request)} ${request.headers['user-agent']}`);
    t.same(names, ['false GPTBot/1.0', 'true AgentReadinessScan/1.0', 'true AgentReadinessScan/1.0']);
    await fetch('https://shop.fixture-site.com/', { headers: { 'user-agent': 'GPTBot/1.0' } });
    t.equal(transport.requests.at(-1)?.headers['user-agent'], 'GPTBot/1.0', 'a subdomain is the same site');
  });

  t.test('get ten requests of a run', async (t) => {
    const { fetch, visit, transport } = visitSite(routes);
    const asked = await Promise.all(Array.from({ length: 12 }, (_, index) => visit.fetch(new URL(`${away}/${index}`))));
    t.equal(transport.requests.filter(isAway).length, 10);
    t.equal(asked.filter((fetched) => 'failure' in fetched && fetched.failure === 'external_spent').length, 2);
    t.match(await fetch('/'), { failure: 'external_spent' }, 'redirects count too');
    t.match(await fetch('/own'), { response: { status: 200 } });
  });
});

t.test('redirects', async (t) => {
  t.test('are followed, and the way is told', async (t) => {
    const { fetch, visit } = visitSite({ '/': redirectTo('/a'), '/a': redirectTo('b'), '/b': 'there' });
    const fetched = await fetch('/#part');
    const hops = [{ pathname: '/', hash: '' }, { pathname: '/a' }];
    t.match(fetched, { response: { status: 200, url: { href: `${FIXTURE_ORIGIN}/b` }, hops } });
    t.equal(visit.requestCount, 3, 'hops count');
  });

  t.test('end in a failure, or are an answer themselves', async (t) => {
    const { fetch } = visitSite({
      '/self': redirectTo('/self'),
      '/x': redirectTo('/y'),
      '/y': redirectTo('/x'),
      ...Object.fromEntries([1, 2, 3, 4, 5, 6].map((at) => [`/${at}`, redirectTo(`/${at + 1}`)])),
      '/7': 'too far',
      '/bad': redirectTo('https://:0:0/'),
      '/two': { status: 301, headers: { location: ['/a', '/b'] } },
      '/twice': { status: 301, headers: { location: ['/7', '/7'] } },
      '/bare': { status: 301 },
      '/304': { status: 304, headers: { location: '/7' } },
      '/cut': { ...redirectTo('/7'), body: 'x'.repeat(100), cut: true },
      '/inside': redirectTo('http://10.0.0.1/'),
    });
    for (const [path, outcome] of Object.entries({
      '/self': 'redirect_loop',
      '/x': 'redirect_loop',
      '/1': 'redirect_loop',
      '/2': 200,
      '/bad': 'bad_redirect',
      '/two': 'bad_redirect',
      '/twice': 200,
      '/bare': 301,
      '/304': 304,
      '/cut': 200,
      '/inside': 'target_refused',
    })) {
      const fetched = await fetch(path);
      t.equal('failure' in fetched ? fetched.failure : fetched.response.status, outcome, path);
    }
    t.match(await fetch('/x', { follows: () => false }), { response: { status: 302, url: { pathname: '/x' } } });
    const to: string[] = [];
    const follows = (url: URL) => to.push(url.pathname) < 2;
    t.match(await fetch('/2', { follows }), { response: { status: 302, hops: { length: 1 } } }, 'as far as wanted');
    t.equal(to.length, 2);
  });

  t.test('turn POST into GET as browsers do', async (t) => {
    for (const status of [301, 302, 303, 307, 308]) {
      const [method, body] = status < 307 ? ['GET', undefined] : ['POST', '{}'];
      const seen: unknown[] = [];
      const to: FixtureRoute = (request) => {
        seen.push(request.method, request.body, request.headers['content-type']);
        return 'ok';
      };
      const { fetch } = visitSite({ '/': redirectTo('/to', status), '/to': to });
      await fetch('/', { body: '{}', headers: { 'content-type': 'application/json' } });
      t.same(seen, [method, body, body && 'application/json'], String(status));
    }
  });
});

t.test('every URL is fetched once for all checks', async (t) => {
  const routes = { '/': redirectTo('/home'), '/home': 'x'.repeat(100) };

  t.test('also at the same time, with a fragment, and as a hop', async (t) => {
    const { fetch, sent } = visitSite(routes);
    await Promise.all([fetch('/'), fetch('/'), fetch('/#a')]);
    await fetch('/home');
    await fetch('/', { follows: () => false });
    t.same(sent(), ['/', '/home']);
  });

  t.test('what could be answered otherwise is another request', async (t) => {
    const { fetch, sent } = visitSite(routes);
    const others: FetchOptions[] = [
      ...[{}, { headers: { accept: 'text/markdown' } }, { body: '{}' }, { headers: { 'x-a': 'b' } }],
      ...[{ isRepeat: true }, { headers: { 'user-agent': 'GPTBot' } }, { sink: () => true }],
    ];
    for (const options of others) await fetch('/home', options);
    for (const options of others.slice(0, 4)) await fetch('/home', options);
    t.equal(sent().length, others.length);
  });

  t.test('a reader of less gets less, a reader of more fetches again', async (t) => {
    const { fetch, sent } = visitSite(routes);
    t.match(await fetch('/home', { bodyBytesMax: 50 }), { response: { byteCount: 50, isOverLimit: true } });
    t.match(await fetch('/home'), { response: { byteCount: 100, isOverLimit: false } });
    const cut = await fetch('/home', { bodyBytesMax: 20 });
    t.match(cut, { response: { byteCount: 20, body: { length: 20 }, isOverLimit: true } });
    t.equal(sent().length, 2);
  });

  t.test('a failure of one try does not stand for three', async (t) => {
    const { fetch, sent } = visitSite({ '/': { status: 503 } });
    await fetch('/', { attempts: 'once' });
    await fetch('/');
    await fetch('/', { attempts: 'once' });
    t.equal(sent().length, 1 + 3);
  });

  t.test('what does not fit into memory is not remembered; a failure takes no room', async (t) => {
    const pages = { '/a': 'a'.repeat(60), '/b': 'b'.repeat(60) };
    const { fetch, sent } = visitSite(pages, { limits: { memoBytesMax: 100 } });
    for (const path of ['/a', '/b', '/a', '/b']) await fetch(path);
    t.same(sent(), ['/a', '/b', '/b']);
    const failing = visitSite({ '/a': { failure: 'connect_failed' } }, { limits: { memoBytesMax: 0 } });
    for (let count = 0; count < 2; count += 1) await failing.fetch('/a');
    t.same(failing.sent(), ['/a']);
  });

  t.test("nor is what another agent's name gets", async (t) => {
    const { fetch, sent } = visitSite({ '/a': 'a' });
    for (const name of ['GPTBot', 'GPTBot', 'AgentReadinessScan/1.0'])
      await fetch('/a', { headers: { 'user-agent': name } });
    await fetch('/a');
    t.same(sent(), ['/a', '/a', '/a']);
  });
});

t.test('tries', async (t) => {
  const cases: readonly (readonly [answer: FixtureAnswer, tries: number, pauses: readonly number[]])[] = [
    [{ status: 500 }, 3, [500, 1500]],
    [{ status: 503, headers: { 'retry-after': '1' } }, 3, [1000, 1500]],
    [{ status: 429, headers: { 'retry-after': '3600' } }, 3, [5000, 5000]],
    [{ status: 429, headers: { 'retry-after': 'Fri, 01 Jan 2100 00:00:00 GMT' } }, 3, [500, 1500]],
    [{ failure: 'reset' }, 3, [500, 1500]],
    [{ failure: 'stalled' }, 2, [0]],
    [{ failure: 'connect_failed' }, 1, []],
    [{ failure: 'tls_expired' }, 1, []],
    [{ body: 'cut', cut: true }, 1, []],
    [{ status: 404 }, 1, []],
    [{ status: 403 }, 1, []],
  ];
  for (const [answer, tries, pauses] of cases) {
    const scene = visitSite({ '/': answer });
    await scene.fetch('/');
    t.equal(scene.sent().length, tries, JSON.stringify(answer));
    t.same(scene.pauses, pauses);
    const once = visitSite({ '/': answer });
    await once.fetch('/', { attempts: 'once' });
    t.equal(once.sent().length, 1, 'once means once');
  }

  t.test('end with the first good answer', async (t) => {
    const answers: FixtureAnswer[] = [{ failure: 'reset' }, { status: 502 }, { body: 'good' }];
    const { fetch } = visitSite({ '/': () => answers.shift() ?? {} });
    t.match(await fetch('/'), { response: { status: 200 } });
  });

  t.test('end with the deadline, which proves nothing about the site', async (t) => {
    const { fetch, visit } = visitSite({ '/': { status: 503 } }, { pause: async () => visit.close() });
    t.same(await fetch('/'), { failure: 'run_deadline' });
  });
});

t.test('a fetch leaves no timer behind, which would keep the process', async (t) => {
  const { fetch, visit } = visitSite({ '/': 'home', '/old': redirectTo('/'), '/cut': { failure: 'reset' } });
  const countTimers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const before = countTimers();
  for (const path of ['/', '/old', '/cut']) {
    await fetch(path);
    t.equal(countTimers(), before, path);
  }
  await visit.close();
});

t.test('what is sent', async (t) => {
  const { fetch, transport } = visitSite({ '*': 'ok' }, { infoUrl: 'https://scan.fixture-site.com/about' });
  await fetch('/', { headers: { 'x-a': 'b' } });
  t.same(transport.requests[0]?.headers, {
    accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    'accept-encoding': 'gzip, br',
    'accept-language': '*',
    'user-agent': 'AgentReadinessScan/1.0 (+https://scan.fixture-site.com/about)',
    'x-a': 'b',
  });

  t.test("another agent's name only where the caller has proved that the site is theirs", async (t) => {
    for (const isOwnershipVerified of [true, false]) {
      const name = isOwnershipVerified ? 'GPTBot/1.2' : 'AgentReadinessScan/1.0';
      const { fetch, transport } = visitSite({ '*': 'ok' }, { target: { ...FIXTURE_TARGET, isOwnershipVerified } });
      await fetch('/', { headers: { 'user-agent': 'GPTBot/1.2' } });
      t.equal(transport.requests[0]?.headers['user-agent'], name);
    }
  });
});

t.test('redirects that add the same again are not followed, so that files that do not exist cost little', async (t) => {
  const { fetch, sent } = visitSite({ '*': ({ url }) => redirectTo(`/en${url.pathname}`), '/en/llms.txt': 'text' });
  t.match(await fetch('/a.txt'), { response: { status: 302, hops: { length: 1 } } });
  t.same(sent(), ['/a.txt', '/en/a.txt']);
  t.match(await fetch('/llms.txt'), { response: { status: 200 } }, 'one addition may lead to a translation');
  const versions = visitSite({ '/x': redirectTo('/v2/x'), '/v2/x': redirectTo('/en/v2/x'), '/en/v2/x': 'text' });
  t.match(await versions.fetch('/x'), { response: { status: 200 } }, 'two different additions may, too');
});
