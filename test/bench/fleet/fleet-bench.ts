import { setTimeout as pause } from 'node:timers/promises';
import { migrateDatabase } from '../../../src/store/migrate.js';
import type { Engine } from '../../support/databases.js';
import { countRows } from '../../support/table-bytes.js';
import { fillDueSites, writtenBytes } from './due-sites.js';
import { freePort, startBuilt } from '../../support/program.js';
import { connectRaw, type RawConnection } from '../../support/raw-connection.js';
import { newDatabaseUrl, runInScope } from '../../support/script.js';
import type { Scope } from '../../support/service.js';
import { printNote, printTable } from '../support/table.js';
import { benchReadGrowth } from './read-growth.js';
import { benchStoredBytes } from './stored-bytes.js';

const SITES = Number(process.env.BENCH_SITES ?? 1_000_000);
const ENGINES = (process.env.BENCH_ENGINES ?? 'sqlite,postgres').split(',') as Engine[];
/** How long the service is watched at most: it plans no further ahead than its runs get. */
const WATCHED_S_MAX = 120;
const LOOK_EVERY_MS = 1000;

/** What a process does with a million schedules that are due, what a run takes on disk, and how reads grow with runs. */
export async function benchFleet(): Promise<void> {
  const rows = [];
  for (const engine of ENGINES) rows.push([engine, ...(await runInScope((scope) => planAndStop(scope, engine)))]);
  printTable(
    `${SITES.toLocaleString('en')} schedules due, one process`,
    ['engine', 'first run s', 'planned a second', 'runs a second', 'kB written a run', '/readyz max ms', 'SIGTERM s'],
    rows,
  );
  printNote(
    'The guard refuses every site, so that a run takes no longer than its statements. Written is what the process has had written on ' +
      'SQLite, and the log of changes (WAL) on PostgreSQL, planning among it.',
  );
  await benchStoredBytes(ENGINES);
  await benchReadGrowth(ENGINES);
}

async function planAndStop(scope: Scope, engine: Engine): Promise<number[]> {
  const databaseUrl = await newDatabaseUrl(scope, engine);
  await migrateDatabase(databaseUrl);
  const raw = await connectRaw(databaseUrl);
  scope.teardown(() => raw.close());
  await fillDueSites(raw, engine, SITES);
  const loggedBefore = await loggedBytes(raw, engine);

  const port = await freePort();
  const environment = { DATABASE_URL: databaseUrl, PORT: String(port) };
  const program = startBuilt(['serve'], environment);
  scope.teardown(() => program.stop('SIGKILL'));
  await program.lineMatching(/"listening"/);
  const startedMs = performance.now();
  await program.lineMatching(/"run finished"/);
  const firstS = (performance.now() - startedMs) / 1000;

  const [planning, readyMsMax] = await untilPlanned(raw, port, startedMs);
  const runs = await countRows(raw, 'runs');
  const seconds = (performance.now() - startedMs) / 1000;
  const written = engine === 'sqlite' ? writtenBytes(program.pid) : (await loggedBytes(raw, engine)) - loggedBefore;
  const signalledMs = performance.now();
  // What follows the program's end searches its database for secrets.
  const stopped = program.lineMatching(/"stopped"/).then(() => (performance.now() - signalledMs) / 1000);
  await program.stop('SIGTERM');
  const exitS = await stopped;
  return [firstS, planning, runs / seconds, (written ?? Number.NaN) / 1000 / runs, readyMsMax, exitS];
}

/** Until every site has its job or its run, or the time is over. @returns how many were planned a second, and the slowest answer meanwhile */
async function untilPlanned(raw: RawConnection, port: number, startedMs: number): Promise<[number, number]> {
  let [planned, readyMsMax] = [0, 0];
  const seconds = (): number => (performance.now() - startedMs) / 1000;
  while (planned < SITES && seconds() < WATCHED_S_MAX) {
    const askedMs = performance.now();
    await fetch(`http://127.0.0.1:${port}/readyz`);
    readyMsMax = Math.max(readyMsMax, performance.now() - askedMs);
    const [row] = await raw.read(`SELECT count(*) AS n FROM schedules WHERE next_run_at < '2021-01-01'`);
    planned = SITES - Number(row?.n);
    await pause(LOOK_EVERY_MS);
  }
  return [planned / seconds(), readyMsMax];
}

async function loggedBytes(raw: RawConnection, engine: Engine): Promise<number> {
  if (engine === 'sqlite') return 0;
  const [row] = await raw.read(`SELECT pg_current_wal_lsn() - '0/0'::pg_lsn AS bytes`);
  return Number(row?.bytes);
}
