import t from 'tap';
import type { Database } from '../../src/store/database.js';
import { ServiceError } from '../../src/platform/errors.js';
import { UniqueViolation } from '../../src/store/errors.js';
import type { DatabaseObserver } from '../../src/platform/database-metrics.js';
import { observeDatabase } from '../../src/store/observed-database.js';
import { defineQuery } from '../../src/store/query.js';
import { addAccount } from '../support/accounts.js';
import { failWhen } from '../support/changed-database.js';
import { onEachDatabase } from '../support/databases.js';

const insert = defineQuery<{ digest: string }, { digest: string; account: string }>((sql, { digest, account }) =>
  sql('sign_in_links').insert({ digest, account_id: account, expires_at: 'never' }).returning('digest'),
);
const digests = defineQuery<{ digest: string }>((sql) => sql('sign_in_links').select('digest'));
const update = defineQuery<never>((sql) => sql('sign_in_links').update({ expires_at: 'soon' }));
const remove = defineQuery<never>((sql) => sql('sign_in_links').del());
const withUpdate = defineQuery<never>((sql) =>
  sql.raw("WITH late AS (SELECT 'later' AS at) UPDATE sign_in_links SET expires_at = (SELECT at FROM late)"),
);
const nonsense = defineQuery<never>((sql) => sql.raw('SELECT 1 FROM'));

/** The database as it is watched, and what was heard of it. */
function watch(db: Database) {
  const heard: string[] = [];
  const observer: DatabaseObserver = {
    answered: (kind, durationMs) => void heard.push(durationMs >= 0 ? kind : 'a time before its beginning'),
    failed: (kind, _durationMs, reason) => void heard.push(`${kind} ${reason}`),
  };
  return { watched: observeDatabase(db, observer), heard };
}

onEachDatabase(async (t, engine) => {
  t.test('tells reads, writes and transactions apart, and changes nothing of what they answer', async (t) => {
    const db = await engine.openDb(t);
    const { id: account } = await addAccount(db);
    await db.run(remove({}));
    const { watched, heard } = watch(db);
    t.match(watched, { dialect: db.dialect, url: db.url });
    t.same(await watched.run(insert({ digest: 'a', account })), [{ digest: 'a' }]);
    t.same(await watched.run(digests({})), [{ digest: 'a' }]);
    await watched.run(update({}));
    await watched.run(withUpdate({}));
    const seen = await watched.transaction(async (tx) => {
      await tx.one(insert({ digest: 'b', account }));
      return (await tx.run(digests({}))).length;
    });
    t.equal(seen, 2);
    await watched.run(remove({}));
    t.same(heard, ['write', 'read', 'write', 'write', 'transaction', 'write']);
  });

  t.test('errors pass unchanged, and are counted by their reason', async (t) => {
    const db = await engine.openDb(t);
    const { id: account } = await addAccount(db);
    const { watched, heard } = watch(db);
    await watched.run(insert({ digest: 'a', account }));
    await t.rejects(watched.run(insert({ digest: 'a', account })), UniqueViolation);
    await t.rejects(
      watched.transaction((tx) => tx.one(insert({ digest: 'a', account }))),
      UniqueViolation,
    );
    const plain = await db.run(nonsense({})).catch((error: unknown) => error);
    t.match(await watched.run(nonsense({})).catch((error: unknown) => error), { message: (plain as Error).message });
    t.same(heard, ['write', 'write conflict', 'transaction conflict', 'read fault']);
  });

  t.test('a transaction that its own work breaks off is not an error of the database', async (t) => {
    const db = await engine.openDb(t);
    const { id: account } = await addAccount(db);
    const before = (await db.run(digests({}))).length;
    const { watched, heard } = watch(db);
    const decision = new Error('no more');
    const thrown = await watched
      .transaction(async (tx) => {
        await tx.run(insert({ digest: 'a', account }));
        throw decision;
      })
      .catch((error: unknown) => error);
    t.equal(thrown, decision);
    t.equal((await db.run(digests({}))).length, before, 'and it is undone');
    t.same(heard, ['transaction']);
  });
});

t.test('a database that is away is counted as that', async (t) => {
  const gone = failWhen(
    {} as Database,
    () => true,
    () => new ServiceError('overloaded'),
  );
  const { watched, heard } = watch({ ...gone, dialect: 'sqlite' });
  await t.rejects(watched.run(digests({})), { code: 'overloaded' });
  await t.rejects(
    watched.transaction((tx) => tx.run(digests({}))),
    { code: 'overloaded' },
  );
  t.same(heard, ['read unavailable', 'transaction unavailable']);
});
