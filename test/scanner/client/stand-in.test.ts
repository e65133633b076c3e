import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import t from 'tap';
import {
  sendToPreview,
  overlayOfFile,
  serveOverlay,
  createPreviewGate,
  withSiteFields,
} from '../../../src/scanner/client/stand-in.js';
import { ResponseHeaders, type FieldLine, type Transport } from '../../../src/net/transport.js';
import { FIXTURE_SITES } from '../../fixtures/sites/index.js';
import { hopRequest } from '../../net/hop-request.js';
import { FIXTURE_ORIGIN, FixtureTransport } from '../../support/fixture-site.js';
import { expectedPath, formatGolden, scanFixture } from '../../support/golden.js';

const PREVIEW = { site: new URL('https://www.example.com'), servedBy: new URL('http://localhost:4000') };

/** What is asked beneath, and an answer with these fields. */
function transportOf(fields: readonly FieldLine[] = []) {
  const asked: string[] = [];
  const transport: Transport = {
    exchange: async ({ url }) => {
      asked.push(url.href);
      return { status: 301, headers: new ResponseHeaders(fields), body: Readable.from([]) };
    },
    addressOf: async ({ hostname }) => hostname,
    close: async () => undefined,
  };
  return { asked, transport };
}

t.test('what is asked of the site is asked of its preview, and nothing else', async (t) => {
  const { asked, transport } = transportOf();
  const preview = sendToPreview(transport, PREVIEW);
  const addresses: (string | undefined)[] = [];
  for (const url of [
    ...['https://www.example.com/a%20b?c=1', 'http://www.example.com/', 'https://example.com/'],
    ...['https://www.example.com:8443/', 'https://docs.example.com/', 'https://www.example.com.evil.example/'],
    ...['https://elsewhere.example/www.example.com'],
  ]) {
    await preview.exchange(hopRequest(url));
    addresses.push(await preview.addressOf?.(new URL(url)));
  }
  t.same(asked, [
    ...['http://localhost:4000/a%20b?c=1', 'http://localhost:4000/', 'http://localhost:4000/'],
    ...['https://www.example.com:8443/', 'https://docs.example.com/', 'https://www.example.com.evil.example/'],
    ...['https://elsewhere.example/www.example.com'],
  ]);
  const hosts = asked.map((url) => new URL(url).hostname);
  t.same(addresses, hosts);
});

t.test(
  'a file is answered without the network, with and without www, with the fields of the answer that it replaces',
  async (t) => {
    const { asked, transport: network } = transportOf();
    const overlay = overlayOfFile('/a/', { body: Buffer.from('tomorrow'), type: 'text/plain' });
    const headOf = (status: number, ...fields: FieldLine[]) => ({ status, headers: new ResponseHeaders(fields) });
    const about = ['Link', 'Vary', 'X-Robots-Tag'].map((name): FieldLine => [name, 'today']);
    const ofBody = ['Content-Type', 'Content-Length', 'Content-Encoding', 'ETag', 'Last-Modified', 'Content-Range'];
    const www = 'https://www.example.com';
    const answers = new Map([
      [`${www}/a/`, headOf(200, ...about, ...ofBody.map((name): FieldLine => [name, 'today']))],
      [`${www}/a/index.html`, headOf(403, ['X-Robots-Tag', 'refused'])],
      ['http://www.example.com/', headOf(301, ['Location', `${www}/`])],
      ['https://example.com/', headOf(302, ['Location', 'https://login.example.com/'])],
      ['https://example.com/a/?moved', headOf(301, ['Location', `${www}/a/`])],
    ]);
    const transport = serveOverlay(network, { overlay, fileOrigin: new URL(www), answers });
    const [type, chunked]: FieldLine[] = [
      ['content-type', 'text/plain'],
      ['transfer-encoding', 'chunked'],
    ];
    for (const [url, fields] of [
      [`${www}/a/`, [...about, type, chunked]],
      [`${www}/a/index.html`, [type, chunked]],
      [`${www}/%61/?b`, [type, chunked]],
      ['https://example.com/a/', [type, chunked]],
      [`${www}/a`, null],
      ['http://www.example.com/a/', null],
      ['https://example.com/a/?moved', null],
      ['https://docs.example.com/a/', null],
    ] as const) {
      const request = hopRequest(url);
      t.equal(transport.answersOffline?.(request), fields !== null, url);
      const { status, headers, body } = await transport.exchange(request);
      const chunks: string[] = [];
      for await (const chunk of body) chunks.push(Buffer.from(chunk).toString());
      if (fields) t.same([status, headers.lines, chunks], [200, fields, ['tomorrow']], url);
      t.equal(asked.includes(url), fields === null, url);
    }
  },
);

t.test('a redirect to the preview leads to the site', async (t) => {
  const answer = async (url: string, ...fields: FieldLine[]) =>
    (await sendToPreview(transportOf(fields).transport, PREVIEW).exchange(hopRequest(url))).headers;
  for (const [location, expected] of [
    ['http://localhost:4000/new?a#b', 'https://www.example.com/new?a#b'],
    ['/new', '/new'],
    ['new', 'new'],
    ['https://www.example.com/new', 'https://www.example.com/new'],
    ['https://localhost:4000/', 'https://localhost:4000/'],
    ['http://localhost:4001/', 'http://localhost:4001/'],
    ['http://[', 'http://['],
  ] as const) {
    const other: FieldLine = ['X-A', 'http://localhost:4000/'];
    const headers = await answer('https://www.example.com/old', other, ['Location', location]);
    t.same([headers.get('location'), headers.get('x-a')], [expected, 'http://localhost:4000/'], location);
  }
  const headers = await answer('https://docs.example.com/', ['Location', 'http://localhost:4000/']);
  t.equal(headers.get('location'), 'http://localhost:4000/', 'but that of another site');
});

t.test('a preview that redirects from http to https ends the scan, with the address to give', async (t) => {
  const answer = async (servedBy: string, location: string) => {
    const preview = { site: new URL(FIXTURE_ORIGIN), servedBy: new URL(servedBy) };
    const transport = sendToPreview(transportOf([['Location', location]]).transport, preview);
    const { headers } = await transport.exchange(hopRequest(`${FIXTURE_ORIGIN}/a`));
    return headers.get('location');
  };
  const moved = { name: 'PreviewMovedError', message: / https:\/\/preview\.example\.net\.$/ };
  await t.rejects(answer('http://preview.example.net', 'https://preview.example.net/a'), moved);
  const { transport } = transportOf([['Location', 'https://preview.example.net/']]);
  const preview = { site: new URL(FIXTURE_ORIGIN), servedBy: new URL('http://preview.example.net') };
  await t.rejects(scanFixture({ routes: {} }, sendToPreview(transport, preview)), moved);
  for (const [servedBy, location, expected] of [
    ['http://preview.example.net', 'http://preview.example.net/b', `${FIXTURE_ORIGIN}/b`],
    ['https://preview.example.net', 'https://preview.example.net/b', `${FIXTURE_ORIGIN}/b`],
    ['http://preview.example.net', 'https://elsewhere.example/a', 'https://elsewhere.example/a'],
  ] as const) {
    t.equal(await answer(servedBy, location), expected, `${servedBy} to ${location}`);
  }
});

t.test('the guard vets what is asked, with its credentials', async (t) => {
  const vetted: string[] = [];
  const gate = createPreviewGate({ vetUrl: ({ href }) => (vetted.push(href), null) }, PREVIEW);
  gate.vetUrl(new URL('https://me:secret@www.example.com/'));
  gate.vetUrl(new URL('https://docs.example.com/'));
  t.same(vetted, ['http://me:secret@localhost:4000/', 'https://docs.example.com/']);
});

t.test('header fields go to the origin that they are for, and to no other', async (t) => {
  const network = new FixtureTransport({ routes: { '*': 'hello', 'https://other-site.com/*': 'hello' } });
  const transport = withSiteFields(network, new URL(FIXTURE_ORIGIN), { 'x-preview': 'a' });
  for (const url of [`${FIXTURE_ORIGIN}/b`, 'https://other-site.com/', 'http://www.fixture-site.com/']) {
    const request = hopRequest(url);
    await transport.exchange(request);
    t.same(request.headers, {}, 'what others see of the request stays as it is');
  }
  const sent = network.requests.map(({ headers }) => headers['x-preview']);
  t.same(sent, ['a', undefined, undefined]);
});

t.test('a preview is judged as its site is', async (t) => {
  const servedBy = new URL('http://preview-7.fixture-host.net:4000');
  for (const { name, site } of FIXTURE_SITES) {
    // Its own https is dead, which no preview shows.
    if (name === 'http-only') continue;
    const origin = new URL(site.origin ?? FIXTURE_ORIGIN);
    const network = new FixtureTransport({ ...site, origin: servedBy.origin });
    const report = await scanFixture(site, sendToPreview(network, { site: origin, servedBy }));
    t.equal(formatGolden(report), readFileSync(expectedPath(name), 'utf8'), name);
    const hosts = new Set(network.requests.map(({ url }) => new URL(url).host));
    t.notOk(hosts.has(origin.host), `${name}: the site itself is not asked`);
  }
});
