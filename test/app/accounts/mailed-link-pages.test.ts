import { createSites } from '../../../src/app/sites/sites.js';
import { TestClock } from '../../support/accounts.js';
import { openAccountMails, tokenIn } from '../../support/account-mails.js';
import { onEachDatabase } from '../../support/databases.js';
import { OTHER_PASSWORD } from '../../support/passwords.js';
import type { HttpAnswer } from '../../support/http-client.js';
import { rowsOf } from '../../support/tables.js';
import { startWeb, TEST_PASSWORD } from '../../support/web.js';

const JUST_CHOSEN = /If you have just chosen a password, sign in/;

function mainOf({ text }: HttpAnswer): string {
  const main = /<main[^>]*>(.*)<\/main>/s.exec(text)?.[1] ?? '';
  return main
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

onEachDatabase(async (t, engine) => {
  t.test('a forgotten password: the same answer for every address, and a link that asks for a new one', async (t) => {
    const db = await engine.openDb(t);
    const web = await startWeb(t, db);
    const { send } = openAccountMails(db, web.clock);
    const member = await web.newMember();
    const visitor = web.newVisitor();
    t.match((await visitor.get('/sign-in')).text, '<a href="/forgot-password">Forgot your password?</a>');
    t.match(mainOf(await visitor.get('/forgot-password')), /^Forgot your password\? E-mail address .*Send the link/);
    const answers = [];
    for (const email of [member.account.email, 'nobody@example.com']) {
      const { status, text } = await visitor.post('/forgot-password', { email });
      answers.push({ status, text: text.replaceAll(email, 'a@example.com') });
    }
    t.same(answers[0], answers[1]);
    t.match(answers[0], {
      status: 200,
      text: /If an account has the address <b><bdi>a@example\.com<.*name="email" value="a@example\.com".*Send it again/s,
    });
    const mails = await send();
    t.equal(mails.length, 1);
    const path = `/sign-in/${tokenIn(mails[0])}`;
    t.match(mails[0]?.text, path);
    for (let looks = 0; looks < 2; looks += 1) {
      const page = await visitor.get(path);
      t.match(page, { status: 200, headers: { 'cache-control': 'no-store' } });
      t.match(mainOf(page), `Choose a password for ${member.account.email} .`, 'a look does not use it');
    }
    for (const password of ['', 'short']) {
      const refused = await visitor.post(path, { password });
      t.equal(refused.status, 422);
      t.match(mainOf(refused), /Use at least 15 characters/);
      t.match(refused.text, `action="${path}"`, 'the link is still that of a new password');
    }
    const set = await visitor.post(path, { password: OTHER_PASSWORD });
    t.equal(set.status, 303);
    t.match(mainOf(await visitor.get(set.headers.location ?? '')), /Your password is set\. You are signed out/);
    t.equal((await member.get('/account')).status, 303, 'every other session has ended');
    const spent = await web.newVisitor().get(path);
    t.equal(spent.status, 404);
    t.match(mainOf(spent), /Get a new link This link does not work\. .* Send the link Back to sign in/);
    t.notMatch(mainOf(spent), JUST_CHOSEN);
    t.match(mainOf(await visitor.get(path)), /Send the link Your sites/, 'who is signed in need not come back');
    t.match(mainOf(await web.newVisitor().post(path, { password: OTHER_PASSWORD })), JUST_CHOSEN, 'pressed twice');
    t.match(mainOf(await visitor.get('/account/activity')), /Link to a new password asked for Unknown 127\.0\.0\.1/);
  });

  t.test('signing up: the same answer for every address, then a password, and the account is there', async (t) => {
    const db = await engine.openDb(t);
    const web = await startWeb(t, db);
    const { send } = openAccountMails(db, web.clock);
    const member = await web.newMember();
    const visitor = web.newVisitor();
    t.match((await visitor.get('/sign-in')).text, '<a href="/sign-up">Sign up</a>');
    t.match((await visitor.get('/')).text, /<header.*<a class="soft" href="\/sign-up">Sign up<.*<\/header>/s);
    t.match(
      mainOf(await visitor.get('/sign-up')),
      /^Sign up .*Plan FREE: up to 3 sites\. An account is one person’s\./,
    );
    const answers = [];
    for (const email of [member.account.email, 'new@example.com']) {
      const { status, text } = await visitor.post('/sign-up', { email });
      answers.push({ status, text: text.replaceAll(email, 'a@example.com') });
    }
    t.same(answers[0], answers[1]);
    t.match(answers[0], { status: 200, text: /We sent a mail to <b><bdi>a@example\.com</ });
    const [known, unknown] = await send();
    t.same([known?.subject, unknown?.subject], ['You have an account already', 'Confirm your e-mail address']);
    const path = `/sign-up/${tokenIn(unknown)}`;
    t.match(mainOf(await visitor.get(path)), /^Choose a password for new@example\.com \./);
    const before = (await rowsOf(db, 'accounts')).length;
    t.equal((await visitor.post(path, { password: 'short' })).status, 422);
    t.equal((await rowsOf(db, 'accounts')).length, before);
    t.match(await visitor.post(path, { password: TEST_PASSWORD }), { status: 303, headers: { location: '/sites' } });
    t.match(mainOf(await visitor.get('/account')), /new@example\.com .*Plan FREE/);
    t.match(await visitor.get('/sign-up'), { status: 303, headers: { location: '/sites' } });
    const spent = await web.newVisitor().post(path, { password: TEST_PASSWORD });
    t.equal(spent.status, 404);
    t.match(mainOf(spent), /This link does not work/);
    t.match(mainOf(spent), JUST_CHOSEN, 'pressed twice');
    t.notMatch(mainOf(await web.newVisitor().get(path)), JUST_CHOSEN);
  });

  t.test('what cannot be taken is said, and what was typed stays', async (t) => {
    const web = await startWeb(t, await engine.openDb(t));
    const visitor = web.newVisitor();
    for (const [path, max] of [
      ['/forgot-password', 5],
      ['/sign-up', 3],
    ] as const) {
      const refused = await visitor.post(path, { email: 'ada at example' });
      t.equal(refused.status, 422);
      t.match(refused.text, 'value="ada at example"');
      t.match(mainOf(refused), /This is not an e-mail address\. Give one such as you@example\.com\./);
      for (let count = 0; count < max; count += 1) await visitor.post(path, { email: 'ada@example.com' });
      const later = await visitor.post(path, { email: 'ada@example.com' });
      t.match(later, { status: 429, headers: { 'retry-after': '3600' } });
      t.match(later.text, 'value="ada@example.com"');
      t.match(mainOf(later), /Use the latest one, or try again in 60 minutes/);
    }
    const logged = JSON.stringify(web.log);
    t.match(logged, '/forgot-password');
    t.notMatch(logged, 'ada@', 'no address is logged');
  });

  t.test('the sign-up page says how many sites the operator allows', async (t) => {
    const db = await engine.openDb(t);
    const sites = createSites({ db, clock: new TestClock(), vetSite: () => true, sitesMaxOverride: 1 });
    const web = await startWeb(t, db, { sites });
    t.match(mainOf(await web.newVisitor().get('/sign-up')), 'Plan FREE: up to 1 site.');
  });

  t.test('without a mail server, or where sign-up is closed, there is no such page', async (t) => {
    const web = await startWeb(t, await engine.openDb(t), { hasMail: false, isSignUpOpen: false });
    const visitor = web.newVisitor();
    for (const path of ['/forgot-password', '/sign-up', `/sign-up/${'a'.repeat(43)}`]) {
      t.equal((await visitor.get(path)).status, 404, path);
      t.equal((await visitor.post(path, { email: 'ada@example.com' })).status, 404, path);
    }
    const { text } = await visitor.get('/sign-in');
    t.notMatch(text, /forgot-password|sign-up/);
    t.match(text, 'Ask the operator');
    const link = `/sign-in/${'a'.repeat(43)}`;
    t.match(mainOf(await visitor.post(link, { password: TEST_PASSWORD })), JUST_CHOSEN, 'pressed twice');
    t.notMatch(mainOf(await visitor.get(link)), JUST_CHOSEN);
    t.notMatch((await visitor.get('/')).text, 'sign-up');
    const closed = await startWeb(t, await engine.openDb(t), { isSignUpOpen: false });
    const page = (await closed.newVisitor().get('/sign-in')).text;
    t.match(page, /forgot-password.*No account yet\? <a href="[^"]*#contact">Ask for an account/s);
  });
});
