import { EXCLUDED } from '../../../src/app/sites/excluded-hosts.js';
import type { LineState, ListLine } from '../../../src/app/sites/add-sites.js';
import { readOwnershipToken } from '../../../src/app/sites/proof.js';
import { findOwnSite } from '../../../src/app/sites/site.js';
import { readEvents } from '../../../src/app/audit/audit.js';
import { PLANS } from '../../../src/app/accounts/plan.js';
import { REFUSED_TARGET } from '../../../src/net/url-gate.js';
import type { Database } from '../../../src/store/database.js';
import { addAccount, addSite, type TestClock } from '../../support/accounts.js';
import { changeDatabase, recordStatements } from '../../support/changed-database.js';
import { onEitherDatabase } from '../../support/databases.js';
import { openServices, type ServicesOptions } from '../../support/services.js';
import { rowsOf } from '../../support/tables.js';

async function prepare(db: Database, options: ServicesOptions<TestClock> & { readonly plan?: string } = {}) {
  const { plan = 'MONITOR', ...context } = options;
  const { id: accountId } = await addAccount(db, plan);
  const services = openServices(context.db ?? db, context);
  const { sites, siteRemoval } = services;
  const add = (text: string) => sites.addList(accountId, text);
  const addOne = (name: string) => sites.add({ accountId, site: `${name}.example.com` });
  const remove = async (siteId = '') => siteRemoval.removeOwn(await findOwnSite(db, { accountId, siteId }));
  const hosts = async () => (await sites.list(accountId)).map(({ hostname }) => hostname).sort();
  return { ...services, db, accountId, add, addOne, remove, hosts };
}

/** The states of lines. */
function statesOf(lines: readonly ListLine[]) {
  return lines.map(({ state }) => state);
}

const FREE_FULL = /\bFREE .* 3 sites\./;

const many = (count: number) => Array.from({ length: count }, (_, index) => `s${index}.example.com`).join('\n');

onEitherDatabase(async (t, engine) => {
  t.test('each line has the outcome that it would have alone', async (t) => {
    const { db, accountId, add, hosts, excludedHosts } = await prepare(await engine.openDb(t), {
      vetSite: ({ hostname }) => hostname !== 'inside.example.com',
    });
    await addSite(db, accountId, { hostname: 'shop.example.com' });
    await addSite(db, accountId, { hostname: 'http://blog.example.com' });
    await excludedHosts.add('left.example');
    const cases: [text: string, state: LineState, why: RegExp | string | null, stateAgain?: LineState][] = [
      ['new.example.com', 'added', null, 'existing'],
      ['https://new.example.com/page', 'duplicate', /line 1/],
      ['SHOP.example.com', 'existing', null],
      ['https://blog.example.com', 'existing', / as http:\/\/blog\.example\.com\. /],
      ['no host', 'refused', /host name/],
      ['https://column.example.com/\tretail', 'refused', /# before each tag/],
      ['inside.example.com', 'refused', REFUSED_TARGET],
      ['www.left.example', 'refused', EXCLUDED],
      ['xn--mnchner-tpferei-htb7g.example', 'added', null, 'existing'],
      ['https://new.example.com:8443', 'added', null, 'existing'],
    ];
    const text = cases.map(([line]) => line).join('\n');
    t.match(
      await add(text),
      cases.map(([, state, why]) => ({ state, why })),
    );
    const added = ['new.example.com', 'new.example.com:8443', 'xn--mnchner-tpferei-htb7g.example'];
    t.same(await hosts(), ['blog.example.com', ...added, 'shop.example.com'].sort());
    const { events } = await readEvents(db, accountId);
    const subjects = events.flatMap(({ event, subject }) => (event === 'site_added' ? [subject ?? ''] : []));
    t.same(subjects.sort(), await hosts(), 'each is in the activity');
    for (const host of added) t.match(await readOwnershipToken(db, accountId, host), /./, 'has a text to publish');
    // A page that is loaded again adds nothing.
    t.match(
      await add(text),
      cases.map(([, state, , stateAgain = state]) => ({ state: stateAgain })),
    );
  });

  t.test('a name that no public site can have is refused with the reason', async (t) => {
    const { add, hosts } = await prepare(await engine.openDb(t), { vetSite: () => false });
    for (const [given, why] of [
      ['Kunde', / public host name/],
      ['http://localhost:4803', / public host name/],
      ['/pricing', / public host name/],
      ['*.shop.example.com', / a host name/],
      [`${'a'.repeat(64)}.example.com`, / a host name/],
      ['shop.bakery.example', / \.example\./],
      ['co.uk', /suffix/],
      ['mailto:bob@shop.example.com', /\bhttps\b/],
      ['bob@shop.example.com', /e-mail/],
      ['https://shop.example.com:8443', REFUSED_TARGET],
      ['127.0.0.1', REFUSED_TARGET],
      ['a b.com', / a host name/],
      ['https://', / a host name/],
      ['https://example..com', / a host name/],
      ['...', / a host name/],
      ['x'.repeat(301), /too long/],
      ['ftp://example.com', /https/],
      ['https://user:secret@example.com', /user name/],
      ['example.com:8443', /scheme/],
      ['inside.example.com', REFUSED_TARGET],
    ] as const) {
      t.match(await add(given), [{ state: 'refused', why, siteId: null }], given);
    }
    t.same(await hosts(), []);
  });

  t.test('a list is added by a dozen statements', async (t) => {
    const db = await engine.openDb(t);
    const { db: recorded, asked } = recordStatements(db);
    const { add, hosts } = await prepare(db, { db: recorded, plan: 'SCALE' });
    asked.length = 0;
    await add(many(500));
    t.ok(asked.length < 15, asked.join());
    t.equal((await hosts()).length, 500);
  });

  t.test('a transaction that loses a conflict adds the sites in its next attempt', async (t) => {
    const db = await engine.openDb(t);
    const { add, hosts } = await prepare(db, {
      db: changeDatabase(db, {
        async transaction(work) {
          const lost = new Error('lost');
          const losing = db.transaction(async (tx) => {
            await work(tx);
            throw lost;
          });
          await t.rejects(losing, lost);
          return db.transaction(work);
        },
      }),
    });
    t.same(statesOf(await add(many(2))), ['added', 'added']);
    t.same(await hosts(), ['s0.example.com', 's1.example.com']);
  });

  t.test('only as many names are looked up as can be added', async (t) => {
    const db = await engine.openDb(t);
    const asked: string[] = [];
    const { accountId, add, excludedHosts } = await prepare(db, {
      plan: 'FREE',
      vetSite: ({ hostname }) => {
        asked.push(hostname);
        return hostname !== 's0.example.com';
      },
    });
    await addSite(db, accountId, { hostname: 'had.example.com' });
    await excludedHosts.add('left.example');
    const lines = await add(`had.example.com\nleft.example\n${many(5)}`);
    t.same(statesOf(lines), ['existing', 'refused', 'refused', 'added', 'over-limit', 'over-limit', 'over-limit']);
    t.same(asked, ['s0.example.com', 's1.example.com']);
  });

  t.test('names are looked up for 20 seconds; the other lines can be added later', async (t) => {
    const { add, hosts, clock } = await prepare(await engine.openDb(t), {
      vetSite: () => {
        clock.time = new Date(clock.time.getTime() + 20_001);
        return true;
      },
      plan: 'SCALE',
    });
    const lines = await add(many(3));
    t.match(lines, [{ state: 'added' }, { state: 'unchecked', why: /Add it again/ }, { state: 'unchecked' }]);
    t.same(await hosts(), ['s0.example.com']);
    t.match(statesOf(await add(many(3))), ['existing', 'added', 'unchecked']);
  });

  t.test('a plan limits the number of sites, unless SITES_MAX does', async (t) => {
    t.same([PLANS.FREE.sitesMax, PLANS.MONITOR.sitesMax, PLANS.SCALE.sitesMax], [3, 100, 2000]);
    const { db, addOne, remove } = await prepare(await engine.openDb(t), { plan: 'FREE' });
    const first = await addOne('a');
    for (const name of ['b', 'c']) await addOne(name);
    await t.rejects(addOne('d'), { name: 'InputError', message: FREE_FULL });
    await t.rejects(addOne('a'), { name: 'InputError', message: /already/ }, 'what is there is named first');
    await (await prepare(db, { plan: 'FREE' })).addOne('d');
    await remove(first.id);
    await addOne('d');
    await t.rejects(addOne('e'), { message: FREE_FULL });
    const { addOne: addMore } = await prepare(db, { plan: 'FREE', sitesMaxOverride: 4 });
    for (const name of ['a', 'b', 'c', 'd']) await addMore(name);
    await t.rejects(addMore('e'), { message: / 4 sites\./ });
  });

  t.test('thirty concurrent requests add as many sites as the plan allows, and each host once', async (t) => {
    const { addOne, hosts, sites, accountId } = await prepare(await engine.openDb(t), { plan: 'FREE' });
    await addOne('first');
    const add = (_: unknown, index: number) =>
      sites.add({ accountId, site: `${index % 2 ? 'http' : 'https'}://s${index >> 1}.example.com` });
    const added = await Promise.allSettled(Array.from({ length: 30 }, add));
    t.equal(added.filter(({ status }) => status === 'fulfilled').length, 2);
    for (const one of added) if (one.status === 'rejected') t.match(one.reason, { name: 'InputError' });
    t.equal(new Set(await hosts()).size, 3);
  });

  t.test('sites over the limit stay and run; only adding is refused', async (t) => {
    const { db, addOne, remove, sites, accounts, runs, accountId } = await prepare(await engine.openDb(t));
    for (const name of ['a', 'b', 'c', 'd', 'e']) await sites.markVerified((await addOne(name)).id, 'operator');
    await accounts.setPlan(accountId, 'FREE');
    await t.rejects(addOne('f'), { message: FREE_FULL });
    const all = await sites.list(accountId);
    for (const { id: siteId } of all) await runs.start({ accountId, siteId, trigger: 'SCHEDULED' });
    t.equal((await rowsOf(db, 'runs')).length, 5);
    await remove(all[0]?.id);
    await t.rejects(addOne('f'), { message: FREE_FULL }, 'four are still too many');
  });
});
