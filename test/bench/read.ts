import { freePort } from '../support/program.js';
import { newDatabaseUrl, runInScope } from '../support/script.js';
import type { Scope } from '../support/service.js';
import { medianOf, sendLoad } from './load.js';
import { MeasuredProcess, MIB, type RunningService, scriptOf, startService } from './processes.js';
import { runPath, seedRuns } from './seed.js';
import { printTable } from './table.js';

type Figures = Readonly<Record<'cpuUs' | 'perSecond' | 'p50' | 'p99' | 'rssMib', number>>;
type Server = Pick<RunningService, 'process' | 'origin'>;

/** The first is what all are compared with. */
const SERVERS: Readonly<Record<string, (databaseUrl: string) => Promise<Server>>> = {
  'bare node:http, one prepared select': (url) => startScript('servers/bare', url),
  fastify: (url) => startScript('servers/fastify', url),
  'fastify, no log lines': (url) => startScript('servers/fastify', url, 'warn'),
  'this project': (url) => startService(url, { LOG_LEVEL: 'info' }),
  'this project, no log lines': (url) => startService(url, { LOG_LEVEL: 'warn' }),
};

async function startScript(name: string, databaseUrl: string, logLevel = 'info'): Promise<Server> {
  const port = await freePort();
  const surroundings = { DATABASE_URL: databaseUrl, PORT: String(port), LOG_LEVEL: logLevel };
  const process = new MeasuredProcess([scriptOf(name)], surroundings);
  await process.lineMatching(/listening$/);
  return { process, origin: `http://127.0.0.1:${port}` };
}

const RUN_COUNTS = (process.env.BENCH_RUNS ?? '1000,100000').split(',').map(Number);
const CONNECTIONS = [1, 4, 16];
const REQUESTS = Number(process.env.BENCH_REQUESTS ?? 3000);
/** The servers take turns, so that a noisy minute hits all of them. */
const ROUNDS = 3;

/** What getRun costs, alongside servers that do the same work by other means. */
export async function benchReads(): Promise<void> {
  for (const engine of ['sqlite', 'postgres'] as const) {
    for (const runCount of RUN_COUNTS) {
      await runInScope(async (scope) => {
        const url = await newDatabaseUrl(scope, engine);
        await benchOn(scope, `${engine}, ${runCount.toLocaleString('en')} runs`, url, runCount);
      });
    }
  }
  console.log(`\n${REQUESTS} requests × ${ROUNDS} in turns; medians. CPU is the server's process alone.`);
}

async function benchOn(scope: Scope, title: string, url: string, runCount: number): Promise<void> {
  const seeded = await seedRuns(url, runCount);
  const servers: (Server & { readonly name: string })[] = [];
  for (const [name, start] of Object.entries(SERVERS)) {
    const server = await start(url);
    scope.teardown(() => server.process.stop());
    servers.push({ name, ...server });
  }
  const read = ({ origin }: Server, connections: number) =>
    sendLoad({ origin, connections, ends: REQUESTS, headers: seeded.headers, path: runPath(seeded) });
  for (const server of servers) await read(server, 16);
  for (const connections of CONNECTIONS) {
    const rounds: ({ readonly server: Server } & Figures)[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const server of servers) {
        const { cpuMs } = await server.process.usage();
        const { perSecond, p50, p99 } = await read(server, connections);
        const after = await server.process.usage();
        const cpuUs = ((after.cpuMs - cpuMs) * 1000) / REQUESTS;
        rounds.push({ server, cpuUs, perSecond, p50, p99, rssMib: after.rss / MIB });
      }
    }
    const median = (server: Server, figure: keyof Figures): number =>
      medianOf(rounds.filter((round) => round.server === server).map((round) => round[figure]));
    const [bare] = servers;
    const bareUs = bare ? median(bare, 'cpuUs') : Number.NaN;
    printTable(
      `getRun: ${title}, connections: ${connections}`,
      ['server', 'CPU µs', 'to bare', 'reads a second', 'p50 ms', 'p99 ms', 'RSS MiB'],
      servers.map((server) => [
        ...[server.name, median(server, 'cpuUs'), `${(median(server, 'cpuUs') / bareUs).toFixed(1)}×`],
        ...(['perSecond', 'p50', 'p99', 'rssMib'] as const).map((figure) => median(server, figure)),
      ]),
    );
  }
}
