import { OwnershipOfMany } from '../../../src/app/sites/ownership-of-many.js';
import { createOwnership } from '../../../src/app/sites/ownership.js';
import { createSites } from '../../../src/app/sites/sites.js';
import { addAccount, addSite, TestClock } from '../../support/accounts.js';
import { onEachDatabase } from '../../support/databases.js';
import { wordsOf } from '../../support/page-words.js';
import { rowsOf } from '../../support/tables.js';
import { startWeb } from '../../support/web.js';

const HOSTS = ['a.example.com', 'b.example.com', 'c.example.com', 'd.example.com', 'e.example.org'];

onEachDatabase(async (t, engine) => {
  const prepare = async (t: Parameters<typeof engine.openDb>[0], options: { readonly isVerified?: boolean } = {}) => {
    const db = await engine.openDb(t);
    // What the DNS says.
    const txt = new Map<string, string>();
    const sites = createSites({ db, clock: new TestClock(), vetSite: () => true });
    const resolveTxt = async (name: string) => [txt.get(name) ?? 'other'];
    const ownership = createOwnership({
      ...{ sites, resolveTxt },
      openVisit: () => Promise.reject(new Error('this test visits nobody')),
    });
    const asked: string[] = [];
    const web = await startWeb(t, db, {
      ownershipOfMany: new OwnershipOfMany({
        ...{ db, sites, resolveTxt },
        ownership: {
          verify: async (site) => {
            if (typeof site !== 'string') asked.push(site.hostname);
            return { site: site as never, provedBy: null, attempts: [] };
          },
        },
      }),
    });
    const member = await web.newMember();
    const ids: string[] = [];
    for (const hostname of HOSTS) ids.push((await addSite(db, member.account.id, { hostname, ...options })).id);
    /** What the page says after it is done to the sites of these indexes. */
    const select = async (act: string, which: readonly number[], query = '', more: Record<string, string> = {}) => {
      const fields = new URLSearchParams({ act, ...more });
      for (const index of which) fields.append('site', ids[index] ?? '');
      const headers = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
      const { status, text } = await member.send(`/sites/selected${query}`, {
        ...{ method: 'POST', headers, body: fields.toString() },
      });
      return { status, html: text, words: wordsOf(text.slice(text.indexOf('<main'))) };
    };
    const rows = async (table: string) => (await rowsOf(db, table)) as readonly Record<string, unknown>[];
    const events = async (event: string) =>
      (await rows('audit_log'))
        .filter((row) => row.event === event)
        .map(({ subject }) => subject)
        .sort();
    return { ...web, db, member, ids, txt, asked, select, rows, events, ownership };
  };

  t.test('a schedule is set for those that are ticked, and said of each', async (t) => {
    const { select, rows, events, member, ids } = await prepare(t);
    t.match(
      (await member.get('/sites?select=on')).text,
      `<input type="checkbox" name="site" value="${ids[0]}" aria-label="a.example.com"`,
    );
    const daily = await select('schedule-daily', [0, 1]);
    t.match([daily.status, daily.words], [200, /Scheduled every day: 2 sites/]);
    const again = await select('schedule-daily', [0, 1, 2]);
    t.match(again.words, /Scheduled every day: 1 site 2 sites were so already\./);
    t.match(
      again.words,
      /Scheduled every day 1 site c\. example\. com As before 2 sites a\. example\. com, b\. example\. com/,
    );
    t.same(
      (await rows('schedules')).map(({ frequency }) => frequency),
      ['DAILY', 'DAILY', 'DAILY'],
    );
    t.same(await events('schedule_set'), [
      'daily, of a.example.com',
      'daily, of b.example.com',
      'daily, of c.example.com',
    ]);
    t.match(again.html, `<a href="/sites/${ids[2]}">`, 'each leads on');
    t.notMatch(again.words, 'not verified', 'all are');
    t.match((await select('schedule-off', [0, 4])).words, /Schedule turned off: 1 site 1 site was so already/);
    t.equal((await rows('schedules')).length, 2);
    t.match((await select('schedule-hourly', [0])).words, /Nothing was changed A run every hour needs plan SCALE\./);
    t.notMatch(
      (await member.get('/sites?select=on')).text,
      'schedule-hourly',
      'what the plan does not have is not offered',
    );
  });

  t.test('all that are found are meant, on every page of the list', async (t) => {
    const { select, rows } = await prepare(t);
    const com = { all: 'all', tag: 'Com' };
    const asked = await select('tag-add', [], '?q=example.com', com);
    t.match(asked.words, /Add the tag “Com”: 4 sites\? Nothing is changed yet\..*a\. ?example\. ?com, b\./);
    t.match(asked.html, '<input type="hidden" name="sure" value="4"');
    t.match((await select('tag-add', [], '?q=example.com', { ...com, sure: '3' })).words, /: 4 sites\?/, 'others');
    t.match((await select('tag-add', [], '?q=example.com', { ...com, sure: '4' })).words, /Tagged “Com”: 4 sites/);
    t.equal((await rows('schedules')).length, 0);
    const sure = { all: 'all', sure: '4' };
    t.match((await select('schedule-weekly', [], '?tag=com', sure)).words, /Scheduled every week: 4 sites/);
    t.equal((await rows('schedules')).length, 4);
  });

  t.test('nobody touches the sites of another, and what is gone is left out', async (t) => {
    const { select, db, ids, member, rows } = await prepare(t);
    const foreign = await addSite(db, (await addAccount(db)).id, { hostname: 'foreign.example' });
    for (const site of ['\u0000', 'site_x']) {
      const none = await member.post('/sites/selected', { act: 'schedule-daily', site });
      t.match([none.status, wordsOf(none.text)], [422, /No site is selected/]);
    }
    const fields = { act: 'schedule-daily', site: foreign.id };
    const answer = await member.post('/sites/selected', fields);
    t.match(wordsOf(answer.text), /Scheduled every day: 0 sites 1 site left out.*It was removed meanwhile/);
    t.notMatch(answer.text, 'foreign.example');
    t.equal((await rows('schedules')).length, 0);
    for (const [act, which, words] of [
      ['schedule-daily', [], /Nothing was changed No site is selected/],
      ['', [0], /Nothing was changed Choose what to do/],
      ['constructor', [0], /Nothing was changed Choose what to do/],
      ['tag-add', [0], /Nothing was changed Give a tag/],
    ] as const) {
      const refused = await select(act, which);
      t.match([refused.status, refused.words], [422, words], act);
    }
    t.equal(ids.length, 5);
  });

  t.test('tags are added and removed, and the list is filtered by them', async (t) => {
    const { select, member, events, ids } = await prepare(t);
    await member.post(`/sites/${ids[0]}/tags`, { tag: 'Shops, b, c, d, e, f, g, h, i, j' });
    const added = await select('tag-add', [0, 1, 2], '', { tag: ' clients ' });
    t.match(added.words, /Tagged “clients”: 2 sites 1 site left out.*A site has at most 10 tags\. a/);
    await select('tag-add', [1], '', { tag: 'shops' });
    t.same(
      await events('tags_changed'),
      ['a', 'b', 'b', 'c'].map((name) => `${name}.example.com`),
    );
    const list = (await member.get('/sites?tag=SHOPS')).text;
    t.equal(list.match(/<th scope="row">/g)?.length, 2);
    t.match(wordsOf(list), /clients 2 Shops 2 b 1/);
    t.match(list, '<a href="/sites" aria-current="true"><bdi>Shops</bdi>');
    t.match((await select('tag-remove', [0, 1, 2], '', { tag: 'SHOPS' })).words, /No longer tagged “SHOPS”: 2 sites/);
    t.match(wordsOf((await member.get('/sites?tag=shops')).text), /No site is in this group/);
    t.match((await member.get(`/sites/${ids[1]}/settings`)).text, 'value="clients"');
    const refused = await member.post(`/sites/${ids[1]}/tags`, { tag: `${'x'.repeat(41)}, "><b>` });
    t.match([refused.status, refused.text], [422, /x, &quot;>&lt;b>".*A tag has at most 40 characters/s]);
  });

  t.test('those that are ticked are removed once a page has named them and their number is typed', async (t) => {
    const { select, db, ids, member, events } = await prepare(t);
    t.match((await member.get('/sites?select=on')).text, '<option value="remove">Remove…</option>');
    const asked = await select('remove', [0, 1], '?q=example.com');
    t.match(
      [asked.status, asked.words],
      [200, /Remove 2 sites\?.*a\. ?example\. ?com, b\. ?example\. ?com.*the number of sites.* 2 /],
    );
    t.match(asked.html, `<input type="hidden" name="site" value="${ids[1]}"`);
    t.match(asked.html, 'action="/sites/remove?q=example.com"');
    t.equal((await rowsOf(db, 'sites')).length, 5, 'nothing is removed yet');
    const remove = async (which: readonly string[], name: string) => {
      const body = new URLSearchParams({ name });
      for (const id of which) body.append('site', id);
      const headers = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
      const { status, text } = await member.send('/sites/remove', { method: 'POST', headers, body: body.toString() });
      return { status, words: wordsOf(text.slice(text.indexOf('<main'))), html: text };
    };
    const wrong = await remove(ids.slice(0, 2), '3');
    t.match([wrong.status, wrong.words], [422, /That does not match\. Nothing was removed\./]);
    t.match(wrong.html, `<input type="hidden" name="site" value="${ids[1]}"`, 'asked again');
    const foreign = await addSite(db, (await addAccount(db)).id, { hostname: 'foreign.example' });
    const removed = await remove([...ids.slice(0, 2), foreign.id], '2');
    t.match([removed.status, removed.words], [200, /Removed: 2 sites/]);
    t.same(await events('site_removed'), ['a.example.com', 'b.example.com']);
    const list = (await member.get('/sites')).text;
    t.same(list.match(/(?<=<bdi dir="ltr">).\./g), ['c.', 'd.', 'e.']);
    t.match((await remove([foreign.id], '1')).words, /Nothing was changed None of these sites is there any more\./);
    t.match((await remove(ids.slice(0, 2), '2')).status, 422);
  });

  t.test('no more are removed at once than the page names', async (t) => {
    const { select, db, member, ids } = await prepare(t);
    const more: string[] = [];
    for (let index = 0; index < 96; index += 1)
      more.push((await addSite(db, member.account.id, { hostname: `s${index}.example.com` })).id);
    const refused = await select('remove', [], '', { all: 'all' });
    t.match([refused.status, refused.words], [422, /Nothing was changed At most 100 sites are removed at once\./]);
    const body = new URLSearchParams({ name: '101' });
    for (const id of [...ids, ...more]) body.append('site', id);
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
    const confirmed = await member.send('/sites/remove', { method: 'POST', headers, body: body.toString() });
    t.match([confirmed.status, wordsOf(confirmed.text)], [422, /At most 100 sites are removed at once\./]);
    t.equal((await rowsOf(db, 'sites')).length, 101);
    const asked = await select('remove', [], '?q=s1', { all: 'all' });
    t.match(asked.words, /Remove 11 sites\?/);
  });

  t.test('alerts of a site by e-mail are turned off and on', async (t) => {
    const { select, member, events, ids } = await prepare(t);
    t.match(
      (await select('mail-off', [0, 1])).words,
      /Alerts by e-mail turned off: 2 sites What tells of a missing proof/,
    );
    t.match(wordsOf((await member.get(`/sites/${ids[0]}/settings`)).text), /Not sent for this site.*Turn on/);
    await member.post(`/sites/${ids[0]}/mail`, { alerts: 'on' });
    t.match((await select('mail-on', [0, 1])).words, /Alerts by e-mail turned on: 1 site 1 site was so already/);
    t.same(await events('site_mail_turned_off'), ['a.example.com', 'b.example.com']);
    t.same(await events('site_mail_turned_on'), ['a.example.com', 'b.example.com']);
  });

  t.test(
    'a record of a domain verifies all of its sites, without a visit; others are looked at one by one',
    async (t) => {
      const { select, ids, txt, asked, sites, ownership, events, db, member } = await prepare(t, { isVerified: false });
      const [first = ''] = ids;
      t.match(
        (await select('check', [0])).words,
        /Verified: 0 sites 1 site left out/,
        'nobody was told of a record yet',
      );
      const none = await select('check', [4, 0]);
      t.match(none.words, /a\. ?example\. ?com, e\. ?example\. ?org/, 'from A to Z');
      t.match(none.html, `<a href="/sites/${first}/verify">`);
      t.match(none.html, 'href="/sites/proofs.csv?show=unverified"');
      t.match((await select('schedule-daily', [0])).words, /A site that is not verified runs once it is\./);
      asked.length = 0;
      const { domain, dns, file, meta } = await ownership.instructions(first);
      t.match((await member.get('/sites?show=unverified')).text, 'href="/sites/proofs.csv?show=unverified"');
      const { headers, text } = await member.get('/sites/proofs.csv?show=unverified&q=a.example');
      t.match(headers['content-disposition'], /^attachment; filename="agent-readiness-proofs-/);
      t.same(text.split('\r\n').slice(1), [
        `"a.example.com","a.example.com",,"${dns?.name}","${dns?.value}","${domain?.name}","${domain?.value}","${file.url}","${file.body}","${meta.tag.replaceAll('"', '""')}","${first}"`,
        '',
      ]);
      t.match(domain, {
        domain: 'example.com',
        name: '_agent-readiness.example.com',
        value: /^agent-readiness-[0-9a-f]{48} subdomains$/,
      });
      txt.set('_agent-readiness.example.com', domain?.value ?? '');
      const checked = await select('check', [0, 1, 2, 3, 4]);
      t.match(checked.words, /Verified: 4 sites 1 site left out.*No proof was found.*e\. ?example\. ?org/);
      t.same(asked, ['e.example.org']);
      t.match(await sites.get(first), { verifiedBy: 'domain' });
      t.equal((await events('site_verified')).length, 4);
      t.match((await select('check', [0])).words, /Verified: 0 sites 1 site was so already/);
      t.match(wordsOf((await member.get(`/sites/${first}/verify`)).text), 'by a DNS record for the whole domain');
      t.same((await rowsOf(db, 'jobs')).length, 0, 'what follows a first proof is the caller’s');
    },
  );
});
