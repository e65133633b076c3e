import t from 'tap';
import { Limiter } from '../../src/scanner/client/limiter.js';
import { createGuard } from '../../src/net/guard.js';
import { openNetworkTransport } from '../../src/net/network-transport.js';
import { createResolver } from '../../src/net/resolver.js';
import { TransportError } from '../../src/net/failure.js';
import { type FixtureServer, startFixtureServer } from '../support/fixture-server.js';
import type { FixtureRoute } from '../support/fixture-site.js';
import { redirectTo } from '../support/visit-site.js';
import { hopRequest } from './hop-request.js';
import { OTHER_PUBLIC_ADDRESS, PUBLIC_ADDRESS, PUBLIC_HOST, openScene, outcomeOf } from '../support/network-scene.js';

/** Stands for a service inside of the private network: nothing may ever connect to it. */
const forbidden = await startFixtureServer({ routes: { '*': 'secret' } });
t.teardown(() => forbidden.close());

const decimal = 0x7f000001;

t.test('a redirect into the private network ends there', async (t) => {
  const { port } = forbidden;
  const cases: readonly (readonly [target: string, reason: string])[] = [
    [`http://127.0.0.1:${port}/`, 'address_not_public'],
    [`http://${decimal}:${port}/`, 'address_not_public'],
    [`http://0x7f.1:${port}/`, 'address_not_public'],
    [`http://0:${port}/`, 'address_not_public'],
    [`http://[::ffff:127.0.0.1]:${port}/`, 'address_not_public'],
    [`http://[::1]:${port}/`, 'address_not_public'],
    [`http://localhost:${port}/`, 'host_not_allowed'],
    [`http://inside.localhost.:${port}/`, 'host_not_allowed'],
    [`http://u:p@${PUBLIC_HOST}/`, 'credentials_not_allowed'],
    [`http://${PUBLIC_HOST}:6379/`, 'port_not_allowed'],
    ['file:///etc/passwd', 'scheme_not_allowed'],
    ['data:text/html,x', 'scheme_not_allowed'],
  ];
  for (const status of [301, 307]) {
    for (const [target, reason] of cases) {
      const site = await startFixtureServer(
        { routes: { '/': redirectTo(target, status) } },
        { address: PUBLIC_ADDRESS },
      );
      const scene = await openScene(t, { ports: [site.port, port] });
      t.equal(await outcomeOf(scene.visit, `http://${PUBLIC_HOST}:${site.port}/`), 'target_refused', target);
      t.same(scene.refusals, [reason]);
      await site.close();
    }
  }
});

t.test('a name that leads into the private network is refused', async (t) => {
  const { port } = forbidden;
  const answers = {
    'its only answer is private': { A: ['127.0.0.1'] },
    'one bad answer of several': { A: [PUBLIC_ADDRESS, '127.0.0.1'] },
    'the bad answer comes first': { A: ['127.0.0.1', PUBLIC_ADDRESS] },
    'a private IPv6 address alongside a public one': { A: [PUBLIC_ADDRESS], AAAA: ['fd00::1'] },
    'IPv6 loopback': { AAAA: ['::1'] },
    'an IPv6 address that maps IPv4': { AAAA: ['::ffff:127.0.0.1'] },
    'the metadata service': { A: ['169.254.169.254'] },
    'the unspecified address': { A: ['0.0.0.0'] },
  };
  for (const [why, answer] of Object.entries(answers)) {
    const scene = await openScene(t, { ports: [port], names: { 'inside.fixture-site.com': answer } });
    t.equal(await outcomeOf(scene.visit, `http://inside.fixture-site.com:${port}/`), 'target_refused', why);
    t.equal(await outcomeOf(scene.visit, `http://inside.fixture-site.com.:${port}/?dot`), 'target_refused', why);
    t.same(scene.refusals, ['address_not_public', 'address_not_public']);
  }
});

t.test('a name that changes its answer is held to the one that was vetted', async (t) => {
  const site = await startFixtureServer(
    { routes: { '*': { body: 'public', headers: { connection: 'close' } } } },
    { address: PUBLIC_ADDRESS },
  );
  t.teardown(() => site.close());
  const rebinding = { A: (asked: number) => [asked === 0 ? PUBLIC_ADDRESS : '127.0.0.1'] };
  const names = { 'rebind.fixture-site.com': rebinding };
  const { visit, questions } = await openScene(t, { ports: [site.port, forbidden.port], names });
  for (const path of ['/1', '/2', '/3']) {
    t.equal(await outcomeOf(visit, `http://rebind.fixture-site.com:${site.port}${path}`), 200);
  }
  t.equal(site.connectionCount(), 3, 'each on a connection of its own');
  await outcomeOf(visit, `http://rebind.fixture-site.com:${forbidden.port}/`);
  const asked = questions.filter((question) => question.startsWith('A '));
  t.same(asked, ['A rebind.fixture-site.com'], 'once');
});

t.test('the connector refuses an address by itself, whoever forgot to ask the gate', async (t) => {
  const resolver = { resolveAddresses: () => Promise.reject(new Error('an address needs no resolver')) };
  const transport = openNetworkTransport({ guard: createGuard(), resolver });
  t.teardown(() => transport.close());
  for (const host of ['127.0.0.1', '0x7f.1', '2130706433', '[::ffff:127.0.0.1]', '[::1]', '0']) {
    const exchange = transport.exchange(hopRequest(`http://${host}:${forbidden.port}/`));
    await t.rejects(exchange, new TransportError('target_refused'), host);
  }
});

t.test('a host that stands for an excepted endpoint leads there, and nothing else does', async (t) => {
  const own = await startFixtureServer({ routes: { '*': 'our own origin' } });
  t.teardown(() => own.close());
  const allowEndpoints = [{ host: 'localhost', address: '127.0.0.1', port: own.port }];
  const scene = await openScene(t, {
    ports: [own.port, forbidden.port],
    names: { 'inside.fixture-site.com': { A: ['127.0.0.1'] }, localhost: { A: ['127.0.0.1'] } },
    allowEndpoints,
  });
  t.equal(await outcomeOf(scene.visit, `http://localhost:${own.port}/`), 200);
  t.same(scene.questions, [], 'by its address, which nobody was asked for');
  for (const url of [
    `http://localhost:${forbidden.port}/`,
    `http://127.0.0.1:${own.port}/`,
    `http://inside.fixture-site.com:${own.port}/`,
    `http://inside.localhost:${own.port}/`,
  ]) {
    t.equal(await outcomeOf(scene.visit, url), 'target_refused', url);
  }
  t.equal(own.connectionCount(), 1);

  const resolver = createResolver({ servers: ['127.0.0.1:9'], timeoutMs: 10 });
  const transport = openNetworkTransport({ guard: createGuard({ allowEndpoints }), resolver });
  t.teardown(() => transport.close());
  const exchange = transport.exchange(hopRequest(`http://127.0.0.1:${own.port}/`));
  await t.rejects(exchange, new TransportError('target_refused'), 'nor its address, whoever forgot to ask the gate');
});

t.test('a public redirect is followed, under the name of each hop', async (t) => {
  const hosts: (string | undefined)[] = [];
  const answer: FixtureRoute = ({ url: { pathname }, headers: { host } }) => {
    hosts.push(host);
    return pathname === '/home' ? 'welcome' : redirectTo(`http://apex-site.com.:${site.port}/home`, 301);
  };
  const site: FixtureServer = await startFixtureServer({ routes: { '*': answer } }, { address: PUBLIC_ADDRESS });
  t.teardown(() => site.close());
  const { visit } = await openScene(t, { ports: [site.port], names: { 'apex-site.com': { A: [PUBLIC_ADDRESS] } } });
  t.equal(await outcomeOf(visit, `http://${PUBLIC_HOST}:${site.port}/`), 200);
  t.same(hosts, [`${PUBLIC_HOST}:${site.port}`, `apex-site.com:${site.port}`]);
});

t.test('the next vetted address is tried when the first refuses the connection, and its limit holds', async (t) => {
  const site = await startFixtureServer({ routes: { '*': 'here' } }, { address: OTHER_PUBLIC_ADDRESS });
  t.teardown(() => site.close());
  const names = { 'two.fixture-site.com': { A: [PUBLIC_ADDRESS, OTHER_PUBLIC_ADDRESS] } };
  const seen: string[] = [];
  const limiter = new (class extends Limiter {
    override acquire(...args: Parameters<Limiter['acquire']>) {
      seen.push(args[1].address);
      return super.acquire(...args);
    }
  })();
  const { visit } = await openScene(t, { ports: [site.port], names, limiter });
  for (const path of ['/', '/more']) {
    t.equal(await outcomeOf(visit, `http://two.fixture-site.com:${site.port}${path}`), 200);
  }
  t.same(seen, [OTHER_PUBLIC_ADDRESS, OTHER_PUBLIC_ADDRESS], 'slots are taken where the connections lead');
});

t.test('the forbidden address saw no connection at all', async (t) => {
  t.equal(forbidden.connectionCount(), 0);
});
