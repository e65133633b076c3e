import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SCAN_LIMITS } from '../../../src/domain/scanner.js';
import { medianOf } from '../support/load.js';
import { type EndedProgram, runProgram } from '../support/run-program.js';
import { printNote, printTable } from '../support/table.js';
import { boundOf, takePlan } from './plan.js';
import { PEERS, type Peer } from './peers.js';
import { type BenchSite, startSite } from './site.js';

const RTTS_MS = [0, 50, 150];
/** The first scan of a process is cold; the rest are warm enough from the eleventh on. */
const SCANS = 40;
const COLD = 10;
const PEER_TIMES = 3;

const SCAN_ONCE = fileURLToPath(new URL('scan-once.ts', import.meta.url));
const CERTIFICATE = fileURLToPath(new URL('../../fixtures/tls/valid.pem', import.meta.url));

interface Scanned {
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly peakRssMib: number;
  readonly score: number | null;
}

/** What a scan of a healthy site costs, against the least that its plan allows, and beside its peers. */
export async function benchScans(): Promise<void> {
  const rounds = await takePlan();
  const inFlight = SCAN_LIMITS.hostRequestsMax;
  printNote(
    `The plan of a scan: ${rounds.length} rounds of ${rounds.join(', ')} requests; ${inFlight} in flight at most.`,
  );
  const rows = [];
  for (const scheme of ['plain', 'tls'] as const) {
    for (const rttMs of RTTS_MS) rows.push(await scanAt(scheme, rttMs, boundOf(rounds, inFlight, rttMs)));
  }
  printTable(
    'A scan of a healthy site',
    [
      'site',
      'requests',
      'connections',
      'bound ms',
      'cold ms',
      'warm ms',
      '1.25 × bound + 60',
      'warm CPU ms',
      'peak RSS MiB',
    ],
    rows,
  );
  printNote(
    `Warm: the median of scans ${COLD + 1} to ${SCANS} of a process (cold: the first). CPU is the scanner's process alone.`,
  );
  await benchPeers();
}

async function scanAt(scheme: 'plain' | 'tls', rttMs: number, boundMs: number) {
  const site = await startSite(scheme, rttMs);
  try {
    const args = ['--import', 'tsx', SCAN_ONCE, site.origin, String(SCANS)];
    const { lines, exitCode, errors } = await runProgram(args, { NODE_EXTRA_CA_CERTS: CERTIFICATE });
    if (exitCode !== 0) throw new Error(errors);
    const scans = lines.map((line) => JSON.parse(line) as Scanned);
    const warm = scans.slice(COLD);
    const { requests, connections } = await site.seen();
    if (scans.some(({ score }) => score !== scans[0]?.score)) throw new Error('The scans differ in their score.');
    return [
      `${scheme === 'tls' ? 'HTTPS' : 'HTTP'}, ${rttMs} ms`,
      requests / SCANS,
      connections / SCANS,
      boundMs,
      scans[0]?.wallMs ?? null,
      medianOf(warm.map(({ wallMs }) => wallMs)),
      boundMs * 1.25 + 60,
      medianOf(warm.map(({ cpuMs }) => cpuMs)),
      Math.max(...scans.map(({ peakRssMib }) => peakRssMib)),
    ];
  } finally {
    await site.stop();
  }
}

async function benchPeers(): Promise<void> {
  const rows = [];
  for (const rttMs of RTTS_MS) {
    const site = await startSite('plain', rttMs);
    try {
      for (const peer of PEERS) rows.push(await runPeer(peer, site, rttMs));
    } finally {
      await site.stop();
    }
  }
  printTable(
    'Whole programs, from start to exit',
    ['program', 'requests', 'connections', 'wall ms', 'CPU ms', 'peak RSS MiB'],
    rows,
  );
  printNote(
    `HTTP; medians of ${PEER_TIMES}. Each looks at other things: the figures say what a person waits for, not who judges better.`,
  );
}

async function runPeer(peer: Peer, site: BenchSite, rttMs: number) {
  const folder = mkdtempSync(join(tmpdir(), 'agent-readiness-bench-'));
  const ended: EndedProgram[] = [];
  await site.seen();
  try {
    for (let time = 0; time < PEER_TIMES; time += 1) {
      ended.push(await runProgram(peer.args(site), peer.environment?.(site) ?? {}, folder));
    }
    const { requests, connections } = await site.seen();
    return [
      `${peer.name}, ${rttMs} ms`,
      requests / PEER_TIMES,
      connections / PEER_TIMES,
      medianOf(ended.map(({ wallMs }) => wallMs)),
      medianOf(ended.map(({ cpuMs }) => cpuMs)),
      medianOf(ended.map(({ peakRssMib }) => peakRssMib)),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
