import { siteRemoval } from '../../support/removal.js';
import { createAccess } from '../../../src/app/keys/access.js';
import { createAccounts } from '../../../src/app/accounts/accounts.js';
import { createKeys } from '../../../src/app/keys/keys.js';
import { createSites } from '../../../src/app/sites/sites.js';
import type { Database } from '../../../src/store/database.js';
import { addAccount, TestClock, tokenOf } from '../../support/accounts.js';
import { onEitherDatabase } from '../../support/databases.js';

const clock = new TestClock();
const NO_SUCH = { name: 'InputError', message: /no such/ };

function sitesOf(db: Database, isAllowed = true) {
  return createSites({ db, clock, vetSite: () => isAllowed });
}

onEitherDatabase(async (t, engine) => {
  t.test('accounts', async (t) => {
    const db = await engine.openDb(t);
    const accounts = createAccounts({ db, clock });
    const { account, signInLink } = await accounts.create({ email: ' Ada@Example.COM ', plan: 'monitor' });
    t.match(account, { email: 'ada@example.com', name: 'Ada@Example.COM', plan: 'MONITOR' });
    t.match(account.id, /^acc_[a-z2-7]{20}$/);
    t.match(signInLink.token, /^[\w-]{43}$/);
    t.equal(signInLink.expiresAt, '2026-03-15T13:00:00.000Z');
    t.same(await accounts.list(), [account]);
    t.same(await accounts.findByEmail('ADA@example.com'), account);
    t.equal(await accounts.findByEmail('nobody@example.com'), null);
    t.equal((await accounts.setPlan(account.id, 'SCALE')).plan, 'SCALE');
    t.not((await accounts.createSignInLink(account.id)).token, signInLink.token);
    const absent = `acc_${'a'.repeat(20)}`;
    const refused: [what: string, call: () => Promise<unknown>, message: RegExp][] = [
      ['the same address', () => accounts.create({ email: 'ada@example.com', plan: 'FREE' }), /already/],
      ['no address', () => accounts.create({ email: 'ada', plan: 'FREE' }), /e-mail/],
      ['no plan', () => accounts.create({ email: 'b@example.com', plan: 'GOLD' }), /FREE, MONITOR, SCALE/],
      ['no name', () => accounts.create({ email: 'b@example.com', plan: 'FREE', name: ' ' }), /name/],
      ['setPlan: a plan of the prototype', () => accounts.setPlan(account.id, 'constructor'), / plan/],
      ['setPlan: no account', () => accounts.setPlan(absent, 'FREE'), / account/],
      ['link: no account', () => accounts.createSignInLink(absent), / account/],
      ['link: no id', () => accounts.createSignInLink('ada'), / account/],
    ];
    for (const [what, call, message] of refused) await t.rejects(call(), { name: 'InputError', message }, what);
  });

  t.test('of two concurrent accounts with one address, one is created', async (t) => {
    const accounts = createAccounts({ db: await engine.openDb(t), clock });
    const create = () => accounts.create({ email: 'ada@example.com', plan: 'FREE' });
    const results = await Promise.allSettled([create(), create(), create()]);
    t.equal(results.filter(({ status }) => status === 'fulfilled').length, 1);
    for (const result of results) if (result.status === 'rejected') t.match(result.reason, { name: 'InputError' });
  });

  t.test('a key that does not exist, or whose account does not, is refused', async (t) => {
    const keys = createKeys({ db: await engine.openDb(t), clock });
    const accountId = `acc_${'a'.repeat(20)}`;
    await t.rejects(keys.create({ accountId, name: 'x' }), NO_SUCH);
    await t.rejects(keys.list(accountId), NO_SUCH);
    for (const keyId of [`key_${'a'.repeat(20)}`, 'CI']) await t.rejects(keys.revoke(keyId), NO_SUCH);
  });

  t.test('a key expires after a number of days or at the start of a day; other input is refused', async (t) => {
    const db = await engine.openDb(t);
    const keys = createKeys({ db, clock });
    const { id: accountId } = await addAccount(db);
    const invalid = '0 3651 -1 1.5 2026-03-15 2026-02-31 2027-2-1 2036-03-14 9999 soon'.split(' ');
    for (const expires of [...invalid, 'x'.repeat(1e5)]) {
      const refusal = { name: 'InputError', field: 'expires', message: / 3650/ };
      await t.rejects(keys.create({ accountId, name: 'CI', expires }), refusal, expires.slice(0, 20));
    }
    t.same(await keys.list(accountId), []);
    for (const [expires, at] of [
      ['', null],
      ['1', '2026-03-16T12:00:00.000Z'],
      ['3650', '2036-03-12T12:00:00.000Z'],
      ['2026-03-16', '2026-03-16T00:00:00.000Z'],
      ['2028-02-29', '2028-02-29T00:00:00.000Z'],
    ] as const) {
      t.equal((await keys.create({ accountId, name: 'CI', expires })).apiKey.expiresAt, at);
    }
  });

  t.test('an account has at most 10 keys: live ones, and those used this month', async (t) => {
    const db = await engine.openDb(t);
    const march = new TestClock(new Date('2026-03-20T00:00:00.000Z'));
    const keys = createKeys({ db, clock: march });
    const { id: accountId } = await addAccount(db);
    const create = (expires = '') => keys.create({ accountId, name: 'key', expires });
    const refuse = (why: string) => t.rejects(create(), { name: 'InputError', message: / 10 keys/ }, why);
    const made = await Promise.allSettled(Array.from({ length: 14 }, () => create('2')));
    const good = made.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    t.equal(good.length, 10, 'also with concurrent calls');
    const [used, unused] = good;
    await createAccess({ db, clock: march }).admit(`Bearer ${used?.key}`);
    await keys.revoke(used?.apiKey.id ?? '');
    await refuse('rotation mints no quota');
    await keys.revoke(unused?.apiKey.id ?? '');
    await t.resolves(create(), 'an unused revoked key does not count');
    await refuse('which is taken');
    march.set('2026-03-22T00:00:00.000Z');
    for (let count = 0; count < 8; count += 1) await create();
    await refuse('expired ones make room, except the one that was used');
    march.set('2026-04-01T00:00:00.000Z');
    await t.resolves(create(), 'next month, used revoked keys no longer count');
    await refuse('which is taken');
  });

  t.test('account and host have one ownership token, even after the site is removed', async (t) => {
    const db = await engine.openDb(t);
    const sites = sitesOf(db);
    const [ada, bob] = [await addAccount(db), await addAccount(db)];
    const tokenAt = async (accountId: string, site: string) => {
      const added = await sites.add({ accountId, site });
      const token = await tokenOf(db, added);
      await siteRemoval({ db, clock }).remove(added.id);
      return token;
    };
    const token = await tokenAt(ada.id, 'example.com');
    t.match(token, /^agent-readiness-[0-9a-f]{48}$/);
    t.equal(await tokenAt(ada.id, 'example.com'), token);
    t.not(await tokenAt(ada.id, 'www.example.com'), token);
    t.not(await tokenAt(bob.id, 'example.com'), token);
  });
});
