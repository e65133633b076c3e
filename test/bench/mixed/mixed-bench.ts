import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openDatabase } from '../../../src/store/open-database.js';
import { addAccount, addKey, addSite } from '../../support/accounts.js';
import { type Seeded, seedRuns } from '../read/seed.js';
import { type BenchSite, loopbackOrigins, startSite } from '../scan/site.js';
import { medianOf, quantile, sendAtRate, sendLoad } from '../support/load.js';
import { MeasuredProcess } from '../support/measured-process.js';
import { runProgram } from '../support/run-program.js';
import { type RunningService, startService } from '../support/service.js';
import { printNote, printTable } from '../support/table.js';

const STARTS = 7;
const MEMORY_READS = 100_000;
const MEMORY_STEPS = 5;
const AT_ONCE = 32;
/** A site's runs by the API in one day. */
const RUNS_PER_SITE = 5;
const SCANS = AT_ONCE * RUNS_PER_SITE;
const RTT_MS = 150;
const BURST = 100;
const BURST_CONCURRENCY = 8;
const SEED_RUNS = 1000;
const MIB = 2 ** 20;
const HOSTILE_SITES = 20;
const READS_PER_S = 200;
/** As many as keep the machine busy while hostile sites are scanned: that of the sites, and the scan thread. */
const BUSY_PROCESSES = 2;

const HOSTILE_SERVER = fileURLToPath(new URL('hostile-server.js', import.meta.url));
const SCAN_MANY = fileURLToPath(new URL('../scan/scan-many.js', import.meta.url));

/** The service as a whole: its start, its memory, reads alongside scans, and more starts of runs than it takes at once. */
export async function benchMixed(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'agent-readiness-bench-'));
  try {
    const url = `sqlite:${join(folder, 'mixed.db')}`;
    const seeded = await seedRuns(url, SEED_RUNS);
    await benchStart(url);
    await benchMemory(url, seeded);
    await benchScansBesideReads(url, seeded);
    await benchHostileBesideReads(url, seeded);
    await benchBurst(url);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function benchStart(url: string): Promise<void> {
  const starts: { startMs: number; cpuMs: number; rssMib: number }[] = [];
  for (let start = 0; start < STARTS; start += 1) {
    const { process, startMs } = await startService(url);
    const { rssBytes, cpuUs } = await process.usage();
    await process.stop();
    starts.push({ startMs, cpuMs: cpuUs / 1000, rssMib: rssBytes / MIB });
  }
  printTable(
    'From the start to the first answer',
    ['of ' + String(STARTS), 'wall ms', 'CPU ms', 'RSS MiB'],
    [['median', ...(['startMs', 'cpuMs', 'rssMib'] as const).map((name) => medianOf(starts.map((one) => one[name])))]],
  );
}

async function benchMemory(url: string, seeded: Seeded): Promise<void> {
  const service = await startService(url);
  const rows = [];
  for (let step = 0; step <= MEMORY_STEPS; step += 1) {
    if (step > 0) await read(service, seeded, MEMORY_READS / MEMORY_STEPS);
    const { rssBytes } = await service.process.usage();
    await service.process.collectGarbage();
    const { heapBytes } = await service.process.usage();
    rows.push([((MEMORY_READS / MEMORY_STEPS) * step).toLocaleString('en'), rssBytes / MIB, heapBytes / MIB]);
  }
  await service.process.stop();
  printTable('Memory over reads', ['reads', 'RSS MiB', 'live heap MiB'], rows);
  printNote('The heap is taken after a collection: what is kept, not what waits to be collected.');
}

async function benchScansBesideReads(url: string, seeded: Seeded): Promise<void> {
  const site = await startSite('plain', RTT_MS, 2 * AT_ONCE);
  try {
    const ceiling = await measureCeiling(site, SCANS);
    const { service, key, siteIds } = await startWithSites(url, site, 2 * AT_ONCE, AT_ONCE);
    const alone = await read(service, seeded, 2000);
    // Each site has but a few runs a day, so that the ones that warm the service are of others.
    await scanBesideReads(service, seeded, key, siteIds.slice(0, AT_ONCE));
    const warm = await scanBesideReads(service, seeded, key, siteIds.slice(AT_ONCE));
    await service.process.stop();
    printTable(
      `${AT_ONCE} scans at once alongside reads, ${RTT_MS} ms added to each request of a scan`,
      ['', 'scans/s', 'CPU ms a scan', 'read p50 ms', 'read p99 ms', 'peak RSS MiB'],
      [
        ['scanner alone, 64 at once', ceiling.perSecond, ceiling.cpuMs, null, null, null],
        ['reads alone', null, null, quantile(alone.latenciesMs, 0.5), quantile(alone.latenciesMs, 0.99), null],
        [
          `service, ${warm.latenciesMs.length.toLocaleString('en')} reads meanwhile`,
          ...[warm.perSecond, warm.cpuMs, quantile(warm.latenciesMs, 0.5), quantile(warm.latenciesMs, 0.99)],
          warm.peakRssMib,
        ],
      ],
    );
    printNote(`Each of them warmed by ${SCANS} scans before. The CPU of the service holds its reads as well.`);
  } finally {
    await site.stop();
  }
}

async function scanBesideReads(service: RunningService, seeded: Seeded, key: string, siteIds: readonly string[]) {
  const before = await service.process.usage();
  const beganMs = performance.now();
  let isScanning = true;
  const starts = Promise.all(
    siteIds.map(async (siteId) => {
      for (let run = 0; run < RUNS_PER_SITE; run += 1) {
        const status = await startRun(service, key, siteId);
        if (status !== 201) throw new Error(`createRun answered ${status}`);
      }
    }),
  ).finally(() => (isScanning = false));
  const latencies: number[] = [];
  while (isScanning) latencies.push(...(await read(service, seeded, 200)).latenciesMs);
  await starts;
  const wallMs = performance.now() - beganMs;
  const after = await service.process.usage();
  return {
    perSecond: (SCANS * 1000) / wallMs,
    cpuMs: (after.cpuUs - before.cpuUs) / 1000 / SCANS,
    latenciesMs: Float64Array.from(latencies).sort(),
    peakRssMib: after.peakRssBytes / MIB,
  };
}

/** What those who read notice of sites that do their worst to the scanner, and what memory is left of it. */
async function benchHostileBesideReads(url: string, seeded: Seeded): Promise<void> {
  const server = new MeasuredProcess([HOSTILE_SERVER, String(HOSTILE_SITES)]);
  try {
    const port = Number((await server.lineMatching(/^port /)).split(' ')[1]);
    const site = { port, origins: loopbackOrigins(port, HOSTILE_SITES) };
    const { service, key, siteIds } = await startWithSites(url, site, HOSTILE_SITES);
    await read(service, seeded, 2000);
    const rows = [await readWhile('reads alone', service, seeded, pause(15_000))];
    for (const turn of ['first', 'second', 'third']) {
      const scans = Promise.all(siteIds.map((siteId) => startRun(service, key, siteId)));
      rows.push(await readWhile(`${HOSTILE_SITES} hostile scans, the ${turn} time`, service, seeded, scans));
    }
    rows.push(await readWhile('reads alone again', service, seeded, pause(15_000)));
    const busy = Array.from({ length: BUSY_PROCESSES }, () => spawn(process.execPath, ['-e', 'for (;;);']));
    rows.push(await readWhile(`with ${BUSY_PROCESSES} busy processes`, service, seeded, pause(15_000)));
    for (const one of busy) one.kill();
    await service.process.stop();
    printTable(
      `${READS_PER_S} reads a second alongside hostile sites`,
      ['', 'seconds', 'read p50 ms', 'read p99 ms', 'RSS MiB', 'peak RSS MiB'],
      rows,
    );
    printNote(
      'The sites are served by a process of their own on the same machine. A latency counts from when the read was due. The last row has ' +
        'no scans: two processes that only count, as the sites and the scan thread would. What reads lose there is the machine’s.',
    );
  } finally {
    await server.stop();
  }
}

async function readWhile(name: string, service: RunningService, seeded: Seeded, work: Promise<unknown>) {
  const beganMs = performance.now();
  let isGoingOn = true;
  const over = work.finally(() => (isGoingOn = false));
  const latencies: number[] = [];
  while (isGoingOn) {
    const load = { ...loadOf(service, seeded, READS_PER_S), connections: 16, perSecond: READS_PER_S };
    latencies.push(...(await sendAtRate(load)).latenciesMs);
  }
  await over;
  const sorted = Float64Array.from(latencies).sort();
  const { rssBytes, peakRssBytes } = await service.process.usage();
  const seconds = (performance.now() - beganMs) / 1000;
  return [name, seconds, quantile(sorted, 0.5), quantile(sorted, 0.99), rssBytes / MIB, peakRssBytes / MIB];
}

async function measureCeiling(site: BenchSite, scans: number): Promise<{ perSecond: number; cpuMs: number }> {
  const { lines } = await runProgram([SCAN_MANY, site.origins.join(','), String(scans), '64']);
  const { wallMs, cpuMs } = JSON.parse(lines[0] ?? '{}') as { wallMs: number; cpuMs: number };
  return { perSecond: (scans * 1000) / wallMs, cpuMs: cpuMs / scans };
}

/** More starts at once than there are slots: each is done or refused, none is lost, and the service goes on answering. */
async function benchBurst(url: string): Promise<void> {
  const site = await startSite('plain', RTT_MS, BURST);
  try {
    const { service, key, siteIds } = await startWithSites(url, site, BURST, BURST_CONCURRENCY);
    const answers = await Promise.all(
      siteIds.map(async (siteId) => {
        const beganMs = performance.now();
        const status = await startRun(service, key, siteId);
        return { status, ms: performance.now() - beganMs };
      }),
    );
    const { peakRssBytes } = await service.process.usage();
    await service.process.stop();
    const statuses = [...new Set(answers.map(({ status }) => status))].sort();
    printTable(
      `${BURST} starts at once, SCAN_CONCURRENCY ${BURST_CONCURRENCY}, ${RTT_MS} ms added to each request of a scan`,
      ['status', 'answers', 'first ms', 'last ms', 'peak RSS MiB'],
      statuses.map((status) => {
        const times = answers.filter((answer) => answer.status === status).map(({ ms }) => ms);
        return [String(status), times.length, Math.min(...times), Math.max(...times), peakRssBytes / MIB];
      }),
    );
  } finally {
    await site.stop();
  }
}

/** A service that may scan the site's addresses, and an account with each of them. */
async function startWithSites(
  url: string,
  site: Pick<BenchSite, 'origins' | 'port'>,
  count: number,
  concurrency = count,
) {
  const db = await openDatabase(url);
  const clock = { now: () => new Date() };
  const { id: accountId } = await addAccount(db, 'SCALE', clock);
  const key = await addKey(db, accountId, clock);
  const siteIds: string[] = [];
  for (const origin of site.origins.slice(0, count))
    siteIds.push((await addSite(db, accountId, { hostname: origin })).id);
  await db.close();
  const service = await startService(url, {
    ...{ SCAN_ALLOW_CIDRS: '127.0.0.0/8', SCAN_ALLOW_PORTS: String(site.port), SCAN_CONCURRENCY: String(concurrency) },
  });
  return { service, key, siteIds };
}

async function startRun({ origin }: RunningService, key: string, siteId: string): Promise<number> {
  const headers = { authorization: `Bearer ${key}` };
  const answer = await fetch(`${origin}/api/v1/sites/${siteId}/runs`, { method: 'POST', headers });
  await answer.arrayBuffer();
  return answer.status;
}

function read(service: RunningService, seeded: Seeded, requestCount: number) {
  return sendLoad(loadOf(service, seeded, requestCount));
}

function loadOf({ origin }: RunningService, { siteId, key }: Seeded, requestCount: number) {
  return {
    ...{ origin, requestCount, connections: 4 },
    headers: { authorization: `Bearer ${key}` },
    path: (index: number) => `/api/v1/sites/${siteId}/runs/${(index % SEED_RUNS) + 1}`,
  };
}
