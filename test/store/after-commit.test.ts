import { execute, afterCommit } from '../../src/store/transaction.js';
import { insertAccount } from '../../src/app/accounts/account-statements.js';
import { onEachDatabase } from '../support/databases.js';

const ROW = { name: 'Ada', plan: 'FREE', created_at: '2026-03-15T12:00:00.000Z' };

onEachDatabase(async (t, engine) => {
  t.test('what follows a commit is called once, after it, and not where there is none', async (t) => {
    const db = await engine.openDb(t);
    const called: string[] = [];
    const hook = ({ url }: { readonly url: string }) => void called.push(url);
    const add = (id: string, fault: Error | null = null) =>
      db.transaction(function* () {
        yield* afterCommit(hook);
        yield* execute(insertAccount({ ...ROW, id, email: `${id}@example.com` }));
        yield* afterCommit(hook);
        t.same(called, [], 'not before the commit');
        if (fault) throw fault;
      });
    await add('acc_1');
    t.same(called.splice(0), [db.url]);
    await t.rejects(add('acc_2', new Error('undone')), { message: 'undone' });
    t.same(called, []);
  });
});
