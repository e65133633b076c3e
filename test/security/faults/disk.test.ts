import { consume, limitOf } from '../../../src/app/limits/limits.js';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Sqlite from 'better-sqlite3';
import type { Database } from '../../../src/store/database.js';
import { defineQuery } from '../../../src/store/query.js';
import { schemaStatus } from '../../../src/store/schema-check.js';
import { WAL_KEPT_BYTES, sqlitePath } from '../../../src/store/sqlite.js';
import { changeDatabase } from '../../support/changed-database.js';
import { onSqlite } from '../../support/databases.js';
import { addCustomer, startLiveApi } from '../../support/live-api.js';
import { outcomeOfAnswer } from './sweep.js';

const QUOTA = 100_000;
const RUNS_MAX = 200;

const pragma = (text: string) => defineQuery<never>((sql) => sql.raw(`PRAGMA ${text}`))({});
const takeAllRuns = defineQuery<never>((sql) => sql('rate_windows').update({ used: 0 }));

/** Limits the size of every file that this process writes: SQLite then finds the disk really full. */
function limitFiles(bytes: string): void {
  execFileSync('prlimit', ['--pid', String(process.pid), `--fsize=${bytes}:unlimited`]);
}
// It ends a process that listens to it for nothing else.
process.on('SIGXFSZ', () => undefined);
const canLimitFiles = spawnSync('prlimit', ['--version']).status === 0;

/** The database, on whose every connection the pragma holds while the test says so. */
function under(db: Database, text: string, isHeld: () => boolean): Database {
  const before = async (): Promise<void> => {
    if (isHeld()) await db.run(pragma(text));
  };
  return changeDatabase(db, {
    run: async (query) => before().then(() => db.run(query)),
    transaction: async (work) => before().then(() => db.transaction(work)),
  });
}

onSqlite(async (t, engine) => {
  for (const [what, text, undo] of [
    ['a full disk', 'max_page_count = 1', 'max_page_count = 1000000'],
    ['a file that can only be read', 'query_only = ON', 'query_only = OFF'],
    ['a limit on files', '', ''],
  ] as const) {
    t.test(
      `${what}: what has to write is refused until it can, and nothing that was acknowledged is lost`,
      { skip: text === '' && !canLimitFiles && 'there is no prlimit' },
      async (t) => {
        const db = await engine.openDb(t);
        let isHeld = false;
        const held = text === '' ? db : under(db, text, () => isHeld);
        const api = await startLiveApi(t, held, QUOTA);
        const { site, key } = await addCustomer(db);
        const headers = { authorization: `Bearer ${key}` };
        const post = async () => {
          // The day's budget is not what this is about.
          await db.run(takeAllRuns({})).catch(() => undefined);
          return api.send(`/api/v1/sites/${site.id}/runs`, { method: 'POST', headers });
        };
        const get = (path: string) => api.send(`/api/v1/sites/${site.id}/runs/${path}`, { headers });
        const bodies: string[] = [];
        bodies.push((await post()).text);
        isHeld = true;
        if (text === '') limitFiles('1000000');
        let refused = 0;
        for (let count = 0; count < RUNS_MAX && refused < 3; count += 1) {
          const answer = await post();
          if (outcomeOfAnswer(answer, 201) === 'done') bodies.push(answer.text);
          else refused += 1;
        }
        t.equal(refused, 3, `full after ${bodies.length} runs`);
        const read = outcomeOfAnswer(await get('latest'), 200);
        // Every request is counted first, which a file that cannot be written does not take.
        if (text !== '') t.equal(read, text.startsWith('query_only') ? 'refused' : 'done');
        t.equal((await api.send('/healthz')).status, 200);
        isHeld = false;
        if (text === '') limitFiles('unlimited');
        else await db.run(pragma(undo));
        bodies.push((await post()).text);
        for (const [index, body] of bodies.entries()) t.equal((await get(String(index + 1))).text, body);
        t.equal((await get(String(bodies.length + 1))).status, 404);
        const file = new Sqlite(sqlitePath(db.url));
        t.equal(file.pragma('integrity_check', { simple: true }), 'ok');
        file.close();
      },
    );
  }

  t.test('a folder that is moved away, and comes back', async (t) => {
    const db = await engine.openDb(t);
    const api = await startLiveApi(t, db, QUOTA);
    const { site, key } = await addCustomer(db);
    const headers = { authorization: `Bearer ${key}` };
    const post = async () =>
      outcomeOfAnswer(await api.send(`/api/v1/sites/${site.id}/runs`, { method: 'POST', headers }), 201);
    t.equal(await post(), 'done');
    const folder = dirname(sqlitePath(db.url));
    renameSync(folder, `${folder}-away`);
    t.equal(await post(), 'refused');
    t.equal((await api.send('/healthz')).status, 200);
    t.equal(await schemaStatus(db), 'behind');
    t.notOk(existsSync(sqlitePath(db.url)), 'no empty file takes its place');
    renameSync(`${folder}-away`, folder);
    t.equal(await post(), 'done');
    const latest = await api.send(`/api/v1/sites/${site.id}/runs/latest`, { headers });
    t.match(JSON.parse(latest.text), { run: { number: 2 } });
  });

  t.test('the log that a long reader has let grow is cut down again', async (t) => {
    const db = await engine.openDb(t);
    const wal = `${sqlitePath(db.url)}-wal`;
    const reader = new Sqlite(sqlitePath(db.url));
    reader.exec('BEGIN; SELECT count(*) FROM sites');
    const write = () => consume(db, [limitOf('readyz', 'x')], new Date());
    const writer = new Sqlite(sqlitePath(db.url));
    writer.pragma('busy_timeout = 5000');
    writer.exec('CREATE TABLE heap (x)');
    const insert = writer.prepare('INSERT INTO heap VALUES (zeroblob(?))');
    while (statSync(wal).size <= 2 * WAL_KEPT_BYTES) insert.run(WAL_KEPT_BYTES / 4);
    reader.close();
    // A checkpoint that nobody holds up, then a write that begins the log again.
    for (let count = 0; count < 3; count += 1) await write();
    t.ok(statSync(wal).size <= WAL_KEPT_BYTES, `${statSync(wal).size} bytes`);
    writer.close();
  });
});
