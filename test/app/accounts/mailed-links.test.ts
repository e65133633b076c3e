import { createAccounts } from '../../../src/app/accounts/accounts.js';
import { ACCOUNT_MAIL, createAccountMailHandler, createMailedLinks } from '../../../src/app/accounts/mails.js';
import { actAs, ownerActor, readEvents } from '../../../src/app/audit/audit.js';
import { ServiceError } from '../../../src/platform/errors.js';
import type { Database } from '../../../src/store/database.js';
import { openServices } from '../../support/services.js';
import { openAccountMails, tokenIn } from '../../support/account-mails.js';
import { onEachDatabase } from '../../support/databases.js';
import { GOOD_PASSWORD, OTHER_PASSWORD } from '../../support/passwords.js';
import { TestWorker } from '../../support/queue.js';
import { addPerson } from '../../support/accounts.js';
import { changeDatabase, recordStatements } from '../../support/changed-database.js';
import { insertRow, rowsOf } from '../../support/tables.js';

const NOBODY = 'nobody@example.com';
/** The page that each mail links to. */
const PASSWORD_LINK = '/sign-in/';
const PASSWORD_CHANGED = '/account/activity';
const FROM = { clientAddress: '192.0.2.1' };

async function prepare(db: Database) {
  const scene = openAccountMails(db);
  const person = await addPerson(db, scene.clock);
  const eventsOf = async (accountId: string) =>
    (await readEvents(db, accountId)).events.map(({ event, actor, address }) => `${event} ${actor} ${address}`);
  /** Returns the mails that wait to be sent. */
  const left = () => rowsOf(db, 'jobs');
  return { ...scene, db, scene, ...person, eventsOf, left };
}

/** A database whose next transactions fail with these errors. */
function failing(db: Database, faults: Error[]): Database {
  return changeDatabase(db, {
    transaction: async (work, durability) => {
      const fault = faults.shift();
      if (fault) throw fault;
      return db.transaction(work, durability);
    },
  });
}

onEachDatabase(async (t, engine) => {
  t.test('a new password is reported by mail, whichever way it is set', async (t) => {
    const { db, scene, email, account, clock, signIn } = await prepare(await engine.openDb(t));
    const change = { accountId: account.id, current: GOOD_PASSWORD, password: OTHER_PASSWORD };
    await actAs(ownerActor('192.0.2.9'), () => signIn.changePassword(change));
    t.notMatch(JSON.stringify(await rowsOf(db, 'jobs')), '192.0.2.9');
    t.match(await scene.send(), [{ to: email, text: PASSWORD_CHANGED }]);
    for (const [name, password] of [['by-link', GOOD_PASSWORD] as const, ['by-page', ''] as const]) {
      const made = { email: `${name}@example.com`, plan: 'FREE' };
      const { account, signInLink } = await createAccounts({ db, clock }).create(made);
      await signIn.useLink({ token: signInLink.token, password });
      if (password === '') await signIn.changePassword({ ...change, accountId: account.id, current: '' });
      t.match(await scene.send(), [{ to: made.email, text: PASSWORD_CHANGED }], name);
    }
  });

  t.test('a sign-up of an address that has an account by then makes no second one', async (t) => {
    const { db, scene, signIn, mailedLinks, clock } = await prepare(await engine.openDb(t));
    await mailedLinks.requestSignUpLink({ email: 'late@example.com', ...FROM });
    const token = tokenIn((await scene.send())[0]);
    await createAccounts({ db, clock }).create({ email: 'late@example.com', plan: 'SCALE' });
    await t.rejects(signIn.signUp({ token, password: GOOD_PASSWORD }), { name: 'InputError', message: /already/ });
  });

  t.test('the statements of requesting and sending do not reveal whether an account exists', async (t) => {
    const { db, clock, email } = await prepare(await engine.openDb(t));
    await addPerson(db, clock);
    const { db: recorded, asked } = recordStatements(db);
    const links = createMailedLinks({ db: recorded, clock });
    const sendMail = async () => 'sent' as const;
    const handler = createAccountMailHandler({ db: recorded, clock, sendMail, publicUrl: 'https://readiness.test' });
    const handlers = { [ACCOUNT_MAIL]: handler };
    const worker = new TestWorker([{ name: 'account-mails', concurrency: 1, handlers }], { db, clock });
    const statementsOf = async (work: () => Promise<unknown>): Promise<string[]> => {
      asked.length = 0;
      await work();
      return [...asked];
    };
    for (const kind of ['requestPasswordLink', 'requestSignUpLink'] as const) {
      const ask = (to: string) => links[kind]({ email: to, ...FROM });
      const [known, unknown] = [await statementsOf(() => ask(email)), await statementsOf(() => ask(NOBODY))];
      t.same(known, unknown, 'asking');
      t.ok(known.includes('insert jobs'), known.join());
      t.notMatch(known.join(), / accounts\b/, 'looks up no account');
      clock.set(new Date(clock.now().getTime() + 1000).toISOString());
      const sent = [await statementsOf(() => worker.performDue(1)), await statementsOf(() => worker.performDue(1))];
      t.same(sent[0], sent[1], 'sending');
      t.ok(sent[0]?.includes('select accounts'), 'looks up the account');
    }
  });

  t.test('an account gets 5 password links an hour, and the answer never reveals it', async (t) => {
    const { scene, email, signIn, mailedLinks } = await prepare(await engine.openDb(t));
    for (const to of [email, NOBODY]) {
      for (let count = 0; count < 7; count += 1) {
        await t.resolves(mailedLinks.requestPasswordLink({ email: to, clientAddress: `198.51.${count}.1` }));
      }
    }
    const mails = await scene.send();
    t.same(new Set(mails.map(({ to }) => to)), new Set([email]));
    t.equal(mails.length, 5);
    scene.pass(59 * 60_000 - 1000);
    for (const mail of mails) t.ok(await signIn.readLink(tokenIn(mail)), 'each link works');
    await mailedLinks.requestSignUpLink({ email, ...FROM });
    t.equal((await scene.send()).length, 1, 'counted separately');
    scene.pass(60_000);
    await mailedLinks.requestPasswordLink({ email, ...FROM });
    t.equal((await scene.send()).length, 1, 'the limit ends');
  });

  t.test("aliases of a mailbox do not use up its account's links", async (t) => {
    const { scene, email, mailedLinks } = await prepare(await engine.openDb(t));
    const other = email.replace('@', '+x@');
    for (let count = 0; count < 20; count += 1) {
      await mailedLinks.requestPasswordLink({ email: other, clientAddress: `198.51.${count}.1` });
    }
    for (let count = 0; count < 4; count += 1) await mailedLinks.requestPasswordLink({ email: other, ...FROM });
    await mailedLinks.requestPasswordLink({ email, ...FROM });
    t.match(await scene.send(), [{ to: email, text: PASSWORD_LINK }]);
  });

  t.test('a mailbox gets 3 sign-up mails an hour and 5 a day, counting its aliases', async (t) => {
    const { scene, mailedLinks } = await prepare(await engine.openDb(t));
    let count = 0;
    const ask = () => {
      count += 1;
      return mailedLinks.requestSignUpLink({ email: `ada+${count}@example.com`, clientAddress: `198.51.${count}.1` });
    };
    for (let mail = 0; mail < 3; mail += 1) await ask();
    await t.rejects(ask(), { name: 'RateLimitError', message: /\b3 .*60 minutes/ });
    scene.clock.set('2026-03-15T13:00:00.000Z');
    for (let mail = 0; mail < 2; mail += 1) await ask();
    await t.rejects(ask(), { name: 'RateLimitError', message: /\b5 .*11 hours/ });
    await t.resolves(mailedLinks.requestPasswordLink({ email: 'ada@example.com', ...FROM }), 'counted separately');
    scene.clock.set('2026-03-16T00:00:00.000Z');
    await t.resolves(ask(), 'the limit ends');
  });

  t.test('mails are limited per network address and network, whatever the recipients', async (t) => {
    const { mailedLinks } = await prepare(await engine.openDb(t));
    let asked = 0;
    const askFor = (kind: 'requestSignUpLink' | 'requestPasswordLink', clientAddress: string) => {
      asked += 1;
      return mailedLinks[kind]({ email: `a${asked}@example.com`, clientAddress });
    };
    const ask = (clientAddress: string) => askFor('requestSignUpLink', clientAddress);
    for (const [max, addressOf] of [
      [20, (index: number) => `2001:db8::${index}`],
      [30, (index: number) => `2001:db9:0:${index.toString(16)}::1`],
      [60, (index: number) => `198.51.100.${index}`],
    ] as const) {
      for (let index = 0; index < max; index += 1) await ask(addressOf(index));
      await t.rejects(ask(addressOf(max)), { name: 'RateLimitError', message: /^Your network / }, addressOf(max));
    }
    for (let index = 110; index < 300; index += 1) await ask(`10.${index >> 8}.${index & 255}.1`);
    await t.rejects(ask('10.1.0.2'), { name: 'RateLimitError', message: /many people/ });
    for (let index = 0; index < 20; index += 1) await ask(`203.0.${index}.1`);
    await t.rejects(ask('203.0.0.2'), { name: 'RateLimitError' }, 'one more each for networks without any');
    const askAgain = () => askFor('requestPasswordLink', '2001:db8::1');
    for (let count = 0; count < 20; count += 1) await t.resolves(askAgain(), 'counted separately');
    await t.rejects(askAgain(), { name: 'RateLimitError' });
  });

  t.test('repeated requests by strangers are one event an hour', async (t) => {
    const { db, scene, account, email, mailedLinks, clock } = await prepare(await engine.openDb(t));
    const at = clock.now().toISOString();
    for (let count = 0; count < 3; count += 1) {
      await actAs(ownerActor(`192.0.2.${count}`), () => mailedLinks.requestPasswordLink({ email, ...FROM }));
      await actAs(ownerActor(`192.0.2.${count}`), () => mailedLinks.requestSignUpLink({ email, ...FROM }));
      clock.time = new Date(clock.time.getTime() + 1);
    }
    await scene.send();
    const { events } = await readEvents(db, account.id);
    const asked = events.filter(({ event }) => /_requested$/.test(event));
    t.same(asked.map(({ event, address, at }) => [event, address, at]).sort(), [
      ['password_link_requested', '192.0.2.0', at],
      ['sign_up_requested', '192.0.2.0', at],
    ]);
  });

  t.test('a failed mail is retried with a new link, up to 5 times', async (t) => {
    const { db, scene, left, email, account, mailedLinks, signIn } = await prepare(await engine.openDb(t));
    scene.server.outcome = 'failed';
    await mailedLinks.requestPasswordLink({ email, ...FROM });
    const tokens = new Set<string>();
    for (const pauseMs of [0, 5000, 60_000, 300_000, 1_500_000]) {
      scene.pass(pauseMs);
      const sent = await scene.send();
      t.equal(sent.length, 1, `after ${pauseMs} ms`);
      tokens.add(tokenIn(sent[0]));
    }
    t.equal(tokens.size, 5);
    t.same(await left(), [], 'dropped after the last attempt');
    const { events } = await readEvents(db, account.id);
    const asked = events.filter(({ event }) => event === 'password_link_requested');
    t.equal(asked.length, 1, 'one event, whatever the number of attempts');
    for (const token of tokens) t.ok(await signIn.readLink(token), 'each mail may have arrived');
    t.same(scene.results, ['retried', 'retried', 'retried', 'retried', 'failed']);
    scene.server.outcome = 'refused';
    await mailedLinks.requestPasswordLink({ email, ...FROM });
    await scene.send();
    t.same(await left(), [], 'a refused mailbox is not retried');
    scene.server.outcome = 'fault';
    await mailedLinks.requestPasswordLink({ email, ...FROM });
    await scene.send();
    t.equal((await left()).length, 1, 'our own fault is retried');
    t.equal(scene.failures.length, 1);
  });

  t.test('a failure before the mail is written leaves the activity complete', async (t) => {
    const { db, account, email, clock, mailedLinks, eventsOf } = await prepare(await engine.openDb(t));
    await mailedLinks.requestPasswordLink({ email, ...FROM });
    const faults = [new Error('a fault of ours')];
    const { send, pass } = openAccountMails(failing(db, faults), clock);
    t.same(await send(), []);
    pass(5000);
    t.equal((await send()).length, 1);
    t.ok((await eventsOf(account.id)).includes('password_link_requested unknown null'));
  });

  t.test('a mail is sent once even if its outcome cannot be stored at first', async (t) => {
    const { db, left, email, clock, mailedLinks } = await prepare(await engine.openDb(t));
    await mailedLinks.requestPasswordLink({ email, ...FROM });
    const faults: Error[] = [];
    const scene = openAccountMails(failing(db, faults), clock);
    scene.server.onMail = () => faults.push(new ServiceError('overloaded'), new ServiceError('overloaded'));
    t.equal((await scene.send()).length, 1);
    t.same(await left(), []);
    t.same(scene.results, ['delivered']);
    t.same(scene.failures, []);
  });

  t.test('a process without a mail server discards the mail and logs why', async (t) => {
    const { db, left, scene: asking, email } = await prepare(await engine.openDb(t));
    await asking.mailedLinks.requestPasswordLink({ email, ...FROM });
    const { send, failures } = openAccountMails(db, asking.clock, false);
    t.same(await send(), []);
    t.same(await left(), []);
    t.match(failures, [{ message: /SMTP_URL/ }]);
  });

  t.test('a mail that has waited for more than a day is not sent', async (t) => {
    const { left, scene, email, mailedLinks } = await prepare(await engine.openDb(t));
    for (const waitMs of [86_399_000, 86_400_000]) {
      await mailedLinks.requestPasswordLink({ email, ...FROM });
      scene.pass(waitMs);
      t.equal((await scene.send()).length, waitMs < 86_400_000 ? 1 : 0, 'sending advances the clock by a second');
      t.same(await left(), []);
    }
  });

  t.test('a removed account gets no mail, and an unknown address gets no password link', async (t) => {
    const { db, left, scene, email, account, clock, signIn, mailedLinks } = await prepare(await engine.openDb(t));
    await signIn.changePassword({ accountId: account.id, current: GOOD_PASSWORD, password: OTHER_PASSWORD });
    for (const to of [email, NOBODY]) await mailedLinks.requestPasswordLink({ email: to, ...FROM });
    await mailedLinks.requestSignUpLink({ email, ...FROM });
    const signUp = { digest: 'd', expires_at: '2026-03-15T13:00:00.000Z' };
    for (const to of [email, NOBODY]) await insertRow(db, 'sign_in_links', { ...signUp, digest: `d ${to}`, email: to });
    await openServices(db, { clock }).accountData.remove(account.id);
    t.match(await rowsOf(db, 'sign_in_links'), [{ email: NOBODY }], 'only its own links are deleted');
    t.match(await left(), [{ payload: /"nobody@example\.com"/ }]);
    t.same(await scene.send(), []);
    t.same(await left(), []);
    t.match(await rowsOf(db, 'sign_in_links'), [{ email: NOBODY }]);
  });
});
