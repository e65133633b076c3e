import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SCAN_LIMITS } from '../../../src/scanner/artifacts/scanner.js';
import { medianOf } from '../support/load.js';
import { type EndedProgram, runProgram } from '../support/run-program.js';
import { printNote, printTable } from '../support/table.js';
import { boundOf, takePlan } from './plan.js';
import { PEERS, type Peer } from './peers.js';
import { type BenchSite, type SiteScheme, startSite } from './site.js';
import { PROJECT } from '../../support/project.js';

const RTTS_MS = [0, 50, 150];
const SITES: readonly (readonly [scheme: SiteScheme, name: string])[] = [
  ['plain', 'HTTP'],
  ['tls', 'HTTPS'],
  ['h2', 'HTTPS, HTTP/2 on offer'],
];
/** Scans of one process, one after the other, and how many of them are cold: V8 goes on optimising for a hundred and more. */
const NEAR = { scans: 300, cold: 150 };
/** Where a scan takes a second there are fewer, so that their CPU is that of a process that is half warm. */
const FAR = { scans: 40, cold: 10 };

/** None where the site answers at once, and there is no bound to compare with. */
const wallGoalMs = (boundMs: number): number | null => (boundMs === 0 ? null : boundMs * 1.25 + 60);
const ROUNDS_GOAL = 5;
/** Of a warm scan by plain HTTP from a site that answers at once. */
const CPU_GOAL_MS = 15;

const PEER_TIMES = 3;

const SCAN_ONCE = fileURLToPath(new URL('scan-once.js', import.meta.url));
const CERTIFICATE = join(PROJECT, 'test/fixtures/tls/valid.pem');

interface Scanned {
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly peakRssMib: number;
  readonly score: number | null;
}

/** One row of the table: the means of all scans, and the medians of the warm ones. */
interface Measured {
  readonly site: string;
  readonly spoken: string;
  readonly requests: number;
  readonly connections: number;
  readonly boundMs: number;
  readonly coldMs: number;
  readonly warmMs: number;
  readonly cpuMs: number;
  readonly peakRssMib: number;
}

/** What a scan of a healthy site costs, against the least that its plan allows, and alongside its peers. */
export async function benchScans(): Promise<void> {
  const rounds = await takePlan();
  const inFlight = SCAN_LIMITS.addressRequestsMax;
  printNote(
    `The plan of a scan: ${rounds.length} rounds of ${rounds.join(', ')} requests; ${inFlight} in flight at most.`,
  );
  const measured: Measured[] = [];
  for (const [scheme, name] of SITES) {
    for (const rttMs of RTTS_MS) {
      const boundMs = boundOf(rounds, inFlight, rttMs);
      measured.push({ site: `${name}, ${rttMs} ms`, boundMs, ...(await scanAt(scheme, rttMs)) });
    }
  }
  printTable(
    'A scan of a healthy site',
    [
      ...['site', 'spoken', 'requests', 'connections', 'bound ms', 'cold ms', 'warm ms', 'warm ÷ bound'],
      ...['goal ms', 'holds', 'warm CPU ms', 'peak RSS MiB'],
    ],
    measured.map(({ site, spoken, requests, connections, boundMs, coldMs, warmMs, cpuMs, peakRssMib }) => [
      ...[site, spoken, requests, connections, boundMs, coldMs, warmMs, warmMs / boundMs],
      ...[wallGoalMs(boundMs), sayHolds(warmMs, wallGoalMs(boundMs)), cpuMs, peakRssMib],
    ]),
  );
  printNote(
    `Warm: the median of scans ${NEAR.cold + 1} to ${NEAR.scans} of a process at 0 ms, of ${FAR.cold + 1} to ${FAR.scans} elsewhere, ` +
      "where it is only half warm; cold: the first. CPU is the scanner's process alone. Spoken: what the requests came by. " +
      'The goal of a time is 1.25 × bound + 60 ms; the bound takes round after round, and a scan may begin the next one sooner.',
  );
  const cpuMs = measured[0]?.cpuMs ?? Number.NaN;
  printTable(
    'Other goals of a scan',
    ['goal', 'at most', 'is', 'holds'],
    [
      ['dependent rounds', ROUNDS_GOAL, rounds.length, sayHolds(rounds.length, ROUNDS_GOAL)],
      [`warm CPU ms (${measured[0]?.site ?? ''})`, CPU_GOAL_MS, cpuMs, sayHolds(cpuMs, CPU_GOAL_MS)],
    ],
  );
  await benchPeers();
}

function sayHolds(is: number, atMost: number | null): string | null {
  if (atMost === null) return null;
  return is <= atMost ? 'yes' : 'no';
}

async function scanAt(scheme: SiteScheme, rttMs: number): Promise<Omit<Measured, 'site' | 'boundMs'>> {
  const { scans: times, cold } = rttMs === 0 ? NEAR : FAR;
  const site = await startSite(scheme, rttMs);
  try {
    const args = [SCAN_ONCE, site.origin, String(times)];
    const { lines, exitCode, errors } = await runProgram(args, { NODE_EXTRA_CA_CERTS: CERTIFICATE });
    if (exitCode !== 0) throw new Error(errors);
    const scans = lines.map((line) => JSON.parse(line) as Scanned);
    const warm = scans.slice(cold);
    const { requests, connections, protocols } = await site.seen();
    if (scans.some(({ score }) => score !== scans[0]?.score)) throw new Error('The scans differ in their score.');
    return {
      spoken: protocols.join(' and '),
      requests: requests / times,
      connections: connections / times,
      coldMs: scans[0]?.wallMs ?? Number.NaN,
      warmMs: medianOf(warm.map(({ wallMs }) => wallMs)),
      cpuMs: medianOf(warm.map(({ cpuMs }) => cpuMs)),
      peakRssMib: Math.max(...scans.map(({ peakRssMib }) => peakRssMib)),
    };
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
