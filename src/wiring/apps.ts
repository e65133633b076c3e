import type { App } from '../app/app.js';
import { createHooks } from '../app/automation/hook-app.js';
import type { SiteNote } from '../app/sites/site-note.js';
import { createApi } from '../api/api.js';
import type { ApiDocument } from '../api/operation.js';
import type { Config } from '../config.js';
import { createMcp } from '../mcp/app.js';
import { systemClock as clock } from '../platform/clock.js';
import { createProbeApp } from '../platform/http/probes.js';
import { type PlaceLimits, UNLIMITED } from '../platform/http/places.js';
import type { Lifecycle } from '../platform/lifecycle.js';
import type { Readiness } from '../platform/readiness.js';
import type { Logger } from '../platform/logging.js';
import { CHECKS as checks } from '../scanner/checks/index.js';
import { MessageSigner } from '../scanner/artifacts/message-signer.js';
import { createAppRouter, type Handle } from './app-router.js';
import { createMetricsApp } from './metrics.js';
import { createPages } from './pages.js';
import type { Metrics } from './process-metrics.js';

export interface AppsDeps {
  readonly config: Config;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly lifecycle: Lifecycle;
  /** How many streams of events there may be. */
  readonly streams?: PlaceLimits;
  /** For the probes, and the status page. */
  readonly readiness: Readiness;
  readonly readDocument: () => Promise<string>;
  /** Of this build. */
  readonly version: string;
  readonly isDemo?: boolean;
  /** See PageServices. */
  readonly siteNotes?: ReadonlyMap<string, SiteNote>;
}

/** What answers requests. */
export interface Apps {
  readonly handle: Handle;
  close(): Promise<void>;
}

/** The API, the pages, the deploy hooks, the MCP endpoint and the metrics. */
export async function createApps(deps: AppsDeps, app: App): Promise<Apps> {
  const {
    config,
    logger,
    metrics,
    lifecycle,
    readiness,
    version,
    isDemo = false,
    siteNotes = new Map(),
    streams = UNLIMITED,
  } = deps;
  const { publicUrl, trustProxy, contact, evidenceDays, scanFromCidrs, signingKey, smtpUrl, isSignUpOpen } = config;
  const document = JSON.parse(await deps.readDocument()) as ApiDocument;
  const { observeRequest } = metrics;
  const common = { ...app, publicUrl, version, clock, logger, lifecycle, observeRequest, checks, trustProxy };
  const api = await createApi({ ...common, document, readiness, contact });
  const hooks = createHooks(common);
  const mcp = createMcp(common);
  // Before the first request: by the time that somebody asks no descriptor may be left, and Node 22 keeps the failure of an import.
  await Promise.all(checks.map((check) => check.examples()));
  const web = await createPages({
    ...common,
    document,
    readiness,
    contact,
    hasMail: smtpUrl !== null,
    isSignUpOpen,
    evidenceDays,
    scanFromCidrs,
    signer: signingKey ? new MessageSigner(signingKey) : undefined,
    streams,
    mcpDocuments: mcp.documents,
    isDemo,
    siteNotes,
  });
  return {
    handle: createAppRouter({
      ...{ api: api.callback(), mcp: mcp.handle, hooks: hooks.handle, web: web.callback() },
      metrics: createMetricsApp(deps, lifecycle),
    }),
    close: () => mcp.close(),
  };
}

/** Of a worker process: probes and metrics, nothing else. */
export function createWorkerApps(deps: AppsDeps): Apps {
  const { logger, metrics, lifecycle, readiness } = deps;
  const { observeRequest } = metrics;
  const probes = createProbeApp({ logger, lifecycle, observeRequest, readiness }).callback();
  return {
    handle: createAppRouter({
      ...{ api: probes, mcp: probes, hooks: probes, web: probes },
      metrics: createMetricsApp(deps, lifecycle),
    }),
    close: () => Promise.resolve(),
  };
}
