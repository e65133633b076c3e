import t from 'tap';
import { createGuard } from '../../src/net/guard.js';
import { findOwnEndpoint } from '../../src/wiring/demo.js';

const PORT = 43_210;

t.test('the demonstration opens our own origin on loopback, by the address on which we listen', async (t) => {
  for (const [publicUrl, host, endpoint] of [
    ['http://localhost:43210', '127.0.0.1', { host: 'localhost', address: '127.0.0.1' }],
    ['http://localhost:43210', '127.0.0.9', { host: 'localhost', address: '127.0.0.9' }],
    ['http://localhost:43210', '::1', { host: 'localhost', address: '::1' }],
    ['http://localhost:43210', '0.0.0.0', { host: 'localhost', address: '127.0.0.1' }],
    ['http://localhost:43210', '::', { host: 'localhost', address: '::1' }],
    ['http://127.0.0.1:43210', '0.0.0.0', { host: '127.0.0.1', address: '127.0.0.1' }],
    ['http://127.0.0.1:43210', '::', { host: '127.0.0.1', address: '::1' }],
    ['http://[::1]:43210', '0.0.0.0', { host: '::1', address: '127.0.0.1' }],
    ['http://127.0.0.9:43210', '0.0.0.0', { host: '127.0.0.9', address: '127.0.0.1' }],
    ['http://[::1]:43210', '::1', { host: '::1', address: '::1' }],
  ] as const) {
    const found = await findOwnEndpoint({ publicUrl, host, port: PORT });
    t.same(found, { ...endpoint, port: PORT }, `${publicUrl} on ${host}`);
    const guard = createGuard({ allowEndpoints: found ? [found] : [] });
    t.equal(guard.vetSite(new URL(publicUrl)), null);
  }
  t.match(await findOwnEndpoint({ publicUrl: 'http://localhost:43210', host: 'localhost', port: PORT }), {
    address: /^(127\.0\.0\.1|::1)$/,
  });
});

t.test('it opens nothing where PUBLIC_URL is not our own origin on loopback', async (t) => {
  for (const [publicUrl, host] of [
    ['https://readiness.fixture-site.com', '127.0.0.1'],
    ['http://readiness.fixture-site.com:43210', '127.0.0.1'],
    ['http://inside.localhost:43210', '127.0.0.1'],
    ['http://localhost', '127.0.0.1'],
    ['http://localhost:43211', '127.0.0.1'],
    ['http://127.0.0.1:5432', '127.0.0.1'],
    ['http://192.168.0.2:43210', '192.168.0.2'],
    ['http://localhost:43210', '192.168.0.2'],
    ['http://169.254.169.254:43210', '0.0.0.0'],
  ] as const) {
    t.equal(await findOwnEndpoint({ publicUrl, host, port: PORT }), null, `${publicUrl} on ${host}`);
  }
});
