/**
 * `make torture TORTURE=stops`: SIGTERM under load, again and again, on each engine: the program ends well and in time, whoever
 * was answered was answered whole, and nothing of it is lost. Half of the clients keep their connections. STOPS an engine (20), STOPS_SEED.
 */
import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Call } from '../security/races/history.js';
import { findFaults } from '../security/races/invariants.js';
import { countAnswers, openProgramWorld, startAgain, type Surroundings } from '../security/races/processes.js';
import { readStored } from '../security/races/stored.js';
import type { World } from '../security/races/world.js';
import { freePort } from '../support/program.js';
import { createRandom, pick } from '../support/random.js';
import { newDatabaseUrl, quantileOf, runInScope, Verdict } from '../support/script.js';
import type { Scope } from '../support/service.js';

const STOPS = Number(process.env.STOPS ?? 20);
const SEED = Number(process.env.STOPS_SEED ?? Date.now() % 1_000_000);
const CLIENTS = 16;
const CUSTOMERS = 4;
const SITES_EACH = 8;
/** Of each customer, for each stop. */
const NEW_SITES = 2;
const QUOTA = 100_000;
/** So that scans take about a second, and a stop finds some in hand and some that wait. */
const ANSWER_MS = 60;
/** What a stop finds varies with the time of it. */
const LOAD_MS = { least: 1200, more: 800 } as const;
const EXIT_S_MAX = 52;

const verdict = new Verdict();

/** A client that asks one thing after the other, and waits a moment where nobody is there. */
async function ask(world: World, port: number, { random, goesOn }: { random: () => number; goesOn: () => boolean }) {
  const agent = random() < 0.5 ? new Agent({ keepAlive: true, maxSockets: 1 }) : undefined;
  while (goesOn()) {
    const customer = pick(world.customers, random);
    const key = pick(customer?.keys ?? [], random);
    if (!customer || !key) return;
    const siteId = pick(customer.sites, random) ?? '';
    const op = random() < 0.4 ? 'start' : random() < 0.5 ? 'latest' : 'byNumber';
    const question = { op, keyId: key.id, key: key.key, siteId, number: 1 + Math.floor(random() * 5) } as const;
    const { status } = await world.history.ask(port, question, agent);
    if (status === 0 || status === 503) await pause(50);
  }
  agent?.destroy();
}

/** What became of the requests that were in flight at the signal. */
interface Stop {
  readonly exitCode: number | null;
  readonly exitMs: number;
  readonly inFlight: readonly Call[];
}

async function stopAgainAndAgain(world: World, surroundings: Surroundings, random: () => number): Promise<Stop[]> {
  const port = await freePort();
  const stops: Stop[] = [];
  let program = await startAgain(surroundings, port);
  let isOver = false;
  const clients = Promise.all(
    Array.from({ length: CLIENTS }, () => ask(world, port, { random, goesOn: () => !isOver })),
  );
  for (let count = 0; count < STOPS; count += 1) {
    // Each site has five runs a day, so that others take the place of the first.
    for (const customer of world.customers) {
      customer.sites.splice(0, NEW_SITES);
      for (let added = 0; added < NEW_SITES; added += 1) await world.addSite(customer);
    }
    await pause(LOAD_MS.least + random() * LOAD_MS.more);
    const beganMs = performance.now();
    const exitCode = await program.stop('SIGTERM');
    const endedMs = performance.now();
    if (count < STOPS - 1) program = await startAgain(surroundings, port);
    else isOver = true;
    const inFlight = world.history.calls.filter((call) => call.beganMs < beganMs && call.endedMs > beganMs);
    stops.push({ exitCode, exitMs: endedMs - beganMs, inFlight });
  }
  await clients;
  return stops;
}

async function tryEngine(scope: Scope, databaseUrl: string): Promise<void> {
  const sites = CUSTOMERS * (SITES_EACH + STOPS * NEW_SITES);
  const { surroundings, db, world } = await openProgramWorld(scope, {
    ...{ databaseUrl, sites, quota: QUOTA, answerMs: ANSWER_MS, customers: CUSTOMERS, sitesEach: SITES_EACH },
  });
  const stops = await stopAgainAndAgain(world, surroundings, createRandom(SEED));
  const { calls } = world.history;
  const stored = await readStored(db);
  const seconds = stops.map(({ exitMs }) => exitMs / 1000);
  const at = (share: number): string => quantileOf(seconds, share).toFixed(1);
  console.log(`        ${calls.length} requests, ${stored.runs.length} runs stored: ${countAnswers(calls)}`);
  console.log(`        in flight at a signal: ${countAnswers(stops.flatMap(({ inFlight }) => inFlight))}`);
  console.log(`        from signal to exit: p50 ${at(0.5)} s, max ${at(1)} s`);
  const codes = stops.map(({ exitCode }) => exitCode);
  verdict.expect(
    codes.every((code) => code === 0),
    `each of ${stops.length} stops ended with 0 (${codes.join(' ')})`,
  );
  verdict.expect(Math.max(...seconds) <= EXIT_S_MAX, `each within ${EXIT_S_MAX} s`);
  const finished = stops.flatMap(({ inFlight }) => inFlight).filter(({ status }) => status === 201).length;
  verdict.expect(finished > 0, `runs in flight at a signal were finished (${finished})`);
  const alone = calls.filter(({ op, broken }) => broken === 'without an answer' && op === 'start').length;
  console.log(`        starts on a connection that was closed before an answer began: ${alone}`);
  verdict.expectNone(findFaults(world.history, stored, world.terms(false)), 'the history is as it must be');
}

console.log(`STOPS_SEED=${SEED}, ${STOPS} stops an engine, ${CLIENTS} clients`);
for (const engine of ['sqlite', 'postgres'] as const) {
  console.log(engine);
  await runInScope(async (scope) => tryEngine(scope, await newDatabaseUrl(scope, engine)));
}
process.exitCode = verdict.exitCode;
