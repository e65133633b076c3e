import { type Engine, onEachDatabase } from '../../support/databases.js';
import { API_SCENES, SCENES } from './scenes.js';
import { failEach, FAULTS } from './sweep.js';
import { type Fault, openFaultWorld } from './world.js';

/** `make torture TORTURE=faults` tries every fault in every scene, which takes minutes. */
const isWhole = process.env.FAULTS === 'all';
/** The faults of createRun; the other scenes have one each. */
const MANY: Readonly<Record<Engine, readonly Fault[]>> = {
  postgres: ['40001', 'cut before', 'cut after', '53100'],
  sqlite: ['SQLITE_BUSY', 'SQLITE_FULL'],
};
const ONE: Readonly<Record<Engine, readonly Fault[]>> = { postgres: ['cut after'], sqlite: ['SQLITE_FULL'] };
/** The database is down from the n-th statement until it is restored. */
const LASTING: Readonly<Record<Engine, Fault>> = { postgres: 'cut before', sqlite: 'SQLITE_IOERR_WRITE' };

onEachDatabase(async (t, { name, newMigratedUrl }) => {
  const world = await openFaultWorld(t, await newMigratedUrl(t));
  for (const [title, scene] of Object.entries(SCENES)) {
    const few = title === 'createRun' ? MANY[name] : ONE[name];
    const faults = (isWhole ? FAULTS[name] : few).map((fault) => ({ fault, isLasting: false }));
    if (isWhole && title in API_SCENES) faults.push({ fault: LASTING[name], isLasting: true });
    for (const { fault, isLasting } of faults) {
      const { statements, refused, problems } = await failEach(world, scene, fault, isLasting);
      t.same(problems, [], `${title}: ${fault} at each of ${statements} statements, refused ${refused} times`);
      t.ok(statements > 0);
    }
  }
});
