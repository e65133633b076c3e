import { setImmediate as turn } from 'node:timers/promises';
import tap, { type Test } from 'tap';
import { TransportError } from '../../../src/net/failure.js';
import { createGuard } from '../../../src/net/guard.js';
import { openNetworkTransport } from '../../../src/net/network-transport.js';
import { type Transport } from '../../../src/net/transport.js';
import { COLLECTORS } from '../../../src/scanner/gatherers/collectors.js';
import { DOCUMENT } from '../../support/contract.js';
import { OTHER_PUBLIC_ADDRESS, PUBLIC_ADDRESS } from '../../support/network-scene.js';
import { onSqlite } from '../../support/databases.js';
import { SITE_DOORS } from './site-doors.js';
import { openHouse, openWorld } from './world.js';

const refused = new TransportError('target_refused');

function get(transport: Transport, url: string) {
  return transport.exchange({ url: new URL(url), method: 'GET', headers: {}, signal: new AbortController().signal });
}

onSqlite(async (t, engine) => {
  const world = await openWorld(t);
  const { port, names, scanning } = world;
  const open = (t: Test, deps: Parameters<typeof openNetworkTransport>[0]): Transport => {
    const transport = openNetworkTransport(deps);
    t.teardown(() => transport.close());
    return transport;
  };

  t.test('a name that turns private after it was vetted is vetted again when it is scanned', async (t) => {
    const { services, newClientAddress } = await openHouse(t, await engine.openDb(t), world);
    const { host, origin } = world.addSite(() => ({ '*': 'public' }));
    names[host] = { A: (asked: number) => [asked === 0 ? PUBLIC_ADDRESS : '127.0.0.1'] };
    const before = world.tap.attempts.length;
    const { done } = await services.freeScans.start({ site: origin, clientAddress: newClientAddress() });
    const { score } = await done;
    t.equal(score, null);
    t.same(world.tap.attempts.slice(before), []);
  });

  t.test('names of one address share no connection', async (t) => {
    const sites = ['one', 'two'].map((name) => world.addSite(() => ({ '*': `the site ${name}` })));
    const transport = open(t, scanning);
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

  t.test('a connection that fails at once is a failure, and never the end of the process', async (t) => {
    // These are refused within the call that connects, as a system without IPv6 does.
    names['one.fixture-shop.com'] = { A: [OTHER_PUBLIC_ADDRESS] };
    names['two.fixture-shop.com'] = { A: [OTHER_PUBLIC_ADDRESS, OTHER_PUBLIC_ADDRESS] };
    const transport = open(t, scanning);
    for (const origin of ['http://one', 'https://one', 'https://two']) {
      await t.rejects(get(transport, `${origin}.fixture-shop.com/`), new TransportError('connect_failed'), origin);
    }
    for (let turns = 0; turns < 5; turns += 1) await turn();
  });

  t.test('a run that ends during a name lookup makes no connection', async (t) => {
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
    // An exception that contradicts itself: the system connects to the address of the URL.
    const guard = createGuard({ allowEndpoints: [{ host: PUBLIC_ADDRESS, address: '127.0.0.5', port }] });
    await t.rejects(get(open(t, { ...scanning, guard }), `http://${PUBLIC_ADDRESS}:${port}/`), refused);
  });

  t.test('the private network saw no connection', async (t) => {
    t.equal(world.intrusions(), 0);
  });
});

tap.test('every kind of evidence that is gathered from the network has a door', async (t) => {
  const kinds = new Set(SITE_DOORS.map(({ kind }) => kind));
  // These are read from what other kinds fetched.
  t.same(
    Object.keys(COLLECTORS).filter((kind) => !kinds.has(kind as keyof typeof COLLECTORS)),
    ['unknownAddress', 'sample', 'announcedLlms', 'llmsDocument', 'catalogs'],
  );
});

tap.test('no operation of the API takes an address', async (t) => {
  const { paths, components } = DOCUMENT;
  const text = JSON.stringify([paths, components]);
  const names = [...text.matchAll(/"name":"([\w-]+)","in":/g)].map(([, name]) => name);
  t.same([...new Set(names)].sort(), ['Idempotency-Key', 'If-None-Match', 'X-Run-Label', 'number', 'siteId']);
  t.notMatch(text, '"requestBody"');
});
