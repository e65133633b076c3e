import { createRateLimits } from '../../../src/app/limits/rate-limits.js';
import { ExcludedHosts } from '../../../src/app/sites/excluded-hosts.js';
import { createSitesMaxOf } from '../../../src/app/sites/add-sites.js';
import { SiteLists, type SiteListsDeps } from '../../../src/app/sites/site-lists.js';
import { updateSiteList } from '../../../src/app/sites/site-list-statements.js';
import type { Database } from '../../../src/store/database.js';
import { addAccount, addSite, TestClock } from '../../support/accounts.js';
import { changeDatabase } from '../../support/changed-database.js';
import { onEachDatabase } from '../../support/databases.js';
import { countTurns } from '../../support/count-turns.js';
import { HeldTimers, until } from '../../support/held-timers.js';
import { recordStatements } from '../../support/statement-names.js';
import { rowsOf } from '../../support/tables.js';

async function prepare(db: Database, options: Partial<SiteListsDeps> & { readonly plan?: string } = {}) {
  const { plan = 'MONITOR', ...deps } = options;
  const clock = new TestClock();
  const { id: accountId } = await addAccount(db, plan, clock);
  const common = {
    clock,
    vetSite: () => true,
    sitesMaxOf: createSitesMaxOf(),
    rateLimits: createRateLimits({ db, clock }),
  };
  const lists = new SiteLists({ ...common, db, ...deps });
  const states = async () => (await lists.kept(accountId))?.lines.map(({ state }) => state);
  const hosts = async () =>
    ((await rowsOf(db, 'sites')) as { account_id: string; hostname: string }[])
      .filter(({ account_id }) => account_id === accountId)
      .map(({ hostname }) => hostname)
      .sort();
  return { clock, accountId, lists, states, hosts };
}

const many = (count: number) => Array.from({ length: count }, (_, index) => `s${index}.example.com`).join('\n');

onEachDatabase(async (t, engine) => {
  t.test('each line comes out as it does alone, and nothing is added before it was looked at', async (t) => {
    const db = await engine.openDb(t);
    const { accountId, lists, hosts, states, clock } = await prepare(db, {
      vetSite: ({ hostname }) => hostname !== 'inside.example.com',
    });
    await addSite(db, accountId, { hostname: 'shop.example.com' });
    await addSite(db, accountId, { hostname: 'http://blog.example.com' });
    await new ExcludedHosts({ db, clock }).add('left.example');
    const text = [
      ...['new.example.com', 'https://new.example.com/page', 'SHOP.example.com', 'https://blog.example.com', 'no host'],
      ...[
        'inside.example.com',
        'www.left.example',
        'xn--mnchner-tpferei-htb7g.example',
        'https://new.example.com:8443',
      ],
    ].join('\n');
    const { id, lines } = await lists.keep(accountId, text);
    t.same(
      lines.map(({ state }) => state),
      ['new', 'twice', 'had', 'had', 'refused', 'refused', 'refused', 'new', 'new'],
    );
    t.match(
      lines.map(({ why }) => why),
      [
        ...[null, 'Line 1 has this site.', null, 'As http://blog.example.com.', /^This is not a host name/],
        ...[/^Only public sites/, /has asked us not to scan it/, null, null],
      ],
    );
    t.same(await hosts(), ['blog.example.com', 'shop.example.com']);
    await lists.addKept(accountId, id);
    t.same(await states(), ['added', 'twice', 'had', 'had', 'refused', 'refused', 'refused', 'added', 'added']);
    t.same(await hosts(), [
      ...['blog.example.com', 'new.example.com', 'new.example.com:8443', 'shop.example.com'],
      'xn--mnchner-tpferei-htb7g.example',
    ]);
    const events = (await rowsOf(db, 'audit_log')) as { event: string; subject: string }[];
    t.same(
      events
        .filter(({ event }) => event === 'site_added')
        .map(({ subject }) => subject)
        .sort(),
      await hosts(),
      'each is in the activity',
    );
    const texts = (await rowsOf(db, 'ownership_tokens')) as { host: string }[];
    const withText = texts.map(({ host }) => host);
    t.ok(
      (await hosts()).every((host) => withText.includes(host)),
      'and has a text to publish',
    );
  });

  t.test('a name that no public site has is refused with what is wrong with it, whatever is behind it', async (t) => {
    const { accountId, lists } = await prepare(await engine.openDb(t), { vetSite: () => false });
    for (const [given, why] of [
      ['Kunde', /^This is not a host name/],
      ['/pricing', /^This is not a host name/],
      ['*.shop.example.com', /^This is not a host name/],
      [`${'a'.repeat(64)}.example.com`, /^This is not a host name/],
      ['shop.bakery.example', /^No public site has a name that ends in \.example\./],
      ['co.uk', /^This is a public suffix/],
      ['mailto:bob@shop.example.com', /^Only http and https sites/],
      ['bob@shop.example.com', /^This is an e-mail address/],
      ['https://shop.example.com:8443', /^Only public sites on the usual ports/],
      ['127.0.0.1', /^Only public sites on the usual ports/],
      ['inside.example.com', /^Only public sites on the usual ports/],
    ] as const) {
      t.match(await lists.look(accountId, given), [{ state: 'refused', why }], given);
    }
  });

  t.test('tags of a list are those of the sites that it adds', async (t) => {
    const db = await engine.openDb(t);
    const { accountId, lists } = await prepare(db);
    const { id } = await lists.keep(accountId, 'url;tags\na.example.com;Shops, spring\nb.example.com;');
    await lists.addKept(accountId, id);
    const rows = (await rowsOf(db, 'sites')) as { hostname: string; tags: string | null }[];
    t.same(Object.fromEntries(rows.map(({ hostname, tags }) => [hostname, tags])), {
      'a.example.com': '["Shops","spring"]',
      'b.example.com': null,
    });
  });

  t.test('a list is added a hundred sites to a transaction, of a dozen statements each', async (t) => {
    const db = await engine.openDb(t);
    const { db: recorded, asked } = await recordStatements(db);
    let transactions = 0;
    const counted = changeDatabase(recorded, {
      transaction: (work) => {
        transactions += 1;
        return recorded.transaction(work);
      },
    });
    const { accountId, lists, hosts } = await prepare(db, { db: counted, plan: 'SCALE' });
    const { id, lines } = await lists.keep(accountId, many(2000));
    t.ok(lines.every(({ state }) => state === 'new'));
    [asked.length, transactions] = [0, 0];
    const { turns } = await countTurns(() => lists.addKept(accountId, id));
    t.same(asked.slice(0, asked.length / 20), [
      ...['lockAccount', 'selectSiteList', 'selectExcludedAmong', 'lockAccount', 'selectSitesOfHosts', 'countSites'],
      ...[
        'insertSites',
        'restoreBudgets',
        'dropKeptBudgets',
        'insertOwnershipTokens',
        'insertEvents',
        'updateSiteList',
      ],
    ]);
    t.equal(transactions, 20);
    t.ok(turns >= 19, 'others have their turn in between');
    t.equal((await hosts()).length, 2000);
    await lists.addKept(accountId, id);
    t.equal((await hosts()).length, 2000, 'once, however often it is confirmed');
  });

  t.test('at the terminal all of it is one transaction', async (t) => {
    const db = await engine.openDb(t);
    let transactions = 0;
    const counted = changeDatabase(db, {
      transaction: (work) => {
        transactions += 1;
        return db.transaction(work);
      },
    });
    const { accountId, lists, hosts } = await prepare(db, { db: counted, plan: 'SCALE' });
    const lines = await lists.add(accountId, await lists.look(accountId, many(500)));
    t.ok(lines.every(({ state, siteId }) => state === 'added' && siteId !== null));
    t.same([transactions, (await hosts()).length], [1, 500]);
  });

  t.test('as many are added as there is room for, the first of the list', async (t) => {
    const db = await engine.openDb(t);
    const { accountId, lists, hosts, states } = await prepare(db, { plan: 'FREE' });
    const { id, lines } = await lists.keep(accountId, many(5));
    t.same(
      lines.map(({ state }) => state),
      ['new', 'new', 'new', 'over', 'over'],
    );
    await addSite(db, accountId, { hostname: 's1.example.com' });
    await addSite(db, accountId, { hostname: 'meanwhile.example.com' });
    await lists.addKept(accountId, id);
    t.same(await states(), ['added', 'had', 'over', 'over', 'over'], 'by what is so when they are added');
    t.same(await hosts(), ['meanwhile.example.com', 's0.example.com', 's1.example.com']);
  });

  t.test('what fails half way says exactly what was done, and is continued from there', async (t) => {
    const db = await engine.openDb(t);
    let left = Infinity;
    const broken = changeDatabase(db, {
      transaction: (work) =>
        db.transaction(function* () {
          const result = yield* work();
          if ((left -= 1) < 0) throw new Error('the process ends here');
          return result;
        }),
    });
    const { accountId, lists, hosts, states } = await prepare(db, { db: broken, plan: 'SCALE' });
    const { id } = await lists.keep(accountId, many(1000));
    left = 2;
    await t.rejects(lists.addKept(accountId, id), { message: 'the process ends here' });
    const done = await states();
    t.same([done?.filter((state) => state === 'added').length, (await hosts()).length], [200, 200]);
    t.equal((await lists.kept(accountId))?.addedAt, null);
    left = Infinity;
    await lists.addKept(accountId, id);
    t.same([new Set(await states()), (await hosts()).length], [new Set(['added']), 1000]);
  });

  t.test('a list of long names is looked at in small pieces, and others have their turn in between', async (t) => {
    const db = await engine.openDb(t);
    const pieces: number[] = [];
    let queried = 0;
    const watched = changeDatabase(db, {
      run: (query) => {
        const { hosts } = query.params as { hosts?: string };
        if (hosts !== undefined) {
          pieces.push((JSON.parse(hosts) as unknown[]).length);
          queried += hosts.length;
        }
        return db.run(query);
      },
    });
    const { accountId, lists, clock } = await prepare(db, { db: watched, plan: 'SCALE' });
    await new ExcludedHosts({ db, clock }).add('left.example');
    const names = Array.from({ length: 120 }, (_, index) => `${'a.'.repeat(100)}s${index}.left.example`);
    const { result, turns } = await countTurns(() => lists.look(accountId, names.join('\n')));
    t.ok(result.every(({ state }) => state === 'refused'));
    t.same(pieces, [50, 50, 20]);
    t.ok(queried < 2 * names.join().length, 'no name is taken apart');
    t.ok(turns >= 2);
  });

  t.test('what came of one list is not written over another', async (t) => {
    const db = await engine.openDb(t);
    const { db: recorded, asked } = await recordStatements(db);
    const { accountId, lists } = await prepare(db, { db: recorded });
    await lists.look(accountId, 'a.example.com');
    t.notOk(asked.includes('lockAccount'), 'what is only looked at holds up nobody');
    const { id } = await lists.keep(accountId, 'a.example.com');
    t.same(asked.slice(-2), ['lockAccount', 'upsertSiteList'], 'none is kept while another is added');
    const later = await lists.keep(accountId, 'b.example.com');
    await db.run(updateSiteList({ account_id: accountId, id, lines: '[]', added_at: null }));
    t.same(await lists.kept(accountId), later);
  });

  t.test('a list is added that its holder saw, and only so many are taken in an hour', async (t) => {
    const db = await engine.openDb(t);
    const { accountId, lists, hosts, clock } = await prepare(db);
    const { id } = await lists.keep(accountId, 'a.example.com');
    await lists.keep(accountId, 'b.example.com');
    await t.rejects(lists.addKept(accountId, id), { name: 'InputError', message: /^Another list was given meanwhile/ });
    t.same(await hosts(), []);
    for (let count = 0; count < 30; count += 1) await lists.takeTurn(accountId);
    await t.rejects(lists.takeTurn(accountId), {
      name: 'TooSoonError',
      message: /Give the next in 60 minutes/,
    });
    clock.set('2026-03-15T13:00:00.000Z');
    await lists.takeTurn(accountId);
    t.equal(await lists.kept((await addAccount(db)).id), null, 'nobody sees the list of another');
  });

  t.test('two that confirm at once add each site once', async (t) => {
    const db = await engine.openDb(t);
    const { accountId, lists, hosts } = await prepare(db);
    const { id } = await lists.keep(accountId, many(20));
    await Promise.all([lists.addKept(accountId, id), lists.addKept(accountId, id)]);
    t.equal((await hosts()).length, 20);
  });

  t.test('names are looked up of as many as there is room for', async (t) => {
    const db = await engine.openDb(t);
    const asked: string[] = [];
    const { accountId, lists, clock } = await prepare(db, {
      plan: 'FREE',
      vetSite: ({ hostname }) => {
        asked.push(hostname);
        return hostname !== 's0.example.com';
      },
    });
    await addSite(db, accountId, { hostname: 'had.example.com' });
    await new ExcludedHosts({ db, clock }).add('left.example');
    const lines = await lists.look(accountId, `had.example.com\nleft.example\n${many(5)}`);
    t.same(
      lines.map(({ state }) => state),
      ['had', 'refused', 'refused', 'new', 'new', 'over', 'over'],
    );
    t.same(asked, ['s0.example.com', 's1.example.com', 's2.example.com']);
  });

  t.test('a name that is not looked up in time is not added, and looked up again alone', async (t) => {
    const db = await engine.openDb(t);
    const timers = new HeldTimers();
    const asked: string[] = [];
    let isSlow = true;
    const { accountId, lists, states, clock } = await prepare(db, {
      startTimer: timers.start,
      vetSite: ({ hostname }) => {
        asked.push(hostname);
        return hostname !== 'slow.example.com' || !isSlow || new Promise(() => undefined);
      },
    });
    const keeping = lists.keep(accountId, 'quick.example.com\nslow.example.com');
    await until(() => timers.count === 2);
    await new Promise((resolve) => setImmediate(resolve));
    timers.fire();
    const { id, lines } = await keeping;
    t.match(lines, [{ state: 'new' }, { state: 'late', why: null }]);
    t.ok((await lists.kept(accountId))?.isLooking, 'the last may still be on their way');
    clock.set('2026-03-15T12:00:30.000Z');
    t.notOk((await lists.kept(accountId))?.isLooking);
    await lists.addKept(accountId, id);
    t.same(await states(), ['added', 'late']);
    isSlow = false;
    asked.length = 0;
    await t.rejects(lists.lookAgain(accountId, 'of-before'), { message: /^Another list was given meanwhile/ });
    await lists.lookAgain(accountId, id);
    t.same([asked, await states()], [['slow.example.com'], ['added', 'new']]);
    const again = await lists.kept(accountId);
    t.equal(again?.addedAt, null, 'there is more to add');
    await lists.addKept(accountId, again?.id ?? '');
    t.same(await states(), ['added', 'added']);
  });

  t.test('a list is kept as far as it is, and its names go on being looked up', async (t) => {
    const db = await engine.openDb(t);
    const timers = new HeldTimers();
    const waiting: (() => void)[] = [];
    const { accountId, lists, states } = await prepare(db, {
      startTimer: timers.start,
      vetSite: ({ hostname }) =>
        hostname === 's0.example.com' || new Promise((resolve) => waiting.push(() => resolve(true))),
    });
    const keeping = lists.keep(accountId, many(3));
    await until(() => timers.count === 2 && waiting.length === 2);
    timers.fireLast();
    t.match(await keeping, { isLooking: true, lines: [{ state: 'new' }, { state: 'late' }, { state: 'late' }] });
    const { id = '' } = (await lists.kept(accountId)) ?? {};
    await lists.addKept(accountId, id);
    for (const found of waiting) found();
    await until(async () => (await states())?.join() === 'added,new,new');
    t.match(await lists.kept(accountId), { id, addedAt: null, isLooking: false });
  });
});
