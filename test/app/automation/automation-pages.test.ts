import { bringForward } from '../../../src/app/automation/bring-forward.js';
import type { Test } from 'tap';
import { createAccounts } from '../../../src/app/accounts/accounts.js';
import { Badges } from '../../../src/app/badges/badges.js';
import { DeployHooks } from '../../../src/app/automation/deploy-hooks.js';
import { Schedules } from '../../../src/app/automation/schedules.js';
import type { Database } from '../../../src/store/database.js';
import { claimDue } from '../../../src/queue/jobs.js';
import { addAccount, addSite } from '../../support/accounts.js';
import { onEachDatabase } from '../../support/databases.js';
import { startWeb, WEB_URL } from '../../support/web.js';
import { asOwner } from '../../support/as-owner.js';

/** A member with a site, and the services that its page works with. */
async function prepare(t: Test, db: Database, { isVerified = true, plan = 'MONITOR' } = {}) {
  const web = await startWeb(t, db);
  const account = await addAccount(db, plan, web.clock);
  const member = await web.newMember(account);
  const site = await addSite(db, account.id, { isVerified });
  const at = { accountId: account.id, siteId: site.id };
  const path = `/sites/${site.id}/automation`;
  const { clock } = web;
  return {
    ...{ ...web, member, account, site, at, path },
    schedules: asOwner(db, new Schedules({ db, clock }), 'get', 'set'),
    hooks: asOwner(db, new DeployHooks({ db, clock }), 'find'),
    badges: asOwner(db, new Badges({ db, clock }), 'tokenOf'),
    live: () => web.manualRuns.live(at),
    page: async (address = path) => (await member.get(address)).text,
  };
}

/** What a person reads: the page without its markup. */
function wordsOf(html: string): string {
  return html
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ (?=[.,:;)])/g, '');
}

/** The values of the choices that can be taken, and the one that is taken. */
function choicesIn(html: string): { values: string[]; chosen: string | undefined } {
  const radios = [...html.matchAll(/<input type="radio" [^>]*name="frequency"[^>]*>/g)].flatMap(([tag]) =>
    tag.includes(' disabled') ? [] : [tag],
  );
  const valueOf = (tag: string | undefined) => tag?.match(/value="(\w+)"/)?.[1];
  return {
    values: radios.map((tag) => valueOf(tag) ?? ''),
    chosen: valueOf(radios.find((tag) => tag.includes(' checked'))),
  };
}

onEachDatabase(async (t, engine) => {
  t.test('a schedule is chosen, and seen wherever the site is', async (t) => {
    const { member, site, path, page, at, schedules } = await prepare(t, await engine.openDb(t));
    t.same(choicesIn(await page()), { values: ['OFF', 'WEEKLY', 'DAILY'], chosen: 'OFF' });
    t.match(wordsOf(await page()), 'Every hour with plan SCALE');
    t.match(wordsOf(await page(`/sites/${site.id}`)), /Schedule none By hand today/);
    const saved = await member.post(`${path}/schedule`, { frequency: 'DAILY' });
    t.equal(saved.status, 303);
    t.equal(saved.headers.location, `${path}?notice=scheduled`);
    const { nextRunAt } = await schedules.get(at);
    const exact = `${nextRunAt?.slice(0, 10)} ${nextRunAt?.slice(11, 16)} UTC`;
    const after = await page(`${path}?notice=scheduled`);
    t.match(wordsOf(after), 'The schedule is saved.');
    t.equal(choicesIn(after).chosen, 'DAILY');
    t.notMatch(wordsOf(after), 'You chose', 'what was chosen is what runs');
    t.match(wordsOf(after), new RegExp(`next: in [0-9a-z ]+ \\(${exact}\\)`));
    t.match(
      wordsOf(await page(`/sites/${site.id}`)),
      new RegExp(`Schedule every day Next in [0-9a-z ]+ \\(${exact}\\)`),
    );
    t.match(wordsOf(await page('/sites')), /No run yet\. Start the first in [0-9a-z ]+/);
    await member.post(`${path}/schedule`, { frequency: 'OFF' });
    t.equal(choicesIn(await page()).chosen, 'OFF');
    t.match(await schedules.get(at), { frequency: null });
  });

  t.test(
    'a schedule that the plan does not have, or that there is not, is refused alongside the choices',
    async (t) => {
      const { member, path, at, schedules } = await prepare(t, await engine.openDb(t));
      const cases: [frequency: string, message: RegExp][] = [
        ['HOURLY', /A run every hour needs plan SCALE/],
        ['YEARLY', /Choose how often the site runs/],
        ['', /Choose how often/],
        ['__proto__', /Choose how often/],
      ];
      for (const [frequency, message] of cases) {
        const { status, text } = await member.post(`${path}/schedule`, { frequency });
        t.equal(status, 422, frequency);
        t.match(text, message, frequency);
        t.match(text, /<title>Error: Automatic runs/);
        t.match(text, /id="frequency-error".*value="OFF"[^>]* autofocus/s, 'the focus is where it is said');
        t.equal(choicesIn(text).chosen, 'OFF', 'what is refused is not chosen');
        t.match(text, 'The schedule stays off.');
      }
      t.match(await schedules.get(at), { frequency: null });
      await schedules.set(at, 'DAILY');
      const { text } = await member.post(`${path}/schedule`, { frequency: 'HOURLY' });
      t.match(text, /value="DAILY"[^>]* autofocus/, 'the focus is on what stands');
      t.equal(choicesIn(text).chosen, 'DAILY');
      t.match(text, 'A run every hour needs plan SCALE. It runs every day, as before.');
    },
  );

  t.test('each plan has the schedules below its own; a lowered one says what became of the choice', async (t) => {
    const db = await engine.openDb(t);
    const { page, at, account, clock, schedules } = await prepare(t, db, { plan: 'SCALE' });
    t.same(choicesIn(await page()).values, ['OFF', 'WEEKLY', 'DAILY', 'HOURLY']);
    t.notMatch(wordsOf(await page()), 'with plan');
    await schedules.set(at, 'HOURLY');
    await createAccounts({ db, clock, onPlanChanged: bringForward }).setPlan(account.id, 'FREE');
    const lowered = await page();
    t.same(choicesIn(lowered), { values: ['OFF', 'WEEKLY'], chosen: 'WEEKLY' });
    t.match(wordsOf(lowered), 'You chose every hour; your plan runs it every week.');
    t.match(wordsOf(lowered), 'Every day with plan MONITOR Every hour with plan SCALE');
  });

  t.test('a run that is due but has not begun is due now', async (t) => {
    const { page, at, clock, schedules } = await prepare(t, await engine.openDb(t));
    const { nextRunAt } = await schedules.set(at, 'WEEKLY');
    clock.set(nextRunAt ?? '');
    t.match(wordsOf(await page()), 'next: due now');
  });

  t.test('the address of the deploy hook is shown once, with what to paste', async (t) => {
    const { member, site, path, page, hooks } = await prepare(t, await engine.openDb(t));
    t.match(await page(), `action="${path}/hook"`);
    const made = await member.post(`${path}/hook`);
    t.equal(made.status, 201);
    t.equal(made.headers['cache-control'], 'no-store');
    const address = /https:\/\/readiness\.test\/hooks\/deploy\/([\w-]{43})/.exec(made.text);
    const token = address?.[1] ?? '';
    t.equal((await hooks.status(token)).siteId, site.id, 'it is the address of this site');
    t.match(made.text, /data-shown-once/);
    t.match(made.text, 'curl -fsS -X POST &quot;$AGENT_READINESS_HOOK?wait=30&amp;commit=$(git rev-parse HEAD)&quot;');
    t.match(made.text, '${{ secrets.AGENT_READINESS_HOOK }}');
    const later = await page();
    t.notOk(later.includes(token), 'never again');
    t.match(wordsOf(later), /After a deployment never called yet/);
    t.match(later, '$AGENT_READINESS_HOOK?wait=30');
  });

  t.test('a hook shows its last use, is replaced and removed', async (t) => {
    const { member, path, page, hooks, at, clock } = await prepare(t, await engine.openDb(t));
    const { token } = await hooks.create(at);
    await hooks.call(token, 0);
    clock.set('2026-03-15T12:05:00.000Z');
    t.match(wordsOf(await page()), /last called 5 minutes ago \(2026-03-15 12:00 UTC\)/);
    t.equal((await member.post(`${path}/hook`)).status, 201);
    await t.rejects(hooks.call(token, 0), { code: 'not_found' });
    const removed = await member.post(`${path}/hook/remove`);
    t.equal(removed.headers.location, `${path}?notice=hook-removed`);
    t.match(wordsOf(await page(`${path}?notice=hook-removed`)), 'The deploy hook is removed');
    t.equal(await hooks.find(at), null);
  });

  t.test(
    'a run that waits or goes on is seen on the page of its site, which is loaded again until it is there',
    async (t) => {
      const db = await engine.openDb(t);
      const { page, site, hooks, live, clock, at } = await prepare(t, db);
      const pageOfSite = () => page(`/sites/${site.id}`);
      t.same(await live(), { manual: null, automatic: null });
      t.notMatch(await pageOfSite(), 'data-pending');
      const { token } = await hooks.create(at);
      await hooks.call(token, 120);
      t.match(
        wordsOf(await pageOfSite()),
        /A run after a deploy begins in 2 minutes \(2026-03-15 12:02 UTC\)\. Load this page/,
      );
      t.match(await pageOfSite(), '<div id="next-run" data-pending="page">');
      clock.set('2026-03-15T12:02:00.000Z');
      t.match(wordsOf(await pageOfSite()), 'A run after a deploy is about to begin.');
      await claimDue(db, 'runs', clock.now());
      t.match(wordsOf(await pageOfSite()), 'A run after a deploy is in progress.');
      t.match(await live(), { automatic: { trigger: 'POST_DEPLOY', isInHand: true } });
    },
  );

  t.test('the badge is turned on, shown with its snippets, given a new address, and turned off', async (t) => {
    const { member, path, page, badges, at, newVisitor } = await prepare(t, await engine.openDb(t));
    const off = await page();
    t.notMatch(off, '/badges/', 'nothing of it is public');
    t.notMatch(off, 'aria-label="Agent readiness: no score"', 'there is nothing to show before the first score');
    t.match(wordsOf(off), 'Public report not published');
    t.equal((await member.post(`${path}/badge`)).headers.location, `${path}?notice=badge-on`);
    const first = await badges.tokenOf(at);
    const on = await page();
    t.match(on, `src="/badges/${first}.svg"`);
    t.match(on, '[![agent readiness][agent-readiness]][agent-readiness-report]\n\n');
    t.match(on, `\n[agent-readiness]:\n${WEB_URL}/badges/${first}.svg\n[agent-readiness-report]:\n${WEB_URL}/checks<`);
    t.match(on, `&lt;img src=&quot;${WEB_URL}/badges/${first}.svg&quot;`);
    t.equal((await member.post(`${path}/badge`)).headers.location, `${path}?notice=badge-replaced`);
    t.equal((await newVisitor().get(`/badges/${first}.svg`)).status, 404, 'the address before shows nothing');
    t.equal((await member.post(`${path}/badge/remove`)).headers.location, `${path}?notice=badge-off`);
    t.equal(await badges.tokenOf(at), null);
  });

  t.test(
    'everything can be set up for a site that is not verified, and the page says that nothing runs yet',
    async (t) => {
      const { member, site, path, page, schedules, at } = await prepare(t, await engine.openDb(t), {
        isVerified: false,
      });
      t.match(
        wordsOf(await page()),
        /Nothing runs before the domain is verified .* starts to work once the domain is verified/,
      );
      await member.post(`${path}/schedule`, { frequency: 'DAILY' });
      t.match(await schedules.get(at), { frequency: 'DAILY' });
      t.match(wordsOf(await page()), /By schedule once verified/);
      t.match(wordsOf(await page('/sites')), 'once verified');
      t.match((await member.post(`${path}/hook`)).text, `/sites/${site.id}/verify`);
    },
  );

  t.test('the pages are the account’s own, and take forms of their own only', async (t) => {
    const { newVisitor, newMember, member, path, hooks, badges, at } = await prepare(t, await engine.openDb(t));
    const forms = ['/schedule', '/hook', '/hook/remove', '/badge', '/badge/remove'];
    const [stranger, visitor] = [await newMember(), newVisitor()];
    t.equal((await stranger.get(path)).status, 404);
    t.match((await visitor.get(path)).headers.location, '/sign-in?next=');
    for (const form of forms) {
      t.equal((await stranger.post(path + form, { frequency: 'DAILY' })).status, 404, form);
      t.equal((await visitor.post(path + form)).status, 303, form);
      t.equal((await member.post(path + form, {}, { 'sec-fetch-site': 'cross-site' })).status, 403, form);
      t.equal((await member.get(path + form)).status, 405, form);
    }
    t.equal(await hooks.find(at), null);
    t.equal(await badges.tokenOf(at), null);
  });
});
