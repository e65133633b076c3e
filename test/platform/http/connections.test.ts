import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import t, { type Test } from 'tap';
import { connectionLimitsOf } from '../../../src/platform/http/connection-limits.js';
import { Places } from '../../../src/platform/http/places.js';
import { createServer } from '../../../src/platform/http/server.js';
import { Lifecycle } from '../../../src/platform/lifecycle.js';
import { createTestLogger } from '../../support/test-logger.js';

const GET = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

async function startServer(t: Test, connections: { total: number; perAddress: number }) {
  const { logger, log } = createTestLogger();
  const handle = async (_request: unknown, response: { end(text: string): unknown }) => void response.end('ok');
  const server = createServer({ handle, lifecycle: new Lifecycle(), logger, connections });
  const { port } = await server.listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  const open = async (): Promise<Socket> => {
    const socket = connect({ port, host: '127.0.0.1' }).on('error', () => undefined);
    t.teardown(() => socket.destroy());
    await once(socket, 'connect');
    return socket;
  };
  return { log, open };
}

/** All that comes until the connection is closed. */
async function readAll(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (chunk) => (text += chunk.toString()));
  await once(socket, 'close');
  return text;
}

async function ask(socket: Socket): Promise<string> {
  socket.write(GET);
  const [chunk] = (await once(socket, 'data')) as [Buffer];
  return chunk.toString();
}

t.test('past its share an address is told to wait, until it gives a connection back', async (t) => {
  const { open } = await startServer(t, { total: 100, perAddress: 2 });
  const [first] = [await open(), await open()];
  const refused = await readAll(await open());
  t.match(refused, /^HTTP\/1.1 503 .*\r\nRetry-After: 5\r\n.*\{"error":\{"code":"overloaded"/s);
  t.match(refused, /Connection: close/);
  first.destroy();
  await once(first, 'close');
  // Its server hears of the end when it turns next.
  for (;;) {
    const socket = await open();
    const text = await Promise.race([ask(socket), readAll(socket)]);
    if (text.startsWith('HTTP/1.1 200')) break;
  }
  t.pass('then it is answered');
});

t.test('past the limit of all, a connection is closed unread, and the log says so once', async (t) => {
  const { open, log } = await startServer(t, { total: 8, perAddress: 8 });
  const held = await Promise.all(Array.from({ length: 8 }, open));
  for (let count = 0; count < 3; count += 1) t.equal(await readAll(await open()), '');
  t.same(
    log.map(({ msg }) => msg),
    ['clients are turned away: too many connections'],
  );
  t.match(await ask(held[0]!), /^HTTP\/1.1 200 .*Connection: close/s, 'nobody keeps one between requests then');
});

t.test('while there is room, connections are kept', async (t) => {
  const { open } = await startServer(t, { total: 8, perAddress: 8 });
  t.match(await ask(await open()), /Connection: keep-alive/);
});

t.test('places are counted by address, an IPv6 customer by its 64 bits', async (t) => {
  const places = new Places({ total: 3, perAddress: 2 });
  const leave = places.take('2001:db8::1');
  t.ok(places.take('2001:db8::2'));
  t.equal(places.take('2001:db8::3'), null);
  leave?.();
  leave?.();
  t.ok(places.take('2001:db8::3'), 'given back');
  t.equal(places.take('2001:db8::4'), null, 'once');
  t.ok(places.take('192.0.2.1'));
  t.equal(places.take('192.0.2.2'), null, 'all are taken');
});

t.test('the limits leave descriptors to scans, files and the database', async (t) => {
  const limits = (descriptors: number, trustProxy = 0, scanConcurrency = 20) =>
    connectionLimitsOf({ scanConcurrency, trustProxy }, descriptors);
  t.same(limits(1024), {
    connections: { total: 576, perAddress: 72 },
    streams: { total: 144, perAddress: 24 },
  });
  t.equal(limits(1024, 1).connections.perAddress, 576, 'behind a proxy all come from one address');
  t.equal(limits(1024, 0, 1000).connections.total, 256, 'some are left, however many scans there may be');
  t.match(limits(Infinity), { connections: { total: 8000, perAddress: 1000 }, streams: { total: 1000 } });
  const { connections } = connectionLimitsOf({ scanConcurrency: 1, trustProxy: 0 });
  t.ok(connections.total > 0 && connections.total <= 8000, 'of this process');
});
