import { setTimeout as pause } from 'node:timers/promises';
import { openDatabase } from '../../src/store/database.js';
import { addAccount, addKey, addSite } from '../support/accounts.js';
import { newDatabaseUrl, runInScope } from '../support/script.js';
import { type Load, medianOf, sendLoad } from './load.js';
import { MIB, type RunningService, startService } from './processes.js';
import { clock, runPath, type Seeded, seedRuns } from './seed.js';
import { type BenchSite, startSite } from './site.js';
import { printTable } from './table.js';

/** A share of the usual counts, for a short look. */
const SHARE = Number(process.env.BENCH_SHARE ?? 1);
const STARTS = 7;
const MEMORY_READS = 20_000 * SHARE;
const MEMORY_STEPS = 5;
const AT_ONCE = 32;
/** A site's runs by the API in one day. */
const RUNS_PER_SITE = Math.ceil(5 * SHARE);
const RTT_MS = 150;
const READS_PER_S = 200;

/** The service as a whole: its start, its memory, and reads during scans. */
export async function benchMixed(): Promise<void> {
  await runInScope(async (scope) => {
    const url = await newDatabaseUrl(scope, 'sqlite');
    const seeded = await seedRuns(url, 1000);
    await benchStart(url);
    await benchMemory(url, seeded);
    await benchReadsDuringScans(url, seeded, await startSite('http', RTT_MS, 2 * AT_ONCE));
  });
}

async function benchStart(url: string): Promise<void> {
  const starts: number[][] = [];
  for (let start = 0; start < STARTS; start += 1) {
    const { process, startMs } = await startService(url);
    const { rss, cpuMs } = await process.usage();
    await process.stop();
    starts.push([startMs, cpuMs, rss / MIB]);
  }
  const medians = [0, 1, 2].map((figure) => medianOf(starts.map((one) => one[figure] ?? Number.NaN)));
  printTable(
    'From the start to the first answer',
    ['', 'ms', 'CPU ms', 'RSS MiB'],
    [[`median of ${STARTS}`, ...medians]],
  );
}

async function benchMemory(url: string, seeded: Seeded): Promise<void> {
  const service = await startService(url);
  const rows = [];
  for (let step = 0; step <= MEMORY_STEPS; step += 1) {
    if (step > 0) await sendLoad(readsOf(service, seeded, MEMORY_READS));
    const { rss } = await service.process.usage();
    const { heapUsed } = await service.process.ask<{ heapUsed: number }>('kept');
    rows.push([(MEMORY_READS * step).toLocaleString('en'), rss / MIB, heapUsed / MIB]);
  }
  await service.process.stop();
  printTable('Memory over reads', ['reads', 'RSS MiB', 'heap MiB after a collection'], rows);
}

/** How scans slow reads down. Another process on the same machine serves the sites. */
async function benchReadsDuringScans(url: string, seeded: Seeded, site: BenchSite): Promise<void> {
  const { service, key, siteIds } = await startWithSites(url, site);
  const rows: (string | number | null)[][] = [];
  const watch = async (name: string, work: Promise<unknown>, scans: number | null): Promise<void> => {
    const before = await service.process.usage();
    const beganMs = performance.now();
    const { p50, p99 } = await sendLoad({ ...readsOf(service, seeded, work), connections: 16, perSecond: READS_PER_S });
    const { cpuMs, rss, peakRss } = await service.process.usage();
    const seconds = (performance.now() - beganMs) / 1000;
    const perScan = scans && (cpuMs - before.cpuMs) / scans;
    rows.push([name, seconds, scans && scans / seconds, perScan, p50, p99, rss / MIB, peakRss / MIB]);
  };
  const scanAll = (ids: readonly string[]) =>
    Promise.all(
      ids.map(async (siteId) => {
        for (let run = 0; run < RUNS_PER_SITE; run += 1) await startRun(service, key, siteId);
      }),
    );
  await sendLoad(readsOf(service, seeded, 2000));
  await watch('reads alone', pause(10_000 * SHARE), null);
  const half = siteIds.length / 2;
  for (const ids of [siteIds.slice(0, half), siteIds.slice(half)])
    await watch(`and ${ids.length} scans at once`, scanAll(ids), ids.length * RUNS_PER_SITE);
  await watch('reads alone again', pause(10_000 * SHARE), null);
  await service.process.stop();
  await site.process.stop();
  const figures = [
    'seconds',
    'scans a second',
    'CPU ms a scan',
    'read p50 ms',
    'read p99 ms',
    'RSS MiB',
    'peak RSS MiB',
  ];
  printTable(`${READS_PER_S} reads a second during scans`, ['', ...figures], rows);
}

/** A service that may scan the site's addresses, and an account with each of them. */
async function startWithSites(url: string, { origins, port }: BenchSite) {
  const db = await openDatabase(url);
  const { id: accountId } = await addAccount(db, 'SCALE', clock);
  const key = await addKey(db, accountId, clock);
  const siteIds: string[] = [];
  for (const origin of origins) siteIds.push((await addSite(db, accountId, { hostname: origin })).id);
  await db.close();
  const service = await startService(url, {
    ...{ SCAN_ALLOW_CIDRS: '127.0.0.0/8', SCAN_ALLOW_PORTS: String(port), SCAN_CONCURRENCY: String(AT_ONCE) },
  });
  return { service, key, siteIds };
}

async function startRun({ origin }: RunningService, key: string, siteId: string): Promise<void> {
  const headers = { authorization: `Bearer ${key}` };
  const answer = await fetch(`${origin}/api/v1/sites/${siteId}/runs`, { method: 'POST', headers });
  await answer.arrayBuffer();
}

function readsOf({ origin }: RunningService, seeded: Seeded, ends: Load['ends']): Load {
  return { origin, ends, connections: 4, headers: seeded.headers, path: runPath(seeded) };
}
