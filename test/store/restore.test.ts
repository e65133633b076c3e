import { chmodSync, copyFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import type { Test } from 'tap';
import { createAccess } from '../../src/app/keys/access.js';
import { callHook, createHook } from '../../src/app/automation/deploy-hooks.js';
import { backUpDatabase, restoreDatabase } from '../../src/store/backup.js';
import type { Database } from '../../src/store/database.js';
import { openDatabase } from '../../src/store/open.js';
import { sqlitePath } from '../../src/store/sqlite.js';
import type { Restored } from '../../src/cli/service.js';
import { addPerson, addSite, cheapSignIn, TestClock } from '../support/accounts.js';
import { openServices } from '../support/services.js';
import { onEachDatabase, onSqlite } from '../support/databases.js';
import { runCommand } from '../support/program.js';
import { insertRow, rowsOf } from '../support/tables.js';

const clock = new TestClock();

/** Creates an account with every kind of access, and three runs. */
async function fill(db: Database) {
  const { account, session, email, password } = await addPerson(db, clock);
  const accountId = account.id;
  const { id: siteId } = await addSite(db, accountId);
  const { accounts, keys } = openServices(db, { clock });
  const [alive, revoked] = [await keys.create({ accountId, name: 'a' }), await keys.create({ accountId, name: 'b' })];
  await keys.revoke(revoked.apiKey.id);
  const hook = await createHook({ db, clock }, { accountId, siteId });
  const link = await accounts.createSignInLink(accountId);
  await runs(db, 3, accountId, siteId);
  const at = clock.now().toISOString();
  for (const kind of ['badge', 'report'])
    await insertRow(db, 'publications', { site_id: siteId, kind, number: 0, token: kind, created_at: at });
  await insertRow(db, 'excluded_hosts', { host: 'before.example', excluded_at: at });
  return { accountId, siteId, session, email, password, alive, revoked, hook, link };
}

async function runs(db: Database, count: number, accountId: string, siteId: string) {
  const service = openServices(db, { clock }).runs;
  const stored = [];
  while (stored.length < count) stored.push(await service.start({ accountId, siteId, trigger: 'SCHEDULED' }));
  return stored;
}

type Filled = Awaited<ReturnType<typeof fill>>;

/** Asserts that the restored database accepts no earlier access, except keys and hooks if they were kept. */
async function assertReopened(t: Test, db: Database, filled: Filled, isKept: boolean): Promise<void> {
  const { session, link, alive, revoked, hook, email, password } = filled;
  const signIn = cheapSignIn(db, clock);
  t.equal(await signIn.authenticate(session.token), null, 'the session has ended');
  await t.rejects(signIn.useLink({ token: link.token, password }), 'and so has the link');
  t.ok(await signIn.withPassword({ email, password, clientAddress: '192.0.2.1' }), 'the password is that of the copy');
  const access = createAccess({ db, clock });
  const dead = { code: 'invalid_api_key' };
  await t.rejects(access.admit(`Bearer ${revoked.key}`), dead, 'a revoked key stays revoked');
  const call = () => callHook({ db, clock }, hook, 0);
  if (isKept) {
    t.ok(await access.admit(`Bearer ${alive.key}`));
    t.ok(await call());
  } else {
    await t.rejects(access.admit(`Bearer ${alive.key}`), dead, 'one that was alive is 401');
    await t.rejects(call(), { code: 'not_found' });
  }
  await access.settle();
}

/** Reads one value from an SQLite file, without waiting for locks. */
function readFile(file: string, sql: string): unknown {
  const connection = new Sqlite(file, { timeout: 0 });
  try {
    return connection.prepare(sql).pluck().get();
  } finally {
    connection.close();
  }
}

const COUNT_RUNS = 'SELECT count(*) FROM runs';

onEachDatabase(async (t, engine) => {
  t.test('run numbers continue after a restore; keys and hooks are revoked unless kept', async (t) => {
    for (const isKept of [false, true]) {
      const db = await engine.openDb(t);
      const filled = await fill(db);
      const { accountId, siteId } = filled;
      const backup = `${t.testdir()}/copy.db`;
      const isSqlite = engine.name === 'sqlite';
      if (isSqlite) {
        backUpDatabase(db.url, backup);
        // The database on PostgreSQL counts as restored already, so no run is lost there.
        await runs(db, 1, accountId, siteId);
      }
      await insertRow(db, 'excluded_hosts', { host: 'since.example', excluded_at: clock.now().toISOString() });
      await db.close();
      const args = [isSqlite ? backup : '--after-pg-restore', ...(isKept ? ['--keep-keys'] : [])];
      const { exitCode, stdout, stderr } = await runCommand(['restore', ...args, '--json'], { DATABASE_URL: db.url });
      t.same({ exitCode, stderr }, { exitCode: 0, stderr: '' });
      const restored = JSON.parse(stdout) as Restored;
      const ended = isKept ? { keysRevoked: 0, deployHooksRemoved: 0 } : { keysRevoked: 1, deployHooksRemoved: 1 };
      t.match(restored, { sessionsEnded: 1, signInLinksEnded: 1, ...ended });

      const again = await openDatabase(db.url);
      t.teardown(() => again.close());
      await assertReopened(t, again, filled, isKept);
      const [next] = await runs(again, 1, accountId, siteId);
      t.equal(next?.number, 4);
      if (isSqlite) {
        const list = await runCommand(['exclusion', 'list'], { DATABASE_URL: `sqlite:${restored.replaced}` });
        t.match(list.stdout, /since\.example/, 'the operator can repeat what the backup lacks');
      }
      t.same(await rowsOf(again, 'publications'), []);
      t.match(restored, { badgesTurnedOff: 1, reportsTurnedOff: 1 });
      t.same(restored.excludedHosts, isSqlite ? ['before.example'] : ['before.example', 'since.example']);
    }
  });

  t.test('wrong arguments are refused and change nothing', async (t) => {
    const db = await engine.openDb(t);
    await fill(db);
    await db.close();
    const wrong = engine.name === 'sqlite' ? ['--after-pg-restore'] : ['/tmp/copy.db'];
    for (const args of [[], ['copy.db', '--after-pg-restore'], wrong]) {
      t.match(await runCommand(['restore', ...args], { DATABASE_URL: db.url }), { exitCode: 2, stdout: '' });
    }
  });
});

onSqlite(async (t, engine) => {
  t.test('an open database is not replaced, and only a backup can replace one', async (t) => {
    const db = await engine.openDb(t);
    await fill(db);
    const folder = t.testdir({ 'text.db': 'no database', 'empty.db': '' });
    backUpDatabase(db.url, `${folder}/copy.db`);
    const refused = async (file: string, message: RegExp) => {
      const { exitCode, stderr } = await runCommand(['restore', file], { DATABASE_URL: db.url });
      t.equal(exitCode, 2);
      t.match(stderr, message);
    };
    await refused(`${folder}/copy.db`, /The database is in use\. Stop the service first/);
    t.equal(readFile(sqlitePath(db.url), COUNT_RUNS), 3, 'it goes on');
    await db.close();
    await refused(`${folder}/text.db`, /is not a backup of the service/);
    await refused(`${folder}/empty.db`, /is not a backup of the service/);
    await refused(`${folder}/none.db`, /There is no file/);
    await refused(sqlitePath(db.url), /is the database itself/);
    t.same(readdirSync(sqlitePath(db.url).replace(/[^/]*$/, '')), ['test.db'], 'nothing is left behind');
  });

  t.test('a backup is only read, with the log next to it, and the draft is private', async (t) => {
    const db = await engine.openDb(t);
    await fill(db);
    const folder = t.testdir({ here: {} });
    const [backup, target] = [`${folder}/copy.db`, `${folder}/here/service.db`];
    // The database is in use, so its last writes are in the log.
    for (const side of ['', '-wal']) copyFileSync(sqlitePath(db.url) + side, backup + side);
    for (const side of ['', '-wal']) chmodSync(backup + side, 0o444);
    t.ok(statSync(`${backup}-wal`).size > 0);
    const before = readdirSync(folder);
    await restoreDatabase(`sqlite:${target}`, {
      ...{ file: backup, now: clock.now() },
      prepare: async () => {
        const drafts = readdirSync(`${folder}/here`);
        t.equal(drafts.length, 1, 'one copy');
        t.same(new Set(drafts.map((name) => statSync(`${folder}/here/${name}`).mode & 0o777)), new Set([0o600]));
      },
    });
    t.same(readdirSync(folder), before, 'nothing is written where the backup lies');
    t.equal(readFile(target, COUNT_RUNS), 3);
  });

  t.test('the database is locked until it is replaced, and is unchanged if that fails', async (t) => {
    const db = await engine.openDb(t);
    await fill(db);
    const [backup, target] = [`${t.testdir()}/copy.db`, sqlitePath(db.url)];
    backUpDatabase(db.url, backup);
    await db.close();
    const prepare = async () => {
      t.throws(() => readFile(target, COUNT_RUNS), { code: 'SQLITE_BUSY' });
      throw new Error('a fault of ours');
    };
    await t.rejects(restoreDatabase(db.url, { file: backup, now: clock.now(), prepare }), {
      message: 'a fault of ours',
    });
    t.equal(readFile(target, 'PRAGMA journal_mode'), 'wal');
    t.equal(readFile(target, COUNT_RUNS), 3);
  });

  t.test('a damaged or missing database can be replaced; the copy is private and in WAL mode', async (t) => {
    const db = await engine.openDb(t);
    await fill(db);
    await db.close();
    const folder = t.testdir();
    const [backup, target] = [`${folder}/copy.db`, `${folder}/service.db`];
    backUpDatabase(db.url, backup);
    const damaged = 'x'.repeat(8192);
    const old = new Sqlite(`${folder}/old.db`);
    old.exec('PRAGMA journal_mode = WAL; CREATE TABLE runs (x); INSERT INTO runs VALUES (zeroblob(9000))');
    for (const before of [null, damaged]) {
      // The database was deleted without its log: SQLite would write the log's pages into the restored one.
      if (before === null) copyFileSync(`${folder}/old.db-wal`, `${target}-wal`);
      else for (const side of ['', '-wal']) writeFileSync(target + side, before);
      const { exitCode, stdout } = await runCommand(['restore', backup, '--json'], {
        DATABASE_URL: `sqlite:${target}`,
      });
      t.equal(exitCode, 0);
      const { replaced } = JSON.parse(stdout) as Restored;
      if (before === null) t.equal(replaced, null);
      else t.equal(readFileSync(replaced ?? '', 'utf8'), damaged, 'kept as it was');
      t.equal(statSync(target).mode & 0o777, 0o600);
      t.notOk(existsSync(`${target}-wal`));
      t.equal(readFile(target, COUNT_RUNS), 3);
    }
    old.close();
  });
});
