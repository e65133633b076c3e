import t from 'tap';
import { EVENT_WORDS } from '../../../src/app/audit/audit.js';
import { InputError, ServiceError } from '../../../src/platform/errors.js';
import { createAccess } from '../../../src/app/keys/access.js';
import { createAccounts } from '../../../src/app/accounts/accounts.js';
import { createKeys } from '../../../src/app/keys/keys.js';
import type { SignIn } from '../../../src/app/accounts/sign-in.js';
import { nextPage } from '../../../src/web/pages/sign-in.js';
import { OPERATOR_PATH } from '../../../src/web/server/paths.js';
import { addAccount, addSite, cheapSignIn, TestClock } from '../../support/accounts.js';
import { onEitherDatabase } from '../../support/databases.js';
import type { HttpAnswer } from '../../support/http-client.js';
import { type PageContent, readPage } from '../../support/page.js';
import { OTHER_PASSWORD, TEST_PASSWORD } from '../../support/passwords.js';
import { rowsOf } from '../../support/tables.js';
import { PUBLIC_URL } from '../../support/services.js';
import { type RunningWeb, startWeb } from '../../support/web.js';

const read = ({ text }: HttpAnswer): PageContent => readPage(text);

/** Returns the fields of the form with this action; undefined if the page has none. */
const fieldsOf = (answer: HttpAnswer, action: string) =>
  read(answer).forms.find((form) => form.action === action)?.fields;

const hasLink = (answer: HttpAnswer, href: string): boolean => read(answer).links.some((link) => link.href === href);

const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1';

/** Creates an account as the operator does. Returns it with the path of its link. */
async function invite({ db, clock }: RunningWeb, plan = 'MONITOR') {
  const account = await addAccount(db, plan, clock);
  const link = await createAccounts({ db, clock }).createSignInLink(account.id);
  return { account, path: `/sign-in/${link.token}` };
}

onEitherDatabase(async (t, engine) => {
  t.test('opening a one-time link does not use it; its button signs in without a password', async (t) => {
    const web = await startWeb(t, await engine.openDb(t));
    const { account, path } = await invite(web);
    const { token } = await createAccounts(web).createSignInLink(account.id);
    const visitor = web.newVisitor();
    const opened = await visitor.get(path);
    t.match(opened, { status: 200, headers: { 'cache-control': 'no-store' } });
    t.match(read(opened).heading, account.email);
    t.same(fieldsOf(opened, path), { email: account.email, password: '' });
    const entered = await visitor.post(path);
    t.match(entered, { status: 303, headers: { location: '/sites', 'set-cookie': /expires=Tue, 14 Apr 2026/ } });
    t.match(
      await visitor.get(path),
      { status: 303, headers: { location: '/sites' } },
      'a member has nothing to do there',
    );
    t.equal((await web.newVisitor().get(`/sign-in/${token}`)).status, 200, 'other links stay');
    const page = await visitor.get('/account');
    t.same(fieldsOf(page, '/account/password'), { email: account.email, password: '' });
    t.match(read(page).text, 'MONITOR');
    const asked = await visitor.get('/account/delete');
    t.ok(hasLink(asked, '/account#set-password'));
    t.equal(fieldsOf(asked, '/account/delete'), undefined, 'no button that would fail');
    const kept = await visitor.post('/account/delete', { email: account.email });
    t.match([kept.status, read(kept).notices], [422, [String]]);
    const done = await visitor.post('/account/password', { password: TEST_PASSWORD });
    t.match(done, { status: 303, headers: { location: '/account?notice=password' } });
    t.ok('current' in (fieldsOf(await visitor.get('/account?notice=password'), '/account/password') ?? {}));
    const second = await visitor.post('/account/password', { password: OTHER_PASSWORD });
    t.equal(second.status, 422, 'a second password needs the current one');
    const signIn = { email: account.email, password: TEST_PASSWORD };
    t.equal((await web.newVisitor().post('/sign-in', signIn)).status, 303);
    for (const useless of [token, 'a'.repeat(43)]) {
      const page = await web.newVisitor().get(`/sign-in/${useless}`);
      t.equal(page.status, 404, 'until there is a new password');
      t.ok(hasLink(page, '/forgot-password'), 'the page offers a new link');
    }
  });

  t.test('a demo link signs in on GET', async (t) => {
    const web = await startWeb(t, await engine.openDb(t), { isDemo: true, hasMail: false });
    const { path } = await invite(web);
    const visitor = web.newVisitor();
    t.match(await visitor.get(path), { status: 303, headers: { location: '/sites', 'cache-control': 'no-store' } });
    t.notMatch((await visitor.get('/account')).text, 'by e-mail', 'there is no mail server');
    const spent = await web.newVisitor().get(path);
    t.equal(spent.status, 404);
    for (const page of [spent, await web.newVisitor().get('/sign-in')]) {
      t.match(page.text, 'make run');
      t.notOk(hasLink(page, OPERATOR_PATH));
    }
  });

  t.test('sign-in leads to the requested page and does not say whether address or password is wrong', async (t) => {
    const web = await startWeb(t, await engine.openDb(t));
    const { account } = await web.newMember();
    const visitor = web.newVisitor();
    const asked = await visitor.get('/keys?page=2');
    t.match(asked, { status: 303, headers: { location: '/sign-in?next=%2Fkeys%3Fpage%3D2' } });
    t.match(fieldsOf(await visitor.get('/sign-in?next=%2Fkeys%3Fpage%3D2'), '/sign-in'), { next: '/keys?page=2' });
    const wrong = await visitor.post('/sign-in', { email: account.email, password: 'x', next: '/keys?page=2' });
    t.equal(wrong.status, 422);
    t.match(read(wrong), { invalid: ['password'], text: /\bpassword is wrong\b/ });
    t.same(fieldsOf(wrong, '/sign-in'), { next: '/keys?page=2', email: account.email, password: '' });
    const { email: unset } = await addAccount(web.db);
    for (const [email, password] of [
      [account.email, ''],
      ['nobody@example.com', TEST_PASSWORD],
      [unset, TEST_PASSWORD],
      [unset, ''],
      ['', TEST_PASSWORD],
      [`${account.email}\u0000`, TEST_PASSWORD],
      ['\u0000', account.email],
    ] as const) {
      t.match(await visitor.post('/sign-in', { email, password }), { status: 422 });
      t.equal(read(await visitor.post('/sign-in', { email, password })).text, read(wrong).text, JSON.stringify(email));
    }
    const right = { email: account.email, password: TEST_PASSWORD, next: '/keys?page=2' };
    t.match(await visitor.post('/sign-in', right), { status: 303, headers: { location: '/keys?page=2' } });
    t.match(await visitor.get('/sign-in?next=/account'), { status: 303, headers: { location: '/account' } });
  });

  t.test('a sign-in opens a new session, and signing out ends it, here, elsewhere or everywhere', async (t) => {
    const web = await startWeb(t, await engine.openDb(t));
    const member = await web.newMember();
    const signIn = { email: member.account.email, password: TEST_PASSWORD };
    const others = '/account/sign-out-others';
    t.equal(fieldsOf(await member.get('/account'), others), undefined, 'there is no other');
    const first = member.cookie;
    await member.post('/sign-in', signIn);
    const second = member.cookie;
    t.not(second, first);
    const other = web.newVisitor();
    await other.post('/sign-in', signIn);
    t.equal((await other.get('/account')).status, 200);
    t.match(await member.post(others), { status: 303, headers: { location: '/account?notice=others' } });
    t.equal(read(await member.get('/account?notice=others')).notices.length, 1);
    t.equal((await other.get('/account')).status, 303);
    await other.post('/sign-in', signIn);
    t.match(await member.post('/sign-out'), { status: 303, headers: { location: '/sign-in?notice=signed-out' } });
    t.equal(member.cookie, null);
    for (const cookie of [first, second]) {
      member.cookie = cookie;
      t.equal((await member.get('/account')).status, 303, 'the earlier cookie is invalid too');
    }
    t.equal((await other.get('/account')).status, 200);
    const stranger = await web.newMember();
    t.equal((await other.post('/account/sign-out-everywhere')).status, 303);
    t.equal((await stranger.get('/account')).status, 200);
    t.equal(other.cookie, null);
    t.equal(read(await other.get('/sign-in?notice=signed-out')).notices.length, 1);
  });

  t.test('sessions are listed with their origin and can be ended one by one', async (t) => {
    const web = await startWeb(t, await engine.openDb(t), { trustProxy: 1 });
    const member = await web.newMember();
    const enter = async (address: string, userAgent: string) => {
      const visitor = web.newVisitor();
      const fields = { email: member.account.email, password: TEST_PASSWORD };
      await visitor.post('/sign-in', fields, { 'x-forwarded-for': address, 'user-agent': userAgent });
      return visitor;
    };
    web.clock.set('2026-03-15T13:00:00.000Z');
    const second = await enter('192.0.2.7', SAFARI);
    web.clock.set('2026-03-15T14:00:00.000Z');
    const third = await enter('2001:db8::9', '<b>Firefox/1</b>');
    const page = await third.get('/account');
    t.match(read(page).text, /: Firefox.* from 2001:db8::9.*Safari on iPhone.* from 192\.0\.2\.7/);
    const [path = '', oldest = '', ...others] = read(page).forms.flatMap(({ action }) =>
      action.startsWith('/account/sessions/') ? [action] : [],
    );
    t.same(others, [], 'this browser is signed out above');
    for (const { digest } of (await rowsOf(web.db, 'sessions')) as { digest: string }[])
      t.notOk(page.text.includes(digest.slice(0, 10)), 'no stored digest is shown');
    t.match(page.text, /aria-label="[^"]*Safari on iPhone[^"]*15 Mar, 13:00 UTC[^"]*192\.0\.2\.7"/);
    t.equal((await second.get('/account')).status, 200);
    t.match(await third.post(path), { status: 303, headers: { location: '/account?notice=session' } });
    t.equal(read(await third.get('/account?notice=session')).notices.length, 1);
    t.equal((await second.get('/account')).status, 303);
    t.equal((await third.post(path)).status, 404);
    const activity = read(await third.get('/account/activity')).text;
    t.match(activity, `${EVENT_WORDS.signed_out}: Safari on iPhone from 192.0.2.7`);
    t.equal((await member.get('/account')).status, 200, 'other sessions stay');
    t.match(await member.post(oldest), { headers: { location: '/sign-in?notice=signed-out' } });
    t.equal(member.cookie, null, 'this was its own session');
    t.equal(await web.signIn.listSessions(member.account.id).then(({ length }) => length), 1);
  });

  t.test('the account page changes the password', async (t) => {
    const web = await startWeb(t, await engine.openDb(t));
    const member = await web.newMember();
    for (const [fields, field] of [
      [{ current: OTHER_PASSWORD, password: OTHER_PASSWORD }, 'current'],
      [{ current: TEST_PASSWORD, password: 'short' }, 'password'],
    ] as const) {
      const answer = await member.post('/account/password', fields);
      t.match([answer.status, read(answer).invalid], [422, [field]]);
      t.match(answer.text, `id="${field}-error">`);
      t.notMatch(answer.text, TEST_PASSWORD);
    }
    const before = member.cookie;
    const done = await member.post('/account/password', { current: TEST_PASSWORD, password: OTHER_PASSWORD });
    t.match(done, { status: 303, headers: { location: '/account?notice=password' } });
    t.not(member.cookie, before);
    t.equal(read(await member.get('/account?notice=password')).notices.length, 1);
    member.cookie = before;
    t.equal((await member.get('/account')).status, 303);
  });

  t.test('the plan is shown, with what FREE lacks', async (t) => {
    const web = await startWeb(t, await engine.openDb(t));
    const free = await web.newMember(await addAccount(web.db, 'FREE'));
    t.match(read(await free.get('/account')).text, /FREE.*\D0 of 3\D.* week.*\D10 /);
    const keys = await free.get('/keys');
    t.match(read(keys).text, /MONITOR and SCALE/);
    t.ok(hasLink(keys, OPERATOR_PATH));
    t.equal(fieldsOf(keys, '/keys'), undefined);
    const refused = await free.post('/keys', { name: 'CI' });
    t.match([refused.status, read(refused).notices], [422, [String]]);
    t.same(await createKeys(web).list(free.account.id), []);
    const { apiKey } = await createKeys(web).create({ accountId: free.account.id, name: 'Old plan' });
    const kept = await free.get('/keys');
    t.match(read(kept).text, /Old plan/, 'a key of an earlier plan is listed');
    t.same(fieldsOf(kept, `/keys/${apiKey.id}/revoke`), {}, 'and can be revoked');
    const revoked = await free.post(`/keys/${apiKey.id}/revoke`);
    t.match(revoked, { status: 303, headers: { location: '/keys?notice=key-revoked' } });
    const after = read(await free.get('/keys?notice=key-revoked'));
    t.equal(after.notices.length, 1);
    t.match(after.rows.slice(1), [[/^Ended/], [/^Old plan/, String, 'never', /^revoked 15 Mar, /, '']]);
    t.match(await free.get('/keys/key_x/revoke'), { status: 308, headers: { location: '/keys' } }, 'a former page');
    const scale = await web.newMember(await addAccount(web.db, 'SCALE'));
    t.match(read(await scale.get('/account')).text, /SCALE.*100,000 /);
  });

  t.test('a key is shown once, with a working command, and listed by its hint', async (t) => {
    const web = await startWeb(t, await engine.openDb(t));
    const member = await web.newMember();
    t.match(read(await member.get('/keys')), { rows: [], text: /Bearer \$API_KEY.*SITE_ID/ });
    const nameless = await member.post('/keys', { name: ' ' });
    t.match([nameless.status, read(nameless).invalid], [422, ['name']]);
    const first = await member.post('/keys', { name: 'one' });
    const [key = ''] = /ars_\w{36}/.exec(first.text) ?? [];
    t.match(read(first).text, new RegExp(`${key}.*curl .*Bearer \\$API_KEY.*/sites/SITE_ID/runs`));
    t.match(first, { status: 201, headers: { 'cache-control': 'no-store' } });
    t.match(first.text, /data-shown-once.*class="code".*data-done/s);
    const site = await addSite(web.db, member.account.id);
    web.clock.set('2026-03-15T12:00:01.000Z');
    const second = await member.post('/keys', { name: 'CI' });
    t.match(read(second).text, `${PUBLIC_URL}/api/v1/sites/${site.id}/runs`);
    const access = createAccess(web);
    await access.admit(`Bearer ${key}`);
    await access.settle();
    const list = await member.get('/keys');
    t.notMatch(list.text, key);
    t.match(read(list), { heading: /2 .* 1 /, text: '1 Apr, 00:00 UTC' });
    t.match(read(list).rows.slice(1), [
      [`one${key.slice(0, 8)}…`, '1 of 10,000', '2026-03-15 12:00 UTC', 'never', String],
      [/^CIars_/, '0 of 10,000', 'never', 'never', String],
    ]);
  });

  t.test('a key shows when it expires and when it expired', async (t) => {
    const web = await startWeb(t, await engine.openDb(t));
    const member = await web.newMember();
    const field = /id="expires-error"[^<]* 3650\..*<select id="expires"[^>]* autofocus/s;
    t.match(await member.post('/keys', { name: 'CI', expires: 'soon' }), { status: 422, text: field });
    const made = await member.post('/keys', { name: 'CI', expires: '90' });
    t.match(read(made).text, '13 Jun, 12:00 UTC');
    web.clock.set('2026-03-15T12:00:01.000Z');
    await member.post('/keys', { name: 'for good', expires: '' });
    const [, ...keys] = read(await member.get('/keys')).rows;
    t.match(keys, [
      [/^CI/, String, String, '13 Jun, 12:00 UTC', String],
      [/^for good/, String, String, 'never', String],
    ]);
    web.clock.set('2026-06-13T12:00:00.000Z');
    const { cookie } = await web.newMember(member.account);
    member.cookie = cookie;
    t.match(read(await member.get('/keys')).rows.at(-1), [/^CI/, String, 'never', 'expired 13 Jun, 12:00 UTC', '']);
  });

  t.test('failing to end the old session does not lose the new one', async (t) => {
    const db = await engine.openDb(t);
    const signIn = {
      ...cheapSignIn(db, new TestClock()),
      signOut: () => Promise.reject(new ServiceError('overloaded')),
    };
    const web = await startWeb(t, db, { signIn });
    const { account, path } = await invite(web);
    const visitor = web.newVisitor();
    visitor.cookie = `__Host-session=${'a'.repeat(43)}`;
    t.equal((await visitor.post(path, { password: TEST_PASSWORD })).status, 503);
    t.equal(read(await visitor.get('/account')).heading, account.email);
  });

  t.test('the client address comes from the trusted proxies', async (t) => {
    const db = await engine.openDb(t);
    for (const [trustProxy, forwarded, address] of [
      [0, '192.0.2.1', '127.0.0.1'],
      [1, '', '127.0.0.1'],
      [1, '192.0.2.1', '192.0.2.1'],
      [1, '198.51.100.9, 192.0.2.1', '192.0.2.1'],
      [2, '198.51.100.9, 192.0.2.1, 10.0.0.1', '192.0.2.1'],
      [2, '192.0.2.1', '192.0.2.1'],
    ] as const) {
      const seen: string[] = [];
      const withPassword: SignIn['withPassword'] = async ({ clientAddress }) => {
        seen.push(clientAddress);
        throw new InputError('no');
      };
      const signIn = { ...cheapSignIn(db, new TestClock()), withPassword };
      const web = await startWeb(t, db, { signIn, trustProxy });
      await web.newVisitor().post('/sign-in', {}, { 'x-forwarded-for': forwarded });
      t.strictSame(seen, [address], `${trustProxy}: ${forwarded}`);
    }
  });
});

t.test('a sign-in redirects only to our own pages', async (t) => {
  const before = '/sites/site_a?before=3';
  for (const [next, page] of Object.entries({ '/keys': '/keys', [`${before}#x`]: before, '/a b': '/a%20b' }))
    t.equal(nextPage(next, PUBLIC_URL), page, next);
  const web = [
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example/',
    '/\t/evil.example/',
    '/.//evil.example/',
  ];
  for (const next of [...web, '/x/..//evil.example/', 'javascript:alert(1)', '//[', '', 'keys'])
    t.equal(nextPage(next, PUBLIC_URL), '/sites', next);
});
