import { join } from 'node:path';
import t, { type Test } from 'tap';
import { openDatabase } from '../../src/store/open-database.js';
import type { Database } from '../../src/store/database.js';
import { onPostgres } from '../support/databases.js';
import { startFixtureServer } from '../support/fixture-server.js';
import {
  addScheduledSites,
  endLeases,
  findGaps,
  type FleetProcess,
  makeSchedulesDue,
  readQueue,
  readRuns,
  startRole,
} from '../support/fleet.js';
import { runBuilt } from '../support/program.js';
import type { Role } from '../../src/domain/role.js';

/** Sites that answer once they may: until then a scan of one is in hand. */
class HeldSites {
  readonly origins: string[] = [];
  #visited = new Set<string>();
  #onVisit = (): void => undefined;
  #release = (): void => undefined;
  readonly #isReleased = new Promise<void>((resolve) => (this.#release = resolve));

  async open(t: Test, count: number): Promise<void> {
    for (let index = 0; index < count; index += 1) {
      const site = await startFixtureServer((origin) => ({
        routes: {
          '/': async () => {
            this.#visited.add(origin);
            this.#onVisit();
            await this.#isReleased;
            return '<!doctype html><title>Home</title><p>Hello</p>';
          },
        },
      }));
      t.teardown(() => site.close());
      this.origins.push(site.origin);
    }
    t.teardown(() => this.release());
  }

  /** Resolves once so many of them have been visited. */
  async visited(count: number): Promise<void> {
    while (this.#visited.size < count) await new Promise<void>((resolve) => (this.#onVisit = resolve));
  }

  release(): void {
    this.#release();
  }
}

interface Fleet {
  readonly db: Database;
  readonly sites: HeldSites;
  start(role: Role): Promise<FleetProcess>;
}

function statusOf(process: FleetProcess, path: string, method = 'GET'): Promise<number> {
  return fetch(process.baseUrl + path, { method }).then(({ status }) => status);
}

/** Waits for what a process does by itself, which says so nowhere but in the database. */
async function untilTrue(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue()));
}

onPostgres(async (t, engine) => {
  const openFleet = async (t: Test, siteCount: number): Promise<Fleet> => {
    const DATABASE_URL = await engine.newUrl(t);
    const sites = new HeldSites();
    await sites.open(t, siteCount);
    const environment = {
      ...{ DATABASE_URL, SCAN_ALLOW_CIDRS: '127.0.0.1/32', SCAN_CONCURRENCY: '4' },
      SCAN_ALLOW_PORTS: sites.origins.map((origin) => new URL(origin).port).join(','),
    };
    const migrated = await runBuilt(['migrate'], environment);
    t.equal(migrated.exitCode, 0, migrated.stderr);
    const db = await openDatabase(DATABASE_URL);
    t.teardown(() => db.close());
    return {
      ...{ db, sites },
      start: async (role) => {
        const process = await startRole(role, environment);
        t.teardown(() => process.stop('SIGKILL'));
        return process;
      },
    };
  };

  t.test('a worker answers the probes and nothing else', async (t) => {
    const fleet = await openFleet(t, 0);
    const worker = await fleet.start('worker');
    t.equal(await statusOf(worker, '/healthz'), 200);
    await untilTrue(async () => (await statusOf(worker, '/readyz')) === 200);
    for (const path of ['/', '/api/v1/openapi.json', '/sign-in', '/mcp', '/hooks/x', '/llms.txt', '/metrics']) {
      const response = await fetch(worker.baseUrl + path);
      t.equal(response.status, 404, path);
      t.match(await response.json(), { error: { code: 'not_found' } });
    }
    t.equal(await statusOf(worker, '/healthz', 'POST'), 405);
    t.equal(await worker.stop('SIGTERM'), 0);
  });

  t.test('an api process answers and performs nothing; a worker does, and ends what it has in hand', async (t) => {
    const fleet = await openFleet(t, 2);
    const { db, sites } = fleet;
    await addScheduledSites(db, sites.origins);
    await makeSchedulesDue(db);
    const api = await fleet.start('api');
    t.equal(await statusOf(api, '/readyz'), 200);
    t.equal(await statusOf(api, '/'), 200);

    const worker = await fleet.start('worker');
    await sites.visited(2);
    t.equal((await readQueue(db)).filter(({ isInHand }) => isInHand).length, 2);
    const stopped = worker.stop('SIGTERM');
    await worker.lineMatching(/"stopping"/);
    await t.rejects(fetch(`${worker.baseUrl}/readyz`), 'it takes no connections any more');
    t.same(await readRuns(db), []);
    sites.release();
    t.equal(await stopped, 0);
    const runs = await readRuns(db);
    t.same(
      runs.map(({ number, trigger }) => ({ number, trigger })),
      [
        { number: 1, trigger: 'SCHEDULED' },
        { number: 1, trigger: 'SCHEDULED' },
      ],
    );
    t.same(await readQueue(db), []);
    t.equal(await api.stop('SIGTERM'), 0);
    t.notMatch(api.stdout(), 'a queued run');
  });

  t.test('workers share the sites, with those that a killed one had in hand: each runs once', async (t) => {
    const fleet = await openFleet(t, 12);
    const { db, sites } = fleet;
    const siteIds = await addScheduledSites(db, sites.origins);
    await makeSchedulesDue(db);
    const killed = await fleet.start('worker');
    await sites.visited(4);
    await killed.stop('SIGKILL');
    t.equal((await readQueue(db)).filter(({ isInHand }) => isInHand).length, 4);
    await endLeases(db);
    sites.release();
    const workers = await Promise.all([fleet.start('worker'), fleet.start('worker')]);
    await untilTrue(async () => (await readQueue(db)).length === 0);
    t.same(await Promise.all(workers.map((worker) => worker.stop('SIGTERM'))), [0, 0]);
    t.same((await readRuns(db)).map(({ siteId }) => siteId).sort(), siteIds.sort());
    t.same(await findGaps(db), []);
  });
});

t.test('SQLite has one process: the other roles are refused', async (t) => {
  const environment = { DATABASE_URL: `sqlite:${join(t.testdir(), 'one.db')}` };
  const refused = async (...args: string[]): Promise<string> => {
    const { exitCode, stderr } = await runBuilt(['serve', ...args], environment);
    t.equal(exitCode, 2, args.join(' '));
    t.equal(stderr.trim().split('\n').length, 1, 'one line');
    return stderr;
  };
  const [api, worker, king, demo] = await Promise.all([
    refused('--role', 'api'),
    refused('--role', 'worker'),
    refused('--role', 'king'),
    refused('--role', 'api', '--demo'),
  ]);
  for (const message of [api, worker]) t.match(message, /needs PostgreSQL/);
  t.match(king, /all, api, worker/);
  t.match(demo, /leave --role out/);
});
