import { Readable } from 'node:stream';
import t from 'tap';
import {
  sendToPreview,
  overlayOfFile,
  PreviewMovedError,
  serveOverlay,
  vetPreviewUrl,
  withSiteFields,
} from '../../../src/scanner/client/stand-in.js';
import { ResponseHeaders, type FieldLine, type HopRequest, type Transport } from '../../../src/net/transport.js';
import { FIXTURE_ORIGIN, FixtureTransport } from '../../support/fixture-site.js';
import { scanFixture } from '../../support/golden.js';

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

const requestOf = (url: string): HopRequest => ({
  url: new URL(url),
  method: 'GET',
  headers: {},
  signal: new AbortController().signal,
});

t.test('what is asked of the site is asked of its preview, and nothing else', async (t) => {
  const { asked, transport } = transportOf();
  const preview = sendToPreview(transport, PREVIEW);
  const addresses: (string | undefined)[] = [];
  for (const url of [
    ...['https://www.example.com/a%20b?c=1', 'http://www.example.com/', 'https://example.com/'],
    ...['https://www.example.com:8443/', 'https://docs.example.com/', 'https://www.example.com.evil.example/'],
    ...['https://elsewhere.example/www.example.com'],
  ]) {
    await preview.exchange(requestOf(url));
    addresses.push(await preview.addressOf?.(new URL(url)));
  }
  t.same(asked, [
    ...['http://localhost:4000/a%20b?c=1', 'http://localhost:4000/', 'http://localhost:4000/'],
    ...['https://www.example.com:8443/', 'https://docs.example.com/', 'https://www.example.com.evil.example/'],
    ...['https://elsewhere.example/www.example.com'],
  ]);
  t.same(
    addresses,
    asked.map((url) => new URL(url).hostname),
  );
});

t.test('what a file replaces holds no connection', async (t) => {
  const site = new URL('https://www.example.com');
  const signals: AbortSignal[] = [];
  const network: Transport = {
    exchange: async ({ signal }) => {
      signals.push(signal);
      return { status: 200, headers: new ResponseHeaders([]), body: Readable.from(['today']) };
    },
    close: async () => undefined,
  };
  const overlay = overlayOfFile('/a', { body: Buffer.from('tomorrow'), type: 'text/plain' });
  const transport = serveOverlay(network, { site, overlay, userAgent: '', onAssumed: () => undefined });
  for (const path of ['/a', '/b']) {
    const { body } = await transport.exchange(requestOf(`https://www.example.com${path}`));
    const chunks: string[] = [];
    for await (const chunk of body) chunks.push(Buffer.from(chunk).toString());
    t.same(chunks, [path === '/a' ? 'tomorrow' : 'today']);
  }
  t.same(
    signals.map(({ aborted }) => aborted),
    [true, false],
  );
});

t.test('a redirect to the preview leads to the site', async (t) => {
  for (const [location, expected] of [
    ['http://localhost:4000/new?a#b', 'https://www.example.com/new?a#b'],
    ['/new', '/new'],
    ['new', 'new'],
    ['https://www.example.com/new', 'https://www.example.com/new'],
    ['https://localhost:4000/', 'https://localhost:4000/'],
    ['http://localhost:4001/', 'http://localhost:4001/'],
    ['http://[', 'http://['],
  ] as const) {
    const fields: FieldLine[] = [
      ['X-A', 'http://localhost:4000/'],
      ['Location', location],
    ];
    const { headers } = await sendToPreview(transportOf(fields).transport, PREVIEW).exchange(
      requestOf('https://www.example.com/old'),
    );
    t.same([headers.get('location'), headers.get('x-a')], [expected, 'http://localhost:4000/'], location);
  }
  const fields: FieldLine[] = [['Location', 'http://localhost:4000/']];
  const { headers } = await sendToPreview(transportOf(fields).transport, PREVIEW).exchange(
    requestOf('https://docs.example.com/'),
  );
  t.equal(headers.get('location'), 'http://localhost:4000/', 'but that of another site');
});

t.test('a preview that sends those who ask to its https address is to be asked by that', async (t) => {
  const site = new URL('https://www.example.com');
  const ask = (servedBy: string, location: string) =>
    sendToPreview(transportOf([['Location', location]]).transport, { site, servedBy: new URL(servedBy) }).exchange(
      requestOf('https://www.example.com/a'),
    );
  await t.rejects(
    ask('http://preview.example.net', 'https://preview.example.net/a'),
    new PreviewMovedError('https://preview.example.net'),
  );
  const { transport } = transportOf([['Location', 'https://preview.example.net/']]);
  const preview = { site: new URL(FIXTURE_ORIGIN), servedBy: new URL('http://preview.example.net') };
  await t.rejects(
    scanFixture({ routes: {} }, sendToPreview(transport, preview)),
    PreviewMovedError,
    'which ends a scan',
  );
  for (const [servedBy, location, expected] of [
    ['http://preview.example.net', 'http://preview.example.net/b', 'https://www.example.com/b'],
    ['https://preview.example.net', 'https://preview.example.net/b', 'https://www.example.com/b'],
    ['http://preview.example.net', 'https://elsewhere.example/a', 'https://elsewhere.example/a'],
  ] as const) {
    t.equal((await ask(servedBy, location)).headers.get('location'), expected, `${servedBy} to ${location}`);
  }
});

t.test('the guard vets what is asked, with its credentials', async (t) => {
  const vetted: string[] = [];
  const gate = vetPreviewUrl({ vetUrl: ({ href }) => (vetted.push(href), null) }, PREVIEW);
  gate.vetUrl(new URL('https://me:secret@www.example.com/'));
  gate.vetUrl(new URL('https://docs.example.com/'));
  t.same(vetted, ['http://me:secret@localhost:4000/', 'https://docs.example.com/']);
});

t.test('header fields go to the origin that they are for, and to no other', async (t) => {
  const seen: Record<string, string | undefined> = {};
  const remember = ({ url, headers }: { url: URL; headers: Readonly<Record<string, string>> }): string => {
    seen[url.href] = headers['x-preview'];
    return 'hello';
  };
  const site = {
    origin: 'https://www.fixture-site.com',
    routes: { '*': remember, 'https://other-site.com/*': remember },
  };
  const transport = withSiteFields(new FixtureTransport(site), new URL(site.origin), { 'x-preview': 'a' });
  const urls = ['https://www.fixture-site.com/b', 'https://other-site.com/', 'http://www.fixture-site.com/'];
  for (const url of urls) {
    const request = { url: new URL(url), method: 'GET', headers: {}, signal: new AbortController().signal } as const;
    await transport.exchange(request).catch(() => undefined);
    t.same(request.headers, {}, 'what others see of the request stays as it is');
  }
  t.equal(seen[urls[0]!], 'a');
  t.equal(seen[urls[1]!], undefined);
  await transport.close();
});
