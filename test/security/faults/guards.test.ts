import { defineQuery } from '../../../src/store/query.js';
import { assertGuarded, schemaStatus } from '../../../src/store/open.js';
import { changeDatabase } from '../../support/changed-database.js';
import { type Engine, onEachDatabase } from '../../support/databases.js';
import { runBuilt } from '../../support/program.js';

/** What the owner of a table can do to the trigger `{name}` on `{table}`. */
const TAMPERING: Readonly<Record<Engine, Readonly<Record<string, readonly string[]>>>> = {
  sqlite: {
    dropped: ['DROP TRIGGER {name}'],
    'put on another condition': [
      'DROP TRIGGER {name}',
      `CREATE TRIGGER {name} BEFORE UPDATE ON {table} WHEN 0 BEGIN SELECT RAISE(ABORT, 'never'); END`,
    ],
  },
  postgres: {
    dropped: ['DROP TRIGGER {name} ON {table}'],
    disabled: ['ALTER TABLE {table} DISABLE TRIGGER {name}'],
    'asleep for replicas': ['ALTER TABLE {table} ENABLE TRIGGER {name}'],
    'awake for replicas alone': ['ALTER TABLE {table} ENABLE REPLICA TRIGGER {name}'],
    'given another function': [
      'CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$',
    ],
    'without its search path': ['ALTER FUNCTION {name}() RESET search_path'],
    'put on another event': [
      'DROP TRIGGER {name} ON {table}',
      'CREATE TRIGGER {name} AFTER UPDATE ON {table} FOR EACH ROW EXECUTE FUNCTION {name}()',
      'ALTER TABLE {table} ENABLE ALWAYS TRIGGER {name}',
    ],
  },
};

const GUARDS_SQL: Readonly<Record<Engine, string>> = {
  sqlite: "SELECT tbl_name AS 'table', name FROM sqlite_master WHERE type = 'trigger'",
  postgres: `SELECT tgrelid::regclass::text AS "table", tgname AS name FROM pg_trigger WHERE NOT tgisinternal`,
};

const raw = <Row>(text: string) => defineQuery<Row>((sql) => sql.raw(text))({});

onEachDatabase(async (t, engine) => {
  t.test('every trigger that is dropped, disabled or changed is noticed', async (t) => {
    const db = await engine.openDb(t);
    const guards = await db.run(raw<{ table: string; name: string }>(GUARDS_SQL[engine.name]));
    t.ok(guards.length >= 9, `${guards.length} guards`);
    for (const { table, name } of guards) {
      for (const [how, statements] of Object.entries(TAMPERING[engine.name])) {
        const tampered = db.transaction(async (tx) => {
          for (const sql of statements) {
            await tx.run(raw(sql.replaceAll('{name}', name).replaceAll('{table}', table)));
          }
          const seen = changeDatabase(db, { run: (query) => tx.run(query) });
          t.equal(await schemaStatus(seen), 'unguarded', `${name} ${how}`);
          await t.rejects(assertGuarded(seen), { message: new RegExp(`: ${name}\\.$`) }, 'it alone is named');
          throw new Error('undo');
        });
        await t.rejects(tampered, { message: 'undo' });
      }
    }
    t.equal(await schemaStatus(db), 'current');
  });

  t.test('serve and migrate do not start if a trigger is missing', async (t) => {
    const db = await engine.openDb(t);
    await db.run(raw(`DROP TRIGGER runs_no_delete${engine.name === 'sqlite' ? '' : ' ON runs'}`));
    for (const command of ['serve', 'migrate']) {
      const { exitCode, stderr } = await runBuilt([command], { DATABASE_URL: db.url, PORT: '0' });
      t.equal(exitCode, 4, command);
      t.match(stderr, /triggers that protect finished runs .*: runs_no_delete\.\n$/);
    }
  });
});
