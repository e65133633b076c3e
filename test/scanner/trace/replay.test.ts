import { gzipSync } from 'node:zlib';
import t, { type Test } from 'tap';
import { ResponseHeaders, type Transport } from '../../../src/net/transport.js';
import type { ScanReport } from '../../../src/scanner/scan/scan.js';
import { ReplayTransport } from '../../../src/scanner/trace/replay-transport.js';
import { botBlocking } from '../../fixtures/sites/bot-blocking.js';
import { FIXTURE_SITES } from '../../fixtures/sites/index.js';
import { readCorpus, toFixtureSite } from '../../support/corpus.js';
import { perfect } from '../../fixtures/sites/perfect.js';
import { FIXTURE_ORIGIN, type FixtureSite, FixtureTransport } from '../../support/fixture-site.js';
import { LoopbackTransport } from '../../support/loopback-transport.js';
import { recordAndReplay, type RecordOptions } from '../../support/recorded.js';

/** All that a report says of a site; how much was asked for it, which a replay does not do, is for the limits alone. */
function said(report: ScanReport): string {
  return JSON.stringify({ ...report, siteRequestCount: 0 });
}

for (const { name, site } of FIXTURE_SITES) {
  t.test(`a replay finds what the scan found, over sockets: ${name}`, async (t) => {
    const { report, replayed } = await recordAndReplay(site, { transport: await LoopbackTransport.open(site) });
    t.equal(JSON.stringify(replayed.report), said(report));
    t.equal(replayed.missingCount, 0);
  });
}

for (const { topic, cases } of readCorpus()) {
  t.test(`a replay finds what the scan found: ${topic}`, async (t) => {
    for (const one of cases) {
      const { report, replayed } = await recordAndReplay(toFixtureSite(one));
      t.equal(JSON.stringify(replayed.report), said(report), one.id);
      t.equal(replayed.missingCount, 0, one.id);
    }
  });
}

/** Scans, records, replays, and compares all that a report says. */
async function checkSame(t: Test, site: FixtureSite, options: RecordOptions = {}) {
  const { report, recording, replayed } = await recordAndReplay(site, options);
  t.equal(JSON.stringify(replayed.report), said(report));
  t.equal(replayed.missingCount, 0);
  return { report, recording };
}

const HOME = '<!doctype html><html lang="en"><title>Kiosk</title><h1>Kiosk</h1><p>Tickets</p></html>';
const never = (): Promise<never> => new Promise(() => undefined);

t.test('a scan that its time limit ended ends there again', async (t) => {
  const site: FixtureSite = { routes: { '/': HOME, '/llms.txt': never, '/.well-known/mcp.json': never } };
  const { report, recording } = await checkSame(t, site, { limits: { runMs: 200 } });
  t.ok(recording.run.isOutOfTime);
  t.equal(report.findings.find(({ checkId }) => checkId === 'C-LLMS-01')?.result, 'UNDETERMINED');
});

t.test('a body that drips is replayed as far as it came', async (t) => {
  const drip = async function* (signal: AbortSignal): AsyncGenerator<Uint8Array> {
    yield Buffer.from('<!doctype html>');
    await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
  };
  const transport: Transport = {
    exchange: async ({ signal }) => ({ status: 200, headers: new ResponseHeaders([]), body: drip(signal) }),
    close: async () => undefined,
  };
  const { recording } = await checkSame(t, { routes: {} }, { transport, limits: { tryMs: 20 } });
  t.match(recording.exchanges[0], { failure: 'stalled', response: { status: 200, isAbandoned: false } });
});

t.test('what the limits on requests dropped is dropped again', async (t) => {
  for (const limits of [{ requestsMax: 25, furtherReserve: 5 }, { foreignMax: 0 }]) {
    const { recording } = await checkSame(t, perfect, { limits });
    t.ok(recording.run.unsent.length > 0, 'something was dropped');
  }
});

t.test('what the guard refused is refused again', async (t) => {
  const routes = { '/': HOME, '/llms.txt': { status: 302, headers: { location: 'http://127.0.0.1/' } } };
  const { recording } = await checkSame(t, { routes });
  t.same(recording.run.refused, [{ url: 'http://127.0.0.1/', reason: 'address_not_public' }]);
});

t.test('a bomb is recorded as far as it was read', async (t) => {
  const bomb = gzipSync(Buffer.alloc(50 * 1_048_576, 'a'));
  const body = { headers: { 'content-encoding': 'gzip' }, body: bomb };
  const { recording } = await checkSame(t, { routes: { '/': HOME, '/llms.txt': body, '/robots.txt': body } });
  const [robots] = recording.exchanges.filter(({ request }) => request.url.endsWith('/robots.txt'));
  t.ok((robots?.response?.body.length ?? Infinity) < 100_000);
});

t.test('compressed data that ends early in a whole answer is judged alike', async (t) => {
  const map = gzipSync(`<urlset><url><loc>${FIXTURE_ORIGIN}/</loc></url></urlset>`).subarray(0, -8);
  for (const headers of [{ 'content-length': `${map.length}` }, { 'transfer-encoding': 'chunked' }]) {
    const { report } = await checkSame(t, {
      routes: { '/': `${HOME}<a href="/a">A`, '/sitemap.xml.gz': { body: map, headers } },
    });
    t.match(
      report.findings.find(({ checkId }) => checkId === 'C-SITE-01'),
      { result: 'FAIL', errorType: 'FORMAT' },
      JSON.stringify(headers),
    );
  }
});

t.test('an endless answer is recorded within the limits of a scan', async (t) => {
  const long = { type: 'text/plain', body: Buffer.alloc(8 * 1_048_576, 'word ') };
  const { recording } = await checkSame(t, { routes: { '/': HOME, '/llms.txt': long } });
  const [llms] = recording.exchanges.filter(({ request }) => request.url.endsWith('/llms.txt'));
  t.ok((llms?.response?.body.length ?? Infinity) < 2 * 1_048_576);
});

t.test('under its own name and under that of agents', async (t) => {
  for (const isOwnershipVerified of [true, false]) await checkSame(t, botBlocking, { isOwnershipVerified });
});

t.test('the same request gets its answers in their order, and then the last one again', async (t) => {
  let count = 0;
  const site: FixtureSite = { routes: { '/': () => ({ status: (count += 1) < 3 ? 503 : 200, body: HOME }) } };
  const { recording } = await checkSame(t, site);
  const transport = new ReplayTransport(recording);
  t.teardown(() => transport.close());
  const { request } = recording.exchanges.find(({ request: { url } }) => url === `${FIXTURE_ORIGIN}/`)!;
  const statuses: number[] = [];
  for (let at = 0; at < 4; at += 1) {
    const { signal } = new AbortController();
    const { method, url, headers } = request;
    const answer = await transport.exchange({ method, url: new URL(url), headers, signal });
    for await (const chunk of answer.body) t.ok(chunk.length > 0);
    statuses.push(answer.status);
  }
  t.same(statuses, [503, 503, 200, 200]);
});

t.test('a scan that ends while a name is still looked up ends so again', async (t) => {
  const fixture = new FixtureTransport({
    routes: { '/': HOME, '/llms.txt': '# Kiosk\n\n- [Slow](https://slow.fixture-site.com/)\n' },
  });
  // A real lookup keeps the process alive, too.
  const alive = setInterval(() => undefined, 60_000);
  t.teardown(() => clearInterval(alive));
  const transport: Transport = {
    exchange: (request) => fixture.exchange(request),
    addressOf: ({ hostname }) => (hostname === 'slow.fixture-site.com' ? never() : Promise.resolve('192.0.2.1')),
    close: () => fixture.close(),
  };
  const { recording } = await checkSame(t, { routes: {} }, { transport, limits: { runMs: 200 } });
  t.same(recording.run.hungLookups, ['slow.fixture-site.com:443']);
  t.equal(recording.exchanges[0]?.address, '192.0.2.1');
});
