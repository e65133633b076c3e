import { createAccess } from '../../../src/app/keys/access.js';
import { newApiKey } from '../../../src/platform/ids.js';
import { createAccounts } from '../../../src/app/accounts/accounts.js';
import type { Database } from '../../../src/store/database.js';
import { openDatabase } from '../../../src/store/open.js';
import { addAccount, addKey, TestClock } from '../../support/accounts.js';
import { changeDatabase, countStatements, failWhen } from '../../support/changed-database.js';
import { onEachDatabase } from '../../support/databases.js';
import { openServices } from '../../support/services.js';
import { rowsOf, updateRows } from '../../support/tables.js';

async function prepare(db: Database, { quota = null, plan }: { quota?: number | null; plan?: string } = {}) {
  const account = await addAccount(db, plan);
  const key = await addKey(db, account.id);
  const services = openServices(db, { monthlyQuotaOverride: quota });
  return { ...services, account, key, admit: () => services.access.admit(`Bearer ${key}`) };
}

onEachDatabase(async (t, engine) => {
  t.test('each plan has its quota, and an override replaces all', async (t) => {
    const db = await engine.openDb(t);
    t.match((await (await prepare(db, { plan: 'SCALE' })).admit()).rateLimit, { limit: 100_000, remaining: 99_999 });
    t.match((await (await prepare(db, { quota: 3 })).admit()).rateLimit, { limit: 3, remaining: 2 });
    await t.rejects((await prepare(db, { quota: 3, plan: 'FREE' })).admit(), { code: 'plan_without_api' });
    await t.rejects((await prepare(db, { quota: 0 })).admit(), { code: 'monthly_quota_exceeded' });
    const { key, admit, clock } = await prepare(db);
    for (let count = 0; count < 2; count += 1) await admit();
    const lower = createAccess({ db, clock, monthlyQuotaOverride: 1 });
    const refusal: unknown = await lower.admit(`Bearer ${key}`).catch((error: unknown) => error);
    t.match(refusal, { code: 'monthly_quota_exceeded', rateLimit: { limit: 1, remaining: 0 } }, 'never negative');
  });

  t.test('no map in memory contains a key in plain text', async (t) => {
    const { key, admit } = await prepare(await engine.openDb(t));
    const sets = t.capture(Map.prototype, 'set', Map.prototype.set);
    for (let count = 0; count < 2; count += 1) await admit();
    const given = sets().flatMap(({ args }) => args);
    t.ok(given.length > 0);
    t.notOk(given.some((value) => typeof value === 'string' && value.includes(key)));
  });

  t.test('the header is parsed as RFC 6750 defines', async (t) => {
    const { access, key } = await prepare(await engine.openDb(t));
    await t.resolves(access.admit(`BEARER   ${key} `));
    for (const none of ['', 'Bearer ', key]) await t.rejects(access.admit(none), { code: 'missing_api_key' });
    for (const bad of [`${key}x`, `${key}\u00a0`, key.toLowerCase()])
      await t.rejects(access.admit(`Bearer ${bad}`), { code: 'invalid_api_key' });
  });

  t.test('a key with a bad checksum costs no query; an unknown one is not charged', async (t) => {
    const { db, clock, key, access: unlimited } = await prepare(await engine.openDb(t));
    const noDb = failWhen(db, () => true, new Error('a query was made'));
    const access = createAccess({ db: noDb, clock });
    await t.rejects(access.admit(`Bearer ${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`), {
      code: 'invalid_api_key',
    });
    await t.rejects(unlimited.admit(`Bearer ${newApiKey()}`), { code: 'invalid_api_key' });
    t.match(await rowsOf(db, 'key_usage'), []);
  });

  t.test('a key is valid until it expires, then refused as unknown', async (t) => {
    const { access, keys, account, clock } = await prepare(await engine.openDb(t));
    const { key, apiKey } = await keys.create({ accountId: account.id, name: 'CI', expires: '30' });
    const stateOf = async () => (await keys.list(account.id)).find(({ id }) => id === apiKey.id)?.state;
    clock.set('2026-04-14T11:59:59.999Z');
    await t.resolves(access.admit(`Bearer ${key}`));
    t.equal(await stateOf(), 'live');
    clock.set('2026-04-14T12:00:00.000Z');
    await t.rejects(access.admit(`Bearer ${key}`), { code: 'invalid_api_key', status: 401 });
    t.equal(await stateOf(), 'expired');
    const { revokedAt } = await keys.revoke(apiKey.id);
    t.equal(await stateOf(), 'revoked');
    clock.set('2026-05-01T00:00:00.000Z');
    t.equal((await keys.revoke(apiKey.id)).revokedAt, revokedAt, 'the first time counts');
  });

  t.test('a key whose account is removed during the charge is refused as unknown', async (t) => {
    const { db, account, accountData, key, clock } = await prepare(await engine.openDb(t));
    let isGone = false;
    const going = changeDatabase(db, {
      async run(query) {
        if (isGone) return db.run(query);
        isGone = true;
        await accountData.remove(account.id);
        throw Object.assign(new Error('What the row would belong to is not there.'), { code: '23503' });
      },
    });
    await t.rejects(createAccess({ db: going, clock }).admit(`Bearer ${key}`), { code: 'invalid_api_key' });
  });

  t.test('of 400 requests over 40 connections to two processes, a quota of 100 admits exactly 100', async (t) => {
    const { db, key, clock } = await prepare(await engine.openDb(t));
    const elsewhere = await openDatabase(db.url);
    t.teardown(() => elsewhere.close());
    const [one, two] = [db, elsewhere].map((db) => createAccess({ db, clock, monthlyQuotaOverride: 100 }));
    const results = [];
    for (let round = 0; round < 10; round += 1) {
      const asked = Array.from({ length: 40 }, (_, index) => (index % 2 ? one : two)?.admit(`Bearer ${key}`));
      results.push(...(await Promise.allSettled(asked)));
    }
    const remaining = results.flatMap((one) => (one.status === 'fulfilled' ? [one.value?.rateLimit.remaining] : []));
    t.same(new Set(remaining), new Set(Array(100).keys()), 'each number of remaining requests once');
    t.equal(remaining.length, 100);
    for (const one of results) if (one.status === 'rejected') t.match(one.reason, { code: 'monthly_quota_exceeded' });
    t.match(await rowsOf(db, 'key_usage'), [{ month: '2026-03', used: 100 }]);
    await Promise.all([one?.settle(), two?.settle()]);
  });

  t.test('requests of one event-loop turn are charged together, each key separately', async (t) => {
    const db = await engine.openDb(t);
    const clock = new TestClock();
    const keys: string[] = [];
    for (let index = 0; index < 3; index += 1) keys.push(await addKey(db, (await addAccount(db)).id, clock));
    keys.push(await addKey(db, (await addAccount(db, 'FREE')).id, clock), newApiKey());
    const statements = countStatements(db);
    const { counted } = statements;
    const access = createAccess({ db: counted, clock });
    const admit = (key: string) => access.admit(`Bearer ${key}`).then(({ rateLimit }) => rateLimit.remaining);
    // The last use is written once a minute.
    await admit(keys[0] ?? '');
    await access.settle();
    statements.count = 0;
    t.same((await Promise.all(Array.from({ length: 19 }, () => admit(keys[0] ?? '')))).at(-1), 9980);
    t.equal(statements.count, 1);
    const results = await Promise.allSettled([...keys, ...keys].map(admit));
    const refused = ['plan_without_api', 'invalid_api_key'];
    const read = results.map((one) => (one.status === 'fulfilled' ? one.value : (one.reason as { code: string }).code));
    t.same(read, [9979, 9999, 9999, ...refused, 9978, 9998, 9998, ...refused]);
    await access.settle();
  });

  t.test('a refund goes once to the charged month', async (t) => {
    const { db, admit, clock } = await prepare(await engine.openDb(t), { quota: 5 });
    clock.set('2026-03-31T23:59:59.000Z');
    const admission = await admit();
    await admit();
    clock.set('2026-04-01T00:00:01.000Z');
    await admit();
    const refunds = await Promise.all([admission.refund(), admission.refund()]);
    t.match(refunds, Array(2).fill({ limit: 5, remaining: 4 }));
    t.match(await admission.refund(), { limit: 5, remaining: 4 });
    const usage = (await rowsOf(db, 'key_usage')) as readonly { readonly month: string; readonly used: number }[];
    t.same(new Set(usage.map(({ month, used }) => `${month} ${used}`)), new Set(['2026-03 1', '2026-04 1']));
    const another = await admit();
    await updateRows(db, 'key_usage', {}, { used: 0 });
    t.match(await another.refund(), { limit: 5 });
    t.match(await rowsOf(db, 'key_usage'), [{ used: 0 }, { used: 0 }], 'no month falls below zero');
  });

  t.test('the time of last use is written at most once a minute, after the request', async (t) => {
    const { db, admit, access, clock } = await prepare(await engine.openDb(t));
    const readAfter = async (iso: string) => {
      clock.set(iso);
      await admit();
      await access.settle();
      return (await rowsOf(db, 'api_keys'))[0];
    };
    t.match(await readAfter('2026-03-15T12:00:00.000Z'), { last_used_at: '2026-03-15T12:00:00.000Z' });
    t.match(await readAfter('2026-03-15T12:00:59.000Z'), { last_used_at: '2026-03-15T12:00:00.000Z' });
    t.match(await readAfter('2026-03-15T12:01:00.001Z'), { last_used_at: '2026-03-15T12:01:00.001Z' });
  });

  t.test('raising the plan during a refusal does not report the quota as used up', async (t) => {
    const db = await engine.openDb(t);
    const clock = new TestClock();
    const { id } = await addAccount(db, 'FREE');
    const authorization = `Bearer ${await addKey(db, id)}`;
    let statements = 0;
    const racing = changeDatabase(db, {
      async run(query) {
        const rows = await db.run(query);
        statements += 1;
        if (statements === 1) await createAccounts({ db, clock }).setPlan(id, 'MONITOR');
        return rows;
      },
    });
    const access = createAccess({ db: racing, clock });
    t.match(await access.admit(authorization), { rateLimit: { limit: 10_000, remaining: 9_999 } });
    await access.settle();
  });
});
