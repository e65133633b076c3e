import { EXCLUDED } from '../../../src/app/sites/excluded-hosts.js';
import { OVERLOADED } from '../../../src/app/sites/bulk-change.js';
import { createOwnership, type OwnershipContext } from '../../../src/app/sites/ownership.js';
import { readOwnershipToken } from '../../../src/app/sites/proof.js';
import { InputError, ServiceError } from '../../../src/platform/errors.js';
import type { Database } from '../../../src/store/database.js';
import { ownershipRecords, visitWithoutAnswers } from '../../support/visit-site.js';
import { addAccount, addSite } from '../../support/accounts.js';
import { onEitherDatabase } from '../../support/databases.js';
import { openServices } from '../../support/services.js';
import { rowsOf } from '../../support/tables.js';

async function prepare(db: Database) {
  const { id: accountId } = await addAccount(db);
  const addAll = async (hosts: readonly string[]) => {
    const ids: string[] = [];
    for (const hostname of hosts) ids.push((await addSite(db, accountId, { hostname, isVerified: false })).id);
    return ids;
  };
  const siteIds = await addAll(['a.example.com', 'b.example.com']);
  const token = await readOwnershipToken(db, accountId, 'example.com');
  const visited: string[] = [];
  const openVisit = async ({ origin }: { readonly origin: URL }) => {
    visited.push(origin.hostname);
    return Promise.reject(new InputError('Left out.'));
  };
  const services = openServices(db, { openVisit });
  return {
    ...{ ...services, token, addAll, visited, accountId },
    asked: { accountId, siteIds },
    /** By default, nothing is published, and no site can be visited. */
    ownershipWith: (options: Partial<OwnershipContext> = {}) => createOwnership({ ...services, ...options }),
  };
}

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `s${index}.example.com`);

onEitherDatabase(async (t, engine) => {
  t.test('one record verifies all sites of its domain, except excluded and forced ones, without a visit', async (t) => {
    const { db, asked, clock, sites, excludedHosts, token, addAll, visited, ownershipWith } = await prepare(
      await engine.openDb(t),
    );
    const siteIds = [...asked.siteIds, ...(await addAll(numbered(120)))];
    const [forced = '', excluded = ''] = siteIds;
    const firsts: string[] = [];
    const changeMeanwhile = async () => {
      await sites.markVerified(forced, 'operator');
      await excludedHosts.add('b.example.com');
    };
    let change: Promise<void> | null = null;
    const many = ownershipWith({
      resolveTxt: ownershipRecords(async () => {
        // All concurrent checks wait for the change.
        await (change ??= changeMeanwhile());
        return [`${token} subdomains`];
      }),
      async onFirstVerification(_, { hostname, verifiedBy }) {
        firsts.push(`${hostname} ${verifiedBy}`);
      },
    });
    const { done, skipped } = await many.verifyMany({ ...asked, siteIds });
    t.match(skipped, [{ hostname: 'b.example.com', why: EXCLUDED }]);
    t.equal(done.length, 121);
    t.same(visited, []);
    t.match(await sites.get(forced), { verifiedBy: 'operator' });
    t.match(await sites.get(excluded), { verifiedAt: null });
    t.match(await sites.get(siteIds[2] ?? ''), { verifiedBy: 'domain', verifiedAt: clock.now().toISOString() });
    t.equal(firsts.length, 120);
    t.ok(firsts.includes('s0.example.com domain'));
    const events = (await rowsOf(db, 'audit_events')) as readonly { readonly event: string }[];
    t.equal(events.filter(({ event }) => event === 'site_verified').length, 120);
    for (const id of siteIds) if (id !== excluded) await sites.markVerified(id, 'domain');
    t.equal((await rowsOf(db, 'audit_events')).length, events.length, 'what is so already is not an event');
    t.match(await many.verifyMany({ ...asked, siteIds }), { done: [], skipped: [{ hostname: 'b.example.com' }] });
  });

  t.test('no check begins after 20 seconds', async (t) => {
    const { asked, clock, addAll, ownershipWith } = await prepare(await engine.openDb(t));
    const siteIds = [...asked.siteIds, ...(await addAll(numbered(10)))];
    const many = ownershipWith({
      resolveTxt: async () => {
        clock.time = new Date(clock.time.getTime() + 20_001);
        return [];
      },
    });
    const { skipped } = await many.verifyMany({ ...asked, siteIds });
    t.equal(skipped.filter(({ why }) => /ran out of time/.test(why)).length, 4, 'eight are checked at a time');
  });

  t.test('60 of many sites are visited in an hour, and others in the next', async (t) => {
    const { asked, accountId, clock, addAll, visited, ownershipWith } = await prepare(await engine.openDb(t));
    const siteIds = [...asked.siteIds, ...(await addAll(numbered(88)))];
    const many = ownershipWith();
    const { skipped } = await many.verifyMany({ accountId, siteIds });
    t.equal(visited.length, 60);
    t.equal(skipped.filter(({ why }) => / 60 checks in an hour/.test(why)).length, 30);
    clock.set('2026-03-15T13:00:00.000Z');
    await many.verifyMany({ accountId, siteIds });
    t.ok(new Set(visited).size > 60, 'in another order');
  });

  t.test('once the service is overloaded no other site is checked, and each says why; a fault is thrown', async (t) => {
    const { asked, addAll, ownershipWith } = await prepare(await engine.openDb(t));
    const siteIds = [...asked.siteIds, ...(await addAll(numbered(20)))];
    let visits = 0;
    const many = ownershipWith({
      openVisit: async () => {
        visits += 1;
        if (visits > 1) throw new ServiceError('overloaded');
        return visitWithoutAnswers();
      },
    });
    const { skipped } = await many.verifyMany({ ...asked, siteIds });
    t.equal(skipped.filter(({ why }) => why === OVERLOADED).length, 21);
    t.equal(skipped.filter(({ why }) => /No proof/.test(why)).length, 1);
    t.ok(visits < 20);
    const broken = ownershipWith({ openVisit: () => Promise.reject(new Error('a fault of ours')) });
    await t.rejects(broken.verifyMany(asked), /a fault of ours/);
  });
});
