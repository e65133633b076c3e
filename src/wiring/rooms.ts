import { CHECKS } from '../checks/index.js';
import type { Config } from '../config.js';
import { createHooks } from '../hooks/app.js';
import { createApi } from '../http/api.js';
import type { ApiDocument } from '../http/contract.js';
import { createMcp } from '../mcp/app.js';
import { mcpDocumentsOf } from '../mcp/card.js';
import { systemClock as clock } from '../platform/clock.js';
import type { Lifecycle } from '../platform/lifecycle.js';
import type { Logger } from '../platform/logging.js';
import type { Metrics } from '../platform/metrics.js';
import { createWeb } from '../web/app.js';
import { createFrontDoor, type Handle } from './front-door.js';
import { createMetricsDoor } from './metrics.js';
import type { Services } from './services.js';

export interface RoomsDeps {
  readonly config: Config;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly lifecycle: Lifecycle;
  /** For the probes, and the status page. */
  readonly isReady: () => Promise<boolean>;
  readonly readDocument: () => Promise<string>;
  /** The package's own. */
  readonly version: string;
}

/** What answers requests, behind one door. */
export interface Rooms {
  readonly handle: Handle;
  close(): Promise<void>;
}

/** Every room. */
export async function createRooms(deps: RoomsDeps, services: Services): Promise<Rooms> {
  const { config, logger, metrics, lifecycle, isReady, version } = deps;
  const { publicUrl, trustProxy, contact } = config;
  const document = JSON.parse(await deps.readDocument()) as ApiDocument;
  const { observeRequest } = metrics;
  const common = { checks: CHECKS, publicUrl, version, clock, logger, lifecycle, observeRequest };
  const api = await createApi({ ...services, ...common, document, readiness: { isReady } });
  const mcpDocuments = mcpDocumentsOf({ publicUrl, version });
  const web = createWeb({ ...services, ...common, document, isReady, trustProxy, contact, mcpDocuments });
  const mcp = createMcp({ ...services, ...common, trustProxy });
  const hooks = createHooks({ ...services, ...common });
  return {
    handle: createFrontDoor({
      ...{ api: api.callback(), mcp: mcp.handle, hooks: hooks.handle, web: web.callback() },
      metrics: createMetricsDoor(deps, lifecycle),
    }),
    close: () => mcp.close(),
  };
}
