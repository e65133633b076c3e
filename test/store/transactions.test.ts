import type { Tx } from '../../src/store/database.js';
import { defineQuery } from '../../src/store/query.js';
import { table } from '../../src/store/table.js';
import { onEachDatabase, onSqlite } from '../support/databases.js';
import { rowsOf } from '../support/tables.js';

const nextReference = defineQuery<{ counter: number }, { id: string }>((sql, { id }) =>
  sql('accounts').where({ id }).increment('reference_counter', 1).returning('reference_counter as counter'),
);

const ROW = { name: 'Ada', plan: 'FREE', created_at: '2026-03-15T12:00:00.000Z', password_hash: null } as const;

const accounts = table<typeof ROW & { readonly id: string; readonly email: string }>('accounts', ['id']);

onEachDatabase(async (t, engine) => {
  t.test('what follows a commit is called once, after it, and not where there is none', async (t) => {
    const db = await engine.openDb(t);
    const called: string[] = [];
    const hook = ({ url }: { readonly url: string }) => void called.push(url);
    const add = (id: string, fault: Error | null = null) =>
      db.transaction(async (tx) => {
        tx.afterCommit(hook);
        await tx.run(accounts.insert({ ...ROW, id, email: `${id}@example.com` }));
        tx.afterCommit(hook);
        t.same(called, [], 'not before the commit');
        if (fault) throw fault;
      });
    await add('acc_1');
    t.same(called.splice(0), [db.url]);
    await t.rejects(add('acc_2', new Error('undone')), { message: 'undone' });
    t.same(called, []);
  });

  t.test('a statement beside an open transaction waits for its end, and is not undone with it', async (t) => {
    const db = await engine.openDb(t);
    const add = (id: string) => accounts.insert({ ...ROW, id, email: `${id}@example.com` });
    const undone = db.transaction(async (tx) => {
      await tx.run(add('acc_1'));
      await tx.run(add('acc_2'));
      throw new Error('undone');
    });
    const [beside] = await Promise.allSettled([db.run(add('acc_3')), undone]);
    t.equal(beside.status, 'fulfilled');
    t.same(
      ((await rowsOf(db, 'accounts')) as { id: string }[]).map(({ id }) => id),
      ['acc_3'],
    );
  });

  t.test('of transactions at once, each sees what those before it did', async (t) => {
    const db = await engine.openDb(t);
    await db.run(accounts.insert({ ...ROW, id: 'acc_1', email: 'ada@example.com' }));
    const count = async (tx: Tx) => {
      const row = await tx.one(nextReference({ id: 'acc_1' }));
      return row?.counter ?? 0;
    };
    const counts = await Promise.all(Array.from({ length: 20 }, () => db.transaction(count)));
    t.same(
      counts.sort((a, b) => a - b),
      Array.from({ length: 20 }, (_, index) => index + 1),
    );
  });
});

onSqlite(async (t, engine) => {
  t.test('a transaction that awaits anything but its statements is undone', async (t) => {
    const db = await engine.openDb(t);
    let late: Tx | undefined;
    const waiting = db.transaction(async (tx) => {
      late = tx;
      await tx.run(accounts.insert({ ...ROW, id: 'acc_1', email: 'ada@example.com' }));
      await new Promise(setImmediate);
    });
    await t.rejects(waiting, { message: 'A transaction may await nothing but its own statements.' });
    await t.rejects(async () => late?.run(accounts.insert({ ...ROW, id: 'acc_2', email: 'bob@example.com' })), {
      message: 'The transaction of this statement has ended.',
    });
    // Its own database is something else too: without this, both would wait for ever.
    await t.rejects(db.transaction(() => db.run(accounts.insert({ ...ROW, id: 'acc_3', email: 'cy@example.com' }))));
    await db.close();
    t.same(
      ((await rowsOf(db, 'accounts')) as { id: string }[]).map(({ id }) => id),
      ['acc_3'],
    );
  });
});
