import t from 'tap';
import type { Part } from '../../../src/scanner/client/visit.js';
import { type Exchange, ExchangeLog } from '../../../src/scanner/trace/exchanges.js';
import type { Transport } from '../../../src/net/transport.js';
import { urlset } from '../../fixtures/sites/parts.js';
import { addressed, FIXTURE_ORIGIN, type FixtureSite, FixtureTransport } from '../../support/fixture-site.js';
import { openFixtureRun } from '../../support/collect.js';
import { redirectTo } from '../../support/visit-site.js';

const HOME = '<!doctype html><title>Home</title><p>Welcome to a page with text</p><a href="/about">About</a>';
const ROBOTS = 'User-agent: *\nDisallow: /private\nSitemap: https://www.fixture-site.com/map.xml\n';

function open(site: FixtureSite, transport: Transport = addressed(new FixtureTransport(site))) {
  const log = new ExchangeLog({ origin: new URL(site.origin ?? FIXTURE_ORIGIN) });
  return { log, run: openFixtureRun(site, { transport, log }) };
}

/** What these kinds of evidence or parts depend on. */
const briefsOf = (log: ExchangeLog, ...kinds: string[]) =>
  log.exchangesOf(kinds).map(({ exchange }) => brief(exchange));

/** The bodies that are stored of them. */
const bodiesOf = (log: ExchangeLog, kind: string) =>
  log.exchangesOf([kind]).flatMap(({ exchange: { body, stored } }) => {
    return body && stored.source === 'site' ? [{ bytes: body, userAgent: stored.userAgent }] : [];
  });

function brief({ url, stored }: Exchange): string {
  if (stored.source !== 'site') return `${url.pathname} ${stored.outcome} (${stored.source})`;
  const { method, answer, isControl } = stored;
  const outcome = 'failure' in answer ? answer.failure : answer.status;
  return `${method} ${url.pathname} ${outcome}${isControl ? ' control' : ''}`;
}

t.test('evidence depends on its own requests, their controls, and those of the evidence that it uses', async (t) => {
  const { log, run } = open({ routes: { '/': HOME, '/robots.txt': ROBOTS, '/map.xml': '<urlset/>' } });
  await Promise.all([run.context.evidence('robots'), run.context.evidence('sitemap'), run.context.evidence('llms')]);
  const dependenciesOf = (...kinds: string[]) => briefsOf(log, ...kinds);
  t.same(dependenciesOf('robots'), ['GET /robots.txt 200', 'GET /random-control-1.txt 404 control']);
  t.match(dependenciesOf('sitemap').slice(0, 1), ['GET /map.xml 200']);
  for (const base of ['GET /robots.txt 200', 'GET / 200', 'GET /random-control-1.txt 404 control'])
    t.ok(dependenciesOf('sitemap').includes(base), base);
  t.notOk(dependenciesOf('robots').includes('GET / 200'), 'the home page only says on which host the file is');
  const isAsked = dependenciesOf('llms').includes('GET /random-control-1.txt 404 control');
  t.ok(isAsked, 'a control that somebody else asked for');
  const both = dependenciesOf('robots', 'llms');
  t.equal(both.length, new Set(both).size, 'each exchange once');
  await run.close();
});

t.test('a part that gets a cached response depends on it', async (t) => {
  const { log, run } = open({ routes: { '/': HOME } });
  const ask = (part: Part) => run.context.visit.fetch(new URL('/page', FIXTURE_ORIGIN), { part });
  await log.parts.once('first', null, ask);
  await log.parts.once('second', null, (part) => Promise.all([ask(part), ask(part)]));
  t.same(log.exchangesOf(['second']), log.exchangesOf(['first']));
  t.equal(run.context.visit.requestCount, 1);
  t.equal(log.exchangesOf(['second']).length, 1);
  await run.close();
});

t.test('exchanges are in the order of requests, not of responses', async (t) => {
  const site: FixtureSite = { routes: { '/': HOME, '/first': 'a', '/second': 'b' } };
  const transport = new FixtureTransport(site);
  const first = Promise.withResolvers<void>();
  const { log, run } = open(site, {
    ...addressed(transport),
    exchange: async (request) => {
      if (request.url.pathname === '/first') await first.promise;
      return transport.exchange(request);
    },
  });
  await log.parts.once('part', null, async (part) => {
    const ask = (path: string) => run.context.visit.fetch(new URL(path, FIXTURE_ORIGIN), { part });
    const asked = ask('/first');
    await ask('/second');
    first.resolve();
    await asked;
  });
  t.same(briefsOf(log, 'part'), ['GET /first 200', 'GET /second 200']);
  await run.close();
});

t.test('a redirect is an exchange, and a failed try has its reason', async (t) => {
  const { log, run } = open({
    routes: { '/': redirectTo('/home'), '/home': HOME, '/robots.txt': { failure: 'reset' } },
  });
  await Promise.all([run.context.evidence('home'), run.context.evidence('robots')]);
  t.same(briefsOf(log, 'home'), ['GET / 302', 'GET /home 200']);
  t.equal(briefsOf(log, 'robots')[0], 'GET /robots.txt reset');
  await run.close();
});

t.test('a response from an unknown address is not stored', async (t) => {
  const site = { routes: { '/': HOME } };
  const { log, run } = open(site, new FixtureTransport(site));
  await run.context.evidence('home');
  t.same(briefsOf(log, 'home'), ['/ null (private address)']);
  await run.close();
});

t.test('only the start of a streamed body is stored', async (t) => {
  const map = urlset(Array.from({ length: 2000 }, (_, at) => [`${FIXTURE_ORIGIN}/${at}`]));
  const { log, run } = open({ routes: { '/': HOME, '/robots.txt': ROBOTS, '/map.xml': map } });
  await run.context.evidence('sitemap');
  const { bytes } = bodiesOf(log, 'sitemap')[0]!;
  t.equal(Buffer.from(bytes).toString(), map.slice(0, bytes.length));
  t.ok(bytes.length < map.length);
  await run.close();
});

t.test('bodies are cut once 4 MiB are stored', async (t) => {
  const large = Array.from({ length: 6 }, (_, at) => `${at}`.repeat(1_000_000));
  const { log, run } = open({ routes: Object.fromEntries(large.map((body, at) => [`/${at}`, body])) });
  const ask = (at: number, part: Part) => run.context.visit.fetch(new URL(`/${at}`, FIXTURE_ORIGIN), { part });
  await log.parts.once('asked', null, async (part) => {
    for (const at of large.keys()) await ask(at, part);
  });
  const bodies = bodiesOf(log, 'asked');
  const areWhole = bodies.map(({ bytes }) => bytes.length === 1_000_000);
  t.same(areWhole, [true, true, true, true, false, false]);
  await run.close();
});

t.test('only the start of pages is stored that answer other agents', async (t) => {
  const links = ['/docs', '/blog', '/shop'].map((path) => `<a href="${path}">More</a>`).join('');
  const page = `<!doctype html><title>Large</title>${links}<p>${'Words and more words. '.repeat(80_000)}</p>`;
  const { log, run } = open({ routes: { '/robots.txt': '', '*': page } });
  await run.context.evidence('agentReplies');
  const bodies = bodiesOf(log, 'agentReplies').filter(({ userAgent }) => userAgent !== 'AgentReadinessScan/1.0');
  t.equal(bodies.length, 10, 'four names on the home page, two on each other one');
  for (const { bytes } of bodies) t.ok(bytes.buffer.byteLength <= 16_384, `${bytes.buffer.byteLength} bytes`);
  await run.close();
});
