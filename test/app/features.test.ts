import { FEATURES } from '../../src/app/features.js';
import { describeSite, sitesToExport } from '../../src/app/sites/site-export.js';
import { addAccount, addSite } from '../support/accounts.js';
import { onEachDatabase } from '../support/databases.js';
import { tablesOf } from '../support/tables.js';

/** Of the queue, and of the store itself. */
const OF_NO_FEATURE = { sqlite: ['jobs', 'database_mark'], postgres: ['jobs'] };

onEachDatabase(async (t, engine) => {
  t.test('no feature writes over what another exports', async (t) => {
    const db = await engine.openDb(t);
    const { id: accountId } = await addAccount(db);
    await addSite(db, accountId);
    const types = ['site', ...FEATURES.flatMap(({ lines = {} }) => Object.keys(lines))];
    t.equal(new Set(types).size, types.length, types.join());
    const fields: string[] = [];
    for await (const site of sitesToExport(db, accountId)) {
      fields.push(...Object.keys(describeSite(site)));
      for (const { exportOf } of FEATURES) fields.push(...Object.keys((await exportOf?.(db, site.id)) ?? {}));
    }
    t.ok(fields.includes('rechecks'), fields.join());
    t.equal(new Set(fields).size, fields.length, fields.join());
  });

  t.test('every table belongs to one feature, which says how its rows go', async (t) => {
    const db = await engine.openDb(t);
    const tables = FEATURES.flatMap((feature) => feature.tables ?? []);
    t.same([...tables, ...OF_NO_FEATURE[db.dialect]].sort(), await tablesOf(db));
  });
});
