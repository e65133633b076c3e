import { once } from 'node:events';
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import Sqlite from 'better-sqlite3';
import type { Test } from 'tap';
import { backUpDatabase } from '../../src/store/backup.js';
import { migrateDatabase } from '../../src/store/migrate.js';
import { openDatabase, schemaStatus } from '../../src/store/open.js';
import { sqlitePath } from '../../src/store/sqlite.js';
import { addAccount, addKey, addSite } from '../support/accounts.js';
import { onSqlite } from '../support/databases.js';
import { startRunFinisher } from '../support/runs.js';

/** Number of backups made while runs are stored, and the minimum number of runs between two. */
const COPIES = 5;
const RUNS_BETWEEN = 20;

interface StoredRow {
  readonly site_id: string;
  readonly number: number;
  readonly body: Buffer;
}

function readRuns(connection: Sqlite.Database): ReadonlyMap<string, Buffer> {
  const rows = connection.prepare<[], StoredRow>('SELECT site_id, number, body FROM runs').all();
  return new Map(rows.map(({ site_id, number, body }) => [`${site_id} ${number}`, body]));
}

onSqlite(async (t, engine) => {
  t.test('backups made while runs are stored contain every run acknowledged before', async (t) => {
    const db = await engine.openDb(t);
    const { id: accountId } = await addAccount(db, 'SCALE');
    const sites = [await addSite(db, accountId), await addSite(db, accountId, { hostname: 'blog.example.com' })];
    const siteIds = sites.map(({ id }) => id);
    const writer = startRunFinisher(db.url, accountId, siteIds, await addKey(db, accountId));
    t.teardown(async () => {
      if (writer.kill('SIGKILL')) await once(writer, 'close');
    });

    const copies: { readonly file: string; readonly acknowledged: readonly string[] }[] = [];
    const acknowledged: string[] = [];
    for await (const line of createInterface({ input: writer.stdout! })) {
      acknowledged.push(line);
      if (acknowledged.length < RUNS_BETWEEN * (copies.length + 1)) continue;
      const file = `${sqlitePath(db.url)}.copy-${copies.length}`;
      copies.push({ file, acknowledged: [...acknowledged] });
      t.match(backUpDatabase(db.url, file), { file, bytes: statSync(file).size });
      if (copies.length === COPIES) writer.kill('SIGKILL');
    }

    const source = new Sqlite(sqlitePath(db.url), { readonly: true });
    t.teardown(() => source.close());
    const written = readRuns(source);
    for (const { file, acknowledged } of copies) await assertRestores(t, file, acknowledged, written);
  });

  t.test('of two concurrent backups to a file one succeeds, is private and appears when complete', async (t) => {
    const db = await engine.openDb(t);
    const file = `${t.testdir()}/copy.db`;
    const { prepare } = Sqlite.prototype;
    let other: unknown;
    t.capture(Sqlite.prototype, 'prepare', function (this: Sqlite.Database, sql: string) {
      try {
        if (!sql.startsWith('VACUUM')) return prepare.call(this, sql);
        // A backup that is killed leaves no file of this name.
        t.same(readdirSync(dirname(file)), ['copy.db.partial']);
        backUpDatabase(db.url, file);
      } catch (error) {
        other = error;
      }
      return prepare.call(this, sql);
    });
    t.equal(backUpDatabase(db.url, file).bytes, statSync(file).size);
    t.equal(statSync(file).mode & 0o777, 0o600);
    t.match(other, { name: 'InputError', message: /already exists/ });
    t.same(readdirSync(dirname(file)), ['copy.db']);
  });

  t.test('impossible backups are refused and change nothing', async (t) => {
    const db = await engine.openDb(t);
    const folder = t.testdir({ 'there.db': 'precious' });
    const cases: readonly [url: string, file: string, message: RegExp][] = [
      [db.url, `${folder}/there.db`, /there\.db already exists/],
      [db.url, `${folder}/no/copy.db`, /There is no folder/],
      [`sqlite:${folder}/none.db`, `${folder}/copy.db`, /There is no database at/],
      ['postgres://a:secret@h/x', `it's.dump`, / pg_dump --format=custom --file='it'\\''s\.dump' "\$DATABASE_URL"$/],
    ];
    for (const [url, file, message] of cases) {
      t.throws(() => backUpDatabase(url, file), { name: 'InputError', message });
    }
    writeFileSync(`${folder}/broken.db`, 'x'.repeat(8192));
    t.throws(() => backUpDatabase(`sqlite:${folder}/broken.db`, `${folder}/copy.db`), { message: /not a database/ });
    t.same(readdirSync(folder).sort(), ['broken.db', 'there.db']);
  });
});

/** Asserts that the backup is intact and contains every acknowledged run; `restore.test.ts` uses one. */
async function assertRestores(
  t: Test,
  file: string,
  acknowledged: readonly string[],
  written: ReadonlyMap<string, Buffer>,
): Promise<void> {
  const copy = new Sqlite(file);
  t.equal(copy.pragma('integrity_check', { simple: true }), 'ok');
  t.equal(copy.pragma('journal_mode', { simple: true }), 'wal');
  t.same(copy.pragma('foreign_key_check'), []);
  const runs = readRuns(copy);
  copy.close();
  const isWhole = (run: string): boolean => written.get(run)?.equals(runs.get(run) ?? Buffer.alloc(0)) === true;
  t.ok(acknowledged.every(isWhole), `${acknowledged.length} acknowledged runs, byte for byte`);
  t.ok([...runs.keys()].every(isWhole), `${runs.size} runs in all, none that was never there`);

  const db = await openDatabase(`sqlite:${file}`);
  t.equal(await schemaStatus(db), 'current', 'with its guards');
  t.same(await migrateDatabase(db.url), []);
  await db.close();
}
