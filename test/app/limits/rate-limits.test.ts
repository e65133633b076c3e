import t from 'tap';
import { createRateLimits, staggered, takeAllOrRefuse } from '../../../src/app/limits/rate-limits.js';
import { subjectOfAddress } from '../../../src/platform/client-address.js';
import { createRefunds } from '../../../src/app/limits/refunds.js';
import type { Database } from '../../../src/store/database.js';
import { NotConnected } from '../../../src/store/errors.js';
import { defineQuery } from '../../../src/store/query.js';
import { TestClock } from '../../support/accounts.js';
import { failWhen } from '../../support/changed-database.js';
import { onEachDatabase } from '../../support/databases.js';

const HOUR_MS = 3_600_000;

const windows = defineQuery<{ subject: string; window_start: string; used: number }>((sql) =>
  sql('rate_windows').select('subject', 'window_start', 'used').orderBy('window_start'),
);

function prepare(db: Database) {
  const clock = new TestClock();
  const limits = createRateLimits({ db, clock });
  const take = (subject = '192.0.2.1', limit = 3, scope = 'scan') =>
    limits.take({ scope, subject, limit, windowMs: HOUR_MS });
  return { clock, take };
}

onEachDatabase(async (t, engine) => {
  t.test('a window gives so many and no more, to each subject and scope of its own', async (t) => {
    const { take, clock } = prepare(await engine.openDb(t));
    clock.set('2026-03-15T12:59:30.500Z');
    for (let count = 0; count < 3; count += 1) t.ok((await take()).isTaken);
    t.match(await take(), { isTaken: false, retryAfterS: 30 });
    t.ok((await take('192.0.2.2')).isTaken);
    t.ok((await take('192.0.2.1', 3, 'other')).isTaken);
    clock.set('2026-03-15T13:00:00.000Z');
    t.match(await take(), { isTaken: true, retryAfterS: 3600 });
  });

  t.test('a limit that is staggered, too, is not doubled within half a window', async (t) => {
    const db = await engine.openDb(t);
    const clock = new TestClock();
    const limits = createRateLimits({ db, clock });
    const hourly = {
      scope: 'mail',
      subject: 'x',
      limit: 2,
      windowMs: HOUR_MS,
      explain: (wait: string) => `in ${wait}`,
    };
    const take = () => takeAllOrRefuse(limits, [hourly, staggered(hourly)]);
    const countTaken = async (time: string, ...refusal: readonly string[]) => {
      clock.set(time);
      const results = await Promise.allSettled([take(), take(), take()]);
      const messages = results.flatMap((one) => (one.status === 'rejected' ? [(one.reason as Error).message] : []));
      t.same([...new Set(messages)], refusal, time);
      return 3 - messages.length;
    };
    t.equal(await countTaken('2026-03-15T12:58:00.000Z', 'in 32 minutes'), 2);
    t.equal(await countTaken('2026-03-15T13:00:00.000Z', 'in 30 minutes'), 0);
    t.equal(await countTaken('2026-03-15T13:30:00.000Z', 'in 60 minutes'), 2);
    t.equal(await countTaken('2026-03-15T14:00:00.000Z', 'in 30 minutes'), 0);
  });

  t.test('of 30 at once with a limit of 7, exactly 7 are taken', async (t) => {
    const { take } = prepare(await engine.openDb(t));
    const results = await Promise.all(Array.from({ length: 30 }, () => take('192.0.2.1', 7)));
    t.equal(results.filter(({ isTaken }) => isTaken).length, 7);
  });

  t.test('what is given back goes once to the window that it was taken from', async (t) => {
    const db = await engine.openDb(t);
    const { take, clock } = prepare(db);
    const [first, second] = [await take(), await take(), await take()];
    await Promise.all([first.giveBack(), first.giveBack()]);
    await first.giveBack();
    t.match(await db.run(windows({})), [{ used: 2 }]);
    clock.set('2026-03-15T13:00:00.000Z');
    await take();
    await second.giveBack();
    t.match(await db.run(windows({})), [
      { window_start: '2026-03-15T12:00:00.000Z', used: 1 },
      { window_start: '2026-03-15T13:00:00.000Z', used: 1 },
    ]);
  });

  t.test('a window that has ended by one clock goes on by another that is a little behind', async (t) => {
    const db = await engine.openDb(t);
    const [behind, ahead] = [prepare(db), prepare(db)];
    behind.clock.set('2026-03-15T12:59:57.000Z');
    ahead.clock.set('2026-03-15T13:00:02.000Z');
    for (let count = 0; count < 3; count += 1) await behind.take();
    await ahead.take();
    t.notOk((await behind.take()).isTaken);
  });

  t.test('giving back what was not taken does nothing', async (t) => {
    const { take } = prepare(await engine.openDb(t));
    await take('192.0.2.1', 1);
    const refused = await take('192.0.2.1', 1);
    await refused.giveBack();
    t.notOk((await take('192.0.2.1', 1)).isTaken);
  });

  t.test('a return that cannot reach the database is made when it is back', async (t) => {
    const db = await engine.openDb(t);
    let isDown = false;
    const failing = failWhen(
      db,
      () => isDown,
      () => new NotConnected(),
    );
    const refunds = createRefunds(failing);
    const limits = createRateLimits({ db: failing, clock: new TestClock(), refunds });
    const taken = await limits.take({ scope: 'scan', subject: 'x', limit: 1, windowMs: HOUR_MS });
    isDown = true;
    await taken.giveBack();
    isDown = false;
    await refunds.settle();
    t.match(await db.run(windows({})), [{ used: 0 }]);
  });

  t.test('windows that have ended are cleared, and no subject is stored in clear', async (t) => {
    const db = await engine.openDb(t);
    const { take, clock } = prepare(db);
    await take('ada@example.com');
    t.match((await db.run(windows({})))[0]?.subject, /^[0-9a-f]{64}$/);
    clock.set('2026-03-15T13:01:00.000Z');
    await take('bob@example.com');
    t.same(
      (await db.run(windows({}))).map(({ window_start }) => window_start),
      ['2026-03-15T13:00:00.000Z'],
    );
  });
});

t.test('an address counts by what one customer holds', async (t) => {
  const subjects: [address: string, subject: string][] = [
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::FFFF:C000:0207', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::', '2001:db8:1:2::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['', 'no address'],
    ['unknown', 'no address'],
    ['192.0.2.7, 192.0.2.8', 'no address'],
  ];
  for (const [address, subject] of subjects) t.equal(subjectOfAddress(address), subject, address);
});
