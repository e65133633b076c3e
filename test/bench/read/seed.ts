import Sqlite from 'better-sqlite3';
import pg from 'pg';
import { createRunPerformer } from '../../../src/service/run-performer.js';
import { createRuns } from '../../../src/service/runs.js';
import { createSlots } from '../../../src/service/slots.js';
import type { Database } from '../../../src/store/database.js';
import { openDatabase } from '../../../src/store/open-database.js';
import { sqlitePath } from '../../../src/store/sqlite.js';
import { perfect } from '../../fixtures/sites/perfect.js';
import { addAccount, addKey, addSite } from '../../support/accounts.js';
import { scanFixture } from '../../support/golden.js';
import { runProgram } from '../support/run-program.js';
import { MAIN } from '../support/service.js';

export interface Seeded {
  readonly siteId: string;
  readonly key: string;
  /** Of each stored answer. */
  readonly bodyBytes: number;
}

const clock = { now: () => new Date() };

/** A database with one account, a key and a site, whose first run is a real one and whose other runs are copies of it. */
export async function seedRuns(url: string, runCount: number): Promise<Seeded> {
  const { exitCode, errors } = await runProgram([MAIN, 'migrate'], { DATABASE_URL: url });
  if (exitCode !== 0) throw new Error(errors);
  const db = await openDatabase(url);
  try {
    const { id: accountId } = await addAccount(db, 'SCALE', clock);
    const key = await addKey(db, accountId, clock);
    const { id: siteId } = await addSite(db, accountId);
    const report = await scanFixture(perfect);
    const performRun = createRunPerformer({ db, clock, scan: async () => report, slots: createSlots(1) });
    const { body } = await createRuns({ db, clock, performRun }).start({ accountId, siteId, trigger: 'MANUAL' });
    await (db.dialect === 'sqlite' ? copyOnSqlite(db, runCount) : copyOnPostgres(db, runCount));
    return { siteId, key, bodyBytes: body.byteLength };
  } finally {
    await db.close();
  }
}

const ADVANCE = 'UPDATE sites SET run_counter = run_counter + 1';
const COPY = `INSERT INTO runs (site_id, number, reference, score, trigger, started_at, finished_at, body, etag)
  SELECT r.site_id, s.run_counter, 'CR-' || s.run_counter, r.score, r.trigger, r.started_at, r.finished_at, r.body, r.etag
  FROM runs AS r JOIN sites AS s ON s.id = r.site_id WHERE r.number = 1`;

async function copyOnSqlite({ url }: Database, runCount: number): Promise<void> {
  const db = new Sqlite(sqlitePath(url));
  db.pragma('synchronous = OFF');
  const [advance, copy] = [db.prepare(ADVANCE), db.prepare(COPY)];
  db.transaction(() => {
    for (let number = 2; number <= runCount; number += 1) {
      advance.run();
      copy.run();
    }
  })();
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
}

async function copyOnPostgres({ url }: Database, runCount: number): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  // In pieces: each leaves as many dead versions of the counter's row behind as it has runs.
  for (let number = 2; number <= runCount; number += 1000) {
    const last = Math.min(runCount, number + 999);
    await client.query(`DO $$ BEGIN FOR number IN ${number}..${last} LOOP ${ADVANCE}; ${COPY}; END LOOP; END $$`);
    await client.query('VACUUM sites');
  }
  await client.query('ANALYZE');
  await client.end();
}
