import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { databaseUrl, startPostgres } from '../../support/postgres.js';
import { runStatements } from '../../support/raw-connection.js';
import { medianOf, quantile, sendLoad } from '../support/load.js';
import { type RunningService, startService } from '../support/service.js';
import { printTable } from '../support/table.js';
import { RUNS, seedAccount, type SeededAccount, SITES } from './seed.js';

const WARM_UP = 500;
const ROUNDS = 5;
const REQUESTS = 200;

interface View {
  readonly name: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The list in its states, the pages of one site, and a page that is the same for every visitor. */
function viewsOf({ cookie, siteId }: SeededAccount): readonly View[] {
  const pages = {
    'sites, news first': '/sites',
    'sites, last page': '/sites?page=8',
    'sites, by score': '/sites?sort=score',
    'sites, searched': '/sites?q=site-39',
    'sites, by check': '/sites?show=C-LLMS-03',
    site: `/sites/${siteId}`,
    history: `/sites/${siteId}/runs`,
    'history, older': `/sites/${siteId}/runs?before=51`,
    compare: `/sites/${siteId}/compare?from=${RUNS - 1}&to=${RUNS}`,
  };
  return [
    ...Object.entries(pages).map(([name, path]) => ({ name, path, headers: { cookie, accept: 'text/html' } })),
    { name: 'home, to a visitor', path: '/', headers: { accept: 'text/html', 'accept-encoding': 'gzip, br' } },
  ];
}

/** What the pages of an account with 400 sites of 100 runs each cost its process. */
export async function benchList(): Promise<void> {
  const postgres = await startPostgres();
  const folder = mkdtempSync(join(tmpdir(), 'agent-readiness-bench-'));
  try {
    await benchOn('SQLite', `sqlite:${join(folder, 'list.db')}`);
    await runStatements(postgres.url, 'CREATE DATABASE list');
    await benchOn('PostgreSQL', databaseUrl(postgres.url, 'list'));
  } finally {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function benchOn(engine: string, url: string): Promise<void> {
  const views = viewsOf(await seedAccount(url));
  const statements = await countStatements(url, views);
  const service = await startIdle(url);
  try {
    for (const view of views) await send(service, view, WARM_UP);
    const rounds: Awaited<ReturnType<typeof costOf>>[][] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const costs = [];
      for (const view of views) costs.push(await costOf(service, view));
      rounds.push(costs);
    }
    const median = (index: number, figure: 'cpuMs' | 'wallMs'): number =>
      medianOf(rounds.map((costs) => costs[index]?.[figure] ?? Number.NaN));
    printTable(
      `${engine}: ${SITES} sites of ${RUNS} runs, 50 a page`,
      ['page', 'statements', 'CPU ms', 'median ms'],
      views.map(({ name }, index) => [
        name,
        statements[index] ?? null,
        median(index, 'cpuMs'),
        median(index, 'wallMs'),
      ]),
    );
  } finally {
    await service.process.stop();
  }
}

const LOOK_MS = 500;
const IDLE_CPU_US = 20_000;

/** Resolves once the service has finished its start-up work. */
async function startIdle(url: string, environment: Readonly<Record<string, string>> = {}): Promise<RunningService> {
  const service = await startService(url, { LOG_LEVEL: 'fatal', ...environment });
  let [before, used] = [0, Number.POSITIVE_INFINITY];
  while (used > IDLE_CPU_US) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    const { cpuUs } = await service.process.usage();
    [before, used] = [cpuUs, cpuUs - before];
  }
  return service;
}

function send({ origin }: RunningService, { path, headers }: View, requestCount: number) {
  return sendLoad({ origin, path: () => path, headers, requestCount, connections: 1 });
}

async function costOf(service: RunningService, view: View) {
  const before = await service.process.usage();
  const { latenciesMs } = await send(service, view, REQUESTS);
  const after = await service.process.usage();
  return { cpuMs: (after.cpuUs - before.cpuUs) / REQUESTS / 1000, wallMs: quantile(latenciesMs, 0.5) };
}

const METRICS_TOKEN = 'token-of-the-bench';
const COUNTED = /^agent_readiness_database_duration_seconds_count\{[^}]*\} (\d+)$/gm;
/** The service has work of its own that falls between two looks. */
const LOOKS = 5;

/** How many statements each takes, by a process of its own, since one that is watched costs more. */
async function countStatements(url: string, views: readonly View[]): Promise<number[]> {
  const service = await startIdle(url, { METRICS_TOKEN });
  const count = async (): Promise<number> => {
    const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
    const text = await (await fetch(`${service.origin}/metrics`, { headers })).text();
    return [...text.matchAll(COUNTED)].reduce((sum, [, calls]) => sum + Number(calls), 0);
  };
  const look = async (view: View): Promise<number> => {
    await send(service, view, 1);
    const counts: number[] = [];
    for (let made = 0; made < LOOKS; made += 1) {
      const before = await count();
      const looking = (await count()) - before;
      await send(service, view, 1);
      counts.push((await count()) - before - 2 * looking);
    }
    return medianOf(counts);
  };
  try {
    const counts: number[] = [];
    for (const view of views) counts.push(await look(view));
    return counts;
  } finally {
    await service.process.stop();
  }
}
