import { createExcludedHosts, EXCLUDED } from '../../../src/app/sites/excluded-hosts.js';
import { OVERLOADED } from '../../../src/app/sites/bulk-change.js';
import { findOwnSites } from '../../../src/app/sites/site.js';
import { createOwnership, type OwnershipContext } from '../../../src/app/sites/ownership.js';
import { readOwnershipTokens } from '../../../src/app/sites/proof.js';
import { createSites } from '../../../src/app/sites/sites.js';
import { ServiceError } from '../../../src/platform/errors.js';
import { InputError } from '../../../src/platform/input-error.js';
import type { Database } from '../../../src/store/database.js';
import { ownershipRecords, visitWithoutAnswers } from '../../support/txt-records.js';
import { addAccount, addSite, TestClock } from '../../support/accounts.js';
import { onEitherDatabase } from '../../support/databases.js';
import { HeldTimers, until } from '../../support/held-timers.js';
import { watchStatements } from '../../support/changed-database.js';
import { rowsOf } from '../../support/tables.js';

const refuseVisits = () => Promise.reject(new InputError('Left out.'));

async function prepare(db: Database) {
  const { id: accountId } = await addAccount(db);
  const addAll = async (hosts: readonly string[]) => {
    const ids: string[] = [];
    for (const hostname of hosts) ids.push((await addSite(db, accountId, { hostname, isVerified: false })).id);
    return ids;
  };
  const siteIds = await addAll(['a.example.com', 'b.example.com']);
  const clock = new TestClock();
  const sites = createSites({ db, clock, vetSite: () => true });
  const token = (await readOwnershipTokens(db, accountId, ['example.com'])).get('example.com');
  const plain = { db, clock, sites, openVisit: refuseVisits, resolveTxt: () => Promise.resolve([]) };
  return {
    ...{ db, clock, sites, token, addAll },
    asked: { accountId, plan: 'FREE', siteIds } as const,
    /** Where nothing is published, and no site may be visited. */
    ownership: (options: Partial<OwnershipContext> = {}) => createOwnership({ ...plain, ...options }),
  };
}

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `s${index}.example.com`);

onEitherDatabase(async (t, engine) => {
  t.test('a site that was removed in the meantime is left out, and the others are verified', async (t) => {
    const { asked, sites, token, ownership } = await prepare(await engine.openDb(t));
    const many = ownership({
      sites: {
        ...sites,
        markVerified: async (id, ...more) => {
          if (id === asked.siteIds[0]) throw new InputError('No such site.');
          return sites.markVerified(id, ...more);
        },
      },
      resolveTxt: ownershipRecords(() => [`${token} subdomains`]),
    });
    t.same(await many.verifyMany(asked), {
      done: ['b.example.com'],
      unchanged: [],
      skipped: [{ hostname: 'a.example.com', why: 'No such site.' }],
    });
  });

  t.test('lookups that take too long are abandoned, and no visit starts afterwards', async (t) => {
    const { asked, ownership } = await prepare(await engine.openDb(t));
    const timers = new HeldTimers();
    let isAsked = false;
    const many = ownership({
      startTimer: timers.start,
      resolveTxt: () => {
        isAsked = true;
        return new Promise(() => undefined);
      },
    });
    const verifying = many.verifyMany(asked);
    await until(() => isAsked);
    t.equal(timers.count, 1, 'one deadline for all of it');
    timers.fire();
    const why = /no time/;
    const { skipped } = await verifying;
    t.match(
      [...skipped].sort((a, b) => String(a.hostname).localeCompare(String(b.hostname))),
      [
        { hostname: 'a.example.com', why },
        { hostname: 'b.example.com', why },
      ],
    );
  });

  t.test('one record verifies all sites of its domain, except excluded and forced ones', async (t) => {
    const { db, asked, clock, sites, token, addAll, ownership } = await prepare(await engine.openDb(t));
    const siteIds = [...asked.siteIds, ...(await addAll(numbered(120)))];
    const [forced = '', excluded = ''] = siteIds;
    const firsts: string[] = [];
    const many = ownership({
      resolveTxt: ownershipRecords(async () => {
        // Meanwhile.
        await sites.markVerified(forced, 'operator');
        await createExcludedHosts({ db, clock }).add('b.example.com');
        return [`${token} subdomains`];
      }),
      async onFirstProof(_, { hostname, verifiedBy }) {
        firsts.push(`${hostname} ${verifiedBy}`);
      },
    });
    const { done, skipped } = await many.verifyMany({ ...asked, siteIds });
    t.match(skipped, [{ hostname: 'b.example.com', why: EXCLUDED }]);
    t.equal(done.length, 121);
    t.match(await sites.get(forced), { verifiedBy: 'operator' });
    t.match(await sites.get(excluded), { verifiedAt: null });
    t.match(await sites.get(siteIds[2] ?? ''), { verifiedBy: 'domain', verifiedAt: clock.now().toISOString() });
    t.equal(firsts.length, 120);
    t.ok(firsts.includes('s0.example.com domain'));
    const events = (await rowsOf(db, 'audit_events')) as readonly { readonly event: string }[];
    t.equal(events.filter(({ event }) => event === 'site_verified').length, 120);
    for (const id of siteIds) if (id !== excluded) await sites.markVerified(id, 'domain');
    t.equal((await rowsOf(db, 'audit_events')).length, events.length, 'what is so already is not an event');
  });

  t.test('checks without a proof lock no site', async (t) => {
    const opened = await engine.openDb(t);
    const { asked, ownership } = await prepare(opened);
    const locked: string[] = [];
    const db = watchStatements(opened, ({ statement }, tx) => {
      const sql = statement.sqlFor(opened.dialect);
      if (tx !== null && /\bsites\b/.test(sql)) locked.push(sql);
    });
    await ownership({ db }).verifyMany(asked);
    t.same(locked, []);
  });

  t.test(
    '45 of many sites are checked in an hour, and other ones in the next; single checks have their own limit',
    async (t) => {
      const { db, asked, clock, addAll, ownership } = await prepare(await engine.openDb(t));
      const { accountId, plan } = asked;
      const siteIds = [...asked.siteIds, ...(await addAll(numbered(88)))];
      const visited: string[] = [];
      const begins = [0, 0.5];
      const many = ownership({
        random: () => begins.shift() ?? 0,
        openVisit: ({ origin }) => {
          visited.push(origin.hostname);
          return Promise.reject(new InputError('This test visits nobody.'));
        },
      });
      const { skipped } = await many.verifyMany({ accountId, plan, siteIds });
      t.equal(visited.length, 45);
      t.equal(skipped.filter(({ why }) => /check 45 sites /.test(why)).length, 45);
      const [own] = await findOwnSites(db, { accountId, plan, siteIds: siteIds.slice(0, 1) });
      if (!own) throw new Error('the site is gone');
      await t.rejects(many.verify(own), { message: 'This test visits nobody.' }, 'one is left for it');
      visited.pop();
      clock.set('2026-03-15T13:00:00.000Z');
      await many.verifyMany({ accountId, plan, siteIds });
      // Eight are visited at a time and the last to be charged is refused, so up to eight at each end may be others.
      t.ok(new Set(visited).size >= 90 - 2 * 8, 'the others');
    },
  );

  t.test('each time, other sites come first, also at the same hour of the day', async (t) => {
    const { asked, addAll, ownership } = await prepare(await engine.openDb(t));
    const siteIds = await addAll(numbered(20));
    const visitedFrom = async (random: number): Promise<readonly string[]> => {
      const visited: string[] = [];
      const timers = new HeldTimers();
      const many = ownership({
        ...{ startTimer: timers.start, random: () => random },
        async openVisit({ origin }) {
          visited.push(origin.hostname);
          await until(() => visited.length === 8);
          if (timers.count > 0) timers.fire();
          return refuseVisits();
        },
      });
      await many.verifyMany({ ...asked, siteIds });
      return visited;
    };
    const visited = [...(await visitedFrom(0)), ...(await visitedFrom(0.5))];
    t.equal(new Set(visited).size, 16);
  });

  t.test('once the service is overloaded no other site is checked, and each says why', async (t) => {
    const { asked, ownership } = await prepare(await engine.openDb(t));
    let visits = 0;
    const many = ownership({
      openVisit: async () => {
        visits += 1;
        if (visits > 1) throw new ServiceError('overloaded');
        return visitWithoutAnswers();
      },
    });
    const { skipped } = await many.verifyMany(asked);
    const reasons = skipped.map(({ why }) => why).sort();
    t.match(reasons, [/No proof/, OVERLOADED]);
  });
});
