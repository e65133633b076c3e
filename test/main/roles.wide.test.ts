import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { systemClock as clock } from '../../src/platform/clock.js';
import { setSchedule } from '../../src/app/automation/schedules.js';
import type { Role } from '../../src/cli/service.js';
import type { Database } from '../../src/store/database.js';
import { openDatabase } from '../../src/store/open.js';
import { addAccount, addSite } from '../support/accounts.js';
import { separateRoles } from '../support/raw-connection.js';
import { onPostgres } from '../support/databases.js';
import { startFixtureServer } from '../support/fixture-server.js';
import { runBuilt, runCommand } from '../support/program.js';
import { jobsOf, makeSchedulesDue } from '../support/queue.js';
import { serve, type ServingProgram } from '../support/service.js';
import { readStoredRuns } from '../support/stored-runs.js';
import { rowsOf, updateRows } from '../support/tables.js';

/** Opens sites that answer once they are released: until then a scan of one is in hand. */
async function openHeldSites(t: Test, count: number) {
  const visits = new Set<string>();
  let onVisit = (): void => undefined;
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const visit = (origin: string) => async () => {
    visits.add(origin);
    onVisit();
    await released;
    return '<!doctype html><title>Home</title><p>Hello</p>';
  };
  const open = () => startFixtureServer((origin) => ({ routes: { '/': visit(origin) } }));
  const servers = await Promise.all(Array.from({ length: count }, open));
  for (const server of servers) t.teardown(() => server.close());
  t.teardown(release);
  return {
    origins: servers.map(({ origin }) => origin),
    /** Resolves once so many of them have been visited. */
    async visited(wanted: number): Promise<void> {
      while (visits.size < wanted) await new Promise<void>((resolve) => (onVisit = resolve));
    },
    release,
  };
}

/** Adds an account with a verified site for each origin, each with a weekly schedule. @returns the sites' ids */
async function addScheduledSites(db: Database, origins: readonly string[]): Promise<string[]> {
  const { id: accountId } = await addAccount(db, 'MONITOR', clock);
  const siteIds: string[] = [];
  for (const hostname of origins) {
    const { id: siteId } = await addSite(db, accountId, { hostname });
    await setSchedule({ db, clock }, { accountId, siteId }, 'WEEKLY');
    siteIds.push(siteId);
  }
  return siteIds;
}

function statusOf(process: ServingProgram, path: string, method = 'GET'): Promise<number> {
  return fetch(process.baseUrl + path, { method }).then(({ status }) => status);
}

async function testProbesAlone(t: Test, worker: ServingProgram): Promise<void> {
  t.equal(await statusOf(worker, '/healthz'), 200);
  await untilTrue(async () => (await statusOf(worker, '/readyz')) === 200);
  for (const path of ['/', '/api/v1/openapi.json', '/sign-in', '/mcp', '/hooks/x', '/llms.txt', '/metrics']) {
    const response = await fetch(worker.baseUrl + path);
    t.equal(response.status, 404, path);
    t.match(await response.json(), { error: { code: 'not_found' } });
  }
  t.equal(await statusOf(worker, '/healthz', 'POST'), 405);
}

/**
 * Waits for what a process does by itself, which says so nowhere but in the database. Asked without a pause, the question would take
 * the processor from the answer.
 */
async function untilTrue(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await pause(20);
}

onPostgres(async (t, engine) => {
  const openFleet = async (t: Test, siteCount: number) => {
    // As compose.yaml has it: what serves is not what owns.
    const { serveUrl: DATABASE_URL } = await separateRoles(t, engine);
    const sites = await openHeldSites(t, siteCount);
    const SCAN_ALLOW_PORTS = sites.origins.map((origin) => new URL(origin).port).join(',');
    const environment = { DATABASE_URL, SCAN_ALLOW_CIDRS: '127.0.0.1/32', SCAN_CONCURRENCY: '4', SCAN_ALLOW_PORTS };
    const db = await openDatabase(DATABASE_URL);
    t.teardown(() => db.close());
    const start = async (role: Role): Promise<ServingProgram> => {
      const process = await serve(environment, { role });
      t.teardown(() => process.stop('SIGKILL'));
      return process;
    };
    return { db, sites, start };
  };

  t.test('an api process performs no jobs; a worker answers only probes and finishes its jobs', async (t) => {
    const { db, sites, start } = await openFleet(t, 2);
    await addScheduledSites(db, sites.origins);
    await makeSchedulesDue(db);
    const api = await start('api');
    t.equal(await statusOf(api, '/readyz'), 200);
    t.equal(await statusOf(api, '/'), 200);

    const worker = await start('worker');
    await sites.visited(2);
    await testProbesAlone(t, worker);
    t.equal((await jobsOf(db)).filter(({ lease }) => lease !== null).length, 2);
    const stopped = worker.stop('SIGTERM');
    await worker.lineMatching(/"stopping"/);
    await t.rejects(fetch(`${worker.baseUrl}/readyz`), 'it takes no connections any more');
    t.same(await readStoredRuns(db), []);
    sites.release();
    t.equal(await stopped, 0);
    const runs = await readStoredRuns(db);
    t.same(
      runs.map(({ number, trigger }) => ({ number, trigger })),
      [
        { number: 1, trigger: 'SCHEDULED' },
        { number: 1, trigger: 'SCHEDULED' },
      ],
    );
    t.same(await jobsOf(db), []);
    t.equal(await api.stop('SIGTERM'), 0);
    t.notMatch(api.stdout(), 'a queued run');
  });

  t.test('workers share the sites, including those of a killed worker, and each site runs once', async (t) => {
    const { db, sites, start } = await openFleet(t, 12);
    const siteIds = await addScheduledSites(db, sites.origins);
    await makeSchedulesDue(db);
    const killed = await start('worker');
    // One account: the fourth slot is for another.
    await sites.visited(3);
    await killed.stop('SIGKILL');
    t.equal((await jobsOf(db)).filter(({ lease }) => lease !== null).length, 3);
    // The leases end, as a minute after the worker died.
    await updateRows(db, 'jobs', {}, { run_after: '2020-01-01T00:00:00.000Z' });
    sites.release();
    const workers = await Promise.all([start('worker'), start('worker')]);
    await untilTrue(async () => (await jobsOf(db)).length === 0);
    t.same(await Promise.all(workers.map((worker) => worker.stop('SIGTERM'))), [0, 0]);
    const runs = await readStoredRuns(db);
    t.same(runs.map(({ site_id, number }) => `${site_id} ${number}`).sort(), siteIds.map((id) => `${id} 1`).sort());
    t.match(await rowsOf(db, 'sites'), Array(siteIds.length).fill({ run_counter: 1 }));
  });
});

t.test('SQLite allows one process, so other roles are refused', async (t) => {
  const databaseUrl = `sqlite:${join(t.testdir(), 'one.db')}`;
  const [api, worker, demo] = await Promise.all(
    [['api'], ['worker'], ['api', '--demo']].map((args) =>
      runBuilt(['serve', '--role', ...args], { DATABASE_URL: databaseUrl }),
    ),
  );
  t.match(api, { exitCode: 2, stderr: /^--role api needs PostgreSQL.*\n$/ });
  t.match(worker, { exitCode: 2, stderr: /^--role worker needs PostgreSQL.*\n$/ });
  t.match(demo, { exitCode: 2, stderr: /^.*leave out --role.*\n$/ });
});

t.test('an unknown role is refused with the list of roles', async (t) => {
  const { exitCode, stderr } = await runCommand(['serve', '--role', 'king']);
  t.equal(exitCode, 2);
  t.match(stderr, /all, api, worker/);
});
