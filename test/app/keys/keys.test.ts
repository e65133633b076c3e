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
      answers.push(await keys.revoke(keyId, who).catch((error: unknown) => error));
    }
    for (const answer of answers) t.same(answer, answers[1]);
    t.match(answers[0], { name: 'InputError', message: /no such key/ });
    await createAccess({ db, clock: new TestClock() }).admit(`Bearer ${key}`);
    t.equal((await keys.revoke(apiKey.id, accountId)).revokedAt, '2026-03-15T12:00:00.000Z');
    const later = createKeys({ db, clock: new TestClock(new Date('2026-04-01T00:00:00.000Z')) });
    t.equal((await later.revoke(apiKey.id, accountId)).revokedAt, '2026-03-15T12:00:00.000Z');
    await t.rejects(createAccess({ db, clock: new TestClock() }).admit(`Bearer ${key}`), { code: 'invalid_api_key' });
  });

  t.test('the quota of a plan is the one that the API applies, and a key counts its requests', async (t) => {
    const db = await engine.openDb(t);
    const clock = new TestClock();
    for (const [monthlyQuotaOverride, quotas] of [
      [null, [0, 10_000, 100_000]],
      [7, [0, 7, 7]],
    ] as const) {
      const { monthlyQuotaOf } = createKeys({ db, clock, monthlyQuotaOverride });
      t.same((['FREE', 'MONITOR', 'SCALE'] as const).map(monthlyQuotaOf), quotas);
    }
    const { id: accountId } = await addAccount(db);
    const keys = createKeys({ db, clock });
    const { apiKey, key } = await keys.create({ accountId, name: 'CI' });
    const access = createAccess({ db, clock });
    const { rateLimit } = await access.admit(`Bearer ${key}`);
    await access.settle();
    t.equal(rateLimit.limit, keys.monthlyQuotaOf('MONITOR'));
    t.match(await keys.list(accountId), [{ id: apiKey.id, usedThisMonth: 1, lastUsedAt: '2026-03-15T12:00:00.000Z' }]);
    for (let count = 0; count < 2; count += 1) await db.run(refundKey({ key_id: apiKey.id, month: '2026-03' }));
    t.match(await keys.list(accountId), [{ id: apiKey.id, usedThisMonth: 0 }], 'a refund never goes below zero');
  });
});
