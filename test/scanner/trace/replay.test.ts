import { setImmediate as nextTurn } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import t, { type Test } from 'tap';
import { type HopRequest, ResponseHeaders, type Transport } from '../../../src/net/transport.js';
import type { ScanReport } from '../../../src/scanner/scan/scan.js';
import { ReplayTransport } from '../../../src/scanner/trace/replay-transport.js';
import { hopRequest } from '../../net/hop-request.js';
import { botBlocking } from '../../fixtures/sites/bot-blocking.js';
import { FIXTURE_SITES } from '../../fixtures/sites/index.js';
import { perfect } from '../../fixtures/sites/perfect.js';
import { FIXTURE_ORIGIN, type FixtureRoute, type FixtureSite, FixtureTransport } from '../../support/fixture-site.js';
import { LoopbackTransport } from '../../support/fixture-server.js';
import { redirectTo } from '../../support/visit-site.js';
import { recordAndReplay, type RecordOptions, withoutCount } from '../../support/recorded.js';

/** Scans, records, replays, and compares all that a report says. */
async function checkSame(t: Test, site: FixtureSite, options: RecordOptions = {}, name = '') {
  const { report, recording, replayed } = await recordAndReplay(site, options);
  t.equal(JSON.stringify(replayed.report), withoutCount(report), name);
  t.equal(replayed.missingCount, 0, name);
  return { report, recording };
}

t.test('a replay finds what the scan found, over sockets', async (t) => {
  for (const { name, site } of FIXTURE_SITES)
    await checkSame(t, site, { transport: await LoopbackTransport.open(site) }, name);
});

const HOME = '<!doctype html><html lang="en"><title>Kiosk</title><h1>Kiosk</h1><p>Tickets</p></html>';
const never = (): Promise<never> => new Promise(() => undefined);

/** Answers of a site, and a time limit that ends the scan once it waits only for what is never answered. */
function endWhenQuiet(site: FixtureSite) {
  const fixture = new FixtureTransport(site);
  const timeUp = new AbortController();
  let requestCount = 0;
  let isWaiting = false;
  const waitForQuiet = async (): Promise<void> => {
    for (let before = -1; before !== requestCount;) {
      before = requestCount;
      for (let turn = 0; turn < 200; turn += 1) await nextTurn();
    }
    timeUp.abort();
  };
  return {
    fixture,
    timeUp: timeUp.signal,
    exchange: (request: HopRequest) => {
      requestCount += 1;
      return fixture.exchange(request);
    },
    /** Never resolves. */
    hang: (): Promise<never> => {
      if (!isWaiting) void waitForQuiet();
      isWaiting = true;
      return never();
    },
  };
}

t.test('a scan that ran out of time ends at the same request', async (t) => {
  const routes: Record<string, FixtureRoute> = { '/': HOME };
  const { fixture, timeUp, exchange, hang } = endWhenQuiet({ routes });
  routes['/llms.txt'] = hang;
  routes['/.well-known/mcp.json'] = hang;
  const transport: Transport = { exchange, close: () => fixture.close() };
  const { report, recording } = await checkSame(t, { routes }, { transport, timeUp });
  t.ok(recording.run.isOutOfTime);
  t.equal(report.findings.find(({ checkId }) => checkId === 'C-LLMS-01')?.result, 'UNDETERMINED');
});

t.test('a body that stalls is replayed up to the stall', async (t) => {
  const drip = async function* (signal: AbortSignal): AsyncGenerator<Uint8Array> {
    yield Buffer.from('<!doctype html>');
    await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
  };
  const transport: Transport = {
    exchange: async ({ signal }) => ({ status: 200, headers: new ResponseHeaders([]), body: drip(signal) }),
    close: async () => undefined,
  };
  const { recording } = await checkSame(t, { routes: {} }, { transport, limits: { tryMs: 20 } });
  t.match(recording.entries[0]?.response, { status: 200, _error: 'stalled', _isAbandoned: undefined });
});

t.test('requests beyond a limit are dropped again', async (t) => {
  for (const limits of [{ requestsMax: 25, followUpReserve: 5 }, { externalMax: 0 }]) {
    const { recording } = await checkSame(t, perfect, { limits });
    t.ok(recording.run.unsent.length > 0, 'something was dropped');
  }
});

t.test('addresses that the guard refused are refused again', async (t) => {
  const routes = { '/': HOME, '/llms.txt': redirectTo('http://127.0.0.1/') };
  const { recording } = await checkSame(t, { routes });
  t.same(recording.run.refused, [{ url: 'http://127.0.0.1/', reason: 'address_not_public' }]);
});

t.test('a decompression bomb is recorded only as far as it was read', async (t) => {
  const bomb = gzipSync(Buffer.alloc(50 * 1_048_576, 'a'));
  const body = { headers: { 'content-encoding': 'gzip' }, body: bomb };
  const { recording } = await checkSame(t, { routes: { '/': HOME, '/llms.txt': body, '/robots.txt': body } });
  const [robots] = recording.entries.filter(({ request }) => request.url.endsWith('/robots.txt'));
  t.ok((robots?.response.content.size ?? Infinity) < 100_000);
});

t.test('truncated gzip in a whole response is judged the same', async (t) => {
  const map = gzipSync(`<urlset><url><loc>${FIXTURE_ORIGIN}/</loc></url></urlset>`).subarray(0, -8);
  for (const headers of [{ 'content-length': `${map.length}` }, { 'transfer-encoding': 'chunked' }]) {
    const routes = { '/': `${HOME}<a href="/a">A`, '/sitemap.xml.gz': { body: map, headers } };
    const { report } = await checkSame(t, { routes });
    const finding = report.findings.find(({ checkId }) => checkId === 'C-SITE-01');
    t.match(finding, { result: 'FAIL', errorType: 'FORMAT' }, JSON.stringify(headers));
  }
});

t.test('verified and unverified sites replay the same', async (t) => {
  for (const isOwnershipVerified of [true, false]) await checkSame(t, botBlocking, { isOwnershipVerified });
});

t.test('a repeated request gets its responses in order, then the last one again', async (t) => {
  let count = 0;
  const site: FixtureSite = { routes: { '/': () => ({ status: (count += 1) < 3 ? 503 : 200, body: HOME }) } };
  const { recording } = await checkSame(t, site);
  const transport = new ReplayTransport(recording);
  t.teardown(() => transport.close());
  const { request } = recording.entries.find(({ request: { url } }) => url === `${FIXTURE_ORIGIN}/`)!;
  const statuses: number[] = [];
  for (let at = 0; at < 4; at += 1) {
    const headers = Object.fromEntries(request.headers.map(({ name, value }) => [name, value]));
    const answer = await transport.exchange(hopRequest(request.url, headers));
    for await (const chunk of answer.body) t.ok(chunk.length > 0);
    statuses.push(answer.status);
  }
  t.same(statuses, [503, 503, 200, 200]);
});

t.test('a scan that ends during a DNS lookup ends the same way', async (t) => {
  const { fixture, timeUp, exchange, hang } = endWhenQuiet({
    routes: { '/': HOME, '/llms.txt': '# Kiosk\n\n- [Slow](https://slow.fixture-site.com/)\n' },
  });
  const transport: Transport = {
    exchange,
    addressOf: ({ hostname }) => (hostname === 'slow.fixture-site.com' ? hang() : Promise.resolve('192.0.2.1')),
    close: () => fixture.close(),
  };
  const { report, recording, replayed } = await recordAndReplay({ routes: {} }, { transport, timeUp });
  t.ok(recording.run.isOutOfTime);
  const resultsOf = ({ findings }: ScanReport) => findings.map(({ checkId, result }) => [checkId, result]);
  t.same(resultsOf(replayed.report), resultsOf(report));
});
