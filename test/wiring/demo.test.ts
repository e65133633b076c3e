import t from 'tap';
import { createGuard } from '../../src/net/guard.js';
import { findOwnEndpoint } from '../../src/wiring/demo.js';

const PORT = 43_210;

t.test('the demo may scan its own origin on loopback, at the address on which it listens', async (t) => {
  for (const [publicUrl, listensOn, host, address] of [
    ['http://localhost:43210', '127.0.0.1', 'localhost', '127.0.0.1'],
    ['http://localhost:43210', '0.0.0.0', 'localhost', '127.0.0.1'],
    ['http://localhost:43210', '::1', 'localhost', '::1'],
    ['http://localhost:43210', '::', 'localhost', '::1'],
    ['http://127.0.0.1:43210', '0.0.0.0', '127.0.0.1', '127.0.0.1'],
    ['http://[::1]:43210', '::', '::1', '::1'],
  ] as const) {
    const found = findOwnEndpoint({ publicUrl, host: listensOn, port: PORT });
    t.same(found, { host, address, port: PORT }, `${publicUrl} on ${listensOn}`);
    const guard = createGuard({ allowEndpoints: found ? [found] : [] });
    t.equal(guard.vetSite(new URL(publicUrl)), null);
  }
});

t.test('the demo may scan nothing where PUBLIC_URL is not its own origin on loopback', async (t) => {
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
    t.equal(findOwnEndpoint({ publicUrl, host, port: PORT }), null, `${publicUrl} on ${host}`);
  }
});
