import { Readable } from 'node:stream';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import t, { type Test } from 'tap';
import { answer, cacheCodings, compress, entityTagOf } from '../../../src/platform/http/answer.js';
import { createHttpApp } from '../../../src/platform/http/app.js';
import { createServer, Lifecycle } from '../../../src/platform/http/server.js';
import { type HttpAnswer, type HttpRequest, send } from '../../support/http-client.js';
import { createTestLogger } from '../../support/test-logger.js';

const LONG = Buffer.from(JSON.stringify({ text: 'the same again '.repeat(200) }));
const SHORT = Buffer.from('{"ok":true}');
const ETAG = entityTagOf(LONG);
const KEPT = Buffer.from(LONG);
const CONSTANT = Buffer.from(LONG);

const DECODERS = { br: brotliDecompressSync, gzip: gunzipSync };
type Coding = keyof typeof DECODERS;

async function start(t: Test) {
  const { logger, log } = createTestLogger();
  const lifecycle = new Lifecycle();
  cacheCodings(KEPT, 'quick');
  cacheCodings(CONSTANT, 'best');
  const app = createHttpApp({ name: 'api', logger, lifecycle });
  app.use((ctx) => {
    const { state, path } = ctx;
    if (path === '/tagged' || path === '/kept') ctx.set('ETag', ETAG);
    if (path === '/secret') state.hasSecret = true;
    if (path === '/vary') ctx.vary('Cookie');
    if (path === '/stream' || path === '/events') {
      ctx.body = Readable.from([LONG.subarray(0, 500), LONG.subarray(500)]);
      ctx.set('Content-Type', path === '/events' ? 'text/event-stream; charset=utf-8' : 'application/x-ndjson');
    } else if (path === '/koa') ctx.body = { text: LONG.toString() };
    else if (path === '/broken') throw new Error('x'.repeat(5000));
    else if (path === '/png') answer(ctx, 200, 'image/png', LONG);
    else if (path === '/created') {
      ctx.set('ETag', ETAG);
      answer(ctx, 201, 'application/json', LONG);
    } else answer(ctx, 200, 'application/json', bodyOf(path));
  });
  const server = createServer({ handle: app.callback(), lifecycle, logger });
  const { port } = await server.listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  const ask = (path: string, headers: HttpRequest['headers'] = {}, method = 'GET') =>
    send(port, path, { method, headers });
  return { ask, log, lifecycle };
}

function bodyOf(path: string): Buffer {
  return { '/short': SHORT, '/kept': KEPT, '/constant': CONSTANT }[path] ?? LONG;
}

function decoded({ headers, bytes }: HttpAnswer): string {
  const decode = DECODERS[headers['content-encoding'] as Coding] as (typeof DECODERS)[Coding] | undefined;
  return (decode ? decode(bytes) : Buffer.from(bytes)).toString();
}

t.test('a response over 1 kB has the requested coding and its own entity tag', async (t) => {
  const { ask } = await start(t);
  const rows: [asked: string | undefined, coding: Coding | undefined][] = [
    [undefined, undefined],
    ['', undefined],
    ['identity', undefined],
    ['zstd', undefined],
    ['gzip', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['gzip;q=0', undefined],
    ['*', 'br'],
  ];
  for (const path of ['/tagged', '/kept']) {
    for (const [asked, coding] of rows) {
      const headers: HttpRequest['headers'] = asked === undefined ? {} : { 'accept-encoding': asked };
      const about = `${path} ${asked ?? 'nothing'}`;
      const whole = await ask(path, headers);
      t.equal(whole.headers['content-encoding'], coding, about);
      t.equal(decoded(whole), LONG.toString(), about);
      t.equal(whole.headers['content-length'], String(whole.bytes.byteLength), about);
      t.equal(whole.headers.vary, 'Accept-Encoding', about);
      const etag = coding ? `${ETAG.slice(0, -1)}-${coding}"` : ETAG;
      t.equal(whole.headers.etag, etag, about);
      const head = await ask(path, headers, 'HEAD');
      t.same({ ...head.headers, date: '', 'x-request-id': '' }, { ...whole.headers, date: '', 'x-request-id': '' });
      t.equal(head.text, '');
      for (const known of [etag, `"other", W/${etag}`, '*']) {
        const again = await ask(path, { ...headers, 'if-none-match': known });
        t.match(again, { status: 304, text: '', headers: { etag, vary: 'Accept-Encoding' } }, about);
        for (const name of ['content-type', 'content-length', 'content-encoding']) {
          t.equal(again.headers[name], undefined, name);
        }
      }
      t.equal((await ask(path, { ...headers, 'if-none-match': '"other"' })).status, 200);
    }
  }
});

t.test('a cached body is compressed once', async (t) => {
  const { ask } = await start(t);
  for (const coding of ['br', 'gzip'] as const) {
    await ask('/kept', { 'accept-encoding': coding });
    t.equal(compress(coding, KEPT), compress(coding, KEPT));
  }
  for (const coding of ['br', 'gzip']) {
    const lengths = ['/tagged', '/constant'].map(async (path) => {
      const { headers } = await ask(path, { 'accept-encoding': coding });
      return Number(headers['content-length']);
    });
    const [quick = 0, best = 0] = await Promise.all(lengths);
    t.ok(best <= quick, `${best} of ${quick}`);
  }
});

t.test('short, compressed, secret and streamed bodies are sent uncompressed', async (t) => {
  const { ask } = await start(t);
  for (const path of ['/short', '/png', '/secret', '/events']) {
    const sent = await ask(path, { 'accept-encoding': 'br, gzip' });
    t.equal(sent.headers['content-encoding'], undefined, path);
    t.equal(sent.headers.vary, undefined, path);
    t.equal(sent.text, bodyOf(path).toString(), path);
  }
});

t.test('streams and objects are compressed too, and Vary is extended', async (t) => {
  const { ask } = await start(t);
  for (const coding of ['br', 'gzip']) {
    const stream = await ask('/stream', { 'accept-encoding': coding });
    t.match(stream.headers, { 'content-encoding': coding, 'content-length': undefined, vary: 'Accept-Encoding' });
    t.equal(decoded(stream), LONG.toString());
    t.equal(decoded(await ask('/koa', { 'accept-encoding': coding })), JSON.stringify({ text: LONG.toString() }));
  }
  t.equal((await ask('/stream')).text, LONG.toString());
  t.equal((await ask('/vary', { 'accept-encoding': 'br' })).headers.vary, 'Cookie, Accept-Encoding');
});

t.test('only a 200 to GET or HEAD becomes a 304', async (t) => {
  const { ask } = await start(t);
  t.equal((await ask('/created', { 'if-none-match': '*' })).status, 201);
  t.equal((await ask('/tagged', { 'if-none-match': '*' }, 'POST')).status, 200);
});

t.test('the log has the status that was sent, also for errors', async (t) => {
  const { ask, log, lifecycle } = await start(t);
  await ask('/tagged', { 'if-none-match': ETAG });
  t.match(await ask('/broken', { 'accept-encoding': 'br' }), { status: 500, headers: { 'cache-control': 'no-store' } });
  const requests = log.filter(({ msg }) => msg === 'request');
  t.match(requests, [{ status: 304 }, { status: 500 }]);
  t.equal((await ask('/short')).headers.connection, 'close', 'each on a connection of its own');
  lifecycle.isStopping = true;
  t.equal((await ask('/tagged', { connection: 'keep-alive' })).headers.connection, 'close');
  t.equal((await ask('/stream', { connection: 'keep-alive' })).headers.connection, 'close');
});
