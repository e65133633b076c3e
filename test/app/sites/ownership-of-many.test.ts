import { OwnershipOfMany } from '../../../src/app/sites/ownership-of-many.js';
import { createRateLimits } from '../../../src/app/limits/rate-limits.js';
import { ExcludedHosts } from '../../../src/app/sites/excluded-hosts.js';
import { findOwnSites } from '../../../src/app/sites/own-site.js';
import { createOwnership } from '../../../src/app/sites/ownership.js';
import { createSites } from '../../../src/app/sites/sites.js';
import { InputError } from '../../../src/platform/input-error.js';
import type { Database } from '../../../src/store/database.js';
import { addAccount, addSite, TestClock } from '../../support/accounts.js';
import { changeDatabase } from '../../support/changed-database.js';
import { onEachDatabase } from '../../support/databases.js';
import { HeldTimers, until } from '../../support/held-timers.js';
import { recordStatements } from '../../support/statement-names.js';
import { rowsOf } from '../../support/tables.js';

async function prepare(db: Database) {
  const { id: accountId } = await addAccount(db);
  const siteIds: string[] = [];
  for (const hostname of ['a.example.com', 'b.example.com']) {
    siteIds.push((await addSite(db, accountId, { hostname, isVerified: false })).id);
  }
  const clock = new TestClock();
  const sites = createSites({ db, clock, vetSite: () => true });
  const token = await sites.newDomainToken(accountId, 'example.com');
  return { asked: { accountId, plan: 'FREE', siteIds } as const, clock, sites, token };
}

onEachDatabase(async (t, engine) => {
  t.test('a site that is removed meanwhile is left out, and the others are verified', async (t) => {
    const db = await engine.openDb(t);
    const { asked, clock, sites, token } = await prepare(db);
    const many = new OwnershipOfMany({
      ...{ db, clock },
      sites: {
        ...sites,
        markAllVerified: (proved, ...more) =>
          sites.markAllVerified(
            { ...proved, siteIds: proved.siteIds.filter((id) => id !== asked.siteIds[0]) },
            ...more,
          ),
      },
      ownership: { verify: () => Promise.reject(new InputError('No such site.')) },
      resolveTxt: () => Promise.resolve([`${token} subdomains`]),
    });
    t.same(await many.verify(asked), {
      done: ['b.example.com'],
      same: [],
      leftOut: [{ hostname: 'a.example.com', why: 'No such site.' }],
    });
  });

  t.test('a record that is not read in time is not waited for, and nothing is begun then', async (t) => {
    const db = await engine.openDb(t);
    const { asked, sites } = await prepare(db);
    const timers = new HeldTimers();
    let isAsked = false;
    const many = new OwnershipOfMany({
      ...{ db, sites, startTimer: timers.start },
      ownership: { verify: () => Promise.reject(new Error('nobody is visited')) },
      resolveTxt: () => {
        isAsked = true;
        return new Promise(() => undefined);
      },
    });
    const verifying = many.verify(asked);
    await until(() => isAsked);
    t.equal(timers.count, 1, 'one deadline for all of it');
    timers.fire();
    const why = 'There was no time left to look. Check again.';
    const { leftOut } = await verifying;
    t.same(
      [...leftOut].sort((a, b) => String(a.hostname).localeCompare(String(b.hostname))),
      [
        { hostname: 'a.example.com', why },
        { hostname: 'b.example.com', why },
      ],
    );
  });

  t.test('one record verifies all its sites in few transactions, by what is true of each then', async (t) => {
    const db = await engine.openDb(t);
    const { asked, clock, sites, token } = await prepare(db);
    const { accountId } = asked;
    const siteIds = [...asked.siteIds];
    for (let index = 0; index < 120; index += 1)
      siteIds.push((await addSite(db, accountId, { hostname: `s${index}.example.com`, isVerified: false })).id);
    const [forced = '', excluded = ''] = siteIds;
    const firsts: string[] = [];
    let transactions = 0;
    const counting = changeDatabase(db, {
      transaction: (work, ...more) => {
        transactions += 1;
        return db.transaction(work, ...more);
      },
    });
    const many = new OwnershipOfMany({
      ...{ db, sites: createSites({ db: counting, clock, vetSite: () => true }) },
      ownership: { verify: () => Promise.reject(new InputError('Left out.')) },
      resolveTxt: async () => {
        // Meanwhile.
        await sites.markVerified(forced, 'operator');
        await new ExcludedHosts({ db, clock }).add('b.example.com');
        return [`${token} subdomains`];
      },
      *onFirstProof({ hostname, verifiedBy }) {
        firsts.push(`${hostname} ${verifiedBy}`);
      },
    });
    const { done, leftOut } = await many.verify({ ...asked, siteIds });
    t.equal(transactions, 2);
    t.same(leftOut, [{ hostname: 'b.example.com', why: 'Left out.' }]);
    t.equal(done.length, 121);
    t.match(await sites.get(forced), { verifiedBy: 'operator' });
    t.match(await sites.get(excluded), { verifiedAt: null });
    t.match(await sites.get(siteIds[2] ?? ''), { verifiedBy: 'domain', verifiedAt: clock.now().toISOString() });
    t.equal(firsts.length, 120);
    t.ok(firsts.includes('s0.example.com domain'));
    const events = (await rowsOf(db, 'audit_log')) as readonly { readonly event: string }[];
    t.equal(events.filter(({ event }) => event === 'site_verified').length, 120);
    await sites.markAllVerified({ accountId, siteIds, by: 'domain' });
    t.equal((await rowsOf(db, 'audit_log')).length, events.length, 'what is so already is not an event');
  });

  t.test('what is only looked at locks nothing', async (t) => {
    const opened = await engine.openDb(t);
    const { asked, sites } = await prepare(opened);
    const { db, asked: statements } = await recordStatements(opened);
    const many = new OwnershipOfMany({
      ...{ db, sites },
      ownership: { verify: () => Promise.reject(new InputError('Left out.')) },
      resolveTxt: () => Promise.resolve([]),
    });
    await many.verify(asked);
    t.ok(statements.includes('selectSitesAmong'));
    t.notOk(statements.includes('lockSitesAmong'));
  });

  t.test('of many sites 45 are checked in an hour, others in the next, and single sites all the same', async (t) => {
    const db = await engine.openDb(t);
    const { asked, clock, sites } = await prepare(db);
    const { accountId, plan } = asked;
    const siteIds = [...asked.siteIds];
    for (let index = 0; index < 88; index += 1)
      siteIds.push((await addSite(db, accountId, { hostname: `s${index}.example.com`, isVerified: false })).id);
    const visited: string[] = [];
    const ownership = createOwnership({
      sites,
      resolveTxt: () => Promise.resolve([]),
      rateLimits: createRateLimits({ db, clock }),
      openVisit: ({ origin }) => {
        visited.push(origin.hostname);
        return Promise.reject(new InputError('This test visits nobody.'));
      },
    });
    const begins = [0, 0.5];
    const random = () => begins.shift() ?? 0;
    const many = new OwnershipOfMany({ db, sites, ownership, random, resolveTxt: () => Promise.resolve([]) });
    const { leftOut } = await many.verify({ accountId, plan, siteIds });
    t.equal(visited.length, 45);
    t.equal(
      leftOut.filter(({ why }) => /^Of many at once, 45 .* Check again in .* The order changes each time\.$/.test(why))
        .length,
      45,
    );
    const [own] = await findOwnSites(db, { accountId, plan, siteIds: siteIds.slice(0, 1) });
    if (!own) throw new Error('the site is gone');
    await t.rejects(ownership.verify(own), { message: 'This test visits nobody.' }, 'one is left for it');
    visited.pop();
    clock.set('2026-03-15T13:00:00.000Z');
    await many.verify({ accountId, plan, siteIds });
    // Of those that are asked for at a time, any may be the last of the hour.
    t.ok(new Set(visited).size > 90 - 8, 'the others');
  });

  t.test('each time, another site comes first, also at the same hour of the day', async (t) => {
    const db = await engine.openDb(t);
    const { asked, sites } = await prepare(db);
    const visited: string[] = [];
    const begins = [0, 0.99];
    const many = new OwnershipOfMany({
      ...{ db, sites, random: () => begins.shift() ?? 0, resolveTxt: () => Promise.resolve([]) },
      ownership: {
        verify: (site) => {
          if (typeof site !== 'string') visited.push(site.id);
          return Promise.reject(new InputError('Left out.'));
        },
      },
    });
    await many.verify(asked);
    await many.verify(asked);
    const [first, second, ...others] = visited;
    t.same([...asked.siteIds].sort(), [first, second].sort());
    t.same(others, [second, first]);
  });
});
