import { EVENT_WORDS } from '../../../src/app/audit/audit.js';
import { createSites } from '../../../src/app/sites/sites.js';
import { TestClock } from '../../support/accounts.js';
import { openAccountMails, tokenIn } from '../../support/account-mails.js';
import { onEitherDatabase } from '../../support/databases.js';
import { OTHER_PASSWORD, TEST_PASSWORD } from '../../support/passwords.js';
import type { HttpAnswer, Visitor } from '../../support/http-client.js';
import { readPage } from '../../support/page.js';
import { rowsOf } from '../../support/tables.js';
import { OPERATOR_PATH } from '../../../src/web/server/paths.js';
import { PUBLIC_URL } from '../../support/services.js';
import { startWeb } from '../../support/web.js';

const read = ({ text }: HttpAnswer) => readPage(text);
const formsOf = (answer: HttpAnswer) => read(answer).forms.map(({ action, fields }) => [action, fields]);
const linksOf = (answer: HttpAnswer) => read(answer).links.map(({ href }) => href);

onEitherDatabase(async (t, engine) => {
  /** Asserts that a form answers the same to each address, and returns the page. */
  const answerToBoth = async (visitor: Visitor, path: string, addresses: readonly string[]) => {
    const [first, second] = await Promise.all(addresses.map((email) => visitor.post(path, { email })));
    const texts = [first, second].map((answer, index) =>
      answer?.text.replaceAll(addresses[index] ?? '', 'a@example.com'),
    );
    t.same([second?.status, texts[1]], [first?.status, texts[0]], path);
    return { status: first?.status, ...readPage(texts[0] ?? '') };
  };

  t.test('a forgotten password: the same answer for every address, and a link that asks for a new one', async (t) => {
    const web = await startWeb(t, await engine.openDb(t));
    const { send, worker } = openAccountMails(web.db, web.clock);
    const member = await web.newMember();
    const visitor = web.newVisitor();
    t.ok(linksOf(await visitor.get('/sign-in')).includes('/forgot-password'));
    t.same(formsOf(await visitor.get('/forgot-password')), [['/forgot-password', { email: '' }]]);
    const answer = await answerToBoth(visitor, '/forgot-password', [member.account.email, 'nobody@example.com']);
    const form = { action: '/forgot-password', fields: { email: 'a@example.com' } };
    t.match(answer, { status: 200, notices: ['a@example.com'], forms: [form] });
    t.equal(await worker.performDue(), 0, 'not sent with the answer');
    const mails = await send();
    t.match(mails, [{ to: member.account.email, id: /^msg_/ }]);
    const token = tokenIn(mails[0]);
    const path = `/sign-in/${token}`;
    t.match(mails[0]?.text, `${PUBLIC_URL}${path}\n`);
    t.notOk(JSON.stringify(await rowsOf(web.db, 'sign_in_links')).includes(token), 'only a digest is stored');
    t.equal((await member.get('/account')).status, 200, 'a request alone changes nothing');
    t.same(formsOf(await visitor.get(path)), [[path, { email: member.account.email, password: '' }]]);
    for (const password of ['', 'short']) {
      const refused = await visitor.post(path, { password });
      t.equal(refused.status, 422);
      t.match(read(refused), { invalid: ['password'], text: ` ${password.length}.` });
      t.match(formsOf(refused), [[path, Object]], 'the link still requires a new password');
    }
    const set = await visitor.post(path, { password: OTHER_PASSWORD });
    t.equal(set.status, 303);
    t.equal(read(await visitor.get(set.headers.location ?? '')).notices.length, 1);
    t.equal((await member.get('/account')).status, 303, 'every other session has ended');
    t.equal((await web.newVisitor().post(path, { password: TEST_PASSWORD })).status, 404, 'the link is used');
    for (const [password, status] of [[TEST_PASSWORD, 422] as const, [OTHER_PASSWORD, 303] as const]) {
      const signIn = { email: member.account.email, password };
      t.equal((await web.newVisitor().post('/sign-in', signIn)).status, status);
    }
    const [changed] = await send();
    t.match(changed, { to: member.account.email, subject: /password/, text: /2026-03-15 .*12:00 UTC/ });
    for (const page of ['/account/activity', '/keys']) t.match(changed?.text, `${PUBLIC_URL}${page}\n`);
    t.equal(tokenIn(changed), '', 'no link to sign in');
  });

  t.test('signing up: the same answer for every address, then a password, and the account is there', async (t) => {
    const web = await startWeb(t, await engine.openDb(t));
    const { send } = openAccountMails(web.db, web.clock);
    const member = await web.newMember();
    const visitor = web.newVisitor();
    for (const page of ['/sign-in', '/']) t.ok(linksOf(await visitor.get(page)).includes('/sign-up'));
    t.match((await visitor.get('/sign-up')).text, /FREE: [^.]* 3 /);
    t.match(await member.get('/sign-up'), { status: 303, headers: { location: '/sites' } });
    const asked = [member.account.email, 'new@example.com'];
    t.match(await answerToBoth(visitor, '/sign-up', asked), { status: 200, notices: ['a@example.com'] });
    const mails = await send();
    const [known, unknown] = asked.map((email) => mails.find(({ to }) => to === email));
    t.match(known?.text, '/forgot-password');
    t.equal(tokenIn(known), '', 'no link to sign in');
    const path = `/sign-up/${tokenIn(unknown)}`;
    t.match(unknown?.text, path);
    t.same(formsOf(await visitor.get(path)), [[path, { email: 'new@example.com', password: '' }]]);
    const before = (await rowsOf(web.db, 'accounts')).length;
    t.equal((await visitor.post(path, { password: 'short' })).status, 422);
    t.equal((await rowsOf(web.db, 'accounts')).length, before);
    await visitor.post('/sign-up', { email: 'new@example.com' });
    const other = `/sign-up/${tokenIn((await send())[0])}`;
    t.notOk(JSON.stringify(await rowsOf(web.db, 'sign_in_links')).includes(tokenIn(unknown)));
    const visitors = Array.from({ length: 10 }, () => web.newVisitor());
    const answers10 = await Promise.all(visitors.map((one) => one.post(path, { password: TEST_PASSWORD })));
    const done = answers10.findIndex(({ status }) => status === 303);
    t.equal(answers10.filter(({ status }) => status === 404).length, 9, 'of 10 concurrent uses of the link');
    t.equal(answers10[done]?.headers.location, '/sites');
    t.match(read((await visitors[done]?.get('/account'))!), { heading: 'new@example.com', text: 'FREE' });
    const { text } = read((await visitors[done]?.get('/account/activity'))!);
    for (const event of [EVENT_WORDS.account_created, EVENT_WORDS.password_changed, EVENT_WORDS.signed_in])
      t.match(text, new RegExp(`${event}[^.]* You`), event);
    for (const spent of [path, other]) {
      t.equal((await web.newVisitor().post(spent, { password: TEST_PASSWORD })).status, 404);
      t.ok(linksOf(await web.newVisitor().get(spent)).includes('/forgot-password'));
    }
    t.same(await rowsOf(web.db, 'sign_in_links'), []);
    t.same(await send(), [], 'the first password is not reported');
  });

  t.test('the site that was just scanned is kept through sign-up, and through sign-in', async (t) => {
    const web = await startWeb(t, await engine.openDb(t));
    const { send } = openAccountMails(web.db, web.clock);
    const visitor = web.newVisitor();
    const next = '/sites/new?site=shop.example.com';
    const asked = await visitor.get(`/sign-up?next=${encodeURIComponent(next)}`);
    t.same(formsOf(asked), [['/sign-up', { next, email: '' }]]);
    t.ok(linksOf(asked).includes(`/sign-in?next=${encodeURIComponent(next)}`));
    const signIn = await visitor.get(`/sign-in?next=${encodeURIComponent(next)}`);
    t.ok(linksOf(signIn).includes(`/sign-up?next=${encodeURIComponent(next)}`));
    t.match(formsOf(await visitor.post('/sign-up', { email: 'new@example.com', next })), [['/sign-up', { next }]]);
    const [mail] = await send();
    const path = /\/sign-up\/\S+/.exec(mail?.text ?? '')?.[0] ?? '';
    t.match(path, /\?site=shop\.example\.com$/);
    const done = await visitor.post(path, { password: TEST_PASSWORD });
    t.match(done, { status: 303, headers: { location: next } });
    t.match(formsOf(await visitor.get(next)).at(-1), ['/sites', { site: 'shop.example.com' }]);
    await visitor.post('/sign-out');
    await visitor.post('/sign-up', { email: 'other@example.com', next: '/sites/new?site=%22%3E%20free%20money' });
    t.notMatch((await send())[0]?.text, 'money', 'the mail contains only host names');
  });

  t.test('what cannot be taken is said, and what was typed stays', async (t) => {
    const web = await startWeb(t, await engine.openDb(t));
    const visitor = web.newVisitor();
    for (const [path, max] of Object.entries({ '/forgot-password': 5, '/sign-up': 3 })) {
      const { status, text } = await visitor.post(path, { email: 'ada at example' });
      const form = { fields: { email: 'ada at example' } };
      t.match({ status, ...readPage(text) }, { status: 422, invalid: ['email'], forms: [form] });
      for (let count = 0; count < max; count += 1) await visitor.post(path, { email: 'ada@example.com' });
      const later = await visitor.post(path, { email: 'ada@example.com' });
      t.match(later, { status: 429, headers: { 'retry-after': '3600' } });
      t.match(read(later), { forms: [{ fields: { email: 'ada@example.com' } }], text: / 60 minutes/ });
    }
    const long = `ada@${'a'.repeat(60)}.${'b'.repeat(60)}.example`;
    t.match(read(await visitor.post('/sign-up', { email: long })), { invalid: ['email'], text: / 100 / });
    const logged = JSON.stringify(web.log);
    t.match(logged, '/forgot-password');
    t.notMatch(logged, 'ada@', 'no address is logged');
  });

  t.test('the sign-up page says how many sites the operator allows', async (t) => {
    const db = await engine.openDb(t);
    const sites = createSites({ db, clock: new TestClock(), vetSite: () => true, sitesMaxOverride: 1 });
    const web = await startWeb(t, db, { sites });
    t.match((await web.newVisitor().get('/sign-up')).text, /FREE: [^.]* 1 /);
  });

  t.test('without a mail server, or where sign-up is closed, there is no such page', async (t) => {
    const web = await startWeb(t, await engine.openDb(t), { hasMail: false, isSignUpOpen: false });
    const visitor = web.newVisitor();
    for (const path of ['/forgot-password', '/sign-up', `/sign-up/${'a'.repeat(43)}`]) {
      t.equal((await visitor.get(path)).status, 404, path);
      t.equal((await visitor.post(path, { email: 'ada@example.com' })).status, 404, path);
    }
    const signIn = await visitor.get('/sign-in');
    t.notMatch(signIn.text, /forgot-password|sign-up/);
    t.ok(linksOf(signIn).includes(OPERATOR_PATH));
    t.notMatch((await visitor.get('/')).text, 'sign-up');
    for (const contact of ['mailto:help@example.com', null]) {
      const closed = await startWeb(t, await engine.openDb(t), { isSignUpOpen: false, contact });
      const links = linksOf(await closed.newVisitor().get('/sign-in'));
      t.ok(links.includes('/forgot-password'));
      t.equal(links.includes(OPERATOR_PATH), contact !== null, 'nobody is asked for an account without an address');
    }
  });
});
