import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import Koa from 'koa';
import t from 'tap';
import { createStreamEvents } from '../../src/web/live.js';
import { until } from '../support/held-timers.js';

t.test('streams of a connection that breaks off are over, those that wait behind another among them', async (t) => {
  const stream = createStreamEvents({ total: 2, perAddress: 2 });
  let [begun, ended] = [0, 0];
  const koa = new Koa();
  koa.use((ctx) => {
    stream(ctx, () => {
      begun += 1;
      return () => (ended += 1);
    });
  });
  const server = createServer(koa.callback()).listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  for (let time = 1; time <= 3; time += 1) {
    const socket = connect(port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(2));
    await until(() => begun === 2 * time);
    socket.destroy();
    await until(() => ended === 2 * time);
  }
  t.equal(begun, 6, 'every place came free');
});
