import type { Test } from 'tap';
import { callHook } from '../../../src/app/automation/deploy-hooks.js';
import { queueDueRuns } from '../../../src/app/automation/schedules.js';
import { DAILY_RUNS } from '../../../src/app/limits/limits.js';
import type { PerformRun } from '../../../src/app/runs/run-performer.js';
import type { Clock } from '../../../src/platform/clock.js';
import { Slots } from '../../../src/platform/slots.js';
import { openDatabase } from '../../../src/store/open.js';
import { scanReport } from '../../support/accounts.js';
import { onEachDatabase, onPostgres } from '../../support/databases.js';
import { until } from '../../support/held-timers.js';
import { runQueue, TestWorker } from '../../support/queue.js';
import { createRandom, pick } from '../../support/random.js';
import { openTcpGate } from '../../support/servers.js';
import { openServices } from '../../support/services.js';
import { startApi } from '../../support/api.js';
import { type Call, readStored } from './history.js';
import { daysOf, findFaults } from './invariants.js';
import { openOffice, runClients, World } from './world.js';

const SEED = Number(process.env.RACES_SEED ?? 20_260_131);
const STEPS = 450;
const CLIENTS = 16;
const NODES = 3;
/** Fewer than clients, so that some are refused. */
const SLOTS = 6;
const FAULT_SHARE = 0.08;
/** Small, so that keys are used up. A change of plan does not change it. */
const QUOTA = 22;

/** The month ends half way through. The clocks of the processes differ by APART_MS. */
const BEGIN_MS = Date.parse('2026-01-31T23:59:50.000Z');
const STEP_MS = 20_000 / STEPS;
const APART_MS = 1500;

const UNHEARD = { retried: () => undefined, abandoned: () => undefined };

type LocalNode = Awaited<ReturnType<typeof startNode>>;

/** Starts what a process of the service does. Nodes share the database only. */
async function startNode(
  t: Test,
  {
    url,
    clock,
    random,
    quota = QUOTA,
    slots = SLOTS,
  }: {
    readonly url: string;
    readonly clock: Clock;
    readonly random: () => number;
    readonly quota?: number;
    readonly slots?: number;
  },
) {
  const db = await openDatabase(url);
  t.teardown(() => db.close());
  const failedDeploys: string[] = [];
  let isFaulty = () => random() < FAULT_SHARE;
  const { access, runs, manualRuns, setSchedule, ...services } = openServices(db, {
    ...{ clock, slots: new Slots(slots, { waitingMax: 2 }), monthlyQuotaOverride: quota },
    async scan() {
      for (let turns = random() * 12; turns > 0; turns -= 1) await new Promise((resolve) => setImmediate(resolve));
      if (isFaulty()) throw new Error('a fault of ours');
      return { ...scanReport(Math.floor(random() * 100)), startedAt: clock.now(), finishedAt: clock.now() };
    },
  });
  // A deployment during a run gets a run of its own. If the first run fails, both are retried as one.
  const performRun: PerformRun = (run) =>
    services.performRun(run).catch((cause: unknown) => {
      if (run.trigger === 'POST_DEPLOY') failedDeploys.push(run.site.id);
      throw cause;
    });
  const worker = new TestWorker([runQueue({ db, clock, performRun, observer: UNHEARD })], { db, clock }).listen();
  const { port } = await startApi(t, { access, runs });
  return {
    ...{ port, setSchedule, manualRuns },
    /** The sites whose runs after a deployment failed or found no slot. */
    failedDeploys,
    callHook: (token: string) => callHook({ db, clock }, token, 0),
    /** Until it is called, scans fail at random. */
    failScans: (how: 'always' | 'never') => (isFaulty = () => how === 'always'),
    async work() {
      await queueDueRuns({ db, clock });
      await worker.performDue();
    },
    async settle() {
      await worker.settle();
      await access.settle();
    },
  };
}

onEachDatabase(async (t, engine) => {
  t.test(`histories of ${CLIENTS} clients, seed ${SEED}`, async (t) => {
    let nowMs = BEGIN_MS;
    const clockOf = (index: number): Clock => ({ now: () => new Date(nowMs + index * APART_MS) });
    const db = await engine.openDb(t);
    const siteOf = (index: number): string => `site${index}.example.com`;
    const world = new World({ ...{ db, clock: clockOf(0), siteOf, quota: QUOTA }, customers: 3, sitesEach: 2 });
    await world.fill();
    const random = createRandom(SEED);
    const nodes: LocalNode[] = [];
    for (let index = 0; index < NODES; index += 1)
      nodes.push(await startNode(t, { url: db.url, clock: clockOf(index), random }));
    const anyNode = () => pick(nodes, random)!;
    const tokens = await world.addHooks();
    await runClients({
      ...{ world, random, clients: CLIENTS, nodes, office: openOffice(db, clockOf(1)), changeShare: 0.04 },
      goesOn(steps) {
        nowMs += STEP_MS;
        return steps < STEPS;
      },
      deeds: [
        { weight: 0.06, act: ({ id: accountId }, siteId) => anyNode().manualRuns.start({ accountId, siteId }) },
        { weight: 0.06, act: (_customer, siteId) => anyNode().callHook(tokens.get(siteId) ?? '') },
        { weight: 0.04, act: () => anyNode().work() },
        { weight: 0.02, act: ({ id: accountId }, siteId) => anyNode().setSchedule({ accountId, siteId }, 'WEEKLY') },
      ],
    });
    await answerEach(world, nodes);
    for (const node of nodes) await node.settle();
    // A failed run is retried up to three times.
    for (let round = 0; round < 8 && (await readStored(db)).queued > 0; round += 1) {
      nowMs += 120_000;
      for (const node of nodes) await node.work();
    }
    const failedDeploys = nodes.flatMap((node) => node.failedDeploys);
    t.same(findFaults(world.history, await readStored(db), world.terms(false, failedDeploys)), []);
    const seen = new Set(world.history.calls.map(({ status, code }) => code ?? status));
    for (const kind of SEEN) t.ok(seen.has(kind), `the clients have seen ${kind}`);
    t.equal(daysOf(world.history).size, 2, 'they crossed midnight');
  });
});

/** The answers that {@link answerEach} provokes, whatever the seed. */
const SEEN = [
  ...[200, 201, 'daily_runs_exceeded', 'internal_error'],
  ...['invalid_api_key', 'plan_without_api', 'monthly_quota_exceeded'],
];

/**
 * Provokes a failed scan, a used-up day and key, a lowered plan and a revoked key, with many requests at once. The customer is a new one,
 * because the others may have used up their keys.
 */
async function answerEach(world: World, nodes: readonly LocalNode[]): Promise<void> {
  const { history, options } = world;
  const office = openOffice(options.db, options.clock);
  const customer = await world.addCustomer();
  const { id: keyId, key } = customer.keys[0]!;
  const siteId = customer.sites[0]!;
  const ask = (index: number, op: 'start' | 'latest' = 'latest') =>
    history.ask(nodes[index % nodes.length]?.port ?? 0, { op, keyId, key, siteId });
  for (const how of ['always', 'never'] as const) {
    for (const node of nodes) node.failScans(how);
    for (let index = 0; index <= (DAILY_RUNS.API ?? 0); index += 1) await ask(index, 'start');
  }
  await ask(0);
  const askOften = () => Promise.all(Array.from({ length: QUOTA + CLIENTS }, (_, index) => ask(index)));
  await world.changePlan(customer, 'SCALE', office);
  await askOften();
  await Promise.all([askOften(), world.changePlan(customer, 'FREE', office)]);
  await ask(0);
  await Promise.all([askOften(), history.change({ kind: 'revoked', id: keyId }, () => office.revoke(keyId))]);
  await ask(0);
}

onPostgres(async (t, engine) => {
  t.test('a database that is cut off under load and comes back', async (t) => {
    const clock: Clock = { now: () => new Date(BEGIN_MS) };
    const db = await engine.openDb(t);
    const gate = await openTcpGate(db.url);
    t.teardown(() => gate.cut());
    const quota = 1000;
    const siteOf = (index: number): string => `site${index}.example.com`;
    const world = new World({ db, clock, siteOf, quota, customers: 3, sitesEach: 12 });
    await world.fill();
    const random = createRandom(SEED);
    const node = await startNode(t, { url: gate.url, clock, random, quota, slots: CLIENTS });
    node.failScans('never');
    const { calls } = world.history;
    const untilCall = (matches: (call: Call) => boolean): Promise<unknown> => {
      const start = calls.length;
      return until(() => calls.slice(start).some(matches));
    };
    let isOver = false;
    const load = runClients({
      world,
      random,
      clients: CLIENTS,
      nodes: [node],
      office: openOffice(db, clock),
      changeShare: 0.04,
      deeds: [],
      goesOn: () => !isOver,
    });
    await untilCall(({ status }) => status === 201);
    await gate.cut();
    await untilCall(({ op, status }) => op !== 'start' && status === 503);
    await gate.restore();
    await untilCall(({ op, status }) => op !== 'start' && status === 200);
    await untilCall(({ status }) => status === 201);
    isOver = true;
    await load;
    await node.settle();
    t.same(findFaults(world.history, await readStored(db), world.terms(true)), []);
    const unanswered = calls.filter(({ broken, status }) => broken !== null || status === 500);
    t.same(unanswered, [], 'every call was answered, and none by a fault of ours');
  });
});
