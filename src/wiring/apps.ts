import { createApi } from '../api/api.js';
import type { ApiDocument } from '../api/operation.js';
import type { App } from '../app/app.js';
import { createHookApp } from '../app/automation/deploy-hooks.js';
import type { Config } from '../config.js';
import { createMcp } from '../mcp/app.js';
import { systemClock as clock } from '../platform/clock.js';
import type { ObserveRequest, WhyNotReady } from '../platform/http/app.js';
import type { Lifecycle } from '../platform/http/server.js';
import type { Logger } from '../platform/logging.js';
import { CHECKS as checks } from '../scanner/checks/index.js';
import type { Database } from '../store/database.js';
import { addDiscoveryRoutes } from '../web/agents/documents.js';
import { PAGES } from '../web/pages/index.js';
import { addFreeScanRoutes } from '../web/public/free-scan-routes.js';
import { addPublications } from '../web/public/publications-routes.js';
import { addPublicRoutes } from '../web/public/routes.js';
import { addSampleRoutes } from '../web/public/sample.js';
import { createWeb } from '../web/server/app.js';
import type { RouteDeps } from '../web/server/page.js';

export interface AppsOptions {
  readonly config: Config;
  readonly db: Database;
  readonly logger: Logger;
  readonly observeRequest: ObserveRequest;
  readonly lifecycle: Lifecycle;
  readonly whyNotReady: WhyNotReady;
  readonly readDocument: () => Promise<string>;
  readonly version: string;
  readonly isDemo?: boolean;
}

/** The API, the pages, the deploy hooks and the MCP endpoint. */
export async function createApps(options: AppsOptions, app: App) {
  const { config, readDocument, isDemo = false, ...shared } = options;
  const { publicUrl, trustProxy, contact, evidenceDays, smtpUrl, isSignUpOpen } = config;
  const document = JSON.parse(await readDocument()) as ApiDocument;
  const common = { ...app, ...shared, publicUrl, clock, checks, trustProxy };
  const api = await createApi({ ...common, document, contact });
  const hooks = createHookApp(common);
  const mcp = createMcp(common);
  const pages = { document, contact, hasMail: smtpUrl !== null, isSignUpOpen, evidenceDays, isDemo };
  const web = createPages({ ...common, ...pages, mcpDocuments: mcp.documents });
  return {
    api: api.callback(),
    mcp: mcp.handle,
    hooks: hooks.handle,
    web: web.callback(),
    close: (): Promise<void> => mcp.close(),
  };
}

const PARTS = [addDiscoveryRoutes, addPublicRoutes, addSampleRoutes, addFreeScanRoutes, addPublications, ...PAGES];

/** The dashboard, the public pages and the documents for agents. */
export function createPages(deps: RouteDeps) {
  return createWeb(deps, PARTS);
}
