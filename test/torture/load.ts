/**
 * `make torture TORTURE=load`: many clients of the built program start runs, read, revoke keys, change plans, remove sites and call
 * deploy hooks, on SQLite and on PostgreSQL (two API processes, two workers, and commands of other processes). Three times an engine:
 * undisturbed, while the program is stopped by SIGTERM again and again, and while PostgreSQL goes away. What clients saw is held against
 * the invariants of test/security/races. LOAD_SECONDS (60) undisturbed, LOAD_STOPS (20), LOAD_ROUNDS (2) of outages, LOAD_SEED.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { systemClock as clock } from '../../src/platform/clock.js';
import { setSchedule } from '../../src/app/automation/schedules.js';
import type { Role } from '../../src/cli/service.js';
import type { Database } from '../../src/store/database.js';
import { openDatabase } from '../../src/store/open.js';
import { type Call, readStored } from '../security/races/history.js';
import { findFaults } from '../security/races/invariants.js';
import { type Deed, type Office, openOffice, runClients, World } from '../security/races/world.js';
import { startFixtureServer } from '../support/fixture-server.js';
import { makeSchedulesDue } from '../support/queue.js';
import { type PostgresServer, startPostgres } from '../support/postgres.js';
import { runBuilt } from '../support/program.js';
import { createRandom, pick } from '../support/random.js';
import { newDatabaseUrl, quantileOf, runInScope, Verdict } from '../support/script.js';
import { serve, type ServingProgram } from '../support/service.js';
import { openTcpGate, type TcpGate } from '../support/servers.js';

const SECONDS = Number(process.env.LOAD_SECONDS ?? 60);
const STOPS = Number(process.env.LOAD_STOPS ?? 20);
const ROUNDS = Number(process.env.LOAD_ROUNDS ?? 2);
const SEED = Number(process.env.LOAD_SEED ?? Date.now() % 1_000_000);
const CLIENTS = 16;
const CUSTOMERS = 8;
const SITES_EACH = 6;
const DRAIN_MS_MAX = 180_000;
const EXIT_S_MAX = 52;
const RECOVERY_S_MAX = 10;
/** A statement that hangs is given up after ten seconds, and so is what undoes it; five more to connect. */
const ANSWER_S_MAX = 40;
const AWAY_MS = 4000;
/** Longer than the client of the database waits for an answer. */
const FROZEN_MS = 14_000;

const verdict = new Verdict();
const random = createRandom(SEED);

const HOME = '<!doctype html><html lang="en"><title>Home</title><p>Hello</p></html>';

type Environment = Readonly<Record<string, string>>;

/** A process of the built program that answers the API. */
interface ProgramNode extends ServingProgram {
  readonly role: Role;
}

interface Scenario {
  readonly name: string;
  readonly roles: readonly Role[];
  readonly databaseUrl: string;
  /** The database's address for this process, where the program has another. */
  readonly ownUrl?: string;
  readonly quota?: number;
  /** How many sites there are servers for. */
  readonly sites?: number;
  /** What each page takes to answer. */
  readonly answerMs?: number;
  /** What the program goes through while clients use it. */
  readonly disturb: (of: {
    readonly world: World;
    readonly nodes: ProgramNode[];
    restart(node: ProgramNode): Promise<void>;
  }) => Promise<void>;
  /** Whether what failed may have taken place. */
  readonly isDisturbed?: true;
  readonly deeds?: (db: Database) => readonly Deed[];
}

async function startNode(environment: Environment, role: Role, port?: number): Promise<ProgramNode> {
  const node = await serve(environment, port === undefined ? { role } : { role, port });
  await untilReady(node.port);
  return { ...node, role };
}

async function untilReady(port: number): Promise<void> {
  const ask = () => fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
  while ((await ask())?.status !== 200) await pause(20);
}

/** Commands of processes of their own, and the same by a connection of this process: one after the other. */
function openMixedOffice(db: Database, environment: Environment): Office {
  const office = openOffice(db, clock);
  let count = 0;
  const mixed = async (own: () => Promise<unknown>, ...args: string[]): Promise<unknown> => {
    if ((count += 1) % 2 > 0) return own();
    const { exitCode, stderr } = await runBuilt([...args, '--json'], environment);
    if (exitCode !== 0) throw new Error(`agent-readiness ${args.join(' ')} ended with ${exitCode}: ${stderr}`);
    return;
  };
  return {
    revoke: (id) => mixed(() => office.revoke(id), 'key', 'revoke', id),
    setPlan: (id, plan) => mixed(() => office.setPlan(id, plan), 'account', 'set-plan', id, plan),
    removeSite: (id) => mixed(() => office.removeSite(id), 'site', 'remove', id),
  };
}

/** How often each answer came. */
function countAnswers(calls: readonly Call[]): string {
  const nameOf = ({ status, code, broken }: Call) => broken ?? (code === null ? String(status) : `${status} ${code}`);
  return [...Map.groupBy(calls, nameOf)]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([name, { length }]) => `${name} × ${length}`)
    .join(', ');
}

async function play(scenario: Scenario): Promise<void> {
  const { name, roles, databaseUrl, ownUrl = databaseUrl, quota = 5000, sites = 400, answerMs = 0 } = scenario;
  const isDisturbed = scenario.isDisturbed ?? false;
  console.log(`\n${name}`);
  await runInScope(async (scope) => {
    const origins: string[] = [];
    const ports: number[] = [];
    for (let index = 0; index < sites; index += 1) {
      const server = await startFixtureServer({ routes: { '/': () => pause(answerMs, HOME) } });
      scope.teardown(server.close);
      origins.push(server.origin);
      ports.push(server.port);
    }
    const environment: Environment = {
      ...{ DATABASE_URL: databaseUrl, MONTHLY_QUOTA: String(quota), SCAN_CONCURRENCY: '8', LOG_LEVEL: 'info' },
      ...{ SCAN_ALLOW_CIDRS: '127.0.0.1/32', SCAN_ALLOW_PORTS: ports.join(',') },
    };
    const { exitCode, stderr } = await runBuilt(['migrate'], environment);
    if (exitCode !== 0) throw new Error(stderr);
    const db = await openDatabase(ownUrl);
    scope.teardown(() => db.close());
    const siteOf = (index: number): string => origins[index] ?? '';
    const world = new World({ db, clock, customers: CUSTOMERS, sitesEach: SITES_EACH, siteOf, quota });
    await world.fill();
    const nodes = await Promise.all(roles.map((role) => startNode(environment, role)));
    const apis = nodes.filter(({ role }) => role !== 'worker');
    const tokens = await world.addHooks();
    const hookOf = (siteId: string) =>
      `http://127.0.0.1:${pick(apis, random)?.port ?? 0}/hooks/deploy/${tokens.get(siteId) ?? 'x'}?wait=0`;
    // A process may be stopped at this moment.
    const callHook: Deed['act'] = (_customer, siteId) => fetch(hookOf(siteId), { method: 'POST' }).catch(() => null);
    let isOver = false;
    const done = runClients({
      ...{ world, random, clients: CLIENTS, nodes: apis, changeShare: 0.01, goesOn: () => !isOver },
      office: isDisturbed ? openOffice(db, clock) : openMixedOffice(db, environment),
      deeds: [{ weight: 0.02, act: callHook }, ...(scenario.deeds?.(db) ?? [])],
    });
    const restart = async (node: ProgramNode): Promise<void> =>
      void Object.assign(node, await startNode(environment, node.role, node.port));
    await scenario.disturb({ world, nodes, restart });
    isOver = true;
    const steps = await done;
    const untilMs = performance.now() + DRAIN_MS_MAX;
    while ((await readStored(db)).queued > 0 && performance.now() < untilMs) await pause(500);
    const codes = await Promise.all(nodes.map((node) => node.stop('SIGTERM')));
    const stored = await readStored(db);
    const { calls, changes } = world.history;
    console.log(
      `        ${steps} steps, ${calls.length} requests, ${changes.length} changes, ${stored.runs.length} runs stored`,
    );
    console.log(`        ${countAnswers(calls)}`);
    verdict.expectNone(findFaults(world.history, stored, world.terms(isDisturbed)), 'the history is as it must be');
    verdict.expect(stored.queued === 0, `nothing is left in the queue (${stored.queued})`);
    const isWell = codes.every((code) => code === 0);
    verdict.expect(isWell, `every process ended well (${codes.join(', ')})`);
  });
}

/** Undisturbed, with schedules, and a quota that is spent. */
const calm = (name: string, databaseUrl: string, roles: readonly Role[]): Scenario => ({
  ...{ name: `${name}, undisturbed`, roles, databaseUrl, quota: 400 },
  disturb: () => pause(SECONDS * 1000),
  deeds: (db) => [
    {
      weight: 0.005,
      act: async ({ id: accountId }, siteId) => {
        await setSchedule({ db, clock }, { accountId, siteId }, 'WEEKLY');
        await makeSchedulesDue(db);
      },
    },
  ],
});

/** SIGTERM finds scans in hand and some that wait: each is finished or refused, and the process ends in time. */
const stops = (name: string, databaseUrl: string): Scenario => ({
  ...{ name: `${name}, stopped ${STOPS} times`, roles: ['all'], databaseUrl },
  ...{ quota: 100_000, answerMs: 60, sites: 400 + CUSTOMERS * STOPS },
  disturb: async ({ world, nodes: [node], restart }) => {
    if (!node) return;
    const [seconds, finished]: [number[], number[]] = [[], []];
    for (let count = 0; count < STOPS; count += 1) {
      // Each site has five runs a day, so that others take the place of the first.
      for (const customer of world.customers) {
        customer.sites.shift();
        await world.addSite(customer);
      }
      await pause(1200 + random() * 800);
      const beganMs = performance.now();
      verdict.expect((await node.stop('SIGTERM')) === 0, `stop ${count + 1} ends well`);
      const endedMs = performance.now();
      await restart(node);
      seconds.push((endedMs - beganMs) / 1000);
      const inFlight = world.history.calls.filter((call) => call.beganMs < beganMs && call.endedMs > beganMs);
      finished.push(inFlight.filter(({ status }) => status === 201).length);
    }
    console.log(`        from signal to exit: p50 ${quantileOf(seconds, 0.5).toFixed(1)} s`);
    verdict.expect(
      Math.max(...seconds) <= EXIT_S_MAX,
      `each within ${EXIT_S_MAX} s (${Math.max(...seconds).toFixed(1)} s)`,
    );
    verdict.expect(Math.max(...finished) > 0, 'runs in flight at a signal were finished');
  },
});

function outages(server: PostgresServer, gate: TcpGate): Scenario {
  const all: readonly (readonly [name: string, awayMs: number, begin: () => unknown, end: () => unknown])[] = [
    ['fast stop', AWAY_MS, () => server.down('SIGINT'), () => server.up()],
    ['immediate stop', AWAY_MS, () => server.down('SIGQUIT'), () => server.up()],
    ['kill -9', AWAY_MS, () => server.down('SIGKILL'), () => server.up()],
    ['cut', AWAY_MS, () => gate.cut(), () => gate.restore()],
    ['frozen', FROZEN_MS, () => gate.freeze(), () => gate.thaw()],
  ];
  return {
    ...{ name: `PostgreSQL goes away, ${ROUNDS} rounds`, roles: ['api', 'api', 'worker'], databaseUrl: gate.url },
    ...{ ownUrl: server.url, answerMs: 5, isDisturbed: true },
    disturb: async ({ world: { history }, nodes }) => {
      for (const [name, awayMs, begin, end] of Array.from({ length: ROUNDS }, () => all).flat()) {
        await pause(3000);
        const first = history.calls.length;
        const beganMs = performance.now();
        await begin();
        await pause(awayMs);
        await end();
        const backMs = performance.now();
        await Promise.all(nodes.map(({ port }) => untilReady(port)));
        while (!history.calls.some((call) => call.status === 201 && call.beganMs > backMs)) await pause(20);
        const recoveryS = (performance.now() - backMs) / 1000;
        const calls = history.calls.slice(first);
        const slowestS = Math.max(...calls.map((call) => call.endedMs - call.beganMs)) / 1000;
        const during = calls.filter((call) => call.endedMs > beganMs && call.beganMs < backMs);
        console.log(`        ${name}: ${countAnswers(during)}`);
        const isDocumented = during.every(({ status, broken }) => broken === null && status !== 500);
        verdict.expect(isDocumented, `${name}: each answer is whole, and none says that we failed`);
        verdict.expect(recoveryS <= RECOVERY_S_MAX, `${name}: it works again within ${recoveryS.toFixed(1)} s`);
        verdict.expect(slowestS <= ANSWER_S_MAX, `${name}: the slowest answer took ${slowestS.toFixed(1)} s`);
      }
    },
  };
}

console.log(`LOAD_SEED=${SEED}, ${CLIENTS} clients`);
await runInScope(async (scope) => {
  await play(calm('SQLite', await newDatabaseUrl(scope, 'sqlite'), ['all']));
});
await runInScope(async (scope) => {
  await play(calm('PostgreSQL', await newDatabaseUrl(scope, 'postgres'), ['api', 'api', 'worker', 'worker']));
});
for (const engine of ['sqlite', 'postgres'] as const)
  await runInScope(async (scope) => play(stops(engine, await newDatabaseUrl(scope, engine))));
await runInScope(async (scope) => {
  const server = await startPostgres({ isDurable: true });
  scope.teardown(() => server.stop());
  await play(outages(server, await openTcpGate(server.url)));
});
process.exit(verdict.exitCode);
