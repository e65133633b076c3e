import { createAccess } from '../../../src/app/keys/access.js';
import { refundKey } from '../../../src/app/keys/charge.js';
import { createKeys } from '../../../src/app/keys/keys.js';
import { addAccount, TestClock } from '../../support/accounts.js';
import { onEachDatabase } from '../../support/databases.js';

onEachDatabase(async (t, engine) => {
  t.test("an account revokes its own keys only: another's is answered as one that does not exist", async (t) => {
    const db = await engine.openDb(t);
    const keys = createKeys({ db, clock: new TestClock() });
    const [{ id: accountId }, stranger] = [await addAccount(db), await addAccount(db)];
    const { apiKey, key } = await keys.create({ accountId, name: 'CI' });
    const answers = [];
    for (const [who, keyId] of [
      [stranger.id, apiKey.id],
      [accountId, `key_${'a'.repeat(20)}`],
      [accountId, 'CI'],
    ] as const) {
      answers.push(await keys.revokeOwn({ accountId: who, keyId }).catch((error: unknown) => error));
    }
    for (const answer of answers) t.same(answer, answers[1]);
    t.match(answers[0], { name: 'InputError', message: /no such key/ });
    await createAccess({ db, clock: new TestClock() }).admit(`Bearer ${key}`);
    t.equal((await keys.revokeOwn({ accountId, keyId: apiKey.id })).revokedAt, '2026-03-15T12:00:00.000Z');
    const later = createKeys({ db, clock: new TestClock(new Date('2026-04-01T00:00:00.000Z')) });
    t.equal((await later.revokeOwn({ accountId, keyId: apiKey.id })).revokedAt, '2026-03-15T12:00:00.000Z');
    await t.rejects(createAccess({ db, clock: new TestClock() }).admit(`Bearer ${key}`), { code: 'invalid_api_key' });
  });

  t.test('the usage shows each key with the quota that the API applies', async (t) => {
    const db = await engine.openDb(t);
    const clock = new TestClock(new Date('2026-12-31T23:00:00.000Z'));
    const account = await addAccount(db);
    for (const [override, plan, monthlyQuota] of [
      [null, 'FREE', 0],
      [null, 'MONITOR', 10_000],
      [null, 'SCALE', 100_000],
      [7, 'MONITOR', 7],
      [7, 'FREE', 0],
    ] as const) {
      const usage = await createKeys({ db, clock, monthlyQuotaOverride: override }).usage({ id: account.id, plan });
      t.same(usage, { keys: [], monthlyQuota, renewsAt: '2027-01-01T00:00:00.000Z' }, `${override} ${plan}`);
    }
    const keys = createKeys({ db, clock, monthlyQuotaOverride: 7 });
    const { apiKey, key } = await keys.create({ accountId: account.id, name: 'CI' });
    const access = createAccess({ db, clock, monthlyQuotaOverride: 7 });
    const { rateLimit } = await access.admit(`Bearer ${key}`);
    await access.settle();
    const usage = await keys.usage(account);
    t.equal(usage.monthlyQuota, rateLimit.limit);
    t.match(usage.keys, [{ id: apiKey.id, usedThisMonth: 1, lastUsedAt: '2026-12-31T23:00:00.000Z' }]);
  });

  t.test('a refund never takes the usage below zero', async (t) => {
    const db = await engine.openDb(t);
    const clock = new TestClock();
    const account = await addAccount(db);
    const keys = createKeys({ db, clock });
    const { apiKey, key } = await keys.create({ accountId: account.id, name: 'CI' });
    const access = createAccess({ db, clock });
    await access.admit(`Bearer ${key}`);
    await access.settle();
    for (let count = 0; count < 2; count += 1) await db.run(refundKey({ key_id: apiKey.id, month: '2026-03' }));
    t.match((await keys.usage(account)).keys, [{ id: apiKey.id, usedThisMonth: 0 }]);
  });
});
