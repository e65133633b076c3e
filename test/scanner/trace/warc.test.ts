import { gzipSync } from 'node:zlib';
import t from 'tap';
import { WARCParser } from 'warcio';
import { readRecording } from '../../../src/scanner/trace/read-recording.js';
import { Recorder } from '../../../src/scanner/trace/recorder.js';
import { writeRecording } from '../../../src/scanner/trace/write-warc.js';
import { FIXTURE_ORIGIN, type FixtureSite, FixtureTransport } from '../../support/fixture-site.js';
import { recordFixture, warcOf } from '../../support/recorded.js';

const HOME =
  '<!doctype html><html lang="de"><title>Kiosk</title><h1>Zeitungen über den Hafen</h1><a href="/gone">x</a></html>';

const SITE: FixtureSite = {
  routes: {
    '/': { headers: { 'content-encoding': 'gzip', link: '</ünï>; rel="x"' }, body: gzipSync(HOME) },
    '/robots.txt': 'User-agent: *\nAllow: /\n',
    '/llms.txt': { body: `# Kiosk\n\n${'- [Tickets](/tickets)\n'.repeat(200)}`, cut: true },
    '/sitemap.xml': { failure: 'reset' },
    '/.well-known/mcp.json': { failure: 'tls_expired' },
  },
};

interface ReadRecord {
  readonly type: string | null;
  readonly url: string | null;
  readonly truncated: string | null;
  readonly status: number | null;
  readonly body: string;
}

/** What warcio.js makes of a file; HTTP bodies without their content coding. */
async function readByLibrary(file: Uint8Array): Promise<ReadRecord[]> {
  const records: ReadRecord[] = [];
  for await (const record of new WARCParser([file])) {
    const { warcType: type, warcTargetURI: url = null, warcHeaders, httpHeaders } = record;
    const truncated = warcHeaders.headers.get('WARC-Truncated') ?? null;
    const status = type === 'response' ? Number(httpHeaders?.statusCode) : null;
    records.push({ ...{ type, url, truncated, status }, body: await record.contentText() });
  }
  return records;
}

t.test('another library reads every record', async (t) => {
  const { recording } = await recordFixture(SITE);
  const records = await readByLibrary(warcOf(recording));
  const ofType = (type: string) => records.filter((record) => record.type === type);
  t.equal(records[0]?.type, 'warcinfo');
  t.match(records[0]?.body, /^software: agent-readiness\/1\.2\.3\r\nformat: WARC File Format 1\.1\r\n/);
  t.equal(ofType('request').length, recording.exchanges.length);
  t.same(
    ofType('request').map(({ url }) => url),
    recording.exchanges.map(({ request }) => request.url),
  );
  t.equal(ofType('response').length, recording.exchanges.filter(({ response }) => response).length);
  const home = ofType('response').find(({ url }) => url === `${FIXTURE_ORIGIN}/`);
  t.same(
    { status: home?.status, body: home?.body, truncated: home?.truncated },
    { status: 200, body: HOME, truncated: null },
  );
  const llms = ofType('response').find(({ url }) => url === `${FIXTURE_ORIGIN}/llms.txt`);
  t.equal(llms?.truncated, 'disconnect');
  const notesOf = (url: string) =>
    ofType('metadata')
      .filter((record) => record.url === url)
      .map(({ body }) => body);
  t.match(notesOf(`${FIXTURE_ORIGIN}/sitemap.xml`)[0], /^fetchTimeMs: \d+\r\nfailure: reset\r\n$/);
  t.match(notesOf(`${FIXTURE_ORIGIN}/`).at(-1), /^dns: found\r\nconnection: accepted\r\ntls: trusted\r\n$/);
});

t.test('each outcome of a name and a certificate is a record', async (t) => {
  const outcomes = {
    name_not_found: 'dns: name_not_found\r\n',
    dns_failed: 'dns: dns_failed\r\n',
    target_refused: 'dns: target_refused\r\n',
    connect_failed: 'dns: found\r\nconnection: connect_failed\r\ntls: not known\r\n',
    tls_expired: 'dns: found\r\nconnection: accepted\r\ntls: tls_expired\r\n',
    reset: 'dns: found\r\nconnection: accepted\r\ntls: not known\r\n',
  } as const;
  for (const [failure, expected] of Object.entries(outcomes)) {
    const { recording } = await recordFixture({ routes: { '*': { failure: failure as keyof typeof outcomes } } });
    const records = await readByLibrary(warcOf(recording));
    const own = records.filter(({ type, url }) => type === 'metadata' && url === `${FIXTURE_ORIGIN}/`);
    t.equal(own.at(-1)?.body, expected, failure);
  }
});

t.test('without the entry of the run it is a WARC file, though none to replay', async (t) => {
  const { recording } = await recordFixture(SITE);
  const [info, , ...others] = writeRecording({ ...recording, exchanges: recording.exchanges.slice(0, 3) });
  const file = Buffer.concat([info ?? Buffer.alloc(0), ...others]);
  t.equal((await readByLibrary(file)).filter(({ type }) => type === 'request').length, 3);
  await t.rejects(readRecording(file), { message: 'it was not written by scan --record' });
});

t.test('what is read is what was recorded', async (t) => {
  const { recording } = await recordFixture(SITE);
  const read = await readRecording(warcOf(recording));
  t.same(JSON.parse(JSON.stringify(read)), JSON.parse(JSON.stringify(recording)));
});

t.test('a page of another origin, or none, is not read from a file', async (t) => {
  const { recording } = await recordFixture(SITE);
  const withPage = (page: string) => readRecording(warcOf({ ...recording, run: { ...recording.run, page } }));
  t.equal((await withPage(`${FIXTURE_ORIGIN}/a`)).run.page, `${FIXTURE_ORIGIN}/a`);
  for (const page of ['https://elsewhere.com/a', FIXTURE_ORIGIN.replace('//', '//me@'), 'no address']) {
    await t.rejects(withPage(page), page);
  }
});

t.test('no file holds a cookie or credentials', async (t) => {
  const secret = 'canary-5f1c';
  const fields = { 'set-cookie': [`a=${secret}`, `b=${secret}`], 'Set-Cookie2': secret, 'proxy-authorization': secret };
  const { recording } = await recordFixture({ routes: { '*': { headers: fields, body: HOME } } });
  t.notMatch(JSON.stringify(await readByLibrary(warcOf(recording))), secret);
  const { cookie, authorization } = { cookie: secret, authorization: secret };
  const recorder = new Recorder(() => new Date());
  const transport = recorder.watchTransport(new FixtureTransport({ routes: { '/': HOME } }));
  const url = new URL(FIXTURE_ORIGIN);
  const { signal } = new AbortController();
  const headers = { accept: '*/*', cookie, authorization, 'proxy-authorization': secret };
  for await (const chunk of (await transport.exchange({ url, method: 'GET', headers, signal })).body)
    t.ok(chunk.length);
  t.same(recorder.exchanges[0]?.request.headers, { accept: '*/*' });
});

t.test('no site ends a line of ours', async (t) => {
  const headers = { link: '</a>\r\n\r\nWARC/1.1\r\nWARC-Type: request\r\n\r\n' };
  const { recording } = await recordFixture({ routes: { '/': { headers, body: HOME } } });
  const { exchanges } = await readRecording(warcOf(recording));
  t.equal(exchanges.length, recording.exchanges.length);
});
