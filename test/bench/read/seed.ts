import Sqlite from 'better-sqlite3';
import pg from 'pg';
import { createRunPerformer } from '../../../src/app/runs/run-performer.js';
import { createRuns } from '../../../src/app/runs/runs.js';
import { Slots } from '../../../src/platform/slots.js';
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
    const performRun = createRunPerformer({ db, clock, scan: async () => report, slots: new Slots(1) });
    const { body } = await createRuns({ db, clock, performRun }).start({ accountId, siteId, trigger: 'MANUAL' });
    await (db.dialect === 'sqlite' ? copyOnSqlite(db, runCount) : copyOnPostgres(db, runCount));
    return { siteId, key, bodyBytes: body.byteLength };
  } finally {
    await db.close();
  }
}

const ADVANCE = 'UPDATE sites SET run_counter = run_counter + 1';
const COPY = `INSERT INTO runs (site_id, number, reference, score, trigger, started_at, finished_at, results, body, etag)
  SELECT r.site_id, s.run_counter, 'CR-' || s.run_counter, r.score, r.trigger, r.started_at, r.finished_at, r.results, r.body, r.etag
  FROM sites AS s CROSS JOIN runs AS r WHERE r.site_id = s.id AND r.number = 1`;

/**
 * The numbers from 2 on, a thousand at a time: SQLite finds a page the slower the longer its log is, and a piece leaves as many dead versions
 * of the counter's row behind on PostgreSQL as it has runs.
 */
function piecesOf(runCount: number): (readonly [first: number, last: number])[] {
  return Array.from({ length: Math.ceil((runCount - 1) / 1000) }, (_, piece) => {
    const first = piece * 1000 + 2;
    return [first, Math.min(runCount, first + 999)] as const;
  });
}

async function copyOnSqlite({ url }: Database, runCount: number): Promise<void> {
  const db = new Sqlite(sqlitePath(url));
  db.pragma('synchronous = OFF');
  const [advance, copy] = [db.prepare(ADVANCE), db.prepare(COPY)];
  const copyUpTo = db.transaction((first: number, last: number) => {
    for (let number = first; number <= last; number += 1) {
      advance.run();
      copy.run();
    }
  });
  for (const [first, last] of piecesOf(runCount)) copyUpTo(first, last);
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
}

async function copyOnPostgres({ url }: Database, runCount: number): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const [first, last] of piecesOf(runCount)) {
    await client.query(`DO $$ BEGIN FOR number IN ${first}..${last} LOOP ${ADVANCE}; ${COPY}; END LOOP; END $$`);
    await client.query('VACUUM sites');
  }
  await client.query('ANALYZE');
  await client.end();
}
