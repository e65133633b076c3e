import { OwnershipOfMany } from '../../../src/app/sites/ownership-of-many.js';
import { createSites } from '../../../src/app/sites/sites.js';
import { InputError } from '../../../src/platform/input-error.js';
import type { Database } from '../../../src/store/database.js';
import { addAccount, addSite, TestClock } from '../../support/accounts.js';
import { onEachDatabase } from '../../support/databases.js';
import { HeldTimers, until } from '../../support/held-timers.js';

async function prepare(db: Database) {
  const { id: accountId } = await addAccount(db);
  const siteIds: string[] = [];
  for (const hostname of ['a.example.com', 'b.example.com']) {
    siteIds.push((await addSite(db, accountId, { hostname, isVerified: false })).id);
  }
  const sites = createSites({ db, clock: new TestClock(), vetSite: () => true });
  const token = await sites.newDomainToken(accountId, 'example.com');
  return { asked: { accountId, plan: 'FREE', siteIds } as const, sites, token };
}

onEachDatabase(async (t, engine) => {
  t.test('a site that is removed meanwhile is left out, and the others are verified', async (t) => {
    const db = await engine.openDb(t);
    const { asked, sites, token } = await prepare(db);
    const refuse = () => Promise.reject(new InputError('No such site.'));
    const many = new OwnershipOfMany({
      db,
      sites: {
        ...sites,
        markVerified: (id, ...by) => (id === asked.siteIds[0] ? refuse() : sites.markVerified(id, ...by)),
      },
      ownership: { verify: refuse },
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
});
