import { statSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import t from 'tap';
import { type Database, isFailure, type Tx } from '../../src/store/database.js';
import { migrateDatabase } from '../../src/store/migrate.js';
import { declaredStatements, defineQuery, table } from '../../src/store/query.js';
import { SCHEMA_NAMES } from '../../src/store/schema.js';
import { openDatabase, schemaStatus } from '../../src/store/open.js';
import { sqlitePath } from '../../src/store/sqlite.js';
import { addAccount } from '../support/accounts.js';
import { onEachDatabase, onSqlite } from '../support/databases.js';
import { runStatements } from '../support/raw-connection.js';
import { rowsOf } from '../support/tables.js';

const insert = defineQuery<{ digest: string }, { digest: string; account: string }>((sql, { digest, account }) =>
  sql('sign_in_links').insert({ digest, account_id: account, expires_at: 'never' }).returning('digest'),
);
const digests = defineQuery<{ digest: string }>((sql) => sql('sign_in_links').select('digest').orderBy('digest'));
const update = defineQuery<never>((sql) => sql('sign_in_links').update({ expires_at: 'soon' }));
const remove = defineQuery<never>((sql) => sql('sign_in_links').del());
const withUpdate = defineQuery<never>((sql) =>
  sql.raw("WITH late AS (SELECT 'later' AS at) UPDATE sign_in_links SET expires_at = (SELECT at FROM late)"),
);
const nonsense = defineQuery<never>((sql) => sql.raw('SELECT 1 FROM'));
/** Error codes of the engines for an existing key. */
const TWICE = { code: /23505|PRIMARYKEY/ };

const ROW = { name: 'Ada', plan: 'FREE', created_at: '2026-03-15T12:00:00.000Z', password_hash: null } as const;

const accounts = table('accounts');

function addRow(id: string) {
  return accounts.insert({ ...ROW, id, email: `${id}@example.com` });
}

async function accountIds(db: Database): Promise<string[]> {
  return ((await rowsOf(db, 'accounts')) as { id: string }[]).map(({ id }) => id);
}

const links = table('sign_in_links');
const LINK_COLUMNS = ['digest', 'email', 'expires_at'] as const;

const ANNA = { digest: 'a', email: 'anna@example.com', expires_at: '2026-03-16' };
const BERT = { digest: 'b', email: 'bert@example.com', expires_at: '2026-03-15' };

/** Opens the database with an observer that records its calls. */
async function openObserved(url: string) {
  const heard: string[] = [];
  const observed = await openDatabase(url, (kind, durationMs, reason) => {
    if (durationMs < 0) throw new Error('a time before its beginning');
    heard.push(reason ? `${kind} ${reason}` : kind);
  });
  return { observed, heard };
}

onEachDatabase(async (t, engine) => {
  t.test('three concurrent migrations create the schema once', async (t) => {
    const url = await engine.newUrl(t);
    const done = await Promise.all([migrateDatabase(url), migrateDatabase(url), migrateDatabase(url)]);
    t.same(done.flat(), [SCHEMA_NAMES[engine.name]]);
    if (engine.name === 'sqlite') t.equal(statSync(sqlitePath(url)).mode & 0o077, 0, 'only its owner reads it');
  });

  t.test('the status says whether the schema is there', async (t) => {
    const url = await engine.newUrl(t);
    const db = await openDatabase(url);
    t.teardown(() => db.close());
    t.equal(await schemaStatus(db), 'behind', 'before the first migration');
    await t.rejects(db.run(digests({})), { code: 'overloaded' }, 'an old schema is not a fault of the request');
    await migrateDatabase(url);
    t.equal(await schemaStatus(db), 'current');
    t.same(await migrateDatabase(url), []);
    await runStatements(url, 'DELETE FROM knex_migrations');
    t.equal(await schemaStatus(db), 'behind');
  });

  t.test('a failed migration leaves the database unchanged', async (t) => {
    const url = await engine.newUrl(t);
    await runStatements(url, 'CREATE TABLE webhooks (x text)');
    await t.rejects(migrateDatabase(url), { message: /webhooks.* already exists/ });
    const db = await openDatabase(url);
    t.teardown(() => db.close());
    t.equal(await schemaStatus(db), 'behind');
    await t.rejects(db.run(digests({})), { code: 'overloaded' }, 'the tables that came before are not there');
    await runStatements(url, 'DROP TABLE webhooks');
    t.same(await migrateDatabase(url), [SCHEMA_NAMES[engine.name]]);
  });

  t.test('a transaction is atomic', async (t) => {
    const db = await engine.openDb(t);
    const { id: account } = await addAccount(db);
    const before = await db.run(digests({}));
    const seen = await db.transaction(async (tx) => {
      await tx.run(insert({ digest: '0', account }));
      return (await tx.run(digests({}))).length;
    });
    t.equal(seen, before.length + 1, 'it sees what it wrote');
    const twice = db.transaction(async (tx) => {
      await tx.run(insert({ digest: '2', account }));
      await tx.run(insert({ digest: '0', account }));
    });
    await t.rejects(twice, TWICE);
    const orphan = await db.run(insert({ digest: '3', account: 'acc_gone' })).catch((error: unknown) => error);
    t.ok(isFailure(orphan, 'parentMissing'));
    t.equal((await db.run(digests({}))).length, before.length + 1);
  });

  t.test('a commit hook runs once, after the commit, and not after a rollback', async (t) => {
    const db = await engine.openDb(t);
    const called: string[] = [];
    const hook = ({ url }: { readonly url: string }) => void called.push(url);
    const add = (id: string, fault: Error | null = null) =>
      db.transaction(async (tx) => {
        tx.afterCommit(hook);
        await tx.run(addRow(id));
        tx.afterCommit(hook);
        t.same(called, [], 'not before the commit');
        if (fault) throw fault;
      });
    await add('acc_1');
    t.same(called.splice(0), [db.url]);
    await t.rejects(add('acc_2', new Error('undone')), { message: 'undone' });
    t.same(called, []);
    t.same(await accountIds(db), ['acc_1']);
  });

  t.test('a statement outside an open transaction waits for it, and is not rolled back with it', async (t) => {
    const db = await engine.openDb(t);
    const undone = db.transaction(async (tx) => {
      await tx.run(addRow('acc_1'));
      await tx.run(addRow('acc_2'));
      throw new Error('undone');
    });
    const [beside] = await Promise.allSettled([db.run(addRow('acc_3')), undone]);
    t.equal(beside.status, 'fulfilled');
    t.same(await accountIds(db), ['acc_3']);
  });

  t.test('the observer gets the kind of each call, and why it failed', async (t) => {
    const db = await engine.openDb(t);
    const { id: account } = await addAccount(db);
    await db.run(remove({}));
    const { observed, heard } = await openObserved(db.url);
    t.teardown(() => observed.close());
    await observed.run(insert({ digest: 'a', account }));
    await observed.run(digests({}));
    await observed.run(update({}));
    await observed.run(withUpdate({}));
    await observed.transaction((tx) => tx.one(insert({ digest: 'b', account })));
    t.same(heard.splice(0), ['write', 'read', 'write', 'write', 'transaction']);
    await t.rejects(observed.run(insert({ digest: 'a', account })), TWICE);
    const again = observed.transaction((tx) => tx.one(insert({ digest: 'a', account })));
    await t.rejects(again, TWICE);
    await t.rejects(observed.run(nonsense({})));
    t.same(heard.splice(0), ['write fault', 'transaction fault', 'read fault']);
    const decision = new Error('no more');
    const broken = observed.transaction(async (tx) => {
      await tx.run(update({}));
      throw decision;
    });
    await t.rejects(broken, decision);
    t.same(heard, ['transaction'], 'its own work broke it off: that is no error of the database');
  });

  t.test('plain statements', async (t) => {
    const db = await engine.openDb(t);
    await db.run(links.insert(ANNA));
    await t.rejects(db.run(links.insert(ANNA)), TWICE);
    await db.run(links.upsert({ ...BERT, email: 'first@example.com' }));
    await db.run(links.upsert(BERT));
    const all = () => db.run(links.find({ expires_at: '2026-03-17' }, LINK_COLUMNS, 'email'));

    t.same(await db.one(links.find({ digest: 'b' }, LINK_COLUMNS)), BERT, 'the second upsert wins');
    t.same(await db.run(links.update({ email: BERT.email }, { expires_at: '2026-03-17' })), [{ digest: 'b' }]);
    t.same(await db.run(links.update({ expires_at: '2026-03-16' }, { expires_at: '2026-03-17' })), [{ digest: 'a' }]);
    const later = { expires_at: '2026-03-17' };
    t.same(await all(), [
      { ...ANNA, ...later },
      { ...BERT, ...later },
    ]);
    t.same(await db.run(links.delete({ digest: 'a', email: BERT.email })), [], 'every column is compared');
    t.match(await db.run(links.delete({ digest: 'a' })), [{ ...ANNA, expires_at: '2026-03-17' }]);
    t.same(await all(), [{ ...BERT, expires_at: '2026-03-17' }]);
  });

  t.test('a statement is built once per set of columns', async (t) => {
    const expired = table('sign_in_links');
    const { statement } = expired.find({ digest: 'a' }, ['email']);
    const count = declaredStatements().length;
    t.equal(expired.find({ digest: 'b' }, ['email']).statement, statement);
    t.equal(declaredStatements().length, count);
    t.not(expired.find({ digest: 'b' }, ['email'], 'email').statement, statement);
    t.throws(() => expired.delete({}), { message: 'Name at least one column of the rows.' });
  });
});

onSqlite(async (t, engine) => {
  t.test("waiting for another process's lock does not block this process", async (t) => {
    let tries = 0;
    const { prepare } = Sqlite.prototype;
    t.capture(Sqlite.prototype, 'prepare', function (this: Sqlite.Database, sql: string) {
      const statement = prepare.call(this, sql) as Sqlite.Statement<[]>;
      const run = statement.run.bind(statement);
      if (sql === 'BEGIN IMMEDIATE') {
        statement.run = () => {
          tries += 1;
          return run();
        };
      }
      return statement;
    });
    const db = await engine.openDb(t);
    const { id: account } = await addAccount(db);
    const other = new Sqlite(sqlitePath(db.url));
    other.exec('BEGIN IMMEDIATE');
    tries = 0;
    const order: number[] = [];
    const transactions = Array.from({ length: 50 }, (_, index) =>
      db.transaction(async (tx) => {
        await tx.run(insert({ digest: `transaction ${index}`, account }));
        order.push(index);
      }),
    );
    await new Promise(setImmediate);
    t.equal(tries, 1, 'each try blocks the event loop, so one transaction tries for all');
    const written = db.run(insert({ digest: 'later', account }));
    t.equal((await db.run(digests({}))).length, 1, 'reads go on');
    other.exec('COMMIT');
    other.close();
    await Promise.all([written, ...transactions]);
    t.equal((await db.run(digests({}))).length, 52);
    t.same(order, [...order.keys()], 'in their order');
  });

  t.test('a transaction that awaits anything but its statements is rolled back', async (t) => {
    const db = await engine.openDb(t);
    let late: Tx | undefined;
    const waiting = db.transaction(async (tx) => {
      late = tx;
      await tx.run(addRow('acc_1'));
      await new Promise(setImmediate);
    });
    await t.rejects(waiting, { message: 'A transaction may await nothing but its own statements.' });
    await t.rejects(async () => late?.run(addRow('acc_2')), /The transaction of this statement has ended\./);
    // A statement of the database itself would wait for the transaction forever.
    await t.rejects(db.transaction(() => db.run(addRow('acc_3'))));
    await db.close();
    t.same(await accountIds(db), ['acc_3']);
  });
});

t.test('a URL with another scheme is refused', async (t) => {
  await t.rejects(openDatabase('mysql://localhost/x'), { message: /sqlite:FILE or postgres/ });
});
