import t from 'tap';
import { consume, consumeAll, type Limit } from '../../../src/app/limits/limits.js';
import { cleanUp } from '../../../src/app/cleanups.js';
import { networkOf, networksOf, subjectOfAddress } from '../../../src/platform/http/request.js';
import { type Database, NotConnected } from '../../../src/store/database.js';
import { TestClock } from '../../support/accounts.js';
import { failWhen } from '../../support/changed-database.js';
import { onEachDatabase, onPostgres } from '../../support/databases.js';
import { HeldTimers } from '../../support/held-timers.js';
import { rowsOf } from '../../support/tables.js';

const HOUR_MS = 3_600_000;

function limit(given: Partial<Limit> = {}): Limit {
  return { name: 'scan', subject: 'ada', max: 3, windowMs: HOUR_MS, message: 'wait {wait}', ...given };
}

function prepare(db: Database) {
  const clock = new TestClock();
  const windows = () => rowsOf(db, 'rate_windows');
  const use = (...limits: Limit[]) => consume(db, limits.length > 0 ? limits : [limit()], clock.now());
  const used = async () => (await windows()).map((row) => (row as { used: number }).used);
  return { db, clock, windows, use, used };
}

onEachDatabase(async (t, engine) => {
  t.test('a window has a maximum for each subject and name', async (t) => {
    const { use, windows, clock } = prepare(await engine.openDb(t));
    clock.set('2026-03-15T12:59:30.500Z');
    for (let count = 0; count < 3; count += 1) await use();
    t.match(await windows(), [{ subject: /^[0-9a-f]{64}$/ }], 'no subject is stored in clear');
    await t.rejects(use(), { name: 'RateLimitError', retryAfterS: 30, message: 'wait a minute' });
    await use(limit({ subject: 'bob' }));
    await use(limit({ name: 'other' }));
    clock.set('2026-03-15T13:00:00.000Z');
    await use();
  });

  t.test('all limits are consumed, or none, and the first exhausted one refuses', async (t) => {
    const { use, used } = prepare(await engine.openDb(t));
    const [one, two, three] = [
      limit({ name: 'one' }),
      limit({ name: 'two', max: 1, message: 'two' }),
      limit({ name: 'three', max: 1, message: 'three' }),
    ];
    await use(one, two, three);
    await t.rejects(use(one, two, three), { message: 'two' });
    await t.rejects(use(one, three, two), { message: 'three' });
    t.same(await used(), [1, 1, 1]);
    await use(one);
  });

  t.test('of 30 concurrent calls, exactly as many are admitted as there are units', async (t) => {
    const { use, used } = prepare(await engine.openDb(t));
    const other = limit({ name: 'other', max: 100 });
    const results = await Promise.allSettled(Array.from({ length: 30 }, () => use(other, limit({ max: 7 }))));
    t.equal(results.filter(({ status }) => status === 'fulfilled').length, 7);
    t.same(await used(), [7, 7]);
  });

  t.test('several units can be consumed at once, and refunds go to the window they came from', async (t) => {
    const { use, used, clock } = prepare(await engine.openDb(t));
    const requests = limit({ name: 'requests', max: 10, count: 6 });
    const refund = await use(limit(), requests);
    await t.rejects(use(requests), { name: 'RateLimitError' });
    clock.set('2026-03-15T13:00:00.000Z');
    await use(limit(), requests);
    await refund(({ name }) => (name === 'requests' ? 4 : 0));
    t.same((await used()).sort(), [0, 1, 4, 6]);
    const undo = await use();
    await undo();
    t.same((await used()).sort(), [0, 1, 4, 6]);
  });

  t.test('a refund without a window, or of more than was used, changes nothing', async (t) => {
    const { db, use, used, clock } = prepare(await engine.openDb(t));
    const refund = await use();
    await refund();
    await refund();
    t.same(await used(), [0]);
    const late = await use();
    clock.set('2026-03-15T14:00:00.000Z');
    await cleanUp(db, clock.now(), 90);
    await late();
    t.same(await used(), []);
  });

  t.test('the first unit of a share is exempt from an exhausted total', async (t) => {
    const { use, used } = prepare(await engine.openDb(t));
    const useFrom = (subject: string) => {
      const share = limit({ name: 'share', subject });
      return use(share, limit({ name: 'all', subject: 'all', max: 2, waivedOnFirstUseOf: share }));
    };
    await useFrom('a');
    await useFrom('a');
    await t.rejects(useFrom('a'), { name: 'RateLimitError' });
    await useFrom('b');
    await t.rejects(useFrom('b'), { name: 'RateLimitError' });
    t.same((await used()).sort(), [1, 2, 3]);
  });

  t.test('a refund that certainly did not reach the database is made when it is back, no other is', async (t) => {
    for (const [error, usedAfter] of [
      [new NotConnected(), 0],
      [Object.assign(new Error('shut down during the request'), { code: '57P01' }), 1],
    ] as const) {
      const db = await engine.openDb(t);
      let isDown = false;
      const failing = failWhen(db, () => isDown, error);
      const timers = new HeldTimers();
      const refund = await consume(failing, [limit()], new Date(), timers.start);
      isDown = true;
      await refund();
      isDown = false;
      await timers.settle();
      t.match(await rowsOf(db, 'rate_windows'), [{ used: usedAfter }], error.name);
      t.equal(timers.count, 0, 'it is tried once');
    }
  });
});

onPostgres(async (t, engine) => {
  t.test('a refused caller waits for no window that another client is using', async (t) => {
    const { db, use, clock } = prepare(await engine.openDb(t));
    const [own, all] = [limit({ name: 'own', max: 1 }), limit({ name: 'all', subject: 'all', max: 100 })];
    await use(own, all);
    await db.transaction(async (tx) => {
      await consumeAll(tx, [all], clock.now());
      await t.rejects(use(own, all), { name: 'RateLimitError' });
    });
  });
});

t.test('the networks of an address are listed narrowest first: one customer, then those that share capacity', (t) => {
  const ipv4 = ['192.0.2.7', '192.0.2.0/24'];
  const ipv6 = ['2001:db8:1:2345::/64', '2001:db8:1:2300::/56', '2001:db8:1::/48', '2001:db8::/32'];
  const cases: [address: string, prefixes: readonly string[], shared: string][] = [
    ['192.0.2.7', ipv4, '192.0.2.0/24'],
    ['::ffff:192.0.2.7', ipv4, '192.0.2.0/24'],
    ['::FFFF:C000:0207', ipv4, '192.0.2.0/24'],
    ['2001:DB8:1:2345::1', ipv6, '2001:db8:1::/48'],
    ['2001:0DB8:0001:2345:3:4:5:6', ipv6, '2001:db8:1::/48'],
    ['fe80::1%eth0', ['fe80::/64', 'fe80::/56', 'fe80::/48', 'fe80::/32'], 'fe80::/48'],
    ['', ['no address'], 'no address'],
    ['unknown', ['no address'], 'no address'],
    ['192.0.2.7, 192.0.2.8', ['no address'], 'no address'],
  ];
  for (const [address, prefixes, shared] of cases) {
    const networks = networksOf(address).map(({ prefix }) => prefix);
    t.same(networks, prefixes, address);
    t.same([subjectOfAddress(address), networkOf(address)], [prefixes[0], shared], address);
  }
  t.end();
});
