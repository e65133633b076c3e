import { createApi } from '../api/api.js';
import type { ApiDocument } from '../api/operation.js';
import type { App } from '../app/app.js';
import { createHookApp } from '../app/automation/deploy-hooks.js';
import type { SiteNote } from '../app/sites/site.js';
import type { Config } from '../config.js';
import { createMcp } from '../mcp/app.js';
import { systemClock as clock } from '../platform/clock.js';
import { createMetricsEndpoint, METRICS_PATH } from '../platform/http/metrics.js';
import { createProbeApp, type Readiness } from '../platform/http/app.js';
import { pathOf } from '../platform/http/request.js';
import type { Handle, Lifecycle } from '../platform/http/server.js';
import type { Logger } from '../platform/logging.js';
import { CHECKS as checks } from '../scanner/checks/index.js';
import type { Database } from '../store/database.js';
import type { Metrics } from './metrics.js';

export interface AppsOptions {
  readonly config: Config;
  readonly db: Database;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly lifecycle: Lifecycle;
  readonly readiness: Readiness;
  readonly readDocument: () => Promise<string>;
  readonly version: string;
  readonly isDemo?: boolean;
  /** See PageServices. */
  readonly siteNotes?: ReadonlyMap<string, SiteNote>;
}

export interface Apps {
  readonly handle: Handle;
  close(): Promise<void>;
}

/** The API, the pages, the deploy hooks, the MCP endpoint and the metrics. */
export async function createApps(deps: AppsOptions, app: App): Promise<Apps> {
  const { config, logger, metrics, lifecycle, readiness, version, isDemo = false, siteNotes = new Map() } = deps;
  const { publicUrl, trustProxy, contact, evidenceDays, smtpUrl, isSignUpOpen } = config;
  const document = JSON.parse(await deps.readDocument()) as ApiDocument;
  const { observeRequest } = metrics;
  const common = { ...app, publicUrl, version, clock, logger, lifecycle, observeRequest, checks, trustProxy };
  const api = await createApi({ ...common, document, readiness, contact });
  const hooks = createHookApp(common);
  const mcp = createMcp(common);
  // Loaded on use: pages are most of the program, and worker processes have none.
  const { createPages } = await import('./pages.js');
  const web = createPages({
    ...common,
    db: deps.db,
    document,
    contact,
    hasMail: smtpUrl !== null,
    isSignUpOpen,
    evidenceDays,
    mcpDocuments: mcp.documents,
    isDemo,
    siteNotes,
  });
  const handlers = { api: api.callback(), mcp: mcp.handle, hooks: hooks.handle, web: web.callback() };
  return { handle: createAppRouter({ ...handlers, metrics: createMetricsApp(deps) }), close: () => mcp.close() };
}

/** The probes and metrics of a worker process. */
export function createWorkerApps(deps: AppsOptions): Apps {
  const { logger, metrics, lifecycle, readiness } = deps;
  const probes = createProbeApp({ logger, lifecycle, observeRequest: metrics.observeRequest, readiness }).callback();
  const handlers = { api: probes, mcp: probes, hooks: probes, web: probes };
  return { handle: createAppRouter({ ...handlers, metrics: createMetricsApp(deps) }), close: async () => undefined };
}

/** Undefined if no token is set. */
function createMetricsApp({
  config: { metricsToken: token },
  metrics,
  logger,
  lifecycle,
}: AppsOptions): Handle | undefined {
  return token === null ? undefined : createMetricsEndpoint({ metrics, token, logger, lifecycle }).callback();
}

export interface AppHandlers {
  /** `/api/…` and the probes. */
  readonly api: Handle;
  /** `/mcp` itself; below it there are pages. */
  readonly mcp: Handle;
  /** `/hooks/…`, which deployments call. */
  readonly hooks: Handle;
  /** Everything else. */
  readonly web: Handle;
  /** `/metrics`; by default an unknown path. */
  readonly metrics?: Handle | undefined;
}

const API_PATHS = /^\/(api\/|api$|healthz$|readyz$)/;

/** Routes each request to an app by its path as it was sent. */
export function createAppRouter({ api, mcp, hooks, web, metrics = web }: AppHandlers): Handle {
  return (request, response) => {
    const path = pathOf(request.url ?? '');
    // The API answers targets that are no path, such as the * of OPTIONS.
    if (path === '' || API_PATHS.test(path)) return api(request, response);
    if (path === METRICS_PATH) return metrics(request, response);
    if (path.startsWith('/hooks/')) return hooks(request, response);
    return (path === '/mcp' ? mcp : web)(request, response);
  };
}
