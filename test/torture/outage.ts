/**
 * `make torture TORTURE=outage`: PostgreSQL goes away and comes back under load of the built program (two API processes, a
 * worker): by its fast stop, its immediate stop, kill -9, a cut cable, and one that nobody tells of. OUTAGE_ROUNDS (2), OUTAGE_SEED.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { runClients } from '../security/races/clients.js';
import type { Call } from '../security/races/history.js';
import { findFaults } from '../security/races/invariants.js';
import {
  CLOCK,
  countAnswers,
  createHookCaller,
  endNodes,
  openProgramWorld,
  startNodes,
  untilReady,
} from '../security/races/processes.js';
import { openOffice } from '../security/races/world.js';
import { startPostgres } from '../support/postgres.js';
import { createRandom } from '../support/random.js';
import { openScope, Verdict } from '../support/script.js';
import { openTcpGate } from '../support/tcp-gate.js';

const ROUNDS = Number(process.env.OUTAGE_ROUNDS ?? 2);
const SEED = Number(process.env.OUTAGE_SEED ?? Date.now() % 1_000_000);
const CLIENTS = 12;
const SITES_MAX = 400;
const QUOTA = 5000;
const BEFORE_MS = 3000;
const AWAY_MS = 4000;
/** Longer than the client of the database waits for an answer. */
const FROZEN_MS = 14_000;
const RECOVERY_S_MAX = 10;
/** A statement that hangs is given up after ten seconds, and so is what undoes it; five more to connect. */
const ANSWER_S_MAX = 40;
const DRAIN_MS_MAX = 180_000;

const verdict = new Verdict();
console.log(`OUTAGE_SEED=${SEED}, ${ROUNDS} rounds`);
const scope = openScope();
const server = await startPostgres({ isDurable: true });
scope.teardown(() => server.stop());
const gate = await openTcpGate(server.url);
const { surroundings, db, world } = await openProgramWorld(scope, {
  ...{ databaseUrl: gate.url, ownUrl: server.url, sites: SITES_MAX, quota: QUOTA, answerMs: 5 },
  ...{ customers: 20, sitesEach: 6 },
});
const processes = await startNodes(surroundings, ['api', 'api', 'worker']);
const apis = processes.filter(({ role }) => role === 'api');
const random = createRandom(SEED);
const callHook = await createHookCaller(world, apis, random);
let isOver = false;
const clients = runClients({
  ...{ world, random, clients: CLIENTS, nodes: () => apis, office: openOffice(db, CLOCK), changeShare: 0.01 },
  goesOn: () => !isOver,
  deeds: [{ weight: 0.05, act: (_customer, siteId) => callHook(siteId) }],
});

interface Outage {
  readonly name: string;
  readonly awayMs: number;
  readonly begin: () => Promise<void> | void;
  readonly end: () => Promise<void> | void;
}

const OUTAGES: readonly Outage[] = [
  { name: 'fast stop', awayMs: AWAY_MS, begin: () => server.down('SIGINT'), end: () => server.up() },
  { name: 'immediate stop', awayMs: AWAY_MS, begin: () => server.down('SIGQUIT'), end: () => server.up() },
  { name: 'kill -9', awayMs: AWAY_MS, begin: () => server.down('SIGKILL'), end: () => server.up() },
  { name: 'cut', awayMs: AWAY_MS, begin: () => gate.cut(), end: () => gate.restore() },
  { name: 'frozen', awayMs: FROZEN_MS, begin: () => gate.freeze(), end: () => gate.thaw() },
];

function slowestS(calls: readonly Call[]): number {
  return Math.max(0, ...calls.map(({ beganMs, endedMs }) => endedMs - beganMs)) / 1000;
}

async function tryOutage({ name, awayMs, begin, end }: Outage): Promise<void> {
  await pause(BEFORE_MS);
  const { calls } = world.history;
  const first = calls.length;
  const beganMs = performance.now();
  await begin();
  await pause(awayMs);
  await end();
  const backMs = performance.now();
  await Promise.all(processes.map(({ port }) => untilReady(port)));
  const readyS = (performance.now() - backMs) / 1000;
  while (!calls.some(({ status, beganMs }) => status === 201 && beganMs > backMs)) await pause(20);
  const workS = (performance.now() - backMs) / 1000;
  const during = calls.slice(first).filter((call) => call.endedMs > beganMs && call.beganMs < backMs);
  const slowest = slowestS(calls.slice(first));
  console.log(
    `${name}: ready after ${readyS.toFixed(1)} s, a run after ${workS.toFixed(1)} s, slowest answer ${slowest.toFixed(1)} s`,
  );
  console.log(`        ${countAnswers(during)}`);
  const isDocumented = during.every(({ status, broken }) => broken === null && status !== 500);
  verdict.expect(isDocumented, `${name}: each answer is whole, and none says that we failed`);
  verdict.expect(
    readyS <= RECOVERY_S_MAX && workS <= RECOVERY_S_MAX,
    `${name}: it works again within ${RECOVERY_S_MAX} s`,
  );
  verdict.expect(slowest <= ANSWER_S_MAX, `${name}: nobody waits for longer than ${ANSWER_S_MAX} s`);
}

for (let round = 0; round < ROUNDS; round += 1) for (const outage of OUTAGES) await tryOutage(outage);
isOver = true;
const steps = await clients;
const { codes, stored } = await endNodes(processes, db, DRAIN_MS_MAX);
console.log(`In all: ${steps} steps, ${world.history.calls.length} requests, ${stored.runs.length} runs stored`);
verdict.expectNone(findFaults(world.history, stored, world.terms(true)), 'the history is as it must be');
verdict.expect(stored.queued === 0, `nothing is left in the queue (${stored.queued})`);
verdict.expect(
  codes.every((code) => code === 0),
  `every process lived, and ended well (${codes.join(', ')})`,
);
await scope.end();
process.exit(verdict.exitCode);
