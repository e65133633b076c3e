import { onSqlite } from '../../support/databases.js';
import { eachReason, representativeCases, vectorCases } from './cases.js';
import { frontDoors } from './front-doors.js';
import { SITE_DOORS } from './site-doors.js';
import { walkThrough } from './walk.js';
import { openHouse, openWorld } from './world.js';

/** `make torture TORTURE=doors` tries every vector at every door, which takes minutes. */
const isWhole = process.env.DOORS === 'all';

/** These two doors get all vectors. */
const WHOLE_LIST = ['free scan: the service', 'redirect 1 of the home page'];

onSqlite(async (t, engine) => {
  const world = await openWorld(t);
  const house = await openHouse(t, await engine.openDb(t), world);
  const people = frontDoors(house);
  const doors = [...people, ...SITE_DOORS];

  await t.test('every vector gets its verdict over real sockets', async (t) => {
    const cases = vectorCases(world);
    for (const door of doors.filter(({ name }) => isWhole || WHOLE_LIST.includes(name))) {
      const { faults, decided } = await walkThrough(door, cases, world);
      t.same(faults, [], `${door.name}: ${cases.length} targets`);
      if (WHOLE_LIST.includes(door.name)) t.ok(decided > 140, `${decided} of them were the guard's to decide`);
    }
  });

  await t.test('every door refuses every kind of private target', async (t) => {
    const cases = representativeCases(world);
    const few = eachReason(cases);
    // All hops but the first and the last run the same code.
    const fewest = [...few.slice(0, 1), ...few.slice(-1)];
    for (const door of doors) {
      const isThorough = isWhole || people.includes(door) || WHOLE_LIST.includes(door.name);
      const given = isThorough ? cases : /^redirect [2-4]/.test(door.name) ? fewest : few;
      t.same((await walkThrough(door, given, world)).faults, [], door.name);
    }
  });

  t.equal(world.intrusions(), 0, 'the private network saw no connection at all');
});
