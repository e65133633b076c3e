import { type Frequency, readSchedule, setSchedule } from '../../../src/app/automation/schedules.js';
import type { Test } from 'tap';
import { listPublished } from '../../../src/app/publications/publications.js';
import { callHook, createHook, readHook, readHookStatus } from '../../../src/app/automation/deploy-hooks.js';
import type { Database } from '../../../src/store/database.js';
import { claimDue } from '../../../src/queue/jobs.js';
import { onEitherDatabase } from '../../support/databases.js';
import { readPage } from '../../support/page.js';
import { openSitePages } from '../../support/site-pages.js';
import { PUBLIC_URL } from '../../support/services.js';
import { OPERATOR_PATH } from '../../../src/web/server/paths.js';

/** A member with a site, and the services that its page works with. */
async function prepare(t: Test, db: Database, options: Parameters<typeof openSitePages>[2] = {}) {
  const pages = await openSitePages(t, db, options);
  const { clock, member, site, at } = pages;
  const path = `${pages.path}/automation`;
  return {
    ...{ ...pages, path },
    get: () => readSchedule(db, site.id),
    set: (frequency: Frequency) => setSchedule({ db, clock }, at, frequency),
    create: () => createHook({ db, clock }, at),
    call: (token: string, waitS: number) => callHook({ db, clock }, token, waitS),
    badgeToken: async () => (await listPublished(db, site.id)).badge?.token ?? null,
    page: async (address = path) => (await member.get(address)).text,
    /** Returns when the list of sites says that the site runs next. */
    nextInList: async () => {
      const { rows } = readPage((await member.get('/sites')).text);
      return rows.at(-1)?.at(-1);
    },
  };
}

/** The texts of the choices that a higher plan has. */
const beyondPlan = (html: string): readonly string[] =>
  readPage(html).links.flatMap(({ href, text }) => (href === OPERATOR_PATH ? [text] : []));

const textOf = (html: string): string => readPage(html).text;

/** The values of the choices, and the one that is taken. */
function choicesIn(html: string): { values: string[]; chosen: string | undefined } {
  const [, options = ''] = /<select id="frequency"[^>]*>(.*?)<\/select>/s.exec(html) ?? [];
  return {
    values: [...options.matchAll(/value="(\w+)"/g)].map(([, value = '']) => value),
    chosen: /value="(\w+)" selected/.exec(options)?.[1],
  };
}

onEitherDatabase(async (t, engine) => {
  t.test('a schedule is chosen, and seen in the list of sites; one beyond the plan is refused', async (t) => {
    const { member, path, page, get, set, nextInList } = await prepare(t, await engine.openDb(t));
    t.same(choicesIn(await page()), { values: ['OFF', 'WEEKLY', 'DAILY'], chosen: 'OFF' });
    t.match(beyondPlan(await page()), ['SCALE']);
    const saved = await member.post(`${path}/schedule`, { frequency: 'DAILY' });
    t.match(saved, { status: 303, headers: { location: `${path}?notice=scheduled` } });
    const { nextRunAt = '' } = (await get()) ?? {};
    const exact = `${nextRunAt.slice(0, 10)} ${nextRunAt.slice(11, 16)} UTC`;
    const after = await page(`${path}?notice=scheduled`);
    t.match(readPage(after), { notices: [String], text: exact });
    t.equal(choicesIn(after).chosen, 'DAILY');
    t.match(await nextInList(), /^in \d+ /);
    await member.post(`${path}/schedule`, { frequency: 'OFF' });
    t.equal(choicesIn(await page()).chosen, 'OFF');
    for (const frequency of ['HOURLY', 'YEARLY', '', '__proto__']) {
      const { status, text } = await member.post(`${path}/schedule`, { frequency });
      t.equal(status, 422, frequency);
      const focus = /id="frequency-error">([^<]*)<.*<select id="frequency"[^>]* autofocus/s.exec(text);
      t.equal(focus?.[1]?.includes('SCALE'), frequency === 'HOURLY', 'it is said where the focus is');
      t.equal(choicesIn(text).chosen, 'OFF', 'what is refused is not chosen');
    }
    t.equal(await get(), null);
    await set('DAILY');
    const { text } = await member.post(`${path}/schedule`, { frequency: 'HOURLY' });
    t.equal(choicesIn(text).chosen, 'DAILY');
  });

  t.test('each plan has the schedules below its own; a run that is due but has not begun is due now', async (t) => {
    const { page, clock, set } = await prepare(t, await engine.openDb(t), { plan: 'SCALE' });
    t.same(choicesIn(await page()).values, ['OFF', 'WEEKLY', 'DAILY', 'HOURLY']);
    t.same(beyondPlan(await page()), []);
    clock.set((await set('WEEKLY'))?.nextRunAt ?? '');
    t.match(textOf(await page()), 'due now');
  });

  t.test('the address of the deploy hook is shown once, with what to paste', async (t) => {
    const { db, member, path, page } = await prepare(t, await engine.openDb(t));
    t.match(await page(), `action="${path}/hook"`);
    const made = await member.post(`${path}/hook`);
    t.match(made, { status: 201, headers: { 'cache-control': 'no-store' }, text: 'data-shown-once' });
    const [, token = ''] = /https:\/\/readiness\.test\/hooks\/deploy\/([\w-]{43})/.exec(made.text) ?? [];
    t.match(await readHookStatus(db, token), { state: 'idle' }, 'it is the address of the hook');
    t.match(textOf(made.text), ' -X POST "$AGENT_READINESS_HOOK?wait=30&commit=$(git rev-parse HEAD)"');
    t.match(made.text, '${{ secrets.AGENT_READINESS_HOOK }}');
    const later = await page();
    t.notOk(later.includes(token), 'never again');
    t.match(later, 'never called');
  });

  t.test('a hook shows its last use, is replaced and removed', async (t) => {
    const { db, member, path, page, create, call, site, clock } = await prepare(t, await engine.openDb(t));
    const token = await create();
    await call(token, 0);
    clock.set('2026-03-15T12:05:00.000Z');
    t.match(textOf(await page()), '5 minutes ago (2026-03-15 12:00 UTC)');
    t.equal((await member.post(`${path}/hook`)).status, 201);
    await t.rejects(call(token, 0), { code: 'not_found' });
    const { headers } = await member.post(`${path}/hook/remove`);
    t.equal(headers.location, `${path}?notice=hook-removed`);
    t.equal(readPage(await page(headers.location)).notices.length, 1);
    t.equal(await readHook(db, site.id), null);
  });

  t.test('a queued or running run is shown on the page of its site, which is loaded again', async (t) => {
    const { db, page, site, create, call, clock } = await prepare(t, await engine.openDb(t));
    const pageOfSite = () => page(`/sites/${site.id}`);
    t.notMatch(await pageOfSite(), 'data-live');
    await call(await create(), 120);
    t.match(await pageOfSite(), /<main [^>]*data-live="true">.*2026-03-15 12:02 UTC/s);
    clock.set('2026-03-15T12:02:00.000Z');
    t.match(textOf(await pageOfSite()), / about .*begin/);
    await claimDue(db, 'runs', clock.now());
    t.match(textOf(await pageOfSite()), /progress/);
  });

  t.test('the badge is turned on, shown with its snippets, given a new address, and turned off', async (t) => {
    const { member, path, page, badgeToken, newVisitor } = await prepare(t, await engine.openDb(t));
    t.notMatch(await page(), '/badges/', 'nothing of it is public');
    t.equal((await member.post(`${path}/badge`)).headers.location, `${path}?notice=badge-on`);
    const first = await badgeToken();
    const on = await page();
    t.match(on, `src="/badges/${first}.svg"`);
    t.match(on, '[![agent readiness][agent-readiness]][agent-readiness-report]\n\n');
    t.match(
      on,
      `\n[agent-readiness]:\n${PUBLIC_URL}/badges/${first}.svg\n[agent-readiness-report]:\n${PUBLIC_URL}/checks<`,
    );
    t.match(on, `&lt;img src=&quot;${PUBLIC_URL}/badges/${first}.svg&quot;`);
    t.equal((await member.post(`${path}/badge`)).headers.location, `${path}?notice=badge-on`);
    t.equal((await newVisitor().get(`/badges/${first}.svg`)).status, 404, 'the address before shows nothing');
    t.equal((await member.post(`${path}/badge/remove`)).headers.location, `${path}?notice=badge-off`);
    t.equal(await badgeToken(), null);
  });

  t.test('everything can be set up before a site is verified, and the page says that nothing runs', async (t) => {
    const { member, path, page, get, nextInList } = await prepare(t, await engine.openDb(t), { isVerified: false });
    await member.post(`${path}/schedule`, { frequency: 'DAILY' });
    t.match(await get(), { frequency: 'DAILY' });
    t.match(textOf(await page()), 'once verified');
    t.equal(await nextInList(), 'once verified');
  });
});
