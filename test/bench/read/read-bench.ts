import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { freePort } from '../../support/program.js';
import { startPostgres } from '../../support/postgres.js';
import { type LoadOptions, type LoadResult, medianOf, quantile, sendAtRate, sendLoad } from '../support/load.js';
import { MeasuredProcess } from '../support/measured-process.js';
import { type RunningService, startService } from '../support/service.js';
import { printNote, printTable } from '../support/table.js';
import { benchHotKey } from './hot-key.js';
import { type Seeded, seedRuns } from './seed.js';

/** One server under test. */
interface Contender {
  readonly name: string;
  readonly start: (databaseUrl: string) => Promise<RunningServer>;
}

type RunningServer = Pick<RunningService, 'process' | 'origin'>;

/** All but the first log a line about each request, unless their name says otherwise. */
const CONTENDERS: readonly Contender[] = [
  { name: 'raw: node:http + one prepared select', start: script('raw') },
  { name: 'node:http + key + quota', start: script('metered') },
  { name: 'node:http + key + quota, no log lines', start: script('metered', 'warn') },
  { name: 'fastify + key + quota + schema', start: script('fastify') },
  { name: 'express + express-openapi-validator + key + quota', start: script('express') },
  { name: 'this project', start: (url) => startService(url, { LOG_LEVEL: 'info' }) },
  { name: 'this project, no log lines', start: (url) => startService(url, { LOG_LEVEL: 'warn' }) },
];

/** The reads of the API, and which run each asks for. */
const OPERATIONS = {
  // A prime step visits the runs in no order that a cache could foresee.
  getRun: (index: number, runCount: number) => String(((index * 7919) % runCount) + 1),
  getLatestRun: () => 'latest',
};
type Operation = keyof typeof OPERATIONS;

function script(name: string, logLevel = 'info'): Contender['start'] {
  return async (databaseUrl) => {
    const port = await freePort();
    const path = fileURLToPath(new URL(`servers/${name}.js`, import.meta.url));
    const process = new MeasuredProcess([path], {
      ...{ DATABASE_URL: databaseUrl, PORT: String(port), LOG_LEVEL: logLevel },
    });
    await process.lineMatching(/listening/);
    return { process, origin: `http://127.0.0.1:${port}` };
  };
}

/** The first is what all is compared at; the others, how it stands with one reader and with many. */
const CONNECTIONS = [4, 1, 32];
/** Requests a second that each server bears with ease, for the latencies of equals. */
const RATE = 500;
const RATE_S = 6;
const WARM_UP = 5000;
const REQUESTS = 3000;
/** The contenders take turns, so that a noisy minute hits all of them. */
const ROUNDS = 3;

/** What a read costs, alongside servers that do the same work by other means. */
export async function benchReads(runCounts: readonly number[]): Promise<void> {
  const postgres = await startPostgres();
  const folder = mkdtempSync(join(tmpdir(), 'agent-readiness-bench-'));
  try {
    for (const runCount of runCounts) {
      await benchOn(
        `SQLite, ${runCount.toLocaleString('en')} runs`,
        `sqlite:${join(folder, `${runCount}.db`)}`,
        runCount,
        runCount === runCounts[0],
      );
      rmSync(join(folder, `${runCount}.db`), { force: true });
      await benchOn(
        `PostgreSQL, ${runCount.toLocaleString('en')} runs`,
        await createDatabase(postgres.url),
        runCount,
        runCount === runCounts[0],
      );
    }
  } finally {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

type NamedServer = RunningServer & { readonly name: string };
type Load = (origin: string, requestCount: number) => Promise<LoadResult>;

async function benchOn(title: string, url: string, runCount: number, isSmallest: boolean): Promise<void> {
  const seeded = await seedRuns(url, runCount);
  const running: NamedServer[] = [];
  try {
    for (const { name, start } of CONTENDERS) running.push({ name, ...(await start(url)) });
    for (const operation of Object.keys(OPERATIONS) as Operation[]) {
      const load = loadOf(operation, seeded, runCount);
      for (const connections of CONNECTIONS) {
        printTable(
          `${operation}: ${title}, ${connections} ${connections === 1 ? 'connection' : 'connections'}`,
          ['server', 'CPU µs', 'to raw', 'p50 ms', 'p99 ms', 'allocated KiB', 'RSS MiB'],
          await compare(running, (origin, requestCount) => sendLoad(load(origin, requestCount, connections))),
        );
      }
      printTable(
        `${operation}: ${title}, ${RATE} requests a second`,
        ['server', 'p50 ms', 'p99 ms', 'CPU µs'],
        await compareAtRate(running, (origin) => ({ ...load(origin, RATE * RATE_S, 32), perSecond: RATE })),
      );
    }
    printNote(
      `${REQUESTS.toLocaleString('en')} requests × ${ROUNDS} in turns, answers of ${seeded.bodyBytes.toLocaleString('en')} bytes; medians. CPU is the server's process alone. ` +
        'At a rate, a latency counts from when the request was due.',
    );
    if (isSmallest) await benchHotKey(title, url, seeded);
  } finally {
    for (const { process } of running) await process.stop();
  }
}

async function compare(running: readonly NamedServer[], load: Load) {
  const contenders = running.map((one) => ({
    ...one,
    cpuUs: [] as number[],
    p50: [] as number[],
    p99: [] as number[],
  }));
  for (const { origin } of contenders) await load(origin, WARM_UP);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { process, origin, cpuUs, p50, p99 } of contenders) {
      const before = await process.usage();
      const { latenciesMs } = await load(origin, REQUESTS);
      const after = await process.usage();
      cpuUs.push((after.cpuUs - before.cpuUs) / REQUESTS);
      p50.push(quantile(latenciesMs, 0.5));
      p99.push(quantile(latenciesMs, 0.99));
    }
  }
  const rawUs = medianOf(contenders[0]?.cpuUs ?? []);
  const rows = [];
  for (const { name, process, origin, cpuUs, p50, p99 } of contenders) {
    const allocatedBytes = await process.allocationsOf(() => load(origin, REQUESTS));
    const { rssBytes } = await process.usage();
    const toRaw = `${(medianOf(cpuUs) / rawUs).toFixed(1)}×`;
    const perRead = [medianOf(cpuUs), toRaw, medianOf(p50), medianOf(p99), allocatedBytes / REQUESTS / 1024];
    rows.push([name, ...perRead, rssBytes / 2 ** 20]);
  }
  return rows;
}

/** How long requests take when each server is sent as many, one server after the other in turns. */
async function compareAtRate(
  running: readonly NamedServer[],
  load: (origin: string) => Parameters<typeof sendAtRate>[0],
) {
  const measured = running.map(({ name }) => ({
    name,
    p50: [] as number[],
    p99: [] as number[],
    cpuUs: [] as number[],
  }));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [place, { process, origin }] of running.entries()) {
      const asked = load(origin);
      const before = await process.usage();
      const { latenciesMs } = await sendAtRate(asked);
      const { cpuUs } = await process.usage();
      measured[place]?.p50.push(quantile(latenciesMs, 0.5));
      measured[place]?.p99.push(quantile(latenciesMs, 0.99));
      measured[place]?.cpuUs.push((cpuUs - before.cpuUs) / asked.requestCount);
    }
  }
  return measured.map(({ name, p50, p99, cpuUs }) => [name, medianOf(p50), medianOf(p99), medianOf(cpuUs)]);
}

async function createDatabase(server: string): Promise<string> {
  const name = `bench_${randomBytes(6).toString('hex')}`;
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  return Object.assign(new URL(server), { pathname: `/${name}` }).href;
}

function loadOf(operation: Operation, { siteId, key }: Seeded, runCount: number) {
  return (origin: string, requestCount: number, connections: number): LoadOptions => ({
    ...{ origin, requestCount, connections },
    headers: { authorization: `Bearer ${key}` },
    path: (index) => `/api/v1/sites/${siteId}/runs/${OPERATIONS[operation](index, runCount)}`,
  });
}
