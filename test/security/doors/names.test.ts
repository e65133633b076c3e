import { createSocket } from 'node:dgram';
import { setImmediate as turn } from 'node:timers/promises';
import t from 'tap';
import { parseCidr } from '../../../src/net/address.js';
import { createGuard } from '../../../src/net/guard.js';
import { createResolver } from '../../../src/net/connect.js';
import { openNetworkTransport } from '../../../src/net/network-transport.js';
import { type Transport } from '../../../src/net/transport.js';
import { createScanners, openNetworkSession } from '../../../src/scanner/scan/scanner.js';
import { OTHER_PUBLIC_ADDRESS, PUBLIC_ADDRESS } from '../../support/network-scene.js';
import { outcomeSince } from './door.js';
import { onSqlite } from '../../support/databases.js';
import { openHouse } from './house.js';
import { DOMAIN, openWorld } from './world.js';
import { TransportError } from '../../../src/net/failure.js';

// What names can do that a list of addresses does not tell: answer otherwise the next time, share an address, answer nothing.

const world = await openWorld();
t.teardown(() => world.close());
const { port, names, scanning } = world;
const refused = new TransportError('target_refused');

/** Answers publicly as often as said, and with a private address ever after. */
function rebindAfter(count: number) {
  return { A: (asked: number) => [asked < count ? PUBLIC_ADDRESS : '127.0.0.1'] };
}

function get(transport: Transport, url: string) {
  return transport.exchange({ url: new URL(url), method: 'GET', headers: {}, signal: new AbortController().signal });
}

t.test('a name that turns private after its first answer leads nowhere but to the public address', async (t) => {
  const { host, origin } = world.addSite((own) => ({
    '/': { type: 'text/html', headers: { connection: 'close' }, body: `<a href="${own}/guide">Guide</a>` },
    '/robots.txt': { headers: { connection: 'close' }, body: `Sitemap: ${own}/sitemap.xml` },
    '*': { status: 404, headers: { connection: 'close' }, body: 'no' },
  }));
  names[host] = rebindAfter(1);
  const target = { origin: new URL(origin), isOwnershipVerified: false };
  const { scan: scanner } = createScanners(scanning);
  const before = world.tap.attempts.length;
  await scanner(target);
  const attempts = world.tap.attempts.slice(before);
  t.ok(attempts.length > 20, 'each request on a connection of its own');
  t.same([...new Set(attempts)], [`${PUBLIC_ADDRESS}:${port}`]);
  t.equal(world.questions.filter((question) => question === `A ${host}`).length, 1, 'looked up once');

  const conclude = outcomeSince(world, { label: '', url: origin, code: 'address_not_public', place: null });
  const report = await scanner(target);
  const { verdict, reasons } = conclude('');
  t.same([verdict, reasons], ['refused', ['address_not_public']], 'and the next run is refused');
  t.match(report.findings[0]?.detail, /this scanner only visits public addresses on the standard ports/);
  t.equal(world.intrusions(), 0);
});

onSqlite(async (t, engine) => {
  const { services, newClientAddress } = await openHouse(t, await engine.openDb(t), world);
  await t.test('a name that turns private after it was vetted is vetted again when it is scanned', async (t) => {
    const { host, origin } = world.addSite(() => ({ '*': 'public' }));
    names[host] = rebindAfter(1);
    const before = world.tap.attempts.length;
    const { done } = await services.freeScans.start({ site: origin, clientAddress: newClientAddress() });
    const { score } = await done;
    t.equal(score, null);
    t.same(world.tap.attempts.slice(before), []);
  });
});

t.test('names of one address share no connection', async (t) => {
  const sites = ['one', 'two'].map((name) => world.addSite(() => ({ '*': `the site ${name}` })));
  const transport = openNetworkTransport(scanning);
  t.teardown(() => transport.close());
  const before = world.tap.attempts.length;
  for (const { origin } of [...sites, ...sites]) {
    const { body } = await get(transport, `${origin}/`);
    for await (const chunk of body) t.match(Buffer.from(chunk).toString(), /^the site (one|two)$/);
  }
  t.equal(world.tap.attempts.length - before, 2, 'and each keeps its own');
  t.same(
    world.requests.slice(-4),
    [...sites, ...sites].map(({ host }) => `GET ${host} /`),
  );
});

t.test(
  'a connection that fails at once is a failure, whatever its scheme, and never the end of the process',
  async (t) => {
    // The wire refuses these within the very call that connects, as the system does for IPv6 where there is none.
    names['one.fixture-shop.com'] = { A: [OTHER_PUBLIC_ADDRESS] };
    names['two.fixture-shop.com'] = { A: [OTHER_PUBLIC_ADDRESS, OTHER_PUBLIC_ADDRESS] };
    const transport = openNetworkTransport(scanning);
    t.teardown(() => transport.close());
    for (const origin of [
      'http://one.fixture-shop.com',
      'https://one.fixture-shop.com',
      'https://two.fixture-shop.com',
    ]) {
      await t.rejects(get(transport, `${origin}/`), new TransportError('connect_failed'), origin);
    }
    for (let turns = 0; turns < 5; turns += 1) await turn();
  },
);

t.test('a run that ends while a name is looked up connects nowhere any more', async (t) => {
  const { host, origin } = world.addSite(() => ({ '*': 'late' }));
  let answer: (addresses: readonly string[]) => void = () => undefined;
  const resolver = { resolveAddresses: () => new Promise<readonly string[]>((resolve) => (answer = resolve)) };
  const transport = openNetworkTransport({ guard: scanning.guard, resolver });
  const before = world.tap.attempts.length;
  const late = t.rejects(get(transport, `${origin}/`));
  await turn();
  await transport.close();
  answer([PUBLIC_ADDRESS]);
  await late;
  for (let turns = 0; turns < 5; turns += 1) await turn();
  t.same(world.tap.attempts.slice(before), [], host);
});

t.test('the address that was connected to is compared with those that were vetted', async (t) => {
  // An exception that contradicts itself: the URL's own address is what the system connects to.
  const guard = createGuard({ allowEndpoints: [{ host: PUBLIC_ADDRESS, address: '127.0.0.5', port }] });
  const transport = openNetworkTransport({ ...scanning, guard });
  t.teardown(() => transport.close());
  await t.rejects(get(transport, `http://${PUBLIC_ADDRESS}:${port}/`), refused);
});

t.test('an address of our own machine is refused by whatever name it goes', async (t) => {
  names['own.fixture-shop.com'] = { A: [PUBLIC_ADDRESS] };
  const allowCidrs = [parseCidr('127.0.0.3')].flatMap((cidr) => cidr ?? []);
  const guard = createGuard({ allowCidrs, allowPorts: [port], ownAddresses: [PUBLIC_ADDRESS] });
  const transport = openNetworkTransport({ ...scanning, guard });
  t.teardown(() => transport.close());
  const before = world.tap.attempts.length;
  await t.rejects(get(transport, `http://own.fixture-shop.com:${port}/`), refused);
  t.same(world.tap.attempts.slice(before), []);
});

t.test("an operator's exception for one address opens no other", async (t) => {
  names['inside.fixture-shop.com'] = { A: ['10.1.2.3'] };
  names['nearby.fixture-shop.com'] = { A: ['10.1.2.3', '10.1.2.4'] };
  const allowCidrs = [parseCidr('10.1.2.3')].flatMap((cidr) => cidr ?? []);
  const transport = openNetworkTransport({ ...scanning, guard: createGuard({ allowCidrs, allowPorts: [8080] }) });
  t.teardown(() => transport.close());
  const before = world.tap.attempts.length;
  await t.rejects(get(transport, 'http://inside.fixture-shop.com:8080/'), new TransportError('connect_failed'));
  await t.rejects(get(transport, 'http://nearby.fixture-shop.com:8080/'), refused);
  await t.rejects(get(transport, 'http://[::ffff:10.1.2.3]:8080/'), refused);
  t.same(world.tap.attempts.slice(before), ['10.1.2.3:8080']);
});

t.test('two dots behind a host name make no other host of it', async (t) => {
  names['www.fixture-shop.com'] = { A: [OTHER_PUBLIC_ADDRESS] };
  const { visit, close } = openNetworkSession(
    { origin: new URL('http://www.fixture-shop.com'), isOwnershipVerified: false },
    scanning,
  );
  t.teardown(close);
  const before = [world.refusals.length, world.tap.attempts.length] as const;
  for (const url of ['http://www.fixture-shop.com../', `http://127.0.0.1..:${port}/`]) {
    t.same(await visit.fetch(new URL(url)), { failure: 'target_refused' }, url);
  }
  t.same(
    world.refusals.slice(before[0]).map(({ reason }) => reason),
    ['host_not_allowed', 'host_not_allowed'],
  );
  t.same(await visit.fetch(new URL('http://www.fixture-shop.com./')), { failure: 'connect_failed' }, 'one dot is none');
  t.same(world.tap.attempts.slice(before[1]), [`${OTHER_PUBLIC_ADDRESS}:80`]);
});

t.test('hundreds of TXT records are read, and one among them proves', async (t) => {
  const token = 'agent-readiness-0123456789abcdef';
  const others = Array.from({ length: 200 }, (_, index) => [`other ${index} `, 'x'.repeat(20)]);
  names['_agent-readiness.www.fixture-shop.com'] = { TXT: [...others, [token.slice(0, 9), token.slice(9)]] };
  const records = await scanning.resolver.resolveTxt('_agent-readiness.www.fixture-shop.com');
  t.equal(records.length, 201);
  t.ok(records.includes(token));
});

t.test('a name server that answers nonsense gives no address', async (t) => {
  const answers: readonly ((query: Buffer) => Buffer)[] = [
    () => Buffer.from('nonsense'),
    () => Buffer.alloc(60_000, 0xff),
    // The header promises 65,535 answers, and brings none.
    (query) =>
      Buffer.concat([
        query.subarray(0, 2),
        Buffer.from([0x81, 0x80, 0, 1, 0xff, 0xff, 0, 0, 0, 0]),
        query.subarray(12),
      ]),
    // A name that is an alias of itself, by a pointer to itself.
    (query) =>
      Buffer.concat([
        query.subarray(0, 2),
        Buffer.from([0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0]),
        query.subarray(12),
        Buffer.from([0xc0, 0x0c, 0, 5, 0, 1, 0, 0, 0, 0, 0, 2, 0xc0, query.length]),
      ]),
  ];
  for (const [index, answer] of answers.entries()) {
    const socket = createSocket('udp4');
    socket.on('message', (query, from) => socket.send(answer(query), from.port, from.address));
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
    const resolver = createResolver({ servers: [`127.0.0.1:${socket.address().port}`], timeoutMs: 20 });
    await t.rejects(
      resolver.resolveAddresses(`nonsense.${DOMAIN}`),
      new TransportError('dns_failed'),
      `answer ${index}`,
    );
    await new Promise<void>((resolve) => socket.close(() => resolve()));
  }
});

t.test('the private network saw no connection', async (t) => {
  t.equal(world.intrusions(), 0);
});
