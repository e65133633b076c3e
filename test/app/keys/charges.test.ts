import type { Test } from 'tap';
import { createAccess } from '../../../src/app/keys/access.js';
import { Charges, HELD_MS_MAX } from '../../../src/app/keys/charges.js';
import { createKeys } from '../../../src/app/keys/keys.js';
import { createRefunds } from '../../../src/app/limits/refunds.js';
import { defineQuery } from '../../../src/store/query.js';
import { digestApiKey } from '../../../src/app/keys/api-key.js';
import { addAccount, addKey, TestClock } from '../../support/accounts.js';
import { failWhen } from '../../support/changed-database.js';
import { onSqlite, type TestEngine } from '../../support/databases.js';
import { onFullDisk } from '../../support/full-disk.js';
import { HeldTimers, until } from '../../support/held-timers.js';

const usage = defineQuery<{ month: string; used: number }>((sql) =>
  sql('key_usage').select('month', 'used').orderBy('month'),
);

async function prepare(t: Test, engine: TestEngine, quota: number) {
  const stored = await engine.openDb(t);
  const disk = { isFull: false };
  const db = onFullDisk(stored, () => disk.isFull);
  const clock = new TestClock();
  const account = await addAccount(stored);
  const key = await addKey(stored, account.id, clock);
  const access = createAccess({ db, clock, monthlyQuotaOverride: quota });
  const admit = () => access.admit(`Bearer ${key}`);
  const used = () => stored.run(usage({}));
  return { stored, db, disk, clock, account, key, access, admit, used };
}

onSqlite(async (t, engine) => {
  t.test('on a full disk requests are admitted up to the very quota, and stored when there is room', async (t) => {
    const { disk, access, admit, used } = await prepare(t, engine, 10);
    t.match((await admit()).rateLimit, { limit: 10, remaining: 9 });
    disk.isFull = true;
    t.match((await admit()).rateLimit, { limit: 10, remaining: 8 }, 'lowered at once');
    const results = await Promise.allSettled(Array.from({ length: 30 }, admit));
    const remaining = results.flatMap((result) =>
      result.status === 'fulfilled' ? [result.value.rateLimit.remaining] : [],
    );
    t.same(remaining, [7, 6, 5, 4, 3, 2, 1, 0]);
    for (const result of results) {
      if (result.status === 'rejected') {
        t.match(result.reason, { code: 'monthly_quota_exceeded', rateLimit: { limit: 10, remaining: 0 } });
      }
    }
    t.same(await used(), [{ month: '2026-03', used: 1 }]);
    disk.isFull = false;
    await t.rejects(admit(), { code: 'monthly_quota_exceeded' }, 'what is held counts');
    t.same(await used(), [{ month: '2026-03', used: 10 }]);
    await access.settle();
    t.same(await used(), [{ month: '2026-03', used: 10 }], 'once');
  });

  t.test('charges keep their months, and a request that is given back is charged to none', async (t) => {
    const { disk, access, admit, used, clock } = await prepare(t, engine, 10);
    disk.isFull = true;
    clock.set('2026-03-31T23:59:59.000Z');
    await admit();
    const returned = await admit();
    clock.set('2026-04-01T00:00:01.000Z');
    t.match((await admit()).rateLimit, { limit: 10, remaining: 9 });
    t.match(await Promise.all([returned.refund(), returned.refund()]), Array(2).fill({ limit: 10, remaining: 9 }));
    disk.isFull = false;
    await access.settle();
    t.same(await used(), [
      { month: '2026-03', used: 1 },
      { month: '2026-04', used: 1 },
    ]);
  });

  t.test('who has no right to be admitted is not', async (t) => {
    const { stored, disk, access, admit, clock, key, account, used } = await prepare(t, engine, 10);
    const keys = createKeys({ db: stored, clock });
    const expiring = await keys.create({ accountId: account.id, name: 'expiring', expires: '1' });
    clock.set('2026-03-16T11:59:00.000Z');
    const { keyId } = await admit();
    disk.isFull = true;
    await admit();
    await keys.revoke(keyId);
    await t.rejects(admit(), { code: 'invalid_api_key' });
    clock.set('2026-03-16T12:00:00.000Z');
    await t.rejects(access.admit(`Bearer ${expiring.key}`), { code: 'invalid_api_key' });
    const free = await addAccount(stored, 'FREE');
    const other = await addKey(stored, free.id, clock);
    await t.rejects(access.admit(`Bearer ${other}`), { code: 'plan_without_api' });
    t.ok(key && account);
    disk.isFull = false;
    await access.settle();
    t.same(await used(), [{ month: '2026-03', used: 2 }]);
  });

  t.test('after 15 minutes without room requests are refused, and what is held is stored later', async (t) => {
    const { disk, admit, clock, used } = await prepare(t, engine, 10);
    disk.isFull = true;
    await admit();
    clock.time = new Date(clock.time.getTime() + HELD_MS_MAX);
    await admit();
    clock.time = new Date(clock.time.getTime() + 1);
    await t.rejects(admit(), { code: 'overloaded' });
    disk.isFull = false;
    await admit();
    t.same(await used(), [{ month: '2026-03', used: 3 }]);
    disk.isFull = true;
    t.same((await admit()).rateLimit.remaining, 6, 'and the time begins again');
  });

  t.test('what is held is stored without another request', async (t) => {
    const { db, disk, clock, key, used } = await prepare(t, engine, 10);
    const timers = new HeldTimers();
    const charges = new Charges({ db, clock, refunds: createRefunds(db), startTimer: timers.start });
    const params = {
      digest: digestApiKey(key),
      month: '2026-03',
      now: clock.now().toISOString(),
      FREE: 0,
      MONITOR: 10,
      SCALE: 10,
    };
    disk.isFull = true;
    await charges.take(params);
    t.equal(timers.count, 1);
    timers.fire();
    await until(() => timers.count === 1);
    t.same(await used(), [], 'still full');
    disk.isFull = false;
    timers.fire();
    await until(async () => (await used()).length === 1);
    t.same(await used(), [{ month: '2026-03', used: 1 }]);
  });

  t.test('no other failure is taken for a full disk', async (t) => {
    const { stored, clock, key } = await prepare(t, engine, 10);
    for (const code of ['SQLITE_IOERR_WRITE', 'SQLITE_READONLY', 'SQLITE_CORRUPT']) {
      const failing = failWhen(
        stored,
        () => true,
        () => Object.assign(new Error('injected'), { code }),
      );
      await t.rejects(createAccess({ db: failing, clock }).admit(`Bearer ${key}`), { code });
    }
  });
});
