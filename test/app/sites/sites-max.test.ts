import { siteRemoval } from '../../support/removal.js';
import { createAccounts } from '../../../src/app/accounts/accounts.js';
import { PLANS } from '../../../src/app/accounts/plan.js';
import { createRunPerformer } from '../../../src/app/runs/run-performer.js';
import { createRuns } from '../../../src/app/runs/runs.js';
import { createSites } from '../../../src/app/sites/sites.js';
import { Slots } from '../../../src/platform/slots.js';
import type { Database } from '../../../src/store/database.js';
import { addAccount, scanReport, TestClock } from '../../support/accounts.js';
import { onEitherDatabase } from '../../support/databases.js';
import { rowsOf } from '../../support/tables.js';
import { findOwnSite } from '../../../src/app/sites/site.js';

const REFUSAL = /\bFREE .* 3 sites\./;

async function prepare(db: Database, plan: string, sitesMaxOverride: number | null = null) {
  const clock = new TestClock();
  const { id: accountId } = await addAccount(db, plan, clock);
  const sites = createSites({ db, clock, vetSite: () => true, sitesMaxOverride });
  const removal = siteRemoval({ db, clock });
  return {
    db,
    clock,
    accountId,
    sites,
    removal,
    add: (name: string) => sites.add({ accountId, site: `${name}.example.com` }),
  };
}

onEitherDatabase(async (t, engine) => {
  t.test('a plan limits the number of sites', async (t) => {
    t.same([PLANS.FREE.sitesMax, PLANS.MONITOR.sitesMax, PLANS.SCALE.sitesMax], [3, 100, 2000]);
    const { db, add, removal, accountId } = await prepare(await engine.openDb(t), 'FREE');
    const added = [await add('a'), await add('b'), await add('c')];
    await t.rejects(add('d'), { name: 'InputError', message: REFUSAL });
    await t.rejects(add('a'), { name: 'InputError', message: /already/ }, 'what is there is named first');
    await (await prepare(db, 'FREE')).add('d');
    await removal.removeOwn(await findOwnSite(db, { accountId, siteId: added[0]?.id ?? '' }));
    await add('d');
    await t.rejects(add('e'), { message: REFUSAL });
  });

  t.test('SITES_MAX replaces the limits of the plans', async (t) => {
    const { db, add } = await prepare(await engine.openDb(t), 'SCALE', 1);
    await add('a');
    await t.rejects(add('b'), { message: /\bSCALE .* 1 site\./ });
    const free = await prepare(db, 'FREE', 5);
    for (const name of ['a', 'b', 'c', 'd', 'e']) await free.add(name);
    await t.rejects(free.add('f'), { message: / 5 sites\./ });
  });

  t.test('thirty concurrent requests add as many sites as the plan allows', async (t) => {
    const { db, add } = await prepare(await engine.openDb(t), 'FREE');
    await add('first');
    const added = await Promise.allSettled(Array.from({ length: 30 }, (_, index) => add(`s${index}`)));
    t.equal(added.filter(({ status }) => status === 'fulfilled').length, 2);
    for (const one of added) if (one.status === 'rejected') t.match(one.reason, { message: REFUSAL });
    t.equal((await rowsOf(db, 'sites')).length, 3);
  });

  t.test('sites over the limit stay and run; only adding is refused', async (t) => {
    const { db, add, sites, removal, accountId, clock } = await prepare(await engine.openDb(t), 'MONITOR');
    for (const name of ['a', 'b', 'c', 'd', 'e']) await sites.markVerified((await add(name)).id, 'operator');
    await createAccounts({ db, clock }).setPlan(accountId, 'FREE');
    await t.rejects(add('f'), { message: REFUSAL });
    const performRun = createRunPerformer({ db, clock, scan: async () => scanReport(), slots: new Slots(1) });
    const runs = createRuns({ db, clock, performRun });
    const all = await sites.list(accountId);
    for (const { id: siteId } of all) await runs.start({ accountId, siteId, trigger: 'SCHEDULED' });
    t.equal((await rowsOf(db, 'runs')).length, 5);
    await removal.removeOwn(await findOwnSite(db, { accountId, siteId: all[0]?.id ?? '' }));
    await t.rejects(add('f'), { message: REFUSAL }, 'four are still too many');
  });
});
