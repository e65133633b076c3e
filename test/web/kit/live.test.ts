import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import Koa from 'koa';
import t, { type Test } from 'tap';
import { createStreamEvents } from '../../../src/web/kit/live.js';
import { until } from '../../support/held-timers.js';

type Stream = (ctx: Koa.Context) => void;

/** A server on which there is room for two streams, with a way to send requests in one piece and to count the streams. */
async function serve(t: Test, handle: (ctx: Koa.Context, stream: Stream) => void | Promise<void>) {
  const streamEvents = createStreamEvents({ total: 2, perAddress: 2 });
  const counts = { begun: 0, ended: 0 };
  const stream: Stream = (ctx) =>
    streamEvents(ctx, () => {
      counts.begun += 1;
      return () => (counts.ended += 1);
    });
  const koa = new Koa();
  koa.silent = true;
  koa.use((ctx) => handle(ctx, stream));
  const server = createServer(koa.callback()).listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const send = (requests: number) => {
    const socket = connect(port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(requests));
    return socket;
  };
  return { counts, send };
}

t.test('streams of a connection that breaks off are over, those that wait behind another among them', async (t) => {
  const { counts, send } = await serve(t, (ctx, stream) => stream(ctx));
  for (let time = 1; time <= 3; time += 1) {
    const socket = send(2);
    await until(() => counts.begun === 2 * time);
    socket.destroy();
    await until(() => counts.ended === 2 * time);
  }
  t.equal(counts.begun, 6, 'every place came free');
});

t.test('a stream whose client had left before it began is over at once', async (t) => {
  const arrived: Koa.Context[] = [];
  const { counts, send } = await serve(t, async (ctx, stream) => {
    arrived.push(ctx);
    await once(ctx.req.socket, 'close');
    stream(ctx);
  });
  for (let time = 1; time <= 3; time += 1) {
    const socket = send(1);
    await until(() => arrived.length === time);
    socket.destroy();
    await until(() => counts.ended === time);
  }
  t.equal(counts.begun, 3, 'every place came free');
});
