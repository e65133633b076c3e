import { bringForward } from '../../../src/app/automation/bring-forward.js';
import t from 'tap';
import { ServiceError } from '../../../src/platform/errors.js';
import { InputError } from '../../../src/platform/input-error.js';
import { createAccess } from '../../../src/app/keys/access.js';
import { createAccounts } from '../../../src/app/accounts/accounts.js';
import { createKeys } from '../../../src/app/keys/keys.js';
import type { SignIn } from '../../../src/app/accounts/sign-in.js';
import { nextPage } from '../../../src/app/accounts/pages/next-page.js';
import { addAccount, addSite, TestClock } from '../../support/accounts.js';
import { onEachDatabase } from '../../support/databases.js';
import type { HttpAnswer } from '../../support/http-client.js';
import { OTHER_PASSWORD } from '../../support/passwords.js';
import { cheapSignIn } from '../../support/sign-in.js';
import { rowsOf } from '../../support/tables.js';
import { type RunningWeb, startWeb, TEST_PASSWORD, WEB_URL } from '../../support/web.js';

/** The text of a page's main part as a person reads it, without the words that stand for shape. */
function mainOf({ text }: HttpAnswer): string {
  const main = /<main[^>]*>(.*)<\/main>/s.exec(text)?.[1] ?? '';
  return main
    .replace(/<(?:"[^"]*"|[^">])*>/g, ' ')
    .replace(/&quot;/g, '"')
    .replace(/&lt;/g, '<')
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ')
    .trim();
}

const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1';

/** An account as the operator makes it, and the path of its link. */
async function invite({ db, clock }: RunningWeb, plan = 'MONITOR') {
  const account = await addAccount(db, plan, clock);
  const link = await createAccounts({ db, clock, onPlanChanged: bringForward }).createSignInLink(account.id);
  return { account, path: `/sign-in/${link.token}` };
}

onEachDatabase(async (t, engine) => {
  t.test('a one-time link: a look does not use it, its button signs in at once, without a password', async (t) => {
    const web = await startWeb(t, await engine.openDb(t));
    const { account, path } = await invite(web);
    const visitor = web.newVisitor();
    t.match(mainOf(await visitor.get(path)), /Sign in as person\d+@example\.com .*Sign in/);
    t.match(await visitor.post(path), { status: 303, headers: { location: '/sites' } });
    const page = await visitor.get('/account');
    t.match(
      mainOf(page),
      /^\S+ Account Activity Set a password, to come back without a link .*Set password .*Plan MONITOR/,
    );
    t.notMatch(page.text, 'name="current"');
    t.equal(page.text.match(/[Ss]et a password/g)?.length, 1, 'said once');
    const asked = await visitor.get('/account/delete');
    t.match(mainOf(asked), /Set a password first: it is needed to delete the account\./);
    t.match(asked.text, /<button type="button" class="danger" disabled aria-describedby="blocked">/);
    t.notMatch(asked.text, 'action="/account/delete"', 'no button that cannot work');
    const kept = await visitor.post('/account/delete', { email: account.email });
    t.equal(kept.status, 422);
    t.match(mainOf(kept), /Set a password first/);

    t.equal((await visitor.post('/account/password', { password: 'short' })).status, 422);
    const done = await visitor.post('/account/password', { password: TEST_PASSWORD });
    t.match(done, { status: 303, headers: { location: '/account?done=password' } });
    t.notMatch(mainOf(await visitor.get('/account?done=password')), 'Set a password');
    t.equal((await visitor.post('/account/password', { password: OTHER_PASSWORD })).status, 422, 'the second asks');
    const signIn = { email: account.email, password: TEST_PASSWORD };
    t.equal((await web.newVisitor().post('/sign-in', signIn)).status, 303);
  });

  t.test('a demonstration lets in whoever opens its link', async (t) => {
    const web = await startWeb(t, await engine.openDb(t), { isDemo: true });
    const { path } = await invite(web);
    t.match(await web.newVisitor().get(path), {
      status: 303,
      headers: { location: '/sites', 'cache-control': 'no-store' },
    });
    t.equal((await web.newVisitor().get(path)).status, 404);
  });

  t.test('its form sets a password, too, and tells what is wrong with one', async (t) => {
    const web = await startWeb(t, await engine.openDb(t));
    const { account, path } = await invite(web);
    const visitor = web.newVisitor();
    for (let looks = 0; looks < 2; looks += 1) {
      const page = await visitor.get(path);
      t.match(page, { status: 200, headers: { 'cache-control': 'no-store' } });
      t.match(mainOf(page), /Sign in as person\d+@example\.com Password for the next time \(optional\)/);
    }
    const short = await visitor.post(path, { password: 'short' });
    t.equal(short.status, 422);
    t.match(mainOf(short), /Use at least 15 characters/);
    t.notMatch(short.text, /value="short"/);
    const done = await visitor.post(path, { password: TEST_PASSWORD });
    t.match(done, { status: 303, headers: { location: '/sites' } });
    t.match(done.headers['set-cookie'], [
      /^__Host-session=[\w-]{43}; path=\/; expires=Tue, 14 Apr 2026[^;]+; samesite=lax; secure; httponly$/i,
      /^__Host-device=[\w-]{43}; path=\/; expires=Mon, 15 Mar 2027[^;]+; samesite=lax; secure; httponly$/i,
    ]);
    t.match(mainOf(await visitor.get('/account')), account.email);
    for (const again of [await visitor.get(path), await web.newVisitor().post(path, { password: OTHER_PASSWORD })]) {
      t.equal(again.status, 404);
      t.match(mainOf(again), /This link does not work/);
    }
    t.match(await web.newVisitor().get(`/sign-in/${'a'.repeat(43)}`), { status: 404 });
  });

  t.test('a later link signs in without a new password', async (t) => {
    const web = await startWeb(t, await engine.openDb(t));
    const { account } = await web.newMember();
    const link = await createAccounts({ ...web, onPlanChanged: bringForward }).createSignInLink(account.id);
    const visitor = web.newVisitor();
    t.match(mainOf(await visitor.get(`/sign-in/${link.token}`)), /New password \(optional\)/);
    t.equal((await visitor.post(`/sign-in/${link.token}`, { password: '' })).status, 303);
    t.equal((await visitor.get('/account')).status, 200);
  });

  t.test('sign-in by password leads to the page that was asked for; what is wrong is not told apart', async (t) => {
    const web = await startWeb(t, await engine.openDb(t));
    const { account } = await web.newMember();
    const visitor = web.newVisitor();
    const asked = await visitor.get('/keys?page=2');
    t.match(asked, { status: 303, headers: { location: '/sign-in?next=%2Fkeys%3Fpage%3D2' } });
    t.match((await visitor.get('/sign-in?next=%2Fkeys%3Fpage%3D2')).text, 'name="next" value="/keys?page=2"');
    const wrong = await visitor.post('/sign-in', { email: account.email, password: 'x', next: '/keys?page=2' });
    t.equal(wrong.status, 422);
    t.match(mainOf(wrong), /The e-mail address or the password is not right/);
    for (const kept of [`value="${account.email}"`, 'value="/keys?page=2"']) t.match(wrong.text, kept);
    t.match(wrong.text, `action="/forgot-password"><input type="hidden" name="email" value="${account.email}"`);
    const unknown = await visitor.post('/sign-in', { email: 'nobody@example.com', password: 'x' });
    t.equal(mainOf(unknown), mainOf(wrong));
    const right = { email: account.email, password: TEST_PASSWORD, next: '/keys?page=2' };
    t.match(await visitor.post('/sign-in', right), { status: 303, headers: { location: '/keys?page=2' } });
    t.match(await visitor.get('/sign-in?next=/account'), { status: 303, headers: { location: '/account' } });
  });

  t.test(
    'a wrong password stays on the page of the account, however often its owner has signed in since',
    async (t) => {
      const web = await startWeb(t, await engine.openDb(t));
      const { account } = await web.newMember();
      const visitor = web.newVisitor();
      await visitor.post('/sign-in', { email: account.email, password: 'x' });
      for (let count = 0; count < 3; count += 1) {
        web.clock.time = new Date(web.clock.time.getTime() + 60_000);
        await visitor.post('/sign-in', { email: account.email, password: TEST_PASSWORD });
      }
      t.match(mainOf(await visitor.get('/account')), /sign-in\? (?:Signed in: password .* ){2}Wrong password/);
    },
  );

  t.test('too many failures are told with the time to wait', async (t) => {
    const web = await startWeb(t, await engine.openDb(t));
    const guess = () => web.newVisitor().post('/sign-in', { email: 'ada@example.com', password: 'x' });
    for (let count = 0; count < 10; count += 1) t.equal((await guess()).status, 422);
    const refused = await guess();
    t.match(refused, { status: 429, headers: { 'retry-after': '900' } });
    t.match(mainOf(refused), /Try again in 15 minutes, or use a one-time link, by mail or from the operator/);
  });

  t.test('a session is new at sign-in and dead after signing out, here or everywhere', async (t) => {
    const web = await startWeb(t, await engine.openDb(t));
    const member = await web.newMember();
    const signIn = { email: member.account.email, password: TEST_PASSWORD };
    const first = member.cookie;
    await member.post('/sign-in', signIn);
    const second = member.cookie;
    t.not(second, first);
    const other = web.newVisitor();
    await other.post('/sign-in', signIn);
    t.match(await member.post('/sign-out'), { status: 303, headers: { location: '/sign-in?done=signed-out' } });
    t.equal(member.cookie, null);
    for (const cookie of [first, second]) {
      member.cookie = cookie;
      t.equal((await member.get('/account')).status, 303, 'the earlier cookie is dead too');
    }
    t.equal((await other.get('/account')).status, 200);
    t.equal((await other.post('/account/sign-out-everywhere')).status, 303);
    t.equal(other.cookie, null);
    t.match(mainOf(await other.get('/sign-in?done=signed-out')), /You are signed out/);
  });

  t.test('sessions are listed with where they began, and one is ended alone', async (t) => {
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
    t.match(
      mainOf(page),
      /Sessions where you are signed in This browser: Firefox Signed .* from 2001:db8::9 Safari on iPhone, last used .* from 192\.0\.2\.7 Sign out Another browser, last used .* Sign out Sign out everywhere else Sign out everywhere Everywhere ends this session, too/,
    );
    const actions = [...page.text.matchAll(/action="(\/account\/sessions\/[^"]*)"/g)].map(([, action]) => action ?? '');
    const [path = '', oldest = ''] = actions;
    t.equal(actions.length, 2, 'this browser is signed out above');
    for (const { digest } of (await rowsOf(web.db, 'sessions')) as { digest: string }[]) {
      t.notOk(page.text.includes(digest.slice(0, 10)), 'nothing of what is stored is shown');
    }

    t.match(page.text, 'aria-label="Sign out Safari on iPhone, signed in 15 Mar, 13:00 UTC, from 192.0.2.7"');
    const stranger = await web.newMember();
    t.equal((await stranger.post(path)).status, 404, "another account's is as absent as one that never was");
    t.equal((await stranger.post('/account/sessions/none/sign-out')).status, 404);
    t.match(await web.newVisitor().post(path), { status: 303, headers: { location: /^\/sign-in/ } });
    t.equal((await third.post(path, {}, { 'sec-fetch-site': 'cross-site' })).status, 403);
    t.equal((await second.get('/account')).status, 200);

    t.match(await third.post(path), { status: 303, headers: { location: '/account?done=session' } });
    t.match(mainOf(await third.get('/account?done=session')), /That session has ended\./);
    t.equal((await second.get('/account')).status, 303);
    t.equal((await third.post(path)).status, 404);
    t.match(mainOf(await third.get('/account/activity')), /Signed out: Safari on iPhone from 192\.0\.2\.7/);
    t.equal((await member.get('/account')).status, 200, 'nor is any other ended');
    t.match(await member.post(oldest), { headers: { location: '/sign-in?done=signed-out' } });
    t.equal(member.cookie, null, 'its own');
    t.equal(await web.signIn.sessionsOf(member.account.id).then(({ length }) => length), 1);
  });

  t.test('every session but this one is ended at once, and no other browser is known any more', async (t) => {
    const web = await startWeb(t, await engine.openDb(t));
    const [member, other] = [await web.newMember(), web.newVisitor()];
    t.notMatch((await member.get('/account')).text, 'Sign out everywhere else', 'there is no other');
    t.match(mainOf(await member.get('/account')), /An account is one person’s/, 'where a team would be looked for');
    const fields = { email: member.account.email, password: TEST_PASSWORD };
    await member.post('/sign-in', fields);
    await other.post('/sign-in', fields);
    const all = '/account/sign-out-others';
    t.equal((await member.post(all, {}, { 'sec-fetch-site': 'cross-site' })).status, 403);
    t.match(await web.newVisitor().post(all), { status: 303, headers: { location: '/sign-in' } });
    t.equal((await other.get('/account')).status, 200);
    t.match(await member.post(all), { status: 303, headers: { location: '/account?done=others' } });
    t.match(mainOf(await member.get('/account?done=others')), /Every other session has ended\./);
    t.equal((await other.get('/account')).status, 303);
    t.match(mainOf(await member.get('/account/activity')), /Signed out everywhere else/);
    t.equal((await rowsOf(web.db, 'known_devices')).length, 1);
  });

  t.test('the account page changes the password', async (t) => {
    const web = await startWeb(t, await engine.openDb(t));
    const member = await web.newMember();
    const refused: [fields: Record<string, string>, message: RegExp, id: string][] = [
      [{ current: OTHER_PASSWORD, password: OTHER_PASSWORD }, /not your current password/, 'current-error'],
      [{ current: TEST_PASSWORD, password: 'short' }, /at least 15 characters/, 'password-error'],
      [{ current: TEST_PASSWORD, password: member.account.email }, /your e-mail address/, 'password-error'],
    ];
    // The address is long enough for a password, which this account's is.
    t.ok(member.account.email.length >= 15);
    for (const [fields, message, id] of refused) {
      const answer = await member.post('/account/password', fields);
      t.equal(answer.status, 422);
      t.match(mainOf(answer), message);
      t.match(answer.text, `id="${id}"`);
      t.notMatch(answer.text, TEST_PASSWORD);
    }
    const before = member.cookie;
    const done = await member.post('/account/password', { current: TEST_PASSWORD, password: OTHER_PASSWORD });
    t.match(done, { status: 303, headers: { location: '/account?done=password' } });
    t.not(member.cookie, before);
    t.match(
      mainOf(await member.get('/account?done=password')),
      /Your password is set\. You are signed out everywhere else/,
    );
    member.cookie = before;
    t.equal((await member.get('/account')).status, 303);
  });

  t.test('the plan is shown, and what FREE lacks is said in words', async (t) => {
    const web = await startWeb(t, await engine.openDb(t));
    const free = await web.newMember(await addAccount(web.db, 'FREE'));
    t.match(
      mainOf(await free.get('/account')),
      /Plan FREE what it includes Sites 0 of 3 .* as often as every week Manual runs 10 a site, a day API not included/,
    );
    const keys = mainOf(await free.get('/keys'));
    t.match(
      keys,
      /^Your plan has no API .*FREE Your plan MONITOR SCALE API keys none 10 10 Requests a month none 10,000 100,000 .*Ask for MONITOR Ask for SCALE /,
    );
    t.notMatch(keys, /Create key|You have no key yet/);
    const refused = await free.post('/keys', { name: 'CI' });
    t.equal(refused.status, 422);
    t.match(mainOf(refused), /Your plan does not include the API, so a key would be of no use\./);
    const scale = await web.newMember(await addAccount(web.db, 'SCALE'));
    t.match(mainOf(await scale.get('/account')), /SCALE .*100,000 requests a key, a month/);
  });

  t.test('a key is shown once, with a line that works, and listed by its hint', async (t) => {
    const web = await startWeb(t, await engine.openDb(t));
    const member = await web.newMember();
    t.match(mainOf(await member.get('/keys')), /No API key yet.*Bearer \$API_KEY.*SITE_ID/);
    const nameless = await member.post('/keys', { name: ' ' });
    t.equal(nameless.status, 422);
    t.match(nameless.text, 'id="name-error"');
    const strange = await member.post('/keys', { name: '<b>"a' });
    const [key = ''] = /ars_\w{36}/.exec(strange.text) ?? [];
    t.match(
      mainOf(strange),
      new RegExp(`Copy your new key .*“ ?<b>"a ?”.*${key}.*curl .*Bearer \\$API_KEY.*/sites/SITE_ID/runs.*id in the`),
    );
    t.match(strange, { status: 201, headers: { 'cache-control': 'no-store' } });
    t.match(strange.text, /data-shown-once.*class="code".*data-done/s);
    const site = await addSite(web.db, member.account.id);
    web.clock.set('2026-03-15T12:00:01.000Z');
    const second = await member.post('/keys', { name: 'CI' });
    t.match(mainOf(second), `${WEB_URL}/api/v1/sites/${site.id}/runs`);
    const access = createAccess(web);
    await access.admit(`Bearer ${key}`);
    await access.settle();
    const list = await member.get('/keys');
    t.notMatch(list.text, key);
    t.match(mainOf(list), '2 API keys, 1 request this month');
    t.match(
      mainOf(list),
      new RegExp(
        `<b>"a ${key.slice(0, 8)}… 1 of 10,000 this month Last used: just now .*Expires: never Revoke CI ars_.* 0 of 10,000 this month Last used: never Expires: never Revoke`,
      ),
    );
    t.match(mainOf(list), 'Requests start again 1 Apr, 00:00 UTC');
  });

  t.test('a key that expires says when; then its row says since when', async (t) => {
    const web = await startWeb(t, await engine.openDb(t));
    const member = await web.newMember();
    const refused = await member.post('/keys', { name: 'CI', expires: 'soon' });
    t.equal(refused.status, 422);
    t.match(
      mainOf(refused),
      /Say when the key expires: a number of days up to 3650, or a later day, such as 2026-06-13/,
    );
    t.match(refused.text, /id="expires-error".*<select id="expires"[^>]* autofocus/s);
    const made = await member.post('/keys', { name: 'CI', expires: '90' });
    t.match(mainOf(made), /It expires on 13 Jun, 12:00 UTC\./);
    web.clock.set('2026-03-15T12:00:01.000Z');
    await member.post('/keys', { name: 'for good', expires: '' });
    t.match(
      mainOf(await member.get('/keys')),
      /CI ars_.* 0 of .* Expires: 13 Jun, 12:00 UTC .*for good ars_.* 0 of .* Expires: never/,
    );
    web.clock.set('2026-06-13T12:00:00.000Z');
    const { cookie } = await web.newMember(member.account);
    member.cookie = cookie;
    t.match(mainOf(await member.get('/keys')), /Revoked and expired keys \(1\).* CI .*expired on 13 Jun, 12:00 UTC/);
  });

  t.test('the eleventh key is refused, and what was typed stays', async (t) => {
    const web = await startWeb(t, await engine.openDb(t));
    const member = await web.newMember();
    for (let count = 0; count < 10; count += 1) await member.post('/keys', { name: `key ${count}` });
    const refused = await member.post('/keys', { name: 'one more' });
    t.equal(refused.status, 422);
    t.match(mainOf(refused), /at most 10 keys/);
    t.match(refused.text, 'value="one more"');
  });

  t.test('revoking says what goes with it and asks for the name; then the key is dead', async (t) => {
    const web = await startWeb(t, await engine.openDb(t));
    const member = await web.newMember();
    const keys = createKeys(web);
    const { apiKey, key } = await keys.create({ accountId: member.account.id, name: 'CI & co' });
    const access = createAccess(web);
    await access.admit(`Bearer ${key}`);
    const path = `/keys/${apiKey.id}/revoke`;
    t.match((await member.get('/keys')).text, `href="${path}"`);
    t.match(
      mainOf(await member.get(path)),
      /Revoke the key “CI & co”\?.*1 request this month.*Type its name to confirm CI & co/,
    );
    const wrong = await member.post(path, { name: 'ci' });
    t.equal(wrong.status, 422);
    t.match(wrong.text, 'value="ci"');
    await access.admit(`Bearer ${key}`);
    t.match(await member.post(path, { name: 'CI & co' }), {
      status: 303,
      headers: { location: `/keys?revoked=${apiKey.id}` },
    });
    await t.rejects(access.admit(`Bearer ${key}`), { code: 'invalid_api_key' });
    t.match(
      mainOf(await member.get(`/keys?revoked=${apiKey.id}`)),
      /“CI & co” is revoked.*Revoked and expired keys \(1\).* revoked on 15 Mar, /,
    );
    t.equal((await member.get(path)).status, 303);
  });

  t.test('a key whose name is hard to type is revoked by the end of its id', async (t) => {
    const web = await startWeb(t, await engine.openDb(t));
    const member = await web.newMember();
    for (const name of ['Lager 秋', 'a name of more letters than thirty']) {
      const { apiKey } = await createKeys(web).create({ accountId: member.account.id, name });
      const path = `/keys/${apiKey.id}/revoke`;
      const word = apiKey.id.slice(-6);
      t.match(mainOf(await member.get(path)), `Type the end of its id to confirm ${word}`);
      t.equal((await member.post(path, { name: apiKey.id.slice(0, 6) })).status, 422);
      t.equal((await member.post(path, { name: word })).status, 303);
    }
  });

  t.test("another account's key is as absent as one that never was", async (t) => {
    const web = await startWeb(t, await engine.openDb(t));
    const [member, stranger] = [await web.newMember(), await web.newMember()];
    const { apiKey } = await createKeys(web).create({ accountId: member.account.id, name: 'CI' });
    const answers = [];
    for (const id of [apiKey.id, `key_${'a'.repeat(20)}`, 'x']) {
      answers.push(await stranger.get(`/keys/${id}/revoke`), await stranger.post(`/keys/${id}/revoke`, { name: 'CI' }));
    }
    for (const answer of answers) {
      t.equal(answer.status, 404);
      t.equal(mainOf(answer), mainOf(answers[2]!));
    }
    t.notMatch(mainOf(await stranger.get(`/keys?revoked=${apiKey.id}`)), /is revoked/);
    t.match(await createKeys(web).list(member.account.id), [{ revokedAt: null }]);
  });

  t.test('whoever is not signed in is led to the sign-in, and nothing is done', async (t) => {
    const web = await startWeb(t, await engine.openDb(t));
    const visitor = web.newVisitor();
    for (const path of ['/account', '/keys', `/keys/key_${'a'.repeat(20)}/revoke`]) {
      const location = `/sign-in?next=${encodeURIComponent(path)}`;
      t.match(await visitor.get(path), { status: 303, headers: { location } }, path);
    }
    for (const path of ['/keys', '/account/password', '/account/sign-out-everywhere', '/keys/x/revoke']) {
      t.match(await visitor.post(path), { status: 303, headers: { location: '/sign-in' } }, path);
    }
    t.match(await visitor.post('/sign-out'), { status: 303 });
  });

  t.test('a form that another site sent changes nothing', async (t) => {
    const web = await startWeb(t, await engine.openDb(t));
    const member = await web.newMember();
    const { path } = await invite(web);
    const forged = { 'sec-fetch-site': 'cross-site' };
    for (const target of ['/keys', '/sign-out', '/account/sign-out-everywhere', path]) {
      t.equal((await member.post(target, { name: 'CI', password: TEST_PASSWORD }, forged)).status, 403, target);
    }
    t.match(mainOf(await member.get('/keys')), /No API key yet/);
    t.equal((await web.newVisitor().get(path)).status, 200);
  });

  t.test('a session that fails to end does not cost the new one', async (t) => {
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
    t.match(mainOf(await visitor.get('/account')), account.email);
  });

  t.test('the client is who the trusted proxies say it is', async (t) => {
    const db = await engine.openDb(t);
    const cases: [trustProxy: number, forwarded: string, address: string][] = [
      [0, '192.0.2.1', '127.0.0.1'],
      [1, '', '127.0.0.1'],
      [1, '192.0.2.1', '192.0.2.1'],
      [1, '198.51.100.9, 192.0.2.1', '192.0.2.1'],
      [2, '198.51.100.9, 192.0.2.1, 10.0.0.1', '192.0.2.1'],
      [2, '192.0.2.1', '192.0.2.1'],
    ];
    for (const [trustProxy, forwarded, address] of cases) {
      const seen: string[] = [];
      const withPassword: SignIn['withPassword'] = ({ clientAddress }) => {
        seen.push(clientAddress);
        return Promise.reject(new InputError('no'));
      };
      const signIn = { ...cheapSignIn(db, new TestClock()), withPassword };
      const web = await startWeb(t, db, { signIn, trustProxy });
      await web.newVisitor().post('/sign-in', {}, { 'x-forwarded-for': forwarded });
      t.strictSame(seen, [address], `${trustProxy}: ${forwarded}`);
    }
  });

  t.test('neither tokens nor keys nor passwords get into the log', async (t) => {
    const web = await startWeb(t, await engine.openDb(t));
    const { path } = await invite(web);
    const visitor = web.newVisitor();
    await visitor.get(path);
    await visitor.post(path, { password: TEST_PASSWORD });
    const created = await visitor.post('/keys', { name: 'CI' });
    const [key = 'no key'] = /ars_\w{36}/.exec(created.text) ?? [];
    const log = JSON.stringify(web.log);
    t.match(log, '/sign-in/:token');
    const cookie = visitor.cookie?.split('=')[1] ?? 'no cookie';
    for (const secret of [path, key, TEST_PASSWORD, cookie]) t.notOk(log.includes(secret));
  });
});

t.test('a sign-in leads to pages of ours only', async (t) => {
  const pages: [next: string, page: string][] = [
    ['/keys', '/keys'],
    ['/sites/site_a?before=3#x', '/sites/site_a?before=3'],
    ['/a b', '/a%20b'],
    ['', '/sites'],
    ['keys', '/sites'],
    ['https://evil.example/', '/sites'],
    ['//evil.example/', '/sites'],
    ['/\\evil.example/', '/sites'],
    ['/\t/evil.example/', '/sites'],
    ['/.//evil.example/', '/sites'],
    ['/x/..//evil.example/', '/sites'],
    ['javascript:alert(1)', '/sites'],
    ['//[', '/sites'],
  ];
  for (const [next, page] of pages) t.equal(nextPage(next, WEB_URL), page, next);
});
