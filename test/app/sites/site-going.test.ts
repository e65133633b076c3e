import { siteRemoval } from '../../support/removal.js';
import { BADGE, publish } from '../../../src/app/publications/publications.js';
import { createHook } from '../../../src/app/automation/deploy-hooks.js';
import { setSchedule } from '../../../src/app/automation/schedules.js';
import { findOwnSite, type SiteOfAccount } from '../../../src/app/sites/site.js';
import type { Database } from '../../../src/store/database.js';
import { addAccount, addSite, TestClock } from '../../support/accounts.js';
import { onEachDatabase } from '../../support/databases.js';
import { changeDatabase } from '../../support/changed-database.js';

/** Where something is done just before the database is asked for the `nth` time. */
function interrupted(db: Database, nth: number, act: () => Promise<unknown>): Database {
  let count = 0;
  const step = async (): Promise<void> => {
    count += 1;
    if (count === nth) await act();
  };
  return changeDatabase(db, {
    run: async (query) => {
      await step();
      return db.run(query);
    },
    transaction: async (work) => {
      await step();
      return db.transaction(work);
    },
  });
}

/** What is set up for a site. */
const SET_UPS: Readonly<Record<string, (db: Database, at: SiteOfAccount) => Promise<unknown>>> = {
  badge: (db, at) => publish({ db, clock: new TestClock() }, at, BADGE),
  'deploy hook': (db, at) => createHook({ db, clock: new TestClock() }, at),
  schedule: (db, at) => setSchedule({ db, clock: new TestClock() }, at, 'DAILY'),
};

onEachDatabase(async (t, engine) => {
  t.test('a setting for a site that is removed at the same time is refused as for an unknown site', async (t) => {
    const db = await engine.openDb(t);
    const account = await addAccount(db);
    const removal = siteRemoval({ db, clock: new TestClock() });
    for (const [name, setUp] of Object.entries(SET_UPS)) {
      for (const nth of [1, 2, 3]) {
        const site = await addSite(db, account.id);
        const at = { accountId: account.id, siteId: site.id };
        const own = await findOwnSite(db, at);
        const remove = () => removal.removeOwn(own);
        const outcome = await setUp(interrupted(db, nth, remove), at).then(
          () => 'done',
          (error: unknown) => (error as { code?: string }).code,
        );
        // Done before the site went, which it may have done since.
        if (outcome === 'done') await remove().catch(() => null);
        else t.equal(outcome, 'site_not_found', `${name}, step ${nth}`);
      }
    }
  });
});
