import pg from 'pg';
import type { Test } from 'tap';
import { migrateQueue } from '../../src/queue/queue-schema.js';
import { onPostgres } from '../support/databases.js';
import { dispatchersOn, openDispatchers, poolOf, SILENT } from '../support/dispatchers.js';
import { HeldTimers, HeldWork, until, work } from '../support/held-work.js';
import { openTcpGate } from '../support/tcp-gate.js';

/** Runs statements beside the dispatchers. */
async function connect(t: Test, url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  t.teardown(() => client.end());
  return client;
}

const LATEST = 'SELECT max(id)::int AS latest, count(*)::int AS count FROM graphile_worker.migrations';
const TERMINATE = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND application_name = 'agent-readiness queue'`;

onPostgres(async (t, engine) => {
  // graphile-worker writes there by itself, past the logger that it is given, when a worker ends while its connection breaks.
  t.capture(console, 'trace');

  t.test('several processes share the work of one queue', async (t) => {
    const url = await engine.newMigratedUrl(t);
    const dispatchers = dispatchersOn(t, url);
    const sources = [new HeldWork(), new HeldWork()];
    for (const source of sources) {
      await dispatchers.create({ concurrency: 1 }).start([source]);
      t.teardown(() => source.release());
    }
    dispatchers.create().offer([work('a'), work('b')]);
    await Promise.all(sources.map((source) => source.begun(1)));
    t.same(sources.flatMap(({ keys }) => keys).sort(), ['a', 'b'], 'each by one of them, while neither is done');
  });

  t.test('connections that break are made anew, and what was in hand is performed once', async (t) => {
    const url = await engine.newMigratedUrl(t);
    const dispatchers = dispatchersOn(t, url);
    const timers = new HeldTimers();
    const dispatcher = dispatchers.create({ concurrency: 3, startTimer: timers.start });
    const source = new HeldWork();
    await dispatcher.start([source]);
    dispatcher.offer([work('in hand'), work('too')]);
    await source.begun(2);
    const client = await connect(t, url);
    await client.query(TERMINATE);
    source.finish('in hand');
    await dispatchers.offer(dispatcher, work('after'));
    // Whether the connections were found broken, or made anew before they were missed.
    while (source.started.length < 3) {
      timers.fire();
      await until(() => timers.count > 0 || source.started.length === 3);
    }
    t.same(source.keys.sort(), ['after', 'in hand', 'too'], 'each once');
    await client.query(TERMINATE);
    source.release();
    dispatcher.offer([work('offered by itself')]);
    while (source.started.length < 4) {
      timers.fire();
      await until(() => timers.count > 0 || source.started.length === 4);
    }
    t.ok(source.inHandMax <= 3, 'no more at once than it may, with the old connections and the new');
    while (!dispatcher.isWorking) {
      timers.fire();
      await until(() => timers.count > 0 || dispatcher.isWorking);
    }
    await dispatcher.close();
    const { rows } = await client.query<{ count: number }>('SELECT count(*)::int FROM graphile_worker.jobs');
    t.ok((rows[0]?.count ?? 0) <= 2, 'what could not be struck off at most is left');
  });

  t.test('a database that is away at the start, or later, is waited for', async (t) => {
    const url = await engine.newMigratedUrl(t);
    const gate = await openTcpGate(url);
    await gate.cut();
    const dispatchers = dispatchersOn(t, gate.url);
    const timers = new HeldTimers();
    const dispatcher = dispatchers.create({ startTimer: timers.start });
    const source = new HeldWork();
    source.isHeld = false;
    dispatcher.offer([work('kept')]);
    await dispatcher.start([source]);
    t.equal(dispatcher.isWorking, false);
    await until(() => timers.count === 3);

    await gate.restore();
    t.teardown(() => gate.cut());
    timers.fire();
    await source.begun(1);
    await until(() => dispatcher.isWorking);

    await gate.cut();
    dispatcher.offer([work('kept too')]);
    await until(() => !dispatcher.isWorking);
    await gate.restore();
    while (source.started.length < 2) {
      timers.fire();
      await until(() => timers.count > 0 || source.started.length === 2);
    }
    t.same(source.keys, ['kept', 'kept too']);
  });

  t.test('only migrate changes the database: without it nothing is performed, and after it everything', async (t) => {
    const url = await engine.newUrl(t);
    const client = await connect(t, url);
    const dispatchers = dispatchersOn(t, url);
    const timers = new HeldTimers();
    const dispatcher = dispatchers.create({ startTimer: timers.start });
    const source = new HeldWork();
    source.isHeld = false;
    dispatcher.offer([work('early')]);
    await dispatcher.start([source]);
    await until(() => timers.count === 3);
    t.equal(dispatcher.isWorking, false);
    await t.rejects(client.query(LATEST), { code: '42P01' }, 'no table was made');

    await migrateQueue(poolOf(url), SILENT);
    await client.query(
      `DELETE FROM graphile_worker.migrations WHERE id = (SELECT max(id) FROM graphile_worker.migrations)`,
    );
    const before = await client.query<{ latest: number }>(LATEST);
    timers.fire();
    await until(() => timers.count === 3);
    t.equal(dispatcher.isWorking, false, 'one migration is missing');
    t.same((await client.query(LATEST)).rows, before.rows);

    t.strictSame(await migrateQueue(poolOf(url), SILENT), [`graphile_worker ${(before.rows[0]?.latest ?? 0) + 1}`]);
    timers.fire();
    await source.begun(1);
    await until(() => dispatcher.isWorking);
  });

  t.test('migrate may be run by several at once', async (t) => {
    const url = await engine.newUrl(t);
    const migrated = await Promise.all(Array.from({ length: 6 }, () => migrateQueue(poolOf(url), SILENT)));
    t.ok(migrated.flat().length >= 1);
    t.same(await migrateQueue(poolOf(url), SILENT), [], 'nothing is left to do');
    const { rows } = await (await connect(t, url)).query<{ latest: number; count: number }>(LATEST);
    t.equal(rows[0]?.count, rows[0]?.latest, 'each migration once');
  });

  t.test(
    'work that a dead process had taken up is performed when it is offered anew, and leaves nothing',
    async (t) => {
      const url = await engine.newMigratedUrl(t);
      const client = await connect(t, url);
      const dispatchers = dispatchersOn(t, url);
      await dispatchers.offer(dispatchers.create(), work('lost'));
      // As a kill leaves it.
      await client.query(
        `UPDATE graphile_worker._private_jobs SET locked_by = 'dead', locked_at = now(), attempts = attempts + 1`,
      );
      const source = new HeldWork();
      source.isHeld = false;
      const dispatcher = dispatchers.create({ unlockEveryMs: 1 });
      await dispatcher.start([source]);
      dispatcher.offer([work('lost')]);
      await source.begun(1);
      await client.query(
        `UPDATE graphile_worker._private_jobs SET locked_at = now() - interval '5 hours' WHERE locked_by = 'dead'`,
      );
      const countJobs = async (): Promise<number> =>
        (await client.query<{ count: number }>('SELECT count(*)::int FROM graphile_worker._private_jobs')).rows[0]
          ?.count ?? 0;
      while ((await countJobs()) > 0);
      t.same(source.keys, ['lost'], 'once');
    },
  );

  t.test('many processes may offer the same work at the same time', async (t) => {
    const dispatchers = await openDispatchers(t, engine);
    const dispatcher = dispatchers.create();
    const source = new HeldWork();
    source.isHeld = false;
    const offered = Array.from({ length: 200 }, (_, index) => work(`site ${index}`, { inMs: 3_600_000 }));
    await Promise.all(
      Array.from({ length: 5 }, (_, index) =>
        dispatchers.offer(dispatcher, ...(index % 2 === 0 ? offered : offered.toReversed())),
      ),
    );
    await dispatchers.offer(dispatcher, ...offered.map((piece) => ({ ...piece, notBefore: new Date() })));
    await dispatcher.start([source]);
    await source.begun(200);
    t.equal(new Set(source.keys).size, 200);
  });
});
