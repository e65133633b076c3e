import { migrateDatabase } from '../../src/store/migrate.js';
import { openDatabase } from '../../src/store/database.js';
import { perfect } from '../fixtures/sites/perfect.js';
import { addAccount, addKey, addSite } from '../support/accounts.js';
import { scanFixture } from '../support/golden.js';
import { connectRaw } from '../support/raw-connection.js';
import { openServices } from '../support/services.js';

export interface Seeded {
  readonly siteId: string;
  readonly headers: { readonly authorization: string };
  readonly runCount: number;
}

export const clock = { now: () => new Date() };

/** The guards of the database take only the next run. */
const NEXT = `UPDATE sites SET run_counter = run_counter + 1;
  INSERT INTO runs (site_id, number, reference, score, trigger, started_at, finished_at, results, body, etag)
    SELECT r.site_id, s.run_counter, 'CR-' || s.run_counter, r.score, r.trigger, r.started_at, r.finished_at, r.results, r.body, r.etag
      FROM sites AS s JOIN runs AS r ON r.site_id = s.id WHERE r.number = 1;`;

/** A database with one account, a key and a site, whose first run is a real one and whose other runs are copies of it. */
export async function seedRuns(url: string, runCount: number): Promise<Seeded> {
  await migrateDatabase(url);
  const db = await openDatabase(url);
  try {
    const { id: accountId } = await addAccount(db, 'SCALE', clock);
    const key = await addKey(db, accountId, clock);
    const { id: siteId } = await addSite(db, accountId);
    const report = await scanFixture(perfect);
    const { runs } = openServices(db, { clock, scan: async () => report });
    await runs.start({ accountId, siteId, trigger: 'MANUAL' });
    const connection = await connectRaw(url);
    for (let first = 2; first <= runCount; first += 1000) {
      const copies = NEXT.repeat(Math.min(1000, runCount - first + 1));
      await connection.exec(`BEGIN; ${copies} COMMIT`);
      // Its row has as many dead versions as runs.
      if (db.dialect === 'postgres') await connection.exec('VACUUM sites');
    }
    await connection.exec('ANALYZE');
    await connection.close();
    return { siteId, headers: { authorization: `Bearer ${key}` }, runCount };
  } finally {
    await db.close();
  }
}

/** The path of a stored run. A prime step visits them in no order that a cache could foresee. */
export function runPath({ siteId, runCount }: Seeded): (index: number) => string {
  return (index) => `/api/v1/sites/${siteId}/runs/${((index * 7919) % runCount) + 1}`;
}
