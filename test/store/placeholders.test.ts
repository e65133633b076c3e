import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import t from 'tap';
import { declaredStatements } from '../../src/store/query.js';
import { sqlitePath } from '../../src/store/sqlite.js';
import { onPostgres, onSqlite } from '../support/databases.js';
import { connectRaw } from '../support/raw-connection.js';
import { BUILD, PROJECT, readProject } from '../support/project.js';

/** Values that SQLite's planner treats differently: a text, and integers that it considers frequent. */
const VALUES = ['x', 0, 1];

/** Loads every module that declares statements. @returns their number */
async function loadStatements(): Promise<number> {
  const files = readdirSync(join(PROJECT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .filter((file) => /\b(?:defineQuery|defineCleanup)\b/.test(readProject(`src/${file}`)));
  for (const file of files) await import(new URL(`src/${file.replace(/\.ts$/, '.js')}`, BUILD).href);
  return files.length;
}

function planOf(db: Sqlite.Database, sql: string, values: readonly (string | number)[]): string {
  const steps = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...values) as { detail: string }[];
  return steps.map(({ detail }) => detail).join('\n');
}

t.test('values are hidden from SQLite’s planner', async (t) => {
  t.ok((await loadStatements()) > 30);
  t.ok(declaredStatements().length > 100, `${declaredStatements().length} statements`);

  t.test('every placeholder of every statement has a sign', async (t) => {
    for (const statement of declaredStatements()) {
      const sql = statement.sqlFor('sqlite');
      const [all, signed] = [/\?/g, /\+\?/g].map((pattern) => (sql.match(pattern) ?? []).length);
      t.equal(signed, all, sql);
      t.equal(all, statement.bind('sqlite', {}).length, `a value for each: ${sql}`);
    }
  });
});

onSqlite(async (t, engine) => {
  t.test('the sign changes no query plan, whatever the values', async (t) => {
    await loadStatements();
    const db = new Sqlite(sqlitePath(await engine.newMigratedUrl(t)));
    t.teardown(() => db.close());
    for (const statement of declaredStatements()) {
      const sql = statement.sqlFor('sqlite');
      for (const value of VALUES) {
        const values = statement.bind('sqlite', {}).map((bound) => (typeof bound === 'number' ? bound : value));
        t.equal(planOf(db, sql, values), planOf(db, sql.replaceAll('+?', '?'), values), `${value}: ${sql}`);
      }
    }
  });

  t.test('a hidden value does not affect the plan', async (t) => {
    const db = new Sqlite(sqlitePath(await engine.newMigratedUrl(t)));
    t.teardown(() => db.close());
    // The planner can use the partial index only if it sees the value.
    db.exec("CREATE TABLE a (k TEXT, v TEXT); CREATE INDEX a_x ON a (v) WHERE k = 'x'");
    const query = "SELECT v FROM a WHERE v = 'y' AND k = ?";
    t.match(planOf(db, query, ['x']), 'a_x');
    t.notMatch(planOf(db, query.replace('?', '+?'), ['x']), 'a_x');
  });
});

onPostgres(async (t, engine) => {
  t.test('PostgreSQL accepts every statement, since most tests run on SQLite only', async (t) => {
    await loadStatements();
    const connection = await connectRaw(await engine.newMigratedUrl(t));
    t.teardown(() => connection.close());
    for (const [index, statement] of declaredStatements().entries()) {
      const sql = statement.sqlFor('postgres');
      await t.resolves(connection.exec(`PREPARE statement_${index} AS ${sql}`), sql);
    }
  });
});
