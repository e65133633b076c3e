import { createReadiness } from '../../src/wiring/readiness.js';
import { defineQuery } from '../../src/store/query.js';
import { NotConnected } from '../../src/store/errors.js';
import { ServiceError } from '../../src/platform/errors.js';
import { TestClock } from '../support/accounts.js';
import { changeDatabase, failWhen } from '../support/changed-database.js';
import { onEachDatabase, onSqlite } from '../support/databases.js';
import { onFullDisk } from '../support/full-disk.js';

const trials = defineQuery<{ used: number }>((sql) => sql('rate_windows').where({ scope: 'readyz' }).select('used'));

onEachDatabase(async (t, engine) => {
  t.test(
    'a trial write shows that the database can be written, once in five seconds however often it is asked',
    async (t) => {
      const db = await engine.openDb(t);
      const clock = new TestClock();
      const readiness = createReadiness({ db, clock, worker: null });
      const used = async () => (await db.run(trials({}))).map((row) => row.used);
      t.same(await Promise.all(Array.from({ length: 20 }, () => readiness.whyNotReady())), Array(20).fill(null));
      t.same(await used(), [1]);
      clock.time = new Date(clock.time.getTime() + 5000);
      t.equal(await readiness.whyNotReady(), null);
      t.same(await used(), [2], 'in the same row');
    },
  );

  t.test('it says why it is not ready', async (t) => {
    const db = await engine.openDb(t);
    const clock = new TestClock();
    const worker = { isWorking: false };
    const reason = (changed = db) => createReadiness({ db: changed, clock, worker }).whyNotReady();
    t.equal(await reason(), 'queued work is not performed');
    worker.isWorking = true;
    t.equal(await reason(), null);
    const readOnly = changeDatabase(db, {
      run: (query) =>
        /insert/i.test(query.statement.sqlFor(db.dialect))
          ? Promise.reject(new ServiceError('overloaded', { cause: new Error('read-only') }))
          : db.run(query),
    });
    t.equal(await reason(readOnly), 'the database takes nothing that is written');
    const away = failWhen(
      db,
      () => true,
      () => new ServiceError('overloaded', { cause: new NotConnected() }),
    );
    t.equal(await reason(away), 'the database does not answer');
    await db.run(defineQuery<never>((sql) => sql('knex_migrations').delete())({}));
    t.equal(await reason(), 'the database lacks the current schema');
  });
});

onSqlite(async (t, engine) => {
  t.test('a full disk is named, until it has room again', async (t) => {
    let isFull = true;
    const db = onFullDisk(await engine.openDb(t), () => isFull);
    const clock = new TestClock();
    const readiness = createReadiness({ db, clock, worker: null });
    t.equal(await readiness.whyNotReady(), 'the disk of the database is full');
    isFull = false;
    t.equal(await readiness.whyNotReady(), 'the disk of the database is full', 'for five seconds');
    clock.time = new Date(clock.time.getTime() + 5000);
    t.equal(await readiness.whyNotReady(), null);
  });
});
