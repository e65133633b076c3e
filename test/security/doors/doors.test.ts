import t from 'tap';
import { onSqlite } from '../../support/databases.js';
import { representativeCases, vectorCases } from './cases.js';
import { frontDoors } from './front-doors.js';
import { openHouse } from './house.js';
import { SITE_DOORS } from './site-doors.js';
import { walkThrough } from './walk.js';
import { openWorld } from './world.js';

// Every vector goes through every door in test/torture/doors.ts; here every vector goes through one door of each kind, and every
// door sees each reason.

const world = await openWorld();
t.teardown(() => world.close());

/** A door of people and one of sites that all vectors pass. */
const WHOLE_LIST = ['free scan: the service', 'redirect 1 of the home page'];

onSqlite(async (t, engine) => {
  const house = await openHouse(t, await engine.openDb(t), world);
  const doors = [...frontDoors(house), ...SITE_DOORS];

  await t.test('every vector gets its verdict over real sockets', async (t) => {
    const cases = vectorCases(world);
    for (const door of doors.filter(({ name }) => WHOLE_LIST.includes(name))) {
      const { faults, decided } = await walkThrough(door, cases, world);
      t.same(faults, [], `${door.name}: ${cases.length} targets`);
      t.ok(decided > 140, `${decided} of them were the guard's to decide`);
    }
  });

  await t.test('every door holds against every kind of target', async (t) => {
    const cases = representativeCases(world);
    // The hops between the first and the last are all alike.
    const some = [...cases.slice(0, 2), ...cases.slice(-2)];
    for (const door of doors) {
      const { faults } = await walkThrough(door, /^redirect [2-4]/.test(door.name) ? some : cases, world);
      t.same(faults, [], door.name);
    }
  });

  t.equal(world.intrusions(), 0, 'the private network saw no connection at all');
});
