import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROJECT } from '../support/project.js';
import { medianOf } from './load.js';
import { MAIN, MIB, runProgram, scriptOf } from './processes.js';
import { type BenchSite, startSite } from './site.js';
import { printTable } from './table.js';

const RTTS_MS = [0, 50, 150];
/** Of one process, one after the other; the first half is not counted, since V8 goes on optimising. Fewer where a scan takes a second. */
const SCANS = Number(process.env.BENCH_SCANS ?? 300);
const scansAt = (rttMs: number): number => Math.max(2, rttMs === 0 ? SCANS : SCANS / 8);
const PEER_TIMES = 3;

const binOf = (path: string): string => join(PROJECT, 'test/bench/node_modules', path);

/** Programs that scan a site from the command line: what follows `node`. */
const PEERS: Readonly<Record<string, (origin: string) => readonly string[]>> = {
  'this project': (origin) => [MAIN, 'scan', origin, '--format', 'json'],
  'agent-readiness (npm)': (origin) => [binOf('agent-readiness/bin/agent-ready.mjs'), origin],
  afdocs: (origin) => [binOf('afdocs/bin/afdocs.mjs'), 'check', origin, '--format', 'json'],
};

interface Seen {
  readonly requests: number;
  readonly connections: number;
}

/** What a scan of a healthy site costs, by itself and alongside its peers. */
export async function benchScans(): Promise<void> {
  const scans: (string | number)[][] = [];
  const programs: (string | number)[][] = [];
  for (const scheme of ['http', 'https']) {
    for (const rttMs of RTTS_MS) {
      const site = await startSite(scheme, rttMs, 1);
      try {
        scans.push([`${scheme}, ${rttMs} ms`, ...(await scanAt(site, scheme, scansAt(rttMs)))]);
        for (const [name, argsOf] of scheme === 'http' ? Object.entries(PEERS) : [])
          programs.push([`${name}, ${rttMs} ms`, ...(await runPeer(site, argsOf))]);
      } finally {
        await site.process.stop();
      }
    }
  }
  const measured = ['requests', 'connections', 'cold ms', 'warm ms', 'warm CPU ms', 'peak RSS MiB'];
  printTable('A scan of a healthy site', ['site', ...measured], scans);
  printTable('Whole programs', ['program', 'requests', 'connections', 'ms', 'CPU ms', 'peak RSS MiB'], programs);
  console.log(
    `\nMedians of ${PEER_TIMES}, from start to exit. Each looks at other things: no figure says who judges better.`,
  );
}

async function scanAt(site: BenchSite, scheme: string, times: number): Promise<number[]> {
  // The name in its certificate.
  const args = [scriptOf('scan-once'), `${scheme}://secure.fixture-site.com:${site.port}`, String(times)];
  const authority = { NODE_EXTRA_CA_CERTS: join(PROJECT, 'test/fixtures/tls/valid.pem') };
  const { lines, peakRss } = await runProgram(args, authority);
  const scans = lines.map((line) => JSON.parse(line) as { wallMs: number; cpuMs: number; score: number | null });
  if (scans.length < times || scans.some(({ score }) => score !== 100)) throw new Error('A scan found a fault.');
  const warm = scans.slice(times / 2);
  const { requests, connections } = await site.process.ask<Seen>('seen');
  const [wallMs, cpuMs] = [medianOf(warm.map((one) => one.wallMs)), medianOf(warm.map((one) => one.cpuMs))];
  return [requests / times, connections / times, scans[0]?.wallMs ?? Number.NaN, wallMs, cpuMs, peakRss / MIB];
}

async function runPeer(site: BenchSite, argsOf: (origin: string) => readonly string[]): Promise<number[]> {
  const folder = mkdtempSync(join(tmpdir(), 'agent-readiness-bench-'));
  await site.process.ask('seen');
  try {
    const ended: Awaited<ReturnType<typeof runProgram>>[] = [];
    const surroundings = { SCAN_ALLOW_CIDRS: '127.0.0.1/32', SCAN_ALLOW_PORTS: String(site.port) };
    for (let time = 0; time < PEER_TIMES; time += 1)
      ended.push(await runProgram(argsOf(site.origins[0] ?? ''), surroundings, folder));
    const { requests, connections } = await site.process.ask<Seen>('seen');
    const median = (figure: 'wallMs' | 'cpuMs' | 'peakRss'): number => medianOf(ended.map((one) => one[figure]));
    const counts = [requests / PEER_TIMES, connections / PEER_TIMES];
    return [...counts, median('wallMs'), median('cpuMs'), median('peakRss') / MIB];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
