import type Router from '@koa/router';
import type { App } from '../../app/app.js';
import type { Context } from '../../app/context.js';
import type { SiteNote } from '../../app/sites/site.js';
import type { ObserveRequest } from '../../platform/http/app.js';
import type { Lifecycle } from '../../platform/http/server.js';
import type { Logger } from '../../platform/logging.js';
import type { Check } from '../../scanner/verdict/check.js';
import type { WebState } from './context.js';
import type { SendConstantPage, SendPage } from './page.js';
import type { Cookie } from './session.js';

/** Services for operations, commands and workers only. */
type NotOnPages =
  | 'access'
  | 'accounts'
  | 'close'
  | 'excludedHosts'
  | 'performRun'
  | 'proofConsequences'
  | 'runs'
  | 'setSchedule'
  | 'settle';

/** Everything that the pages are made of. */
export interface PagesDeps extends Omit<App, NotOnPages>, Pick<Context, 'db' | 'clock' | 'publicUrl' | 'hasMail'> {
  /** The registry of checks. */
  readonly checks: readonly Check[];
  /** The parsed `generated/openapi.json`. */
  readonly document: object;
  readonly mcpDocuments: McpDocuments;
  /** How to reach the operator: a mailto or https URL; null if the operator gives none. */
  readonly contact: string | null;
  /** True if visitors may create accounts. */
  readonly isSignUpOpen: boolean;
  /** How many days evidence is stored; 0: none is. */
  readonly evidenceDays: number;
  readonly version: string;
  /** True for `serve --demo`. */
  readonly isDemo?: boolean;
  /** Remarks on sites of the demo, by the id of the site. */
  readonly siteNotes?: ReadonlyMap<string, SiteNote>;
  /** Number of trusted proxies in front of the service. */
  readonly trustProxy: number;
  readonly logger: Logger;
  readonly lifecycle: Lifecycle;
  readonly observeRequest?: ObserveRequest;
}

/** JSON documents about the MCP server, ready to be served. */
interface McpDocuments {
  /** `/mcp/server-card` and `/.well-known/mcp/server-card.json`, as `application/mcp-server-card+json`. */
  readonly serverCard: object;
  /** `/.well-known/mcp.json`, for clients older than the server card. */
  readonly manifest: object;
  /** `/mcp/server.json`, for the MCP Registry. */
  readonly registryEntry: object;
  /** Entry of `/.well-known/ard.json`. */
  readonly catalogEntry: object;
}

/** What a page works with: the services, and how to answer. */
export interface PartDeps extends PagesDeps {
  readonly sessionCookie: Cookie;
  readonly sendPage: SendPage;
  readonly sendConstantPage: SendConstantPage;
}

/** Adds the routes of a page. */
export type Part = (router: Router<WebState>, deps: PartDeps) => void;
