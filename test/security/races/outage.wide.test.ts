import { openDatabase } from '../../../src/store/database.js';
import { onPostgres } from '../../support/databases.js';
import { until } from '../../support/held-timers.js';
import { createRandom } from '../../support/random.js';
import { openTcpGate } from '../../support/tcp-gate.js';
import { runClients } from './clients.js';
import { findFaults } from './invariants.js';
import { startNode } from './nodes.js';
import { CLOCK } from './processes.js';
import { readStored } from './stored.js';
import { openOffice, World } from './world.js';

const STEPS = 160;
const CLIENTS = 8;
const QUOTA = 1000;
/** In how many rounds of calls after the outage one must be answered without a refusal. */
const ROUNDS_MAX = 8;

onPostgres(async (t, engine) => {
  t.test('a database that is cut off under load and comes back', async (t) => {
    const db = await engine.openDb(t);
    const gate = await openTcpGate(db.url);
    t.teardown(() => gate.cut());
    const world = new World({
      ...{ db, clock: CLOCK, customers: 3, sitesEach: 4, quota: QUOTA },
      siteOf: (index) => `site${index}.example.com`,
    });
    await world.fill();
    const random = createRandom(5);
    const nodeDb = await openDatabase(gate.url);
    t.teardown(() => nodeDb.close());
    const node = await startNode(t, { db: nodeDb, clock: CLOCK, quota: QUOTA, random });
    const load = (steps: number) =>
      runClients({
        ...{ world, random, clients: CLIENTS, nodes: () => [node], office: openOffice(db, CLOCK) },
        goesOn: (taken) => taken < steps,
      });
    const before = load(STEPS / 2);
    await until(() => world.history.calls.length >= 20);
    await gate.cut();
    await before;
    await load(CLIENTS);
    const restored = world.history.calls.length;
    await gate.restore();
    // Every connection of the pool that broke may fail one call more, and on a busy machine calls overtake each other.
    let isRecovered = false;
    for (let round = 0; round < ROUNDS_MAX && !isRecovered; round += 1) {
      const start = world.history.calls.length;
      await load(STEPS / 4);
      const answered = world.history.calls.slice(start);
      isRecovered = answered.length >= STEPS / 4 && answered.every(({ status }) => status !== 503);
    }
    await node.settle();
    const stored = await readStored(db);
    t.same(findFaults(world.history, stored, world.terms(true)), []);
    const { calls } = world.history;
    t.ok(
      calls.slice(0, restored).some(({ status }) => status === 503),
      'it was away',
    );
    t.ok(isRecovered, 'it works again by itself');
    t.ok(
      calls.every(({ broken }) => broken === null),
      'everyone was answered',
    );
  });
});
