import { createApi } from '../api/api.js';
import type { ApiDocument } from '../api/operation.js';
import type { App } from '../app/app.js';
import { createHookApp } from '../app/automation/deploy-hooks.js';
import type { Context } from '../app/context.js';
import type { Config } from '../config.js';
import { createMcp } from '../mcp/app.js';
import type { HttpContext } from '../platform/http/app.js';
import { CHECKS as checks } from '../scanner/checks/index.js';
import { addDiscoveryRoutes } from '../web/agents/documents.js';
import { PAGES } from '../web/pages/index.js';
import { addFreeScanRoutes } from '../web/public/free-scan-routes.js';
import { addPublications } from '../web/public/publications.js';
import { addPublicRoutes } from '../web/public/routes.js';
import { createWeb } from '../web/server/app.js';
import type { RouteDeps } from '../web/server/page.js';

export interface AppsOptions {
  readonly context: Context;
  readonly app: App;
  readonly http: HttpContext;
  readonly config: Config;
  readonly readDocument: () => Promise<string>;
  readonly isDemo?: boolean;
}

/** Creates the API, the pages, the deploy hooks and the MCP endpoint. */
export async function createApps({ context, app, http, config, readDocument, isDemo = false }: AppsOptions) {
  const { contact, evidenceDays, isSignUpOpen } = config;
  const document = JSON.parse(await readDocument()) as ApiDocument;
  const common = { ...context, ...app, ...http, version: context.release, document, contact, checks };
  const api = await createApi(common);
  const mcp = createMcp(common);
  const web = createPages({ ...common, isSignUpOpen, evidenceDays, isDemo, mcpDocuments: mcp.documents });
  return {
    handlers: { api: api.callback(), mcp: mcp.handle, hooks: createHookApp(common).handle, web: web.callback() },
    close: (): Promise<void> => mcp.close(),
  };
}

const PARTS = [addDiscoveryRoutes, addPublicRoutes, addFreeScanRoutes, addPublications, ...PAGES];

/** Creates the dashboard, the public pages and the documents for agents. */
export function createPages(deps: RouteDeps) {
  return createWeb(deps, PARTS);
}
