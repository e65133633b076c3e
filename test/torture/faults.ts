/**
 * `make torture TORTURE=faults`: has every statement of what the service does fail, one after the other, in every way, on both
 * engines. Prints for each scene how many statements it has, how often it was refused, and what did not hold.
 */
import { migrateDatabase } from '../../src/store/migrate.js';
import { API_SCENES } from '../security/faults/api-scenes.js';
import { BACKGROUND_SCENES } from '../security/faults/background-scenes.js';
import { failEach, FAULTS, type Figures } from '../security/faults/sweep.js';
import { VISITOR_SCENES } from '../security/faults/visitor-scenes.js';
import { openFaultWorld } from '../security/faults/world.js';
import type { Engine } from '../support/databases.js';
import { newDatabaseUrl, runInScope } from '../support/script.js';

const SCENES = [...API_SCENES, ...BACKGROUND_SCENES, ...VISITOR_SCENES];
/** From the n-th statement on the database is away, until it is restored. */
const FOR_GOOD: Readonly<Record<Engine, string>> = { postgres: 'cut before', sqlite: 'SQLITE_IOERR_WRITE' };

function tell(engine: Engine, { scene, fault, statements, refused, problems }: Figures): void {
  const figures = `${statements} statements, ${refused} times refused, ${problems.length} broken`;
  console.log(`${engine.padEnd(9)}${scene.padEnd(24)}${fault.padEnd(30)}${figures}`);
  for (const problem of problems) console.log(`  ${problem}`);
}

const all: Figures[] = [];
for (const engine of ['sqlite', 'postgres'] as const) {
  await runInScope(async (scope) => {
    const url = await newDatabaseUrl(scope, engine);
    await migrateDatabase(url);
    const world = await openFaultWorld(scope, url);
    const note = (figures: Figures): void => {
      all.push(figures);
      tell(engine, figures);
    };
    for (const scene of SCENES) {
      for (const fault of FAULTS[engine]) note(await failEach(world, scene, fault));
      if (API_SCENES.includes(scene)) note(await failEach(world, scene, FOR_GOOD[engine], true));
    }
  });
}
const failed = all.reduce((sum, { statements }) => sum + statements, 0);
const broken = all.reduce((sum, { problems }) => sum + problems.length, 0);
console.log(`${failed} statements failed, one at a time: ${broken} invariants broken`);
process.exitCode = broken === 0 ? 0 : 1;
