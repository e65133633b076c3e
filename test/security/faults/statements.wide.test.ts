import type { Fault } from '../../support/fault-plan.js';
import { type Engine, onEachDatabase } from '../../support/databases.js';
import { API_SCENES } from './api-scenes.js';
import { BACKGROUND_SCENES } from './background-scenes.js';
import { failEach } from './sweep.js';
import { VISITOR_SCENES } from './visitor-scenes.js';
import { openFaultWorld } from './world.js';

/** For a run by the API; the long part has all faults with all scenes. */
const MANY: Readonly<Record<Engine, readonly Fault[]>> = {
  postgres: ['40001', 'cut before', 'cut after', '53100'],
  sqlite: ['SQLITE_BUSY', 'SQLITE_FULL'],
};
const ONE: Readonly<Record<Engine, readonly Fault[]>> = { postgres: ['cut after'], sqlite: ['SQLITE_FULL'] };

onEachDatabase(async (t, engine) => {
  const url = await engine.newMigratedUrl(t);
  const world = await openFaultWorld(t, url);
  const [createRun, ...others] = [...API_SCENES, ...BACKGROUND_SCENES, ...VISITOR_SCENES];
  for (const scene of [createRun, ...others]) {
    for (const fault of (scene === createRun ? MANY : ONE)[engine.name]) {
      if (!scene) continue;
      const { statements, refused, problems } = await failEach(world, scene, fault);
      t.same(problems, [], `${scene.name}: ${fault} at each of ${statements} statements, refused ${refused} times`);
      t.ok(statements > 0);
    }
  }
});
