import type { Test } from 'tap';
import { chargeDailyRun } from '../../../src/app/limits/limits.js';
import { addAccount, addSite, scanReport } from '../../support/accounts.js';
import { onEitherDatabase } from '../../support/databases.js';
import { formTo, readPage, wordsOf } from '../../support/page.js';
import { rowsOf } from '../../support/tables.js';
import { visitWithoutAnswers } from '../../support/visit-site.js';
import { startWeb, type WebOptions } from '../../support/web.js';

const HOSTS = ['a.example.com', 'b.example.com', 'c.example.com', 'd.example.com', 'e.example.org'];

onEitherDatabase(async (t, engine) => {
  type Options = WebOptions & { readonly isVerified?: boolean };
  const prepare = async (t: Test, { isVerified = true, ...options }: Options = {}) => {
    const db = await engine.openDb(t);
    const txt = new Map<string, string>();
    const resolveTxt = async (name: string) => [txt.get(name) ?? 'other'];
    const web = await startWeb(t, db, { resolveTxt, openVisit: async () => visitWithoutAnswers(), ...options });
    const member = await web.newMember();
    const ids: string[] = [];
    for (const hostname of HOSTS) {
      // Lists have the oldest site first.
      web.clock.time = new Date(web.clock.time.getTime() + 1);
      const { id } = await web.sites.add({ accountId: member.account.id, site: hostname });
      if (isVerified) await web.sites.markVerified(id, 'operator');
      ids.push(id);
    }
    const post = async (act: string, siteIds: readonly string[], query = '', more: Record<string, string> = {}) => {
      const fields = new URLSearchParams({ act, ...more });
      for (const id of siteIds) fields.append('site', id);
      const headers = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
      const body = fields.toString();
      const { status, text } = await member.send(`/sites/bulk${query}`, { method: 'POST', headers, body });
      const { heading } = readPage(text);
      return { status, heading, html: text, words: wordsOf(text.slice(text.indexOf('<main'))) };
    };
    const idsOf = (which: readonly number[]) => which.map((index) => ids[index] ?? '');
    /** What the page says before anything is done to the sites of these indexes. */
    const ask = (act: string, which: readonly number[], query = '', more: Record<string, string> = {}) =>
      post(act, idsOf(which), query, more);
    /** What it says after that was confirmed. */
    const select = (act: string, which: readonly number[], query = '', more: Record<string, string> = {}) =>
      ask(act, which, query, { confirmed: String(which.length), ...more });
    const rows = async (table: string) => (await rowsOf(db, table)) as readonly Record<string, unknown>[];
    const events = async (event: string) => {
      const found = (await rows('audit_events')).filter((row) => row.event === event);
      return found.map(({ subject }) => subject).sort();
    };
    return { ...web, member, ids, txt, post, ask, select, rows, events };
  };

  t.test('a schedule is set for those that are ticked, and said of each', async (t) => {
    const { select, rows, member, ids } = await prepare(t);
    const listed = (await member.get('/sites?select=on')).text;
    t.match(listed, `<input type="checkbox" name="site" value="${ids[0]}" aria-label="a.example.com"`);
    const daily = await select('schedule-daily', [0, 1]);
    t.match([daily.status, daily.heading], [200, /: done for 2 sites$/]);
    const again = await select('schedule-daily', [0, 1, 2]);
    t.match(again.heading, /: done for 1 site$/);
    t.match(again.words, / 1 site c\. example\. com .* 2 sites a\. example\. com b\. example\. com/);
    t.match(await rows('schedules'), Array(3).fill({ frequency: 'DAILY' }));
    t.match(again.html, `<a href="/sites/${ids[2]}">`, 'each leads on');
    t.match((await select('schedule-off', [0, 4])).heading, /: done for 1 site$/);
    t.equal((await rows('schedules')).length, 2);
    t.match((await select('schedule-hourly', [0])).words, 'SCALE');
    t.equal((await rows('schedules')).length, 2, 'nothing is changed');
  });

  t.test('whatever is asked for, the sites are named first and nothing is changed', async (t) => {
    const { ask, select, member, rows, ids } = await prepare(t);
    await select('tag-add', [0], '', { tag: 'shops' });
    const { text } = await member.get('/sites?select=on');
    const choices = text.slice(text.indexOf('id="act"')).matchAll(/<option value="([^"]+)">/g);
    const acts = [...choices].map(([, value = '']) => value);
    t.equal(acts.join(' '), 'verify run schedule-weekly schedule-daily schedule-off tag-add tag-remove remove');
    const before = await rows('sites');
    for (const act of acts) {
      const asked = await ask(act, [0, 1], '?q=example.com&select=on', { tag: 'shops' });
      t.equal(asked.status, 200, act);
      t.match(asked.heading, /\b2 sites\b.*\?$/, act);
      for (const name of ['a. example. com', 'b. example. com']) t.match(asked.words, name, act);
      t.ok(formTo(asked.html, '/sites/bulk?q=example.com&select=on'), act);
      for (const id of ids.slice(0, 2)) t.match(asked.html, `<input type="hidden" name="site" value="${id}"`, act);
    }
    t.same(await rows('sites'), before);
    t.same([...(await rows('schedules')), ...(await rows('jobs'))], []);
  });

  t.test('all that are found are meant, on every page of the list', async (t) => {
    const { ask, rows } = await prepare(t);
    const com = { all: 'all', tag: 'Com' };
    const question = 'Add the tag “Com” to 4 sites?';
    const asked = await ask('tag-add', [], '?q=example.com', com);
    t.equal(asked.heading, question);
    t.match(asked.words, /a\. ?example\. ?com b\./);
    t.match(formTo(asked.html, '/sites/bulk?q=example.com')?.fields, { confirmed: '4' });
    t.equal((await ask('tag-add', [], '?q=example.com', { ...com, confirmed: '3' })).heading, question, 'others');
    const done = await ask('tag-add', [], '?q=example.com', { ...com, confirmed: '4' });
    t.match(done.heading, /“Com”: done for 4 sites$/);
    const weekly = await ask('schedule-weekly', [], '?tag=com', { all: 'all', confirmed: '4' });
    t.match(weekly.heading, /: done for 4 sites$/);
    t.equal((await rows('schedules')).length, 4);
  });

  t.test('of over a hundred the filter is confirmed instead of their ids; so many are never removed', async (t) => {
    const { ask, post, db, member, ids } = await prepare(t);
    for (let index = 0; index < 96; index += 1)
      ids.push((await addSite(db, member.account.id, { hostname: `s${index}.example.com` })).id);
    const asked = await ask('schedule-daily', [], '', { all: 'all' });
    t.equal(asked.heading, 'Run 101 sites every day?');
    t.match(asked.words, ' 1 more');
    const fields = { act: 'schedule-daily', tag: '', all: 'all', confirmed: '101' };
    t.same(formTo(asked.html, '/sites/bulk')?.fields, fields, 'without their ids');
    const refused = await ask('remove', [], '', { all: 'all' });
    t.match([refused.status, refused.words], [422, ' 100 sites ']);
    const confirmed = await post('remove', ids, '', { confirmed: '101' });
    t.match([confirmed.status, confirmed.words], [422, ' 100 sites ']);
    t.equal((await rowsOf(db, 'sites')).length, 101);
  });

  t.test('runs are started of those that can, and joined where one is under way', async (t) => {
    let finish: () => void = () => undefined;
    const isFinished = new Promise<void>((resolve) => (finish = resolve));
    const scan = () => isFinished.then(() => scanReport());
    const { select, db, clock, member, rows, ids } = await prepare(t, { scan });
    const other = await addSite(db, member.account.id, { hostname: 'new.example.com', isVerified: false });
    ids.push(other.id);
    const d = { accountId: member.account.id, hostname: 'd.example.com' };
    for (let count = 0; count < 10; count += 1)
      await db.transaction((tx) => chargeDailyRun(tx, d, 'MANUAL', clock.now()));
    const started = await select('run', [0, 1, 3, 5]);
    t.match(started.heading, /: started for 2 sites$/);
    t.match(started.words, /Not done 2 sites .*Not verified.* new\. ?example\. ?com .*Started 2 sites a\./);
    t.match(started.words, /manual runs.* d\. ?example\. ?com/);
    t.match(started.html, `<a href="/sites/${other.id}">`, 'where it can be verified');
    t.match(await member.get('/sites/bulk?tag=com'), { status: 308, headers: { location: '/sites?tag=com' } });
    const joined = await select('run', [0, 1, 2]);
    t.match([joined.heading, joined.words], [/: started for 1 site$/, ' 2 sites ']);
    const jobs = (await rows('jobs')).map(({ kind, site_id }) => `${String(kind)} ${String(site_id)}`);
    t.same(new Set(jobs), new Set(ids.slice(0, 3).map((id) => `MANUAL ${id}`)));
    finish();
  });

  t.test('sites that the change did not reach are listed with the reason', async (t) => {
    const skipped = [{ hostname: 'b.example.com', why: 'The service was overloaded.' }];
    const outcome = { done: ['a.example.com'], unchanged: [] };
    const startMany = async () => ({ ...outcome, skipped });
    const { select } = await prepare(t, { manualRuns: { startMany } as never });
    const stopped = await select('run', [0, 1]);
    t.match(stopped.heading, /: started for 1 site$/);
    t.match(stopped.words, / overloaded\. b\. ?example\. ?com/);
  });

  t.test('nobody touches the sites of another', async (t) => {
    const { post, select, db, ids, rows } = await prepare(t);
    const foreign = await addSite(db, (await addAccount(db)).id, { hostname: 'foreign.example' });
    for (const site of ['\u0000', 'site_x', foreign.id]) {
      for (const act of ['schedule-daily', 'run', 'remove']) {
        const none = await post(act, [site], '', { confirmed: '1' });
        t.equal(none.status, 422);
        t.notMatch(none.html, 'foreign.example');
      }
    }
    const both = await post('schedule-daily', [foreign.id, ids[0] ?? ''], '', { confirmed: '2' });
    t.equal(both.heading, 'Run 1 site every day?', 'asked for one');
    t.equal((await rows('schedules')).length, 0);
    for (const [act, which, word] of [
      ['schedule-daily', [], 'selected'],
      ['', [0], 'Choose'],
      ['constructor', [0], 'Choose'],
      ['tag-add', [0], 'tag'],
    ] as const) {
      const refused = await select(act, which);
      t.match([refused.status, refused.words], [422, word], act);
      t.equal(refused.html.match(/ checked/g)?.length ?? 0, which.length, 'the ticks stay');
    }
  });

  t.test('a refusal is said even if the list has become empty', async (t) => {
    const { post, ids } = await prepare(t);
    const none = await post('run', [], '?show=shut');
    t.match([none.status, none.words], [422, /No sites are selected.*No sites in this group/]);
    t.match(readPage(none.html).notices, [/^No sites are selected/]);
    t.notMatch(none.html, 'class="key"', 'no pins are shown');
    t.equal((await post('remove', ids, '', { confirmed: '5' })).status, 200);
    const empty = await post('run', ids);
    t.match([empty.status, empty.words], [422, 'No sites are selected']);
    t.match(empty.heading, 'No sites yet');
  });

  t.test('tags are added and removed, and the list is filtered by them', async (t) => {
    const { ask, select, member, ids } = await prepare(t);
    await member.post(`/sites/${ids[0]}/tags`, { tag: 'Shops, b, c, d, e, f, g, h, i, j' });
    const added = await select('tag-add', [0, 1, 2], '', { tag: ' clients ' });
    t.match(added.heading, /“clients”: done for 2 sites$/);
    t.match(added.words, /Not done 1 site .*\b10 tags\. a/);
    const asked = await ask('tag-add', [0, 1, 4], '', { tag: 'clients' });
    t.equal(asked.heading, 'Add the tag “clients” to 3 sites?');
    await select('tag-add', [1], '', { tag: 'shops' });
    const list = (await member.get('/sites?tag=SHOPS')).text;
    t.equal(list.match(/<th scope="row">/g)?.length, 2);
    for (const query of ['%23shops', 'HOPS']) {
      const found = (await member.get(`/sites?q=${query}`)).text;
      t.equal(found.match(/<th scope="row">/g)?.length, 2, query);
    }
    t.match(wordsOf(list), /#clients 2 #Shops 2 #b 1/);
    t.match(list, '<a href="/sites" aria-current="true"><bdi>#Shops</bdi>');
    t.match((await select('tag-remove', [0, 1, 2], '', { tag: 'SHOPS' })).heading, /“SHOPS”: done for 2 sites$/);
    t.same(readPage((await member.get('/sites?tag=shops')).text).rows, []);
    t.match((await member.get(`/sites/${ids[1]}/settings`)).text, 'value="clients"');
    const refused = await member.post(`/sites/${ids[1]}/tags`, { tag: `${'x'.repeat(41)}, y` });
    t.match([refused.status, refused.text], [422, /\b40 characters.*x, y"/s]);
  });

  t.test('those that are ticked are removed once a page has named them and their number is typed', async (t) => {
    const { ask, post, db, ids, member, events } = await prepare(t);
    const asked = await ask('remove', [0, 1], '?q=example.com');
    t.match([asked.status, asked.heading], [200, 'Remove 2 sites?']);
    t.match(asked.words, /undone.* a\. ?example\. ?com b\. ?example\. ?com/);
    t.match(formTo(asked.html, '/sites/bulk?q=example.com')?.fields, { confirmed: '' }, 'their number is typed');
    t.equal((await rowsOf(db, 'sites')).length, 5, 'nothing is removed yet');
    const remove = (which: readonly string[], confirmed: string) => post('remove', which, '', { confirmed });
    const wrong = await remove(ids.slice(0, 2), '3');
    t.same([wrong.status, readPage(wrong.html).invalid], [422, ['confirmed']]);
    t.match(wrong.html, `<input type="hidden" name="site" value="${ids[1]}"`, 'asked again');
    const foreign = await addSite(db, (await addAccount(db)).id, { hostname: 'foreign.example' });
    const removed = await remove([...ids.slice(0, 2), foreign.id], '2');
    t.match([removed.status, removed.heading], [200, /: done for 2 sites$/]);
    t.same(await events('site_removed'), ['a.example.com', 'b.example.com']);
    const list = (await member.get('/sites')).text;
    t.same(list.match(/(?<=<bdi dir="ltr">).\./g), ['c.', 'd.', 'e.']);
    for (const none of [[foreign.id], ids.slice(0, 2)]) {
      t.equal((await remove(none, String(none.length))).status, 422);
    }
  });

  t.test('sites are verified by a record of their domain, and the others are named', async (t) => {
    const { select, ids, txt, sites, ownership } = await prepare(t, { isVerified: false });
    const none = await select('verify', [4, 0]);
    t.match(none.heading, /: nothing changed$/);
    t.match(none.words, /a\. ?example\. ?com e\. ?example\. ?org/, 'from A to Z');
    t.match(none.html, `<a href="/sites/${ids[0]}">`);
    const { domain } = await ownership.instructions(await sites.get(ids[0] ?? ''));
    txt.set('_agent-readiness.example.com', domain?.value ?? '');
    const checked = await select('verify', [0, 1, 2, 3, 4]);
    t.match(checked.heading, /: done for 4 sites$/);
    t.match(checked.words, / 1 site .* e\. ?example\. ?org/);
    t.match((await select('verify', [0])).words, ' 1 site ', 'a verified one is unchanged');
  });
});
