import { setTimeout as pause } from 'node:timers/promises';
import { migrateDatabase } from '../../src/store/migrate.js';
import type { Engine } from '../support/databases.js';
import { connectRaw, type RawConnection } from '../support/raw-connection.js';
import { newDatabaseUrl, runInScope } from '../support/script.js';
import { type Scope, serve } from '../support/service.js';
import { countRows } from '../support/table-bytes.js';
import { printTable } from './table.js';

const SITES = Number(process.env.BENCH_SITES ?? 1_000_000);
const SITES_PER_ACCOUNT = 1000;
const LONG_AGO = '2020-01-01T00:00:00.000Z';
/** How long the service is watched at most: it plans no further ahead than its runs get. */
const WATCHED_S_MAX = 120;

/** What a process does with a million schedules that are due. The guard refuses every site: a run takes no longer than its statements. */
export async function benchFleet(): Promise<void> {
  const rows = [];
  for (const engine of ['sqlite', 'postgres'] as const)
    rows.push([engine, ...(await runInScope((scope) => planAndStop(scope, engine)))]);
  printTable(
    `${SITES.toLocaleString('en')} schedules due, one process`,
    ['engine', 'first run s', 'planned a second', 'runs a second', '/readyz max ms', 'SIGTERM s'],
    rows,
  );
}

async function planAndStop(scope: Scope, engine: Engine): Promise<number[]> {
  const databaseUrl = await newDatabaseUrl(scope, engine);
  await migrateDatabase(databaseUrl);
  const raw = await connectRaw(databaseUrl);
  scope.teardown(() => raw.close());
  await fillDueSites(raw);
  const program = await serve({ DATABASE_URL: databaseUrl });
  scope.teardown(() => program.stop('SIGKILL'));
  const startedMs = performance.now();
  const seconds = (): number => (performance.now() - startedMs) / 1000;
  await program.lineMatching(/"run finished"/);
  const firstS = seconds();
  let [planned, readyMsMax] = [0, 0];
  while (planned < SITES && seconds() < WATCHED_S_MAX) {
    const askedMs = performance.now();
    await fetch(`${program.baseUrl}/readyz`);
    readyMsMax = Math.max(readyMsMax, performance.now() - askedMs);
    const [row] = await raw.read(`SELECT count(*) AS n FROM schedules WHERE next_run_at < '2021-01-01'`);
    planned = SITES - Number(row?.n);
    await pause(1000);
  }
  const rates = [planned / seconds(), (await countRows(raw, 'runs')) / seconds()];
  const signalledMs = performance.now();
  // What follows the program's end searches its database for secrets.
  const stopped = program.lineMatching(/"stopped"/).then(() => (performance.now() - signalledMs) / 1000);
  await program.stop('SIGTERM');
  return [firstS, ...rates, readyMsMax, await stopped];
}

/** Verified sites whose schedules are due, in a network of 2^24 addresses, since there are no more than 65,535 ports. */
async function fillDueSites(raw: RawConnection): Promise<void> {
  const numbers = `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${SITES})`;
  const account = `'acc_' || (i / ${SITES_PER_ACCOUNT})`;
  const host = "'10.' || (i / 65536) || '.' || (i / 256 % 256) || '.' || (i % 256)";
  await raw.exec(
    `INSERT INTO accounts (id, email, name, plan, created_at)
       ${numbers} SELECT DISTINCT ${account}, ${account} || '@example.com', '', 'SCALE', '${LONG_AGO}' FROM n;
     INSERT INTO sites (id, account_id, origin, hostname, verified_at, created_at)
       ${numbers} SELECT 'site_' || i, ${account}, 'https://' || ${host}, ${host}, '${LONG_AGO}', '${LONG_AGO}' FROM n;
     INSERT INTO schedules SELECT id, 'HOURLY', '${LONG_AGO}' FROM sites`,
  );
}
