import { newSecretToken } from '../../../src/platform/ids.js';
import { accounts as accountRows } from '../../../src/app/accounts/accounts.js';
import { createSignIn } from '../../../src/app/accounts/sign-in.js';
import type { Database } from '../../../src/store/database.js';
import { defineQuery } from '../../../src/store/query.js';
import { failWhen } from '../../support/changed-database.js';
import { onEachDatabase } from '../../support/databases.js';
import { GOOD_PASSWORD, OTHER_PASSWORD } from '../../support/passwords.js';
import { openServices } from '../../support/services.js';
import { addPerson, cheapPasswords, cheapSignIn } from '../../support/accounts.js';

const WRONG = { name: 'InputError', message: /password/, field: undefined };
const SPENT = { name: 'InputError', message: /used/, field: undefined };
const TOO_SOON = { name: 'RateLimitError', message: / 15 minutes/, retryAfterS: 900 };

const sessions = defineQuery<{ digest: string; last_seen_at: string }>((sql) =>
  sql('sessions').select('digest', 'last_seen_at').orderBy('created_at'),
);

async function prepare(db: Database) {
  const services = openServices(db);
  const { account, signInLink } = await services.accounts.create({ email: 'ada@example.com', plan: 'MONITOR' });
  return { ...services, account, token: signInLink.token };
}

/** Like {@link prepare}, with a password. */
async function preparePerson(db: Database) {
  const prepared = await prepare(db);
  const session = await prepared.signIn.useLink({ token: prepared.token, password: GOOD_PASSWORD });
  const enter = (password = GOOD_PASSWORD, email = 'ada@example.com', clientAddress = '192.0.2.1') =>
    prepared.signIn.withPassword({ email, password, clientAddress });
  return { ...prepared, session, enter };
}

/** Counts the calls that succeed, and returns why the others fail. */
async function countDone(calls: readonly Promise<unknown>[]) {
  const results = await Promise.allSettled(calls);
  const refusals = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as Error] : []));
  return { done: results.length - refusals.length, refusals };
}

onEachDatabase(async (t, engine) => {
  t.test('a link that was added while the account was removed opens no session', async (t) => {
    const { db, signIn, token, account, clock } = await prepare(await engine.openDb(t));
    await db.run(accountRows.update({ id: account.id }, { removed_at: clock.now().toISOString() }));
    await t.rejects(signIn.useLink({ token, password: GOOD_PASSWORD }), SPENT);
    t.same(await db.run(sessions({})), []);
  });

  t.test('a link is valid for an hour; anything else costs no query', async (t) => {
    const { db, signIn, token, clock } = await prepare(await engine.openDb(t));
    t.equal(await signIn.readLink(newSecretToken()), null);
    clock.set('2026-03-15T12:59:59.999Z');
    t.ok(await signIn.readLink(token));
    clock.set('2026-03-15T13:00:00.000Z');
    t.equal(await signIn.readLink(token), null);
    await t.rejects(signIn.useLink({ token, password: GOOD_PASSWORD }), SPENT);
    const noQuery = failWhen(db, () => true, new Error('a query was made'));
    const blind = cheapSignIn(noQuery, clock);
    for (const text of ['', 'x', `${token}=`, `${token}\n`, token.slice(1), '\u0000']) {
      t.equal(await blind.readLink(text), null);
      t.equal(await blind.authenticate(text), null);
      await t.rejects(blind.useLink({ token: text, password: GOOD_PASSWORD }), SPENT);
    }
  });

  t.test('a session ends after 7 idle days, and after 30 days in any case', async (t) => {
    const { db, signIn, session, clock } = await preparePerson(await engine.openDb(t));
    const isLiveAt = async (iso: string) => {
      clock.set(iso);
      return (await signIn.authenticate(session.token)) !== null;
    };
    for (const day of ['22T11:59:59.999', '29T11:59:59.000']) t.ok(await isLiveAt(`2026-03-${day}Z`), day);
    t.ok(await isLiveAt('2026-04-05T00:00:00.000Z'));
    t.notOk(await isLiveAt('2026-04-12T00:00:00.000Z'), 'idle');
    await addPerson(db, clock, { signIn });
    clock.set('2026-03-15T12:00:00.000Z');
    const { session: busy } = await addPerson(db, clock, { signIn });
    for (const day of ['03-21', '03-27', '04-02', '04-08', '04-14']) {
      clock.set(`2026-${day}T11:59:59.000Z`);
      t.ok(await signIn.authenticate(busy.token), day);
    }
    t.notOk(await isLiveAt('2026-04-14T12:00:00.000Z'), 'the absolute end');
    clock.set('2026-04-14T12:00:00.000Z');
    t.equal(await signIn.authenticate(busy.token), null);
  });

  t.test('the last use of a session is written every few minutes', async (t) => {
    const { db, signIn, session, clock } = await preparePerson(await engine.openDb(t));
    const seenAfter = async (iso: string) => {
      clock.set(iso);
      await signIn.authenticate(session.token);
      return (await db.run(sessions({})))[0]?.last_seen_at;
    };
    t.equal(await seenAfter('2026-03-15T12:05:00.000Z'), '2026-03-15T12:00:00.000Z');
    t.equal(await seenAfter('2026-03-15T12:05:00.001Z'), '2026-03-15T12:05:00.001Z');
  });

  t.test('of two concurrent changes one succeeds, and no sign-in with the old password survives it', async (t) => {
    const { db, signIn, account, enter } = await preparePerson(await engine.openDb(t));
    const change = (password: string) =>
      signIn.changePassword({ accountId: account.id, current: GOOD_PASSWORD, password });
    const entered = countDone([enter(), enter(), enter()]);
    const { done, refusals } = await countDone([change(OTHER_PASSWORD), change(`${OTHER_PASSWORD} 2`)]);
    t.equal(done, 1);
    for (const refusal of refusals) t.match(refusal, { field: 'current' });
    await entered;
    t.equal((await db.run(sessions({}))).length, 1);
  });

  t.test('an account accepts 10 failures in 15 minutes from a network, and 100 in all', async (t) => {
    const { enter, signIn, account, accounts, clock } = await preparePerson(await engine.openDb(t));
    for (const email of ['ada@example.com', 'nobody@example.com', 'no address']) {
      const fail = async (network: number): Promise<void> => {
        for (let count = 0; count < 10; count += 1) {
          await t.rejects(enter(OTHER_PASSWORD, email, `198.51.${network}.${count}`), WRONG, `${email} ${count}`);
        }
        await t.rejects(enter(GOOD_PASSWORD, email, `198.51.${network}.99`), TOO_SOON, email);
      };
      await fail(0);
      if (email === 'ada@example.com') await t.resolves(enter(), 'the owner can sign in from elsewhere');
      for (let network = 1; network < 10; network += 1) await fail(network);
      await t.rejects(enter(GOOD_PASSWORD, email), TOO_SOON, email);
    }
    const confirm = (current: string) => signIn.confirmPassword({ accountId: account.id, current });
    await t.resolves(confirm(GOOD_PASSWORD), 'strangers cannot block a signed-in owner');
    for (let count = 0; count < 10; count += 1)
      await t.rejects(confirm(OTHER_PASSWORD), { name: 'InputError', message: /current/ });
    await t.rejects(confirm(GOOD_PASSWORD), TOO_SOON, 'the owner has a limit as well');
    const link = await accounts.createSignInLink(account.id);
    await t.resolves(signIn.useLink({ token: link.token, password: '' }), 'a link still works');
    clock.set('2026-03-15T12:15:00.000Z');
    await t.resolves(enter(), 'the limit ends');
  });

  t.test('100 failures in 15 minutes block an address and its /64', async (t) => {
    const { enter } = await preparePerson(await engine.openDb(t));
    for (let count = 0; count < 100; count += 1) {
      await t.rejects(enter(OTHER_PASSWORD, `a${count}@example.com`, `2001:db8::${count}`), WRONG);
    }
    await t.rejects(enter(GOOD_PASSWORD, 'ada@example.com', '2001:db8::ffff'), TOO_SOON);
    await t.resolves(enter(GOOD_PASSWORD, 'ada@example.com', '2001:db8:0:1::1'));
  });

  t.test('only wrong passwords count: not successes, refusals, or faults of ours', async (t) => {
    const { db, enter, clock } = await preparePerson(await engine.openDb(t));
    for (let count = 0; count < 60; count += 1) await enter();
    for (let count = 0; count < 10; count += 1) await t.rejects(enter(OTHER_PASSWORD), WRONG);
    for (let count = 0; count < 100; count += 1) await t.rejects(enter(), TOO_SOON);
    await t.rejects(enter(GOOD_PASSWORD, 'bob@example.com'), WRONG, 'the address has attempts left');
    const broken = { ...cheapPasswords(), matches: () => Promise.reject(new Error('a fault of ours')) };
    const failing = createSignIn({ db, clock, passwords: broken });
    const cleo = { email: 'cleo@example.com', password: '', clientAddress: '192.0.2.9' };
    for (let count = 0; count < 12; count += 1) await t.rejects(failing.withPassword(cleo), /a fault of ours/);
  });

  t.test('of 30 concurrent guesses, 10 are compared', async (t) => {
    const { enter } = await preparePerson(await engine.openDb(t));
    const { refusals } = await countDone(Array.from({ length: 30 }, () => enter(OTHER_PASSWORD)));
    t.equal(refusals.filter(({ name }) => name === 'InputError').length, 10);
    t.equal(refusals.filter(({ name }) => name === 'RateLimitError').length, 20);
  });
});
