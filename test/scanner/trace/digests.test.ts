import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import t from 'tap';
import { WARCParser } from 'warcio';
import { type FieldLine, ResponseHeaders } from '../../../src/net/transport.js';
import { readRecording } from '../../../src/scanner/trace/read-recording.js';
import { Recorder } from '../../../src/scanner/trace/recorder.js';
import { octetsOf, readRecords } from '../../../src/scanner/trace/warc-records.js';
import { RUN_TYPE } from '../../../src/scanner/trace/write-warc.js';
import { replayScan } from '../../../src/scanner/scan/recorded-scan.js';
import { FIXTURE_ORIGIN, type FixtureSite, FixtureTransport } from '../../support/fixture-site.js';
import { PROJECT } from '../../support/project.js';
import { recordFixture, warcOf } from '../../support/recorded.js';

const HOME = '<!doctype html><html lang="de"><title>Kiosk</title><h1>Kiosk</h1></html>';
const SITE: FixtureSite = { routes: { '/': HOME } };

/** Written by commit 1e55ffe, which knew no digests and wrote header fields as text. */
const OLDER = readFileSync(join(PROJECT, 'test', 'fixtures', 'recordings', 'before-digests.warc.gz'));
/** Of what that commit read of it, by {@link digestOfRead}. */
const OLDER_READ = 'fd88e5d67163e0e49c423425a5651af73c705f81930c601357aaa443d4d48481';

t.test('the entry of the run is of no page, and each record has its digest', async (t) => {
  const { recording } = await recordFixture(SITE);
  const records = [];
  for await (const { warcHeaders, warcTargetURI = null } of new WARCParser([warcOf(recording)])) {
    const { headers } = warcHeaders;
    t.match(headers.get('WARC-Block-Digest'), /^sha256:[0-9a-f]{64}$/);
    records.push({ type: headers.get('Content-Type'), url: warcTargetURI });
  }
  t.same(records[1], { type: RUN_TYPE, url: null });
});

t.test('header fields are written as received, octet by octet', async (t) => {
  const lines: FieldLine[] = [
    ['Content-Type', 'text/html'],
    ['X-Latin', 'caf\u00e9'],
    ['X-UTF8', octetsOf('café')],
    ['x-latin', 'second'],
  ];
  const site = new FixtureTransport(SITE);
  const recorder = new Recorder(() => new Date());
  const transport = recorder.watchTransport({
    exchange: async (request) => ({ ...(await site.exchange(request)), headers: new ResponseHeaders(lines) }),
    close: async () => undefined,
  });
  const { signal } = new AbortController();
  const answer = await transport.exchange({ url: new URL(FIXTURE_ORIGIN), method: 'GET', headers: {}, signal });
  t.equal(answer.headers.get('x-latin'), 'café, second');
  t.equal(answer.headers.get('x-utf8'), 'café');
  for await (const chunk of answer.body) t.ok(chunk.length);
  const { recording } = await recordFixture(SITE);
  const file = warcOf({ ...recording, exchanges: recorder.exchanges });
  const head = 'Content-Type: text/html\r\nX-Latin: caf\u00e9\r\nX-UTF8: caf\u00c3\u00a9\r\nx-latin: second\r\n\r\n';
  t.ok(gunzipSync(file).toString('latin1').includes(head));
  t.same((await readRecording(file)).exchanges[0]?.response?.headers, lines);
});

t.test('a record that is not as it was written is refused', async (t) => {
  const block = Buffer.from('as it was written');
  const read = (digest: string): number => {
    const head = `WARC/1.1\r\nWARC-Block-Digest: ${digest}\r\nContent-Length: ${block.length}\r\n\r\n`;
    return [...readRecords(Buffer.concat([Buffer.from(head), block, Buffer.from('\r\n\r\n')]), 1)].length;
  };
  const sha256 = createHash('sha256').update(block).digest('hex');
  for (const digest of [
    `sha256:${sha256}`,
    `SHA-256:${sha256.toUpperCase()}`,
    'sha1:GJZH4SZ72ZUUBR6ZOXOXXGF5CWA6MTPO',
    `sha256:${Buffer.from(sha256, 'hex').toString('base64')}`,
    `sha256:${Buffer.from(sha256, 'hex').toString('base64url')}`,
  ]) {
    t.equal(read(digest), 1, digest);
  }
  t.equal(read('blake3:abc'), 1, 'nobody here can say that it is wrong');
  for (const digest of [`sha256:${sha256.replace(/^./, 'g')}`, 'sha256:', 'sha1:AJZH4SZ72ZUUBR6ZOXOXXGF5CWA6MTPO']) {
    t.throws(
      () => read(digest),
      { message: /its digest differs: copy the file again, or record the site again/ },
      digest,
    );
  }
});

t.test('a recording of before is read, and judged, as it was', async (t) => {
  const older = await readRecording(OLDER);
  t.equal(digestOfRead(older), OLDER_READ);
  const { report, missingCount } = await replayScan(older);
  const again = await replayScan(await readRecording(warcOf(older)));
  t.equal(JSON.stringify(again.report), JSON.stringify(report), 'as when it is written in the form of today');
  t.equal(again.missingCount, missingCount);
});

function digestOfRead({ run, exchanges }: Awaited<ReturnType<typeof readRecording>>): string {
  const read = exchanges.map(({ response, ...rest }) => ({
    ...rest,
    response: response && {
      ...response,
      body: Buffer.from(response.body).toString('base64'),
      headers: response.headers.map(([name, value]) => [
        name.toLowerCase(),
        new ResponseHeaders([[name, value]]).get(name),
      ]),
    },
  }));
  return createHash('sha256')
    .update(JSON.stringify({ run, exchanges: read }))
    .digest('hex');
}
