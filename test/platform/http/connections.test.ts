import { EventEmitter, once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import t, { type Test } from 'tap';
import { connectionLimitsOf, type ConnectionLimits, Connections } from '../../../src/platform/http/connections.js';
import { createServer, Lifecycle } from '../../../src/platform/http/server.js';
import { createTestLogger } from '../../support/test-logger.js';

const GET = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

async function startServer(t: Test, connections: ConnectionLimits) {
  const { logger, log } = createTestLogger();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let heldCount = 0;
  let onHeld: () => void = () => undefined;
  const handle = async (request: { url?: string | undefined }, response: { end(text: string): unknown }) => {
    if (request.url === '/held') {
      heldCount += 1;
      onHeld();
      await released;
    }
    response.end('ok');
  };
  const held = async (count: number): Promise<void> => {
    while (heldCount < count) await new Promise<void>((resolve) => (onHeld = resolve));
  };
  const server = createServer({ handle, lifecycle: new Lifecycle(), logger, connections });
  const { port } = await server.listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  const open = async (localAddress = '127.0.0.1'): Promise<Socket> => {
    const socket = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => undefined);
    t.teardown(() => socket.destroy());
    await once(socket, 'connect');
    return socket;
  };
  return { log, open, held, release };
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

t.test('at the limit, a new client replaces a silent one and is answered', async (t) => {
  const { open } = await startServer(t, { total: 8, perAddress: 8 });
  const silent = await Promise.all(Array.from({ length: 8 }, () => open()));
  const closed = silent.map((socket) => once(socket, 'close'));
  for (let count = 0; count < 20; count += 1) {
    // Nobody keeps a connection between requests then.
    t.match(await ask(await open('127.0.0.2')), /^HTTP\/1.1 200 .*Connection: close/s);
  }
  await Promise.race(closed);
});

t.test('no response is cut off for a new client: it gets a 503, and the log says so once', async (t) => {
  const { open, log, held, release } = await startServer(t, { total: 2, perAddress: 2 });
  const busy = [await open(), await open()];
  const answers = busy.map((socket) => {
    socket.write(GET.replace('/', '/held'));
    return once(socket, 'data');
  });
  await held(2);
  for (let count = 0; count < 3; count += 1) t.match(await readAll(await open('127.0.0.2')), /^HTTP\/1.1 503 /);
  t.match(log, [{ msg: 'connection limit reached, rejecting clients' }]);
  release();
  for (const [chunk] of (await Promise.all(answers)) as [Buffer][]) t.match(chunk.toString(), /^HTTP\/1.1 200 /);
});

/** Connections whose sockets have only an address and an end. */
function openConnections(limits: ConnectionLimits) {
  const connections = new Connections(limits);
  const come = (remoteAddress: string): Socket | null => {
    const fake = Object.assign(new EventEmitter(), {
      remoteAddress,
      destroyed: false,
      destroy() {
        fake.destroyed = true;
        queueMicrotask(() => fake.emit('close'));
      },
    });
    const socket = fake as unknown as Socket;
    return connections.admit(socket) ? socket : null;
  };
  /** Begins a request. @returns a function that ends it */
  const askOn = (socket: Socket) => {
    const response = Object.assign(new EventEmitter(), { req: { socket } });
    connections.track(connections.find(socket)!, response as unknown as ServerResponse, Promise.resolve());
    return async () => {
      response.emit('close');
      await Promise.all(connections.find(socket)?.requests ?? []);
    };
  };
  const rest = async (address: string): Promise<Socket> => {
    const socket = come(address)!;
    await askOn(socket)();
    return socket;
  };
  return { come, askOn, rest };
}

t.test('of the busiest address, a silent connection makes room first, then the longest idle one', async (t) => {
  const { come, askOn, rest } = openConnections({ total: 6, perAddress: 6 });
  const [single, asking] = [come('192.0.2.1')!, come('192.0.2.2')!];
  void askOn(asking);
  const [rested, later] = [await rest('192.0.2.2'), await rest('192.0.2.2')];
  const [silent, silentLater] = [come('192.0.2.2')!, come('192.0.2.2')!];
  for (const [index, next] of [silent, silentLater, rested, later].entries()) {
    t.equal(next.destroyed, false);
    t.ok(come(`198.51.100.${index}`));
    t.equal(next.destroyed, true);
    await new Promise(setImmediate);
  }
  t.same([single.destroyed, asking.destroyed], [false, false], 'who asks keeps a place, and so does who holds few');
});

t.test('nine addresses full of silent clients block no other address', async (t) => {
  const { come } = openConnections({ total: 576, perAddress: 72 });
  for (let index = 0; index < 9 * 72; index += 1) come(`203.0.113.${index % 9}`);
  for (let index = 0; index < 100; index += 1) t.ok(come(`198.51.100.${index}`));
});

t.test('a busy connection stays, and behind a proxy only silent ones make room', async (t) => {
  const { askOn, rest, come } = openConnections({ total: 1, perAddress: 1 });
  void askOn(await rest('192.0.2.1'));
  t.equal(come('192.0.2.2'), null);
  const behind = openConnections({ total: 2, perAddress: 2, isBehindProxy: true });
  const resting = await behind.rest('10.0.0.1');
  const silent = behind.come('10.0.0.1')!;
  await new Promise(setImmediate);
  t.equal(behind.come('10.0.0.1'), null, 'the share of its address comes first');
  const next = behind.come('10.0.0.2')!;
  t.ok(next);
  t.same([resting.destroyed, silent.destroyed], [false, true]);
  await new Promise(setImmediate);
  void behind.askOn(next);
  t.equal(behind.come('10.0.0.3'), null, 'a connection that rests is the proxy’s to keep');
});

t.test('connections are counted by address (IPv6: by /64) and by network', async (t) => {
  const { come } = openConnections({ total: 10, perAddress: 2, perNetwork: 4 });
  const admits = (address: string): boolean => come(address) !== null;
  const first = come('2001:db8::1');
  t.ok(admits('2001:db8::2'));
  t.notOk(admits('2001:db8::3'));
  first?.emit('close');
  t.ok(admits('2001:db8::3'), 'given back');
  t.notOk(admits('2001:db8::4'), 'once');
  for (const address of ['2001:db8:0:1::1', '2001:db8:0:2::1']) t.ok(admits(address));
  t.notOk(admits('2001:db8:0:3::1'), 'its /48 has as many as it may');
  for (const address of ['2001:db8:1::1', '192.0.2.1']) t.ok(admits(address), 'others go on');
});

t.test('the limits leave descriptors to scans, files and the database', async (t) => {
  const limits = (descriptors: number, trustProxy = 0, scanConcurrency = 20) =>
    connectionLimitsOf({ scanConcurrency, trustProxy }, descriptors);
  t.same(limits(1024), { total: 576, perAddress: 72, perNetwork: 144, isBehindProxy: false });
  t.equal(limits(1024, 1).perAddress, 576, 'behind a proxy all come from one address');
  t.equal(limits(1024, 0, 1000).total, 256, 'some are left, however many scans there may be');
  t.match(limits(Infinity), { total: 8000, perAddress: 1000 });
  const { total } = connectionLimitsOf({ scanConcurrency: 1, trustProxy: 0 });
  t.ok(total > 0 && total <= 8000, 'of this process');
});
