import { FEATURES } from '../../src/app/features.js';
import { onEachDatabase } from '../support/databases.js';
import { tablesOf } from '../support/tables.js';

/** Of the queue, and of the store itself. */
const OF_NO_FEATURE = { sqlite: ['jobs', 'database_mark'], postgres: ['jobs'] };

onEachDatabase(async (t, engine) => {
  t.test('every table belongs to one feature, which says how its rows go', async (t) => {
    const db = await engine.openDb(t);
    const tables = FEATURES.flatMap((feature) => feature.tables ?? []);
    t.same([...tables, ...OF_NO_FEATURE[db.dialect]].sort(), await tablesOf(db));
  });
});
