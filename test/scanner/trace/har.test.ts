import { fail } from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import t from 'tap';
import { type FieldLine, ResponseHeaders } from '../../../src/net/transport.js';
import { evidenceOf } from '../../../src/scanner/trace/stored-evidence.js';
import { readRecording } from '../../../src/scanner/trace/recording.js';
import { Recorder } from '../../../src/scanner/trace/recorder.js';
import { ReplayTransport } from '../../../src/scanner/trace/replay-transport.js';
import { describeResponse, writeEvidence } from '../../../src/scanner/trace/har.js';
import { hopRequest } from '../../net/hop-request.js';
import { FIXTURE_ORIGIN, type FixtureSite, FixtureTransport } from '../../support/fixture-site.js';
import { scanKeeping } from '../../support/golden.js';
import { harFaults, harOf, recordFixture } from '../../support/recorded.js';

const HOME =
  '<!doctype html><html lang="de"><title>Kiosk</title><h1>Zeitungen über den Hafen</h1><a href="/gone">x</a></html>';
const MAP = gzipSync(`<urlset><url><loc>${FIXTURE_ORIGIN}/</loc></url></urlset>`);

const SITE: FixtureSite = {
  routes: {
    '/': { headers: { 'content-encoding': 'gzip', link: '</ünï>; rel="x"' }, body: gzipSync(HOME) },
    '/robots.txt': `User-agent: *\nAllow: /\nSitemap: ${FIXTURE_ORIGIN}/map.xml.gz\n`,
    '/llms.txt': { body: `# Kiosk\n\n${'- [Tickets](/tickets)\n'.repeat(200)}`, cut: true },
    '/map.xml.gz': { type: 'application/gzip', body: MAP },
    '/.well-known/mcp.json': { failure: 'tls_expired' },
    '/.well-known/mcp': { headers: { 'content-encoding': 'zstd' }, body: 'x' },
  },
};

interface Entry {
  readonly startedDateTime: string;
  readonly request: { readonly url: string };
  readonly response: { readonly status: number; readonly content: unknown; readonly _error?: string };
}

function entriesOf(har: string): readonly Entry[] {
  return (JSON.parse(har) as { readonly log: { readonly entries: readonly Entry[] } }).log.entries;
}

t.test('a recording is a HAR 1.2 file, which developer tools show', async (t) => {
  const { recording } = await recordFixture(SITE);
  const har = harOf(recording).toString();
  t.same(harFaults(har), []);
  t.match(JSON.parse(har), { log: { version: '1.2', creator: { name: 'AgentReadinessScan', version: '1.2.3' } } });
  const entries = entriesOf(har);
  t.equal(entries.length, recording.entries.length);
  const answerAt = (path: string) =>
    entries.find(({ request }) => request.url === `${FIXTURE_ORIGIN}${path}`)?.response;
  t.match(answerAt('/'), { status: 200, content: { text: HOME, size: Buffer.byteLength(HOME) } });
  t.match(answerAt('/llms.txt'), { status: 200, _error: 'cut_off' });
  t.match(answerAt('/map.xml.gz')?.content, { encoding: 'base64', text: MAP.toString('base64') });
  t.match(answerAt('/.well-known/mcp.json'), { status: 0, _error: 'tls_expired' });
  t.match(answerAt('/.well-known/mcp')?.content, { text: 'x', _isCoded: true });
  const failing = { routes: { '*': { failure: 'stalled' } } } as const;
  const failed = harOf((await recordFixture(failing)).recording).toString();
  t.same(harFaults(failed), [], 'a timeout is an entry, too');
  const errors = new Set(entriesOf(failed).map(({ response }) => `${response.status} ${response._error}`));
  // The scan may end while a request is in flight that no check needs.
  errors.delete('0 run_deadline');
  t.same([...errors], ['0 stalled']);
});

t.test('header fields are decoded as UTF-8 or Latin-1', async (t) => {
  const lines: FieldLine[] = [
    ['X-Latin', 'caf\u00e9'],
    ['X-UTF8', 'caf\u00c3\u00a9'],
    ['x-latin', 'second\r\nno-field: 1'],
  ];
  const { recording } = await recordFixture(SITE);
  const [first] = recording.entries;
  const response = describeResponse({ status: 200, headers: new ResponseHeaders(lines) }, Buffer.from(''), {});
  const file = harOf({ ...recording, entries: [{ ...first!, response }] });
  const transport = new ReplayTransport(readRecording(file, fail));
  const { url, headers } = first!.request;
  const sent = Object.fromEntries(headers.map(({ name, value }) => [name, value]));
  const read = await transport.exchange(hopRequest(url, sent));
  t.same(read.headers.all('x-latin'), ['café', 'second\r\nno-field: 1']);
  t.same(read.headers.all('x-utf8'), ['café']);
  t.equal(read.headers.get('no-field'), null);
});

t.test('pages of another origin are not read from a file', async (t) => {
  const { recording } = await recordFixture(SITE);
  const withPage = (page: string) =>
    readRecording(harOf({ ...recording, run: { ...recording.run, pages: [page] } }), fail);
  t.same(withPage(`${FIXTURE_ORIGIN}/a`).run.pages, [`${FIXTURE_ORIGIN}/a`]);
  for (const page of ['https://elsewhere.com/a', FIXTURE_ORIGIN.replace('//', '//me@'), 'no address']) {
    t.throws(() => withPage(page), { message: 'one of its entries is malformed' }, page);
  }
});

t.test('no file holds a cookie or credentials', async (t) => {
  const secret = 'canary-5f1c';
  const fields = { 'set-cookie': [`a=${secret}`, `b=${secret}`], 'Set-Cookie2': secret, 'proxy-authorization': secret };
  const { recording } = await recordFixture({ routes: { '*': { headers: fields, body: HOME } } });
  t.notMatch(harOf(recording).toString(), secret);
  const recorder = new Recorder(() => new Date());
  const transport = recorder.watchTransport(new FixtureTransport({ routes: { '/': HOME } }));
  const headers = { accept: '*/*', cookie: secret, authorization: secret, 'proxy-authorization': secret };
  const { body } = await transport.exchange(hopRequest(FIXTURE_ORIGIN, headers));
  for await (const chunk of body) t.ok(chunk.length);
  t.same(recorder.entries[0]?.request.headers, [{ name: 'accept', value: '*/*' }]);
});

t.test('the evidence behind findings is a HAR 1.2 file of the site alone', async (t) => {
  const site: FixtureSite = {
    routes: { ...SITE.routes, '/robots.txt': 'User-agent: *\nDisallow: /\n', '/sitemap.xml': { failure: 'stalled' } },
  };
  const { evidence, findings } = await scanKeeping(site);
  const shown = findings.flatMap(({ checkId }) => (evidence && evidenceOf(evidence, checkId)) ?? []);
  const storedAt = '2026-06-01T00:00:00.000Z';
  const har = writeEvidence(
    shown.map((each) => ({ ...each, storedAt })),
    '1.2.3',
  );
  t.same(harFaults(har), []);
  const entries = entriesOf(har);
  t.ok(entries.every(({ request }) => request.url.startsWith(FIXTURE_ORIGIN)));
  t.ok(entries.every(({ startedDateTime }) => startedDateTime === storedAt));
  const robots = entries.find(({ request }) => request.url.endsWith('/robots.txt'))?.response.content;
  t.match(robots, { text: /Disallow: \//, _namedLines: [2], comment: 'an excerpt of the body, starting at line 1' });
  t.equal(new Set(entries.map(({ request }) => request)).size, entries.length);
});
