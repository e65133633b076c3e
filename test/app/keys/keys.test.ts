import { addAccount } from '../../support/accounts.js';
import { onEachDatabase } from '../../support/databases.js';
import { openServices } from '../../support/services.js';

onEachDatabase(async (t, engine) => {
  t.test('a key expires after a number of days; other input is refused', async (t) => {
    const db = await engine.openDb(t);
    const { keys } = openServices(db);
    const { id: accountId } = await addAccount(db);
    const invalid = '0 3651 -1 1.5 2026-03-16 9999 soon'.split(' ');
    for (const expires of [...invalid, 'x'.repeat(1e5)]) {
      const refusal = { name: 'InputError', field: 'expires', message: / 3650/ };
      await t.rejects(keys.create({ accountId, name: 'CI', expires }), refusal, expires.slice(0, 20));
    }
    t.same(await keys.list(accountId), []);
    for (const [expires, at] of [
      ['', null],
      ['1', '2026-03-16T12:00:00.000Z'],
      ['3650', '2036-03-12T12:00:00.000Z'],
    ] as const) {
      t.equal((await keys.create({ accountId, name: 'CI', expires })).apiKey.expiresAt, at);
    }
  });

  t.test('an account has at most 10 keys: live ones, and those used this month', async (t) => {
    const db = await engine.openDb(t);
    const { keys, access, clock } = openServices(db);
    clock.set('2026-03-20T00:00:00.000Z');
    const { id: accountId } = await addAccount(db);
    const create = (expires = '') => keys.create({ accountId, name: 'key', expires });
    const refuse = (why: string) => t.rejects(create(), { name: 'InputError', message: / 10 keys/ }, why);
    const made = await Promise.allSettled(Array.from({ length: 14 }, () => create('2')));
    const good = made.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    t.equal(good.length, 10, 'also with concurrent calls');
    const [used, unused] = good;
    await access.admit(`Bearer ${used?.key}`);
    await keys.revoke(used?.apiKey.id ?? '');
    await refuse('rotation mints no quota');
    await keys.revoke(unused?.apiKey.id ?? '');
    await t.resolves(create(), 'an unused revoked key does not count');
    await refuse('which is taken');
    clock.set('2026-03-22T00:00:00.000Z');
    for (let count = 0; count < 8; count += 1) await create();
    await refuse('expired ones make room, except the one that was used');
    clock.set('2026-04-01T00:00:00.000Z');
    await t.resolves(create(), 'next month, used revoked keys no longer count');
    await refuse('which is taken');
  });
});
