import type { Config } from '../config.js';
import { createHooks } from '../app/automation/hook-app.js';
import { createApi } from '../api/api.js';
import type { ApiDocument } from '../api/contract.js';
import { systemClock as clock } from '../platform/clock.js';
import type { Lifecycle } from '../platform/lifecycle.js';
import type { Logger } from '../platform/logging.js';
import type { Metrics } from './process-metrics.js';
import { createFrontDoor, type Handle } from './front-door.js';
import { makeLazy } from './lazy.js';
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

/** Every room. The pages and the MCP endpoint are loaded at the first request for them: programs that read runs need neither. */
export async function createRooms(deps: RoomsDeps, services: Services): Promise<Rooms> {
  const { config, logger, metrics, lifecycle, isReady, version } = deps;
  const { publicUrl, trustProxy, contact } = config;
  const document = JSON.parse(await deps.readDocument()) as ApiDocument;
  const { observeRequest } = metrics;
  const common = { publicUrl, version, clock, logger, lifecycle, observeRequest };
  const api = await createApi({ ...services, ...common, document, readiness: { isReady } });
  const hooks = createHooks({ ...services, ...common });
  const web = openLazily(async () => {
    const { createWeb } = await import('../web/app.js');
    const { mcpDocumentsOf } = await import('../mcp/card.js');
    const mcpDocuments = mcpDocumentsOf({ publicUrl, version });
    const { FEATURE_PAGES } = await import('./pages.js');
    const more = { checks: await loadChecks(), document, isReady, trustProxy, contact, mcpDocuments };
    const app = createWeb({ ...services, ...common, ...more }, FEATURE_PAGES);
    return { handle: app.callback() };
  });
  const mcp = openLazily(async () => {
    const { createMcp } = await import('../mcp/app.js');
    return createMcp({ ...services, ...common, checks: await loadChecks(), trustProxy });
  });
  return {
    handle: createFrontDoor({
      ...{ api: api.callback(), mcp: mcp.handle, hooks: hooks.handle, web: web.handle },
      metrics: createMetricsDoor(deps, lifecycle),
    }),
    close: () => mcp.close(),
  };
}

interface Room {
  readonly handle: Handle;
  close?(): Promise<void>;
}

/** A room that is opened by its first request, which waits for it; one that nobody came to has nothing to close. */
function openLazily(open: () => Promise<Room>): Required<Room> {
  let opened: Room | undefined;
  const opening = makeLazy(async () => (opened = await open()));
  return {
    handle: async (request, response) => (await opening()).handle(request, response),
    close: async () => opened?.close?.(),
  };
}

async function loadChecks() {
  return (await import('../scanner/checks/index.js')).CHECKS;
}
