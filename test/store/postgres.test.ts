import { createServer } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { changedNothing } from '../../src/store/database.js';
import { migrateDatabase } from '../../src/store/migrate.js';
import { openDatabase } from '../../src/store/open.js';
import { defineQuery } from '../../src/store/query.js';
import { addAccount } from '../support/accounts.js';
import { onPostgres } from '../support/databases.js';
import { until } from '../support/held-timers.js';
import { connectRaw, untilBlocked } from '../support/raw-connection.js';
import { listen, openTcpGate } from '../support/servers.js';

const insert = defineQuery<never, { digest: string; account: string }>((sql, { digest, account }) =>
  sql('sign_in_links').insert({ digest, account_id: account, expires_at: 'never' }),
);
const digests = defineQuery<{ digest: string }>((sql) => sql('sign_in_links').select('digest').orderBy('digest'));

onPostgres(async (t, engine) => {
  t.test('nothing was sent if a proxy hangs up because its server is away', async (t) => {
    const proxy = await listen(createServer((socket) => socket.destroy()));
    t.teardown(() => proxy.close());
    const db = await openDatabase(`postgres://test@127.0.0.1:${proxy.port}/x`);
    t.teardown(() => db.close());
    const away = await db.run(digests({})).catch((error: unknown) => error);
    t.match(away, { code: 'overloaded' });
    t.ok(changedNothing(away), 'so it can be sent again later');
  });

  t.test('an overloaded server, or a stalled process, is not an internal error', async (t) => {
    const db = await engine.openDb(t);
    for (const [code, why] of [
      ['25P03', 'idle in a transaction for too long'],
      ['53300', 'too many connections'],
      ['55P03', 'a lock'],
      ['57014', 'a statement for too long'],
    ] as const) {
      const raise = defineQuery<never>((sql) =>
        sql.raw(`DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '${code}'; END $$`),
      );
      const refusal = { code: 'overloaded', retryAfterS: 5 };
      await t.rejects(db.run(raise({})), refusal, why);
      const inTransaction = db.transaction((tx) => tx.run(raise({})));
      await t.rejects(inTransaction, refusal, why);
    }
  });

  t.test('migrate locks no table if there is nothing to do', async (t) => {
    const url = await engine.newMigratedUrl(t);
    const raw = await connectRaw(url);
    t.teardown(() => raw.close());
    await raw.exec('BEGIN; LOCK TABLE accounts, sites, runs');
    t.same(await migrateDatabase(url), []);
  });

  t.test('if the answer to COMMIT is lost, the outcome is asked until the server knows it', async (t) => {
    const url = await engine.newMigratedUrl(t);
    const gate = await openTcpGate(url);
    const db = await openDatabase(gate.url);
    const raw = await connectRaw(url);
    for (const close of [() => gate.cut(), () => db.close(), () => raw.close()]) t.teardown(close);
    const { id: account } = await addAccount(db);
    await raw.exec(`CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql
        AS $$ BEGIN PERFORM pg_advisory_xact_lock(1); RETURN NULL; END $$;
      CREATE CONSTRAINT TRIGGER hold AFTER INSERT ON sign_in_links DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION hold();
      SELECT pg_advisory_lock(1)`);
    const query = pg.Client.prototype.query as (this: pg.Client, ...args: unknown[]) => unknown;
    let asks = 0;
    t.capture(pg.Client.prototype, 'query', function (this: pg.Client, ...args: unknown[]) {
      if (String(args[0]).includes('pg_xact_status')) asks += 1;
      return query.apply(this, args);
    });
    const stored = db.transaction((tx) => tx.run(insert({ digest: 'kept', account })));
    await untilBlocked(url, stored);
    await gate.cut();
    await setTimeout(3000);
    await gate.restore();
    await until(() => asks > 1);
    await raw.exec('SELECT pg_advisory_unlock(1)');
    await t.resolves(stored);
    t.match(await db.run(digests({})), [{}, { digest: 'kept' }]);
  });

  t.test('a silent server is waited for once, not again for the rollback', async (t) => {
    const timeoutMs = 300;
    const url = await engine.newMigratedUrl(t);
    const gate = await openTcpGate(url);
    const db = await openDatabase(`${gate.url}?query_timeout=${timeoutMs}`);
    t.teardown(() => gate.cut());
    t.teardown(() => db.close());
    const asked = t.capture(pg.Client.prototype, 'query', pg.Client.prototype.query);
    const hanging = db.transaction(async (tx) => {
      await tx.run(digests({}));
      gate.freeze();
      await tx.run(digests({}));
    });
    await t.rejects(hanging, { code: 'overloaded' });
    const texts = asked().map(({ args: [text] }) => text as unknown);
    t.match(texts[0], /^BEGIN/);
    t.notOk(texts.includes('ROLLBACK'));
  });
});
