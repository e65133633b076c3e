import type { Test } from 'tap';
import type { Clock } from '../../../src/platform/clock.js';
import { DAILY_RUNS } from '../../../src/app/limits/daily-runs.js';
import { openDatabase } from '../../../src/store/database.js';
import { onEachDatabase, type TestEngine } from '../../support/databases.js';
import { createRandom, pick } from '../../support/random.js';
import { runClients } from './clients.js';
import { daysOf, findFaults } from './invariants.js';
import { type LocalNode, startNode } from './nodes.js';
import { readStored } from './stored.js';
import { openOffice, World } from './world.js';

const SEED = Number(process.env.RACES_SEED ?? 20_260_131);
const STEPS = 450;
const CLIENTS = 16;
const NODES = 3;
/** Small, so that keys are spent; and a plan that changes does not change it. */
const QUOTA = 22;

/** Midnight, and the end of the month, in the middle of it; the processes' clocks differ by a second and a half each. */
const BEGIN_MS = Date.parse('2026-01-31T23:59:50.000Z');
const STEP_MS = 20_000 / STEPS;
const APART_MS = 1500;

onEachDatabase(async (t, engine) => {
  t.test(`histories of ${CLIENTS} clients, seed ${SEED}`, async (t) => {
    let nowMs = BEGIN_MS;
    const clockOf = (index: number): Clock => ({ now: () => new Date(nowMs + index * APART_MS) });
    const world = await openWorld(t, engine, clockOf(0));
    const random = createRandom(SEED);
    const { url } = world.options.db;
    const nodes: LocalNode[] = [];
    for (let index = 0; index < NODES; index += 1) {
      const db = await openDatabase(url);
      t.teardown(() => db.close());
      nodes.push(await startNode(t, { db, clock: clockOf(index), quota: QUOTA, random }));
    }
    const tokens = await world.addHooks();
    await runClients({
      ...{ world, random, clients: CLIENTS, nodes: () => nodes, office: openOffice(world.options.db, clockOf(1)) },
      goesOn: (steps) => {
        nowMs += STEP_MS;
        return steps < STEPS;
      },
      deeds: [
        {
          weight: 0.06,
          act: ({ id: accountId }, siteId) => pick(nodes, random)!.manualRuns.start({ accountId, siteId }),
        },
        { weight: 0.06, act: (_customer, siteId) => pick(nodes, random)!.callHook(tokens.get(siteId) ?? '') },
        { weight: 0.04, act: () => pick(nodes, random)!.work() },
        {
          weight: 0.02,
          act: ({ id: accountId }, siteId) => pick(nodes, random)!.setSchedule({ accountId, siteId }, 'WEEKLY'),
        },
      ],
    });
    await answerEach(world, nodes);
    await drain(nodes, world, () => (nowMs += 120_000));
    const stored = await readStored(world.options.db);
    const failedDeploys = nodes.flatMap((node) => node.failedDeploys);
    t.same(findFaults(world.history, stored, world.terms(false, failedDeploys)), []);
    const seen = new Set(world.history.calls.map(({ status, code }) => code ?? status));
    for (const kind of SEEN) t.ok(seen.has(kind), `the clients have seen ${kind}`);
    t.equal(daysOf(world.history).size, 2, 'they crossed midnight');
  });
});

/** What the clients have seen whatever the dice did: {@link answerEach} has seen to it. */
const SEEN = [
  ...[200, 201, 'daily_runs_exceeded', 'internal_error'],
  ...['invalid_api_key', 'plan_without_api', 'monthly_quota_exceeded'],
];

/**
 * A scan that fails, a day's budget and a key that are spent, a plan that is lowered, a key that is revoked, the last three by many at once
 * while the key is in use. Of a customer of its own: what the dice have left of the others' keys and budgets nobody knows.
 */
async function answerEach(world: World, nodes: readonly LocalNode[]): Promise<void> {
  const { history, options } = world;
  const { db, clock } = options;
  const office = openOffice(db, clock);
  const customer = await world.addCustomer();
  const [key] = customer.keys;
  const [siteId = ''] = customer.sites;
  if (!key) return;
  const ask = (index: number, op: 'start' | 'latest' = 'latest') =>
    history.ask(nodes[index % nodes.length]?.port ?? 0, { op, keyId: key.id, key: key.key, siteId });
  for (const how of ['always', 'never'] as const) {
    for (const node of nodes) node.failScans(how);
    for (let index = 0; index <= (DAILY_RUNS.API ?? 0); index += 1) await ask(index, 'start');
  }
  await ask(0);
  const askOften = () => Promise.all(Array.from({ length: QUOTA + CLIENTS }, (_, index) => ask(index)));
  const setPlan = (plan: string) =>
    history.change({ kind: 'plan', id: customer.id, plan }, () => office.setPlan(customer.id, plan));
  await setPlan('SCALE');
  await askOften();
  await Promise.all([askOften(), setPlan('FREE')]);
  await ask(0);
  await Promise.all([askOften(), history.change({ kind: 'revoked', id: key.id }, () => office.revoke(key.id))]);
  await ask(0);
}

async function openWorld(t: Test, engine: TestEngine, clock: Clock): Promise<World> {
  const db = await engine.openDb(t);
  const siteOf = (index: number): string => `site${index}.example.com`;
  const world = new World({ ...{ db, clock, siteOf, quota: QUOTA }, customers: 3, sitesEach: 2 });
  await world.fill();
  return world;
}

/** Until nothing waits: what has failed is tried again later, three times at most. */
async function drain(nodes: readonly LocalNode[], { options }: World, waitLong: () => void): Promise<void> {
  for (const node of nodes) await node.settle();
  for (let round = 0; round < 8; round += 1) {
    for (const node of nodes) await node.work();
    if ((await readStored(options.db)).queued === 0) return;
    waitLong();
  }
}
