import { History } from '../../../src/app/runs/history.js';
import { findOwnSite } from '../../../src/app/sites/own-site.js';
import type { Database } from '../../../src/store/database.js';
import { openRuns } from '../../support/run-scene.js';
import { onEitherDatabase } from '../../support/databases.js';
import { scanFixture } from '../../support/golden.js';
import { connectRaw } from '../../support/raw-connection.js';
import { countRows, measureTables } from '../../support/table-bytes.js';
import { perfect } from '../../fixtures/sites/perfect.js';
import { shop } from '../../fixtures/sites/shop.js';

const RUNS = 400;
/** Of all its rows and their entries in indexes, but for evidence. */
const BYTES_MAX = 850;

onEitherDatabase(async (t, engine) => {
  t.test(`a run takes at most ${BYTES_MAX} bytes`, async (t) => {
    const db = await engine.openDb(t);
    const reports = [await scanFixture(perfect), await scanFixture(shop)];
    let turn = 0;
    const scan = async () => {
      const report = reports[(turn += 1) % reports.length];
      if (!report) throw new Error('no report');
      return { ...report, evidence: null };
    };
    const { clock, at, start } = await openRuns(db, { scan });
    const store = () => start('SCHEDULED');
    const [first] = [await store(), await store()];
    const before = await measure(db);
    for (let run = 0; run < RUNS; run += 1) await store();
    const after = await measure(db);
    // Where rows are changed in place, PostgreSQL keeps the old ones until it comes to clear them away: no run takes these.
    const grown = [...after].filter(([table, { rows }]) => rows > (before.get(table)?.rows ?? 0));
    t.ok(grown.some(([table]) => table === 'runs'));
    const bytes = grown.reduce((sum, [table, { bytes }]) => sum + bytes - (before.get(table)?.bytes ?? 0), 0) / RUNS;
    t.ok(bytes <= BYTES_MAX, `${bytes.toFixed(0)} bytes`);
    const history = new History({ db, clock });
    t.same(await history.stored(await findOwnSite(db, at), 1), first.body, 'the same bytes');
  });
});

async function measure(db: Database): Promise<Map<string, { readonly bytes: number; readonly rows: number }>> {
  const raw = await connectRaw(db.url);
  try {
    const measured = new Map<string, { bytes: number; rows: number }>();
    for (const [table, bytes] of await measureTables(db)) {
      if (table !== 'run_evidence') measured.set(table, { bytes, rows: await countRows(raw, table) });
    }
    return measured;
  } finally {
    await raw.close();
  }
}
