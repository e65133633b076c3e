import { cleanUp } from '../../../src/app/cleanups.js';
import type { Database } from '../../../src/store/database.js';
import { defineQuery, type Value } from '../../../src/store/query.js';
import { addAccount, addSite, TestClock } from '../../support/accounts.js';
import { onEachDatabase } from '../../support/databases.js';
import { addDelivery } from '../../support/full-account.js';
import { insertRow, rowsOf, tablesOf } from '../../support/tables.js';
import { dailyRunsRow } from '../../support/daily-runs.js';

const NOW = '2026-03-15T12:00:00.000Z';

type Row = Readonly<Record<string, Value>>;

/** Rows of a table that a cleanup leaves and deletes; the column `name` identifies them. */
interface Case {
  readonly table: string;
  readonly name: string;
  readonly stay: readonly Row[];
  readonly go: readonly Row[];
}

const deleteLinks = defineQuery<never>((sql) => sql('sign_in_links').delete());

async function prepare(db: Database) {
  const clock = new TestClock(new Date(NOW));
  const { id: account_id } = await addAccount(db, 'MONITOR', clock);
  await db.run(deleteLinks({}));
  const { id: site_id } = await addSite(db, account_id);
  await insertRow(db, 'api_keys', { id: 'key_a', account_id, name: 'a', digest: 'd', hint: 'h', created_at: NOW });
  return { db, account_id, site_id, housekeep: () => cleanUp(db, clock.now(), 90) };
}

function casesFor({ account_id, site_id }: { account_id: string; site_id: string }): Case[] {
  const usage = (month: string): Row => ({ key_id: 'key_a', month, used: 1 });
  const claim = (digest: string, expires_at: string, number: number | null): Row => ({
    ...{ key_id: 'key_a', site_id, digest, expires_at, number },
  });
  const session = (digest: string, last_seen_at: string, expires_at: string): Row => ({
    ...{ digest, account_id, created_at: '2026-02-15T00:00:00.000Z', last_seen_at, expires_at },
  });
  const link = (digest: string, expires_at: string): Row => ({ digest, account_id, expires_at });
  const window = (subject: string, expires_at: string): Row => ({
    ...{ scope: 'free-scan', subject, window_start: '2026-03-15T11:00:00.000Z', expires_at, used: 1 },
  });
  const scan = (hostname: string, started_at: string, finished_at: string | null): Row => ({
    ...{ hostname, started_at, finished_at, body: finished_at && Buffer.from('{}') },
  });
  const later = '2026-03-16T00:00:00.000Z';
  return [
    {
      ...{ table: 'idempotency_keys', name: 'digest' },
      stay: [claim('new', later, 1), claim('going on', later, null)],
      go: [claim('old', NOW, 1), claim('abandoned', NOW, null)],
    },
    {
      ...{ table: 'key_usage', name: 'month' },
      stay: [usage('2026-03'), usage('2025-03')],
      go: [usage('2025-02'), usage('2024-12')],
    },
    {
      ...{ table: 'sessions', name: 'digest' },
      stay: [session('live', '2026-03-08T12:00:01.000Z', later)],
      go: [session('ended', NOW, NOW), session('idle', '2026-03-08T12:00:00.000Z', later)],
    },
    {
      ...{ table: 'sign_in_links', name: 'digest' },
      stay: [link('good', later), { digest: 'sign-up', email: 'ada@example.com', expires_at: later }],
      go: [link('expired', NOW), { digest: 'expired sign-up', email: 'ada@example.com', expires_at: NOW }],
    },
    {
      ...{ table: 'rate_windows', name: 'subject' },
      stay: [
        window('current', '2026-03-15T13:00:00.000Z'),
        window('current by a clock behind ours', '2026-03-15T11:59:00.001Z'),
      ],
      go: [window('ended', '2026-03-15T11:59:00.000Z')],
    },
    {
      ...{ table: 'free_scans', name: 'hostname' },
      stay: [
        scan('new.example.com', '2026-03-15T11:00:00.000Z', '2026-03-15T11:00:01.000Z'),
        scan('running.example.com', '2026-03-15T11:55:00.001Z', null),
      ],
      go: [
        scan('old.example.com', '2026-03-15T10:59:00.000Z', '2026-03-15T11:00:00.000Z'),
        scan('abandoned.example.com', '2026-03-15T11:55:00.000Z', null),
      ],
    },
  ];
}

async function namesOf(db: Database, { table, name }: Case): Promise<string[]> {
  return (await rowsOf(db, table)).map((row) => String((row as Row)[name])).sort();
}

onEachDatabase(async (t, engine) => {
  t.test('expired rows are deleted, and no others', async (t) => {
    const db = await engine.openDb(t);
    const prepared = await prepare(db);
    const cases = casesFor(prepared);
    const untouched = (await tablesOf(db)).filter((table) => !cases.some((one) => one.table === table));
    const others = () => Promise.all(untouched.map((table) => rowsOf(db, table)));
    for (const { table, stay, go } of cases) for (const row of [...go, ...stay]) await insertRow(db, table, row);
    const before = await others();
    await prepared.housekeep();
    for (const one of cases) {
      t.same(await namesOf(db, one), one.stay.map((row) => String(row[one.name])).sort(), one.table);
    }
    t.same(await others(), before);
  });

  t.test('messages are deleted after 30 days, unless they wait to be sent', async (t) => {
    const { db, account_id: accountId, site_id: siteId, housekeep } = await prepare(await engine.openDb(t));
    const add = (now: string, isWaiting = false) =>
      addDelivery(db, { accountId, siteId, webhookId: null, now, isWaiting });
    const stay = [await add('2026-02-13T12:00:00.001Z'), await add('2026-01-01T00:00:00.000Z', true)];
    for (let count = 0; count < 1100; count += 1) await add('2026-02-13T12:00:00.000Z');
    await housekeep();
    t.same((await rowsOf(db, 'deliveries')).map((row) => (row as Row).id).sort(), stay.sort());
  });

  t.test('two processes can clean up at the same time', async (t) => {
    const { db, housekeep, account_id } = await prepare(await engine.openDb(t));
    for (let n = 0; n < 1200; n += 1) {
      const window = dailyRunsRow(account_id, `s${n}.example.com`, 'API', 1);
      await insertRow(db, 'rate_windows', { ...window, expires_at: '2026-01-02T00:00:00.000Z' });
    }
    await Promise.all([housekeep(), housekeep()]);
    t.equal((await rowsOf(db, 'rate_windows')).length, 0);
  });
});
