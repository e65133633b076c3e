import autocannon, { type Request, type Result } from 'autocannon';
import { systemClock as clock } from '../../src/platform/clock.js';
import { migrateDatabase } from '../../src/store/migrate.js';
import { openDatabase } from '../../src/store/open.js';
import { perfect } from '../fixtures/sites/perfect.js';
import { addAccount, addKey, addSite } from '../support/accounts.js';
import { scanFixture } from '../support/golden.js';
import { freePort } from '../support/servers.js';
import { newDatabaseUrl, quantileOf, runInScope } from '../support/script.js';
import type { Scope } from '../support/service.js';
import { openServices } from '../support/services.js';
import { MeasuredProcess, medianOf, MIB, printTable, scriptOf, type Server, startService } from './processes.js';

/** The others are compared with the first. All write a line of log for each request. */
const SERVERS: Readonly<Record<string, (databaseUrl: string) => Promise<Server>>> = {
  'bare node:http, one prepared select, no log': (url) => startScript('servers/bare', url),
  fastify: (url) => startScript('servers/fastify', url),
  'this project': startService,
};

async function startScript(name: string, databaseUrl: string): Promise<Server> {
  const port = await freePort();
  const process = new MeasuredProcess([scriptOf(name)], { DATABASE_URL: databaseUrl, PORT: String(port) });
  await process.lineMatching(/listening$/);
  return { process, origin: `http://127.0.0.1:${port}` };
}

const RUNS = Number(process.env.BENCH_RUNS ?? 1000);
const CONNECTIONS = [1, 4, 16];
const REQUESTS = Number(process.env.BENCH_REQUESTS ?? 3000);
/** The servers take turns, so that a noisy minute affects all of them. */
const ROUNDS = 3;

/** What getRun costs, compared with servers that do the same work by other means. */
export async function benchReads(): Promise<void> {
  for (const engine of ['sqlite', 'postgres'] as const) {
    await runInScope(async (scope) => benchOn(scope, engine, await newDatabaseUrl(scope, engine)));
  }
  console.log(`\n${REQUESTS} requests × ${ROUNDS} in turns; medians. CPU is that of the server's process.`);
}

async function benchOn(scope: Scope, engine: string, url: string): Promise<void> {
  const reads = await storeRuns(url);
  const servers: (Server & { readonly name: string })[] = [];
  for (const [name, start] of Object.entries(SERVERS)) {
    const server = await start(url);
    scope.teardown(() => server.process.stop());
    servers.push({ name, ...server });
  }
  for (const server of servers) await sendReads(server, reads, 16);
  for (const connections of CONNECTIONS) {
    const rounds = new Map(servers.map((server) => [server, [] as number[][]]));
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [server, figures] of rounds) {
        const { cpuMs } = await server.process.ask();
        const answered = await sendReads(server, reads, connections);
        const after = await server.process.ask();
        figures.push([((after.cpuMs - cpuMs) * 1000) / REQUESTS, ...answered, after.rss / MIB]);
      }
    }
    printTable(
      `getRun: ${engine}, ${RUNS} runs, connections: ${connections}`,
      ['server', 'CPU µs', 'reads a second', 'p50 ms', 'p99 ms', 'RSS MiB'],
      [...rounds].map(([{ name }, figures]) => [
        name,
        ...[0, 1, 2, 3, 4].map((column) => medianOf(figures.map((round) => round[column] ?? Number.NaN))),
      ]),
    );
  }
}

interface Reads {
  readonly headers: { readonly authorization: string };
  /** Returns the path of the n-th request. */
  readonly pathOf: (index: number) => string;
}

/** Creates an account with a key and a site that has many runs. */
async function storeRuns(url: string): Promise<Reads> {
  await migrateDatabase(url);
  const db = await openDatabase(url);
  try {
    const { id: accountId } = await addAccount(db, 'SCALE', clock);
    const key = await addKey(db, accountId, clock);
    const site = await addSite(db, accountId);
    const report = await scanFixture(perfect);
    const { performRun } = openServices(db, { clock, scan: async () => report });
    for (let run = 0; run < RUNS; run += 1) await performRun({ site, trigger: 'SCHEDULED' });
    return {
      headers: { authorization: `Bearer ${key}` },
      // The step is prime, so that no cache can foresee the next run.
      pathOf: (index) => `/api/v1/sites/${site.id}/runs/${((index * 7919) % RUNS) + 1}`,
    };
  } finally {
    await db.close();
  }
}

/** Sends requests over connections that stay open. Throws for any answer but 2xx. @returns reads a second, p50 and p99 in ms */
async function sendReads({ origin }: Server, { headers, pathOf }: Reads, connections: number): Promise<number[]> {
  let next = 0;
  const times: number[] = [];
  const startedMs = performance.now();
  let lastMs = startedMs;
  const requests = [{ setupRequest: (request: Request) => ({ ...request, path: pathOf(next++) }) }];
  const options = { url: origin, connections, headers, amount: REQUESTS, timeout: 120, requests };
  const { errors, non2xx } = await new Promise<Result>((resolve, reject) => {
    const sending = autocannon(options, (error: unknown, result) => (error ? reject(error as Error) : resolve(result)));
    sending.on('response', (_client, _status, _bytes, ms) => {
      times.push(ms);
      lastMs = performance.now();
    });
  });
  if (errors + non2xx > 0) throw new Error(`${pathOf(0)}: ${errors} requests failed, ${non2xx} were refused`);
  const seconds = (lastMs - startedMs) / 1000;
  return [times.length / seconds, quantileOf(times, 0.5), quantileOf(times, 0.99)];
}
