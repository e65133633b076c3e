import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import t, { type Test } from 'tap';
import { GOOD, RUN, SITE_ID, startFakeApi } from '../../support/api.js';
import { codeOf, sendRaw } from '../../support/http-client.js';

const RUNS = `/api/v1/sites/${SITE_ID}/runs`;

const START = `POST ${RUNS} HTTP/1.1\r\nHost: x\r\nAuthorization: ${GOOD.Authorization}\r\n`;
const HEALTH = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n';

/** An API whose runs end when the test says so. */
async function startWithRun(t: Test, { graceMs, read }: { graceMs?: number; read?: () => Promise<typeof RUN> } = {}) {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
  const start = async () => {
    begin();
    await finished;
    return RUN;
  };
  const api = await startFakeApi(t, { runs: { start, ...(read && { read }) }, ...(graceMs && { graceMs }) });
  return { api, begun, finish };
}

/** Resolves to the server's end of the next connection. */
async function nextSocket(t: Test): Promise<Socket> {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  subscribe('net.server.socket', resolve);
  t.teardown(() => unsubscribe('net.server.socket', resolve));
  return ((await promise) as { readonly socket: Socket }).socket;
}

/** The statuses of the answers that came back over one connection. */
function statusesIn(text: string): number[] {
  return Array.from(text.matchAll(/HTTP\/1.1 (\d{3}) /g), ([, status]) => Number(status));
}

t.test('a request that is not HTTP gets a JSON error', async (t) => {
  const api = await startFakeApi(t);
  const cases: [about: string, bytes: string, status: number][] = [
    ['garbage', 'garbage\r\n\r\n', 400],
    ['a control character in the path', 'GET /\x01 HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['a null byte in a header', 'GET / HTTP/1.1\r\nHost: x\r\nA: \0\r\n\r\n', 400],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', 400],
    ['length and chunks', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n', 400],
    ['no version', 'GET /healthz\r\n\r\n', 400],
    ['no Host', 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['two Hosts', 'GET /healthz HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n', 400],
    ['two Hosts far apart', `GET /healthz HTTP/1.1\r\nHost: x\r\n${'a:\r\n'.repeat(2_000)}Host: y\r\n\r\n`, 400],
    ['a body without an end', 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\nx', 400],
    ['a tunnel', 'CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['headers over 16 KiB', `GET / HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(17_000)}\r\n\r\n`, 431],
    ['a path over 16 KiB', `GET /${'a'.repeat(17_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
  ];
  for (const [about, bytes, status] of cases) {
    const text = await sendRaw(api.port, bytes);
    t.match(text, new RegExp(`^HTTP/1.1 ${status} `), about);
    t.match(text, /\r\ncontent-type: application\/json\r\n/i, about);
    t.match(text, /\r\nx-request-id: \S+\r\n/i, about);
    t.match(text, /\r\n\r\n\{"error":\{"code":"bad_request","message":".+"\}\}$/, about);
  }
  t.equal((await api.send('/healthz')).status, 200, 'the server is none the worse');
});

t.test('a client that is still sending its headers gets the error', async (t) => {
  const api = await startFakeApi(t);
  const accepted = nextSocket(t);
  const client = connect(api.port, '127.0.0.1');
  client.write(`GET / HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(17_000)}`);
  const socket = await accepted;
  await once(socket, 'finish');
  t.notOk(socket.destroyed);
  client.end('more');
  let received = '';
  for await (const piece of client) received += String(piece);
  t.strictSame(statusesIn(received), [431]);
});

t.test('garbage after a request does not spoil its answer', async (t) => {
  const { api, begun, finish } = await startWithRun(t);
  const answer = sendRaw(api.port, `${START}\r\n\0garbage\0\r\n\r\n`);
  await begun;
  finish();
  t.strictSame(statusesIn(await answer), [201, 400], 'and is answered after it');
});

t.test('an upgrade request is answered like any other, and its body is read', async (t) => {
  const { api, finish } = await startWithRun(t);
  finish();
  for (const body of ['Content-Length: 3\r\n\r\nabc', 'Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n']) {
    const text = await sendRaw(api.port, `${START}Connection: Upgrade\r\nUpgrade: h2c\r\n${body}`);
    t.strictSame(statusesIn(text), [201]);
  }
});

t.test('a connection may have a hundred waiting requests; the next one ends it', async (t) => {
  const api = await startFakeApi(t);
  const answers = await sendRaw(api.port, HEALTH.repeat(1_000));
  t.strictSame(statusesIn(answers), [...Array.from({ length: 100 }, () => 200), 400]);
  t.equal(api.log.filter(({ msg }) => msg === 'request').length, 100, 'and nobody looks at it');
  const last = HEALTH.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n');
  t.equal(statusesIn(await sendRaw(api.port, HEALTH.repeat(99) + last)).length, 100);
});

t.test('a body that breaks after its request was answered gets no second answer', async (t) => {
  const api = await startFakeApi(t);
  const socket = connect(api.port, '127.0.0.1');
  socket.write('POST /api/v1/nothing HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nabc');
  let received = '';
  for await (const piece of socket) {
    received += String(piece);
    socket.end();
  }
  t.strictSame(statusesIn(received), [404]);
});

t.test('an interim response comes before its response, or never', async (t) => {
  const api = await startFakeApi(t);
  const expecting = 'GET /nowhere HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n';
  t.strictSame(statusesIn(await sendRaw(api.port, expecting)), [100, 404]);
  const read = `GET ${RUNS}/3 HTTP/1.1\r\nHost: x\r\nAuthorization: ${GOOD.Authorization}\r\n\r\n`;
  const answers = await sendRaw(api.port, read + expecting);
  t.strictSame(statusesIn(answers), [200, 404]);
  t.match(answers, /close\r\n\r\n\{"error":\{"code":"not_found"/);
});

t.test('a tunnel is refused after the requests before it', async (t) => {
  const api = await startFakeApi(t);
  const answers = await sendRaw(api.port, `${HEALTH}CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n`);
  t.strictSame(statusesIn(answers), [200, 400]);
});

t.test('a stop waits for the run of a client that hung up, but not for its other answers', async (t) => {
  const { api, begun, finish } = await startWithRun(t);
  const accepted = nextSocket(t);
  const socket = connect(api.port, '127.0.0.1', () => socket.write(`${START}\r\n${HEALTH}`));
  await begun;
  socket.destroy();
  await once(await accepted, 'close');
  const closed = api.server.close();
  finish();
  await closed;
  const requests = api.log.filter(({ msg }) => msg === 'request');
  t.match(requests, [{ status: 200 }, { status: 201 }]);
  t.notOk(api.log.some(({ level }) => level === 'warn'));
  t.equal(api.charges(), 1);
});

t.test('a stop lets requests in flight finish and accepts no others', async (t) => {
  const { api, begun, finish } = await startWithRun(t);
  const unused = connect(api.port, '127.0.0.1');
  // This connection is kept alive.
  t.equal(await (await fetch(`http://127.0.0.1:${api.port}/healthz`)).text(), '{"status":"ok"}');
  const answer = api.send(RUNS, { method: 'POST', headers: GOOD });
  await begun;
  const closing = api.server.close();
  t.equal(api.server.close(), closing, 'closing twice is closing once');
  t.ok(api.lifecycle.isStopping);
  await t.rejects(api.send('/healthz'), { code: 'ECONNREFUSED' }, 'no new connection');
  finish();
  t.match(await answer, { status: 201, headers: { connection: 'close' } });
  await closing;
  unused.destroy();
});

t.test('a stop also waits for requests that arrive during it', async (t) => {
  const { promise: hasStarted, resolve: start } = Promise.withResolvers<void>();
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
  const { promise: read, resolve: answer } = Promise.withResolvers<typeof RUN>();
  const { api, begun, finish } = await startWithRun(t, {
    read: async () => {
      ask();
      return read;
    },
  });
  const late = connect(api.port, '127.0.0.1', start);
  await hasStarted;
  const run = api.send(RUNS, { method: 'POST', headers: GOOD });
  await begun;
  const closing = api.server.close();
  late.write(`GET ${RUNS}/latest HTTP/1.1\r\nHost: x\r\nAuthorization: ${GOOD.Authorization}\r\n\r\n`);
  await asked;
  finish();
  await run;
  setImmediate(() => answer(RUN));
  let received = '';
  for await (const piece of late) received += String(piece);
  t.strictSame(statusesIn(received), [200]);
  await closing;
});

t.test('a stop does not wait for ever', async (t) => {
  const { api, begun, finish } = await startWithRun(t, { graceMs: 1 });
  const cutOff = t.rejects(api.send(RUNS, { method: 'POST', headers: GOOD }), { code: 'ECONNRESET' });
  await begun;
  await api.server.close();
  await cutOff;
  t.match(api.log.at(-1), { level: 'warn', msg: 'stopped with unanswered requests' });
  finish();
});

t.test('while it stops, it is not ready and starts no run', async (t) => {
  const api = await startFakeApi(t);
  api.lifecycle.isStopping = true;
  const ready = await api.send('/readyz');
  t.match(ready, { status: 503, headers: { 'retry-after': '5', connection: 'close' } });
  const refused = await api.send(RUNS, { method: 'POST', headers: GOOD });
  t.match(refused, { status: 503, headers: { 'retry-after': '10' } });
  t.equal(codeOf(refused), 'overloaded');
  t.equal(api.charges(), 0, 'the charge is given back');
  t.equal((await api.send(`${RUNS}/3`, { headers: GOOD })).status, 200, 'a read is still answered');
});
