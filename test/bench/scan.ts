import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROJECT } from '../support/project.js';
import { MAIN, MeasuredProcess, medianOf, MIB, printTable, runProgram, scriptOf } from './processes.js';

const RTTS_MS = [0, 50, 150];
/** Scans of one process. The first half is not counted, since V8 is still optimising. */
const SCANS = Number(process.env.BENCH_SCANS ?? 300);
const PEER_TIMES = 3;

const binOf = (path: string): string => join(PROJECT, 'test/bench/node_modules', path);

/** The arguments of `node` for programs that scan a site. */
const PEERS: Readonly<Record<string, (origin: string) => readonly string[]>> = {
  'this project': (origin) => [MAIN, 'scan', origin, '--format', 'json'],
  'agent-readiness (npm)': (origin) => [binOf('agent-readiness/bin/agent-ready.mjs'), origin],
  afdocs: (origin) => [binOf('afdocs/bin/afdocs.mjs'), 'check', origin, '--format', 'json'],
};

interface BenchSite {
  readonly port: string;
  readonly process: MeasuredProcess;
}

/** What a scan of a healthy site costs, by itself and compared with other programs. */
export async function benchScans(): Promise<void> {
  const scans: (string | number)[][] = [];
  const programs: (string | number)[][] = [];
  for (const scheme of ['http', 'https']) {
    for (const rttMs of RTTS_MS) {
      const process = new MeasuredProcess([scriptOf('servers/site'), scheme, String(rttMs)]);
      const [, port = ''] = (await process.lineMatching(/^port /)).split(' ');
      const site = { port, process };
      try {
        // Fewer if each takes a second.
        const times = Math.max(2, rttMs === 0 ? SCANS : SCANS / 8);
        scans.push([`${scheme}, ${rttMs} ms`, ...(await scanRepeatedly(site, scheme, times))]);
        for (const [name, argsOf] of scheme === 'http' ? Object.entries(PEERS) : [])
          programs.push([`${name}, ${rttMs} ms`, ...(await runPeer(site, argsOf))]);
      } finally {
        await process.stop();
      }
    }
  }
  const measured = ['requests', 'connections', 'cold ms', 'warm ms', 'warm CPU ms', 'peak RSS MiB'];
  printTable('A scan of a healthy site', ['site', ...measured], scans);
  printTable('Whole programs', ['program', 'requests', 'connections', 'ms', 'CPU ms', 'peak RSS MiB'], programs);
  console.log(`\nMedians of ${PEER_TIMES}, from start to exit. The programs check different things.`);
}

async function scanRepeatedly(site: BenchSite, scheme: string, times: number): Promise<number[]> {
  // The certificate has this name.
  const args = [scriptOf('scan-once'), `${scheme}://secure.fixture-site.com:${site.port}`, String(times)];
  const authority = { NODE_EXTRA_CA_CERTS: join(PROJECT, 'test/fixtures/tls/valid.pem') };
  const { lines, peakRss } = await runProgram(args, authority);
  const scans = lines.map((line) => JSON.parse(line) as { wallMs: number; cpuMs: number; score: number | null });
  if (scans.length < times || scans.some(({ score }) => score !== 100)) throw new Error('A scan found a fault.');
  const warm = scans.slice(times / 2);
  const [wallMs, cpuMs] = [medianOf(warm.map((scan) => scan.wallMs)), medianOf(warm.map((scan) => scan.cpuMs))];
  return [...(await countRequests(site, times)), scans[0]?.wallMs ?? Number.NaN, wallMs, cpuMs, peakRss / MIB];
}

async function runPeer(site: BenchSite, argsOf: (origin: string) => readonly string[]): Promise<number[]> {
  const folder = mkdtempSync(join(tmpdir(), 'agent-readiness-bench-'));
  try {
    const ended: Awaited<ReturnType<typeof runProgram>>[] = [];
    const environment = { SCAN_ALLOW_CIDRS: '127.0.0.1/32', SCAN_ALLOW_PORTS: site.port };
    for (let time = 0; time < PEER_TIMES; time += 1)
      ended.push(await runProgram(argsOf(`http://127.0.0.1:${site.port}`), environment, folder));
    const median = (figure: 'wallMs' | 'cpuMs' | 'peakRss'): number => medianOf(ended.map((one) => one[figure]));
    const counts = await countRequests(site, PEER_TIMES);
    return [...counts, median('wallMs'), median('cpuMs'), median('peakRss') / MIB];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @returns requests and connections of one scan, since the last count */
async function countRequests({ process }: BenchSite, scanCount: number): Promise<number[]> {
  const { requests, connections } = await process.ask<{ requests: number; connections: number }>('seen');
  return [requests / scanCount, connections / scanCount];
}
