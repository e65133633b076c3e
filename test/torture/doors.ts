/**
 * `make torture TORTURE=doors`: every vector of the list through every door, over real sockets: its verdict, and no connection to
 * anywhere else. DOORS takes the doors whose names match it.
 */
import { migrateDatabase } from '../../src/store/migrate.js';
import { openDatabase } from '../../src/store/open-database.js';
import { vectorCases, representativeCases } from '../security/doors/cases.js';
import { frontDoors } from '../security/doors/front-doors.js';
import { openHouse } from '../security/doors/house.js';
import { SITE_DOORS } from '../security/doors/site-doors.js';
import { walkThrough } from '../security/doors/walk.js';
import { openWorld } from '../security/doors/world.js';
import { newDatabaseUrl, openScope } from '../support/script.js';

const only = new RegExp(process.env.DOORS ?? '');
const startedMs = performance.now();
const scope = openScope();
const url = await newDatabaseUrl(scope, 'sqlite');
await migrateDatabase(url);
const db = await openDatabase(url);
scope.teardown(() => db.close());
const world = await openWorld();
scope.teardown(() => world.close());
const house = await openHouse(scope, db, world);

const cases = [...vectorCases(world), ...representativeCases(world)];
const doors = [...frontDoors(house), ...SITE_DOORS].filter(({ name }) => only.test(name));
let [tried, decided] = [0, 0];
const faults: string[] = [];
for (const door of doors) {
  const walk = await walkThrough(door, cases, world);
  tried += walk.tried;
  decided += walk.decided;
  faults.push(...walk.faults);
  const verdict = walk.faults.length === 0 ? 'holds' : `${walk.faults.length} faults`;
  console.log(
    `${door.name.padEnd(56)} ${String(walk.tried).padStart(4)} targets, ${String(walk.decided).padStart(3)} decided: ${verdict}`,
  );
}

const figures = {
  doors: doors.length,
  targets: cases.length,
  'targets at doors': tried,
  "decided by the guard's verdict": decided,
  'connections of this process': world.tap.attempts.length,
  'connections to forbidden listeners': world.intrusions(),
  faults: faults.length,
  seconds: Math.round((performance.now() - startedMs) / 1000),
};
console.log();
for (const [name, figure] of Object.entries(figures)) console.log(`${name.padEnd(36)} ${figure}`);
for (const fault of faults) console.error(fault);

await scope.end();
process.exitCode = faults.length > 0 || world.intrusions() > 0 ? 1 : 0;
