/**
 * `make torture TORTURE=due`: a service that starts after a long pause finds a million schedules due. Prints how soon it performs the first
 * run, how fast it plans, how long it takes to stop in the middle of it, and what it wrote meanwhile; ends with 1 where a run, a request or
 * a stop had to wait. Takes about five minutes. DUE_SITES says how many schedules, DUE_ENGINES which databases.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { migrateDatabase } from '../../src/store/migrate.js';
import type { Engine } from '../support/databases.js';
import { countRows, fillDueSites, writtenBytes } from '../support/due-sites.js';
import { freePort, startBuilt } from '../support/program.js';
import { connectRaw, type RawConnection } from '../support/raw-connection.js';
import { newDatabaseUrl, runInScope, Verdict } from '../support/script.js';
import type { Scope } from '../support/service.js';

const SITES = Number(process.env.DUE_SITES ?? 1_000_000);
const FIRST_RUN_S_MAX = 5;
const READY_S_MAX = 1;
const EXIT_S_MAX = 5;
/** When the service is stopped, in seconds after its start. */
const STOPS_S = [2, 5, 20];

const verdict = new Verdict();

async function startAndStop(raw: RawConnection, databaseUrl: string, stopAfterS: number): Promise<void> {
  const port = await freePort();
  const before = await countRows(raw, 'runs');
  const program = startBuilt(['serve'], { DATABASE_URL: databaseUrl, PORT: String(port), LOG_LEVEL: 'info' });
  await program.lineMatching(/"listening"/);
  const startedMs = performance.now();
  await program.lineMatching(/"run finished"/);
  const firstS = (performance.now() - startedMs) / 1000;
  verdict.expect(firstS <= FIRST_RUN_S_MAX, `the first run ended after ${firstS.toFixed(2)} s`);
  let slowestS = 0;
  while (performance.now() - startedMs < stopAfterS * 1000) {
    const askedMs = performance.now();
    await fetch(`http://127.0.0.1:${port}/readyz`);
    slowestS = Math.max(slowestS, (performance.now() - askedMs) / 1000);
    await pause(50);
  }
  verdict.expect(slowestS <= READY_S_MAX, `/readyz answered within ${slowestS.toFixed(2)} s`);
  const written = writtenBytes(program.pid);
  const stoppedMs = performance.now();
  const stopped = program.lineMatching(/"stopped"/).then(() => (performance.now() - stoppedMs) / 1000);
  const exitCode = await program.stop('SIGTERM');
  const exitS = await stopped;
  verdict.expect(
    exitCode === 0 && exitS <= EXIT_S_MAX,
    `SIGTERM after ${stopAfterS} s: exit ${exitCode} in ${exitS.toFixed(2)} s`,
  );
  const runs = (await countRows(raw, 'runs')) - before;
  console.log(
    `        ${runs} runs, ${await countRows(raw, 'jobs')} jobs planned, ${written === null ? '?' : Math.round(written / 1e6)} MB written until the signal`,
  );
}

async function tryEngine(scope: Scope, engine: Engine): Promise<void> {
  const databaseUrl = await newDatabaseUrl(scope, engine);
  await migrateDatabase(databaseUrl);
  const raw = await connectRaw(databaseUrl);
  scope.teardown(() => raw.close());
  await fillDueSites(raw, engine, SITES);
  for (const stopAfterS of STOPS_S) await startAndStop(raw, databaseUrl, stopAfterS);
  const [row] = await raw.read('SELECT count(*) AS n FROM sites WHERE run_counter > 1');
  verdict.expect(Number(row?.n) === 0, 'no site ran twice for the times that it missed');
}

console.log(`${SITES} schedules are due`);
const engines = (process.env.DUE_ENGINES ?? 'sqlite,postgres').split(',') as Engine[];
for (const engine of engines) {
  console.log(engine);
  await runInScope((scope) => tryEngine(scope, engine));
}
process.exitCode = verdict.exitCode;
