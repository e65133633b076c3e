import { createProbeApp } from '../platform/http/probe-app.js';
import { createFrontDoor } from './front-door.js';
import { createMetricsDoor } from './metrics.js';
import type { Rooms, RoomsDeps } from './rooms.js';

/** The rooms of a process that only performs work: it tells how it fares, and nothing else. */
export function createWorkerRooms(deps: RoomsDeps): Rooms {
  const { logger, metrics, lifecycle, isReady } = deps;
  const { observeRequest } = metrics;
  const probes = createProbeApp({ logger, lifecycle, observeRequest, readiness: { isReady } }).callback();
  return {
    handle: createFrontDoor({
      ...{ api: probes, mcp: probes, hooks: probes, web: probes },
      metrics: createMetricsDoor(deps, lifecycle),
    }),
    close: () => Promise.resolve(),
  };
}
