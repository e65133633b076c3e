import { addAccount, tokenOf } from '../../support/accounts.js';
import { onEitherDatabase } from '../../support/databases.js';
import { openServices } from '../../support/services.js';

onEitherDatabase(async (t, engine) => {
  t.test('accounts', async (t) => {
    const db = await engine.openDb(t);
    const { accounts, keys } = openServices(db);
    const { account, signInLink } = await accounts.create({ email: ' Ada@Example.COM ', plan: 'monitor' });
    t.match(account, { email: 'ada@example.com', name: 'Ada@Example.COM', plan: 'MONITOR' });
    t.match(signInLink.token, /^[\w-]{43}$/);
    t.equal(signInLink.expiresAt, '2026-03-15T13:00:00.000Z');
    t.same(await accounts.list(), [account]);
    t.not((await accounts.createSignInLink(account.id)).token, signInLink.token);
    const [{ apiKey }, other] = [await keys.create({ accountId: account.id, name: 'CI' }), await addAccount(db)];
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
      ['key: no account', () => keys.create({ accountId: absent, name: 'x' }), /no such account/],
      ['revoke: no key', () => keys.revoke(`key_${'a'.repeat(20)}`), /no such key/],
      ['revoke: a key of another account', () => keys.revoke(apiKey.id, other.id), /no such key/],
      ['revoke: no id', () => keys.revoke('CI', account.id), /no such key/],
      ['keys: no account', () => keys.list(absent), /no such account/],
    ];
    for (const [what, call, message] of refused) await t.rejects(call(), { name: 'InputError', message }, what);
  });

  t.test('of two concurrent accounts with one address, one is created', async (t) => {
    const { accounts } = openServices(await engine.openDb(t));
    const create = () => accounts.create({ email: 'ada@example.com', plan: 'FREE' });
    const results = await Promise.allSettled([create(), create(), create()]);
    t.equal(results.filter(({ status }) => status === 'fulfilled').length, 1);
    for (const result of results) if (result.status === 'rejected') t.match(result.reason, { name: 'InputError' });
  });

  t.test('account and host have one ownership token, even after the site is removed', async (t) => {
    const db = await engine.openDb(t);
    const { sites, siteRemoval } = openServices(db);
    const [ada, bob] = [await addAccount(db), await addAccount(db)];
    const tokenAt = async (accountId: string, site: string) => {
      const added = await sites.add({ accountId, site });
      const token = await tokenOf(db, added);
      await siteRemoval.remove(added.id);
      return token;
    };
    const token = await tokenAt(ada.id, 'example.com');
    t.match(token, /^agent-readiness-[0-9a-f]{48}$/);
    t.equal(await tokenAt(ada.id, 'example.com'), token);
    t.not(await tokenAt(ada.id, 'www.example.com'), token);
    t.not(await tokenAt(bob.id, 'example.com'), token);
  });
});
