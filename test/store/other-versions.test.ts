import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import Sqlite from 'better-sqlite3';
import { backUpDatabase } from '../../src/store/backup.js';
import { migrateDatabase } from '../../src/store/migrate.js';
import { SCHEMA_NAMES } from '../../src/store/schema.js';
import { openDatabase, refuseOtherSchema, schemaStatus } from '../../src/store/open.js';
import { sqlitePath } from '../../src/store/sqlite.js';
import { onEachDatabase, onSqlite } from '../support/databases.js';
import { runBuilt, runCommand } from '../support/program.js';
import { connectRaw, insertion, runStatements } from '../support/raw-connection.js';

/** Some of the migrations that version 0.8.0 recorded. */
const MIGRATIONS_OF_0_8 = ['0001-schema', '0002-idempotency', '0024-chosen-pages'];

/** Fills the empty database as version 0.8.0 would leave it, as far as it takes to store a run. */
async function createOldDatabase(url: string, migrations: readonly string[] = MIGRATIONS_OF_0_8): Promise<void> {
  const isSqlite = url.startsWith('sqlite:');
  const id = isSqlite ? 'integer PRIMARY KEY AUTOINCREMENT' : 'serial PRIMARY KEY';
  const rows = migrations.map((name) => ({ name, batch: 1, migration_time: '2026-11-20T08:00:00.000Z' }));
  await runStatements(
    url,
    `${isSqlite ? 'PRAGMA journal_mode = WAL;' : ''}
    CREATE TABLE knex_migrations (id ${id}, name varchar(255), batch integer, migration_time text);
    CREATE TABLE knex_migrations_lock ("index" ${id}, is_locked integer);
    INSERT INTO knex_migrations_lock (is_locked) VALUES (0);
    CREATE TABLE runs (site_id text NOT NULL, number integer NOT NULL, body text NOT NULL, PRIMARY KEY (site_id, number));
    INSERT INTO runs (site_id, number, body) VALUES ('site_1', 1, '{}');
    ${rows.map((row) => insertion('knex_migrations', row)).join(';')}`,
  );
}

function digestOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

/** Reads the content of a database: the file on SQLite, tables and rows on PostgreSQL. */
async function contentOf(url: string): Promise<unknown> {
  if (url.startsWith('sqlite:')) return digestOf(sqlitePath(url));
  const raw = await connectRaw(url);
  try {
    const tables = await raw.read('SELECT tablename FROM pg_tables WHERE schemaname = current_schema() ORDER BY 1');
    return [tables, await raw.read('SELECT * FROM knex_migrations'), await raw.read('SELECT * FROM runs')];
  } finally {
    await raw.close();
  }
}

const OTHER = 'was created by another version of this program';

/** Runs the check of the start. */
async function check(url: string): Promise<void> {
  const db = await openDatabase(url);
  await refuseOtherSchema(db).finally(() => db.close());
}

/** Returns the whole refusal. */
function sentenceOn(url: string): string {
  const start = (database: string, advice: string) =>
    `The database ${database} ${OTHER} and is left unchanged; run that version or, to start afresh, ${advice}`;
  if (url.startsWith('sqlite:')) {
    const [path, old] = [sqlitePath(url), `${dirname(sqlitePath(url))}/old`];
    return start(path, `move it away: mkdir -p ${old} && mv ${path}* ${old}`);
  }
  const { host, pathname } = new URL(url);
  const name = pathname.slice(1);
  const command = `createdb --maintenance-db="$DATABASE_URL" ${name}_new`;
  return start(`${name} on ${host}`, `create an empty one and name it in DATABASE_URL: ${command}`);
}

onEachDatabase(async (t, engine) => {
  t.test('every command refuses a database of 0.x and leaves it unchanged', async (t) => {
    const url = await engine.newUrl(t);
    await createOldDatabase(url);
    const before = await contentOf(url);
    const commands: (readonly string[])[] = [['serve'], ['migrate'], ['account', 'list'], ['exclusion', 'list']];
    if (engine.name === 'postgres') commands.push(['restore', '--after-pg-restore']);
    for (const command of commands) {
      const run = command[0] === 'serve' ? runBuilt : runCommand;
      const { exitCode, stderr } = await run(command, { DATABASE_URL: url, PORT: '0' });
      t.equal(exitCode, 2, command.join(' '));
      t.ok(stderr.endsWith(`${sentenceOn(url)}\n`), stderr);
      t.same(await contentOf(url), before);
    }
    const db = await openDatabase(url);
    t.teardown(() => db.close());
    t.equal(await schemaStatus(db), 'other');
  });

  t.test('a database with another fingerprint or a newer version is refused', async (t) => {
    const own = SCHEMA_NAMES[engine.name];
    for (const names of [['1.0-0123456789ab'], ['2.0-0123456789ab'], [own, 'something'], [own, '1.0-0123456789ab']]) {
      const url = await engine.newUrl(t);
      await createOldDatabase(url, names);
      const refusal = { name: 'InputError', message: sentenceOn(url) };
      await t.rejects(check(url), refusal);
      await t.rejects(migrateDatabase(url), refusal);
    }
  });

  t.test('a current, an empty and a missing database are not refused', async (t) => {
    await t.resolves(check(await engine.newMigratedUrl(t)));
    await t.resolves(check(await engine.newUrl(t)));
    const away = engine.name === 'sqlite' ? `sqlite:${t.testdir()}/none.db` : 'postgres://test@127.0.0.1:1/none';
    await t.resolves(check(away));
    if (engine.name === 'sqlite') t.notOk(existsSync(sqlitePath(away)), 'no file is created');
  });
});

onSqlite(async (t, engine) => {
  t.test('restore refuses a backup of 0.x, and to replace a database of 0.x', async (t) => {
    const [oldUrl, db] = [await engine.newUrl(t), await engine.openDb(t)];
    await createOldDatabase(oldUrl);
    const folder = t.testdir();
    const [oldBackup, backup] = [`${folder}/old.db`, `${folder}/new.db`];
    backUpDatabase(oldUrl, oldBackup);
    backUpDatabase(db.url, backup);
    await db.close();
    const before = await contentOf(oldUrl);

    const ofBackup = await runCommand(['restore', oldBackup], { DATABASE_URL: db.url });
    const refusal = `The backup ${oldBackup} ${OTHER} and cannot be restored by this one.\n`;
    t.match(ofBackup, { exitCode: 2, stderr: refusal });
    const ofDatabase = await runCommand(['restore', backup], { DATABASE_URL: oldUrl });
    t.match(ofDatabase, { exitCode: 2, stderr: `${sentenceOn(oldUrl)}\n` });
    t.same(await contentOf(oldUrl), before);
    for (const url of [db.url, oldUrl]) t.same(readdirSync(dirname(sqlitePath(url))), ['test.db'], 'nothing is left');
  });

  t.test('the log that a killed service left stays unchanged', async (t) => {
    const url = await engine.newUrl(t);
    await createOldDatabase(url);
    const writer = new Sqlite(sqlitePath(url));
    t.teardown(() => writer.close());
    writer.exec("UPDATE runs SET body = '{ }'");
    const killed = `sqlite:${t.testdir()}/killed.db`;
    for (const side of ['', '-wal']) copyFileSync(sqlitePath(url) + side, sqlitePath(killed) + side);
    const sides = () => ['', '-wal'].map((side) => digestOf(sqlitePath(killed) + side));
    const before = sides();
    await t.rejects(migrateDatabase(killed), { name: 'InputError' });
    t.same(sides(), before);
  });

  t.test('the suggested command quotes a path with special characters', async (t) => {
    const path = `${t.testdir()}/it's old.db`;
    await createOldDatabase(`sqlite:${path}`);
    const quoted = path.replace("'", "'\\''");
    await t.rejects(check(`sqlite:${path}`), { message: ` && mv '${quoted}'* ` });
  });
});
