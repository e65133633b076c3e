/**
 * `make torture TORTURE=histories`: many clients of the built program, on SQLite (one process, and commands of others alongside it)
 * and on PostgreSQL (two API processes, two workers, and commands): starts, reads, revocations, changes of plans, removals,
 * deploy hooks and schedules, each with its times, then held against the invariants. HISTORIES_SECONDS an engine (60), HISTORIES_SEED.
 */
import type { Role } from '../../src/platform/lifecycle.js';
import { Schedules } from '../../src/app/automation/schedules.js';
import { runClients } from '../security/races/clients.js';
import { groupBy } from '../security/races/history.js';
import { findFaults } from '../security/races/invariants.js';
import {
  CLOCK,
  countAnswers,
  createHookCaller,
  endNodes,
  openMixedOffice,
  openProgramWorld,
  startNodes,
} from '../security/races/processes.js';
import { makeSchedulesDue } from '../support/fleet.js';
import { createRandom } from '../support/random.js';
import { newDatabaseUrl, runInScope, Verdict } from '../support/script.js';
import type { Scope } from '../support/service.js';
import { asOwner } from '../support/as-owner.js';

const SECONDS = Number(process.env.HISTORIES_SECONDS ?? 60);
const SEED = Number(process.env.HISTORIES_SEED ?? Date.now() % 1_000_000);
const CLIENTS = 24;
const CUSTOMERS = 8;
const SITES_EACH = 6;
/** With those that are added in the place of removed ones. */
const SITES_MAX = 200;
const QUOTA = 400;
const DRAIN_MS_MAX = 120_000;

const verdict = new Verdict();

async function tryEngine(scope: Scope, databaseUrl: string, roles: readonly Role[]): Promise<void> {
  const { surroundings, db, world } = await openProgramWorld(scope, {
    ...{ databaseUrl, sites: SITES_MAX, quota: QUOTA, customers: CUSTOMERS, sitesEach: SITES_EACH },
  });
  const schedules = asOwner(db, new Schedules({ db, clock: CLOCK }), 'get', 'set');
  const processes = await startNodes(surroundings, roles);
  const apis = processes.filter(({ role }) => role !== 'worker');
  const random = createRandom(SEED);
  const callHook = await createHookCaller(world, apis, random);
  const untilMs = performance.now() + SECONDS * 1000;
  const steps = await runClients({
    ...{ world, random, clients: CLIENTS, nodes: () => apis, office: openMixedOffice(db, surroundings) },
    goesOn: () => performance.now() < untilMs,
    changeShare: 0.01,
    deeds: [
      { weight: 0.02, act: (_customer, siteId) => callHook(siteId) },
      {
        weight: 0.005,
        act: async ({ id: accountId }, siteId) => {
          await schedules.set({ accountId, siteId }, 'WEEKLY');
          await makeSchedulesDue(db);
        },
      },
    ],
  });
  const { codes, stored } = await endNodes(processes, db, DRAIN_MS_MAX);
  const { calls, changes } = world.history;
  console.log(
    `        ${steps} steps, ${calls.length} requests, ${changes.length} changes, ${stored.runs.length} runs stored`,
  );
  console.log(`        ${countAnswers(calls)}`);
  const byTrigger = groupBy(stored.runs, ({ trigger }) => trigger);
  console.log(`        ${[...byTrigger].map(([trigger, runs]) => `${trigger} × ${runs.length}`).join(', ')}`);
  verdict.expectNone(findFaults(world.history, stored, world.terms(false)), 'the history is as it must be');
  verdict.expect(
    codes.every((code) => code === 0),
    `every process ended well (${codes.join(', ')})`,
  );
}

console.log(`HISTORIES_SEED=${SEED}, ${SECONDS} s an engine, ${CLIENTS} clients`);
console.log('SQLite: one process, and commands alongside it');
await runInScope(async (scope) => tryEngine(scope, await newDatabaseUrl(scope, 'sqlite'), ['all']));
console.log('PostgreSQL: two API processes, two workers, and commands alongside them');
const fleet: readonly Role[] = ['api', 'api', 'worker', 'worker'];
await runInScope(async (scope) => tryEngine(scope, await newDatabaseUrl(scope, 'postgres'), fleet));
process.exitCode = verdict.exitCode;
