import Sqlite from 'better-sqlite3';
import pg from 'pg';
import { type Database } from '../../../src/store/database.js';
import { type Query, createSql } from '../../../src/store/query.js';
import { assertGuarded, schemaStatus } from '../../../src/store/schema-check.js';
import { sqlitePath } from '../../../src/store/sqlite.js';
import { type Engine, onEachDatabase } from '../../support/databases.js';
import { runBuilt } from '../../support/program.js';

/** What can be done to a trigger, by whoever owns its table: `{name}` on `{table}`. */
const TAMPERING: Readonly<Record<Engine, Readonly<Record<string, string>>>> = {
  sqlite: {
    dropped: 'DROP TRIGGER {name}',
    'put on another condition': `DROP TRIGGER {name};
      CREATE TRIGGER {name} BEFORE UPDATE ON {table} WHEN 0 BEGIN SELECT RAISE(ABORT, 'never'); END`,
  },
  postgres: {
    dropped: 'DROP TRIGGER {name} ON {table}',
    disabled: 'ALTER TABLE {table} DISABLE TRIGGER {name}',
    'asleep for replicas': 'ALTER TABLE {table} ENABLE TRIGGER {name}',
    'awake for replicas alone': 'ALTER TABLE {table} ENABLE REPLICA TRIGGER {name}',
    'given another function': `CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql
      AS $$ BEGIN RETURN NEW; END $$`,
    'without its search path': 'ALTER FUNCTION {name}() RESET search_path',
    'put on another event': `DROP TRIGGER {name} ON {table};
      CREATE TRIGGER {name} AFTER UPDATE ON {table} FOR EACH ROW EXECUTE FUNCTION {name}();
      ALTER TABLE {table} ENABLE ALWAYS TRIGGER {name}`,
  },
};

/** One connection, seen as a database, whose changes can be undone. */
interface Undoable {
  readonly db: Database;
  exec(sql: string): Promise<unknown>;
  close(): Promise<unknown>;
}

async function connect(url: string): Promise<Undoable> {
  const asDatabase = (dialect: Engine, read: (sql: string) => Promise<readonly unknown[]>): Database => ({
    ...createSql(async <Row>({ statement }: Query<Row>) => (await read(statement.sqlFor(dialect))) as Row[]),
    ...{ dialect, url },
    transaction: () => Promise.reject(new Error('only single statements')),
    close: () => Promise.resolve(),
  });
  if (url.startsWith('sqlite:')) {
    const connection = new Sqlite(sqlitePath(url));
    return {
      db: asDatabase('sqlite', async (sql) => connection.prepare(sql).all()),
      exec: async (sql) => connection.exec(sql),
      close: async () => connection.close(),
    };
  }
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return {
    db: asDatabase('postgres', async (sql) => (await client.query(sql)).rows as unknown[]),
    exec: (sql) => client.query(sql),
    close: () => client.end(),
  };
}

const GUARDS_SQL: Readonly<Record<Engine, string>> = {
  sqlite: "SELECT tbl_name AS 'table', name FROM sqlite_master WHERE type = 'trigger'",
  postgres: `SELECT tgrelid::regclass::text AS "table", tgname AS name FROM pg_trigger WHERE NOT tgisinternal`,
};

onEachDatabase(async (t, engine) => {
  t.test('a guard that is dropped, put to sleep or changed is noticed, whichever it is', async (t) => {
    const url = await engine.newMigratedUrl(t);
    const { db, exec, close } = await connect(url);
    t.teardown(close);
    const guards = (await db.run({
      statement: { sqlFor: () => GUARDS_SQL[engine.name] },
      params: {},
    } as unknown as Query<{ table: string; name: string }>)) as readonly { table: string; name: string }[];
    t.ok(guards.length >= 9, `${guards.length} guards`);
    for (const { table, name } of guards) {
      for (const [how, sql] of Object.entries(TAMPERING[engine.name])) {
        await exec('BEGIN');
        await exec(sql.replaceAll('{name}', name).replaceAll('{table}', table));
        t.equal(await schemaStatus(db), 'unguarded', `${name} ${how}`);
        await t.rejects(assertGuarded(db), { message: new RegExp(`: ${name}\\.$`) }, 'and it alone is named');
        await exec('ROLLBACK');
      }
    }
    t.equal(await schemaStatus(db), 'current');
  });

  t.test('serve does not start without one of them, nor does migrate', async (t) => {
    const url = await engine.newMigratedUrl(t);
    const { exec, close } = await connect(url);
    await exec(engine.name === 'sqlite' ? 'DROP TRIGGER runs_no_delete' : 'DROP TRIGGER runs_no_delete ON runs');
    await close();
    for (const command of ['serve', 'migrate']) {
      const { exitCode, stderr } = await runBuilt([command], { DATABASE_URL: url, PORT: '0' });
      t.equal(exitCode, 4, command);
      t.match(stderr, /triggers that protect finished runs .*: runs_no_delete\.\n$/);
    }
  });
});
