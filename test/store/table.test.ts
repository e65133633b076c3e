import { declaredStatements } from '../../src/store/query.js';
import { table } from '../../src/store/table.js';
import { onEachDatabase } from '../support/databases.js';

const signUps = table('sign_in_links');
const COLUMNS = ['digest', 'email', 'expires_at'] as const;

const ANNA = { digest: 'a', email: 'anna@example.com', expires_at: '2026-03-16' };
const BERT = { digest: 'b', email: 'bert@example.com', expires_at: '2026-03-15' };

onEachDatabase(async (t, engine) => {
  t.test('plain statements', async (t) => {
    const db = await engine.openDb(t);
    await db.run(signUps.insert(ANNA));
    await t.rejects(db.run(signUps.insert(ANNA)), { code: /23505|PRIMARYKEY/ });
    await db.run(signUps.upsert({ ...BERT, email: 'first@example.com' }));
    await db.run(signUps.upsert(BERT));
    const all = () => db.run(signUps.find({ expires_at: '2026-03-17' }, COLUMNS, 'email'));

    t.same(await db.one(signUps.find({ digest: 'b' }, COLUMNS)), BERT, 'the second upsert wins');
    t.same(await db.run(signUps.update({ email: BERT.email }, { expires_at: '2026-03-17' })), [{ digest: 'b' }]);
    t.same(await db.run(signUps.update({ expires_at: '2026-03-16' }, { expires_at: '2026-03-17' })), [{ digest: 'a' }]);
    t.same(
      await all(),
      [ANNA, BERT].map((row) => ({ ...row, expires_at: '2026-03-17' })),
    );
    t.same(await db.run(signUps.delete({ digest: 'a', email: BERT.email })), [], 'every column is compared');
    t.match(await db.run(signUps.delete({ digest: 'a' })), [{ ...ANNA, expires_at: '2026-03-17' }]);
    t.same(await all(), [{ ...BERT, expires_at: '2026-03-17' }]);
  });

  t.test('a statement is built once per set of columns, with the durability of its table', async (t) => {
    const expired = table('sign_in_links', { durability: 'process' });
    const { statement } = expired.find({ digest: 'a' }, ['email']);
    const count = declaredStatements().length;
    t.equal(expired.find({ digest: 'b' }, ['email']).statement, statement);
    t.equal(declaredStatements().length, count);
    t.equal(statement.durability, 'process');
    t.not(expired.find({ digest: 'b' }, ['email'], 'email').statement, statement);
    t.throws(() => expired.delete({}), { message: 'Name at least one column of the rows.' });
  });
});
