import type { ComponentChildren } from 'preact';
import type Router from '@koa/router';
import type { ParameterizedContext } from 'koa';
import type { RequestState } from '../../platform/http/request.js';
import type { Session } from '../../app/accounts/sessions.js';
import type { App } from '../../app/app.js';
import type { Context } from '../../app/context.js';
import type { HttpContext } from '../../platform/http/app.js';
import type { Check } from '../../scanner/verdict/check.js';

/** The content of a page. */
export interface Page {
  /** Such as "Run 12, example.com"; the product's name is appended. */
  readonly title: string;
  /** By default 200. */
  readonly status?: number;
  /** See `PageHeader`; null for a page without one. */
  readonly header: ComponentChildren;
  /** Messages that the page can show after an action. */
  readonly notices?: Notices;
  /** An error above the main part; it is announced and gets the focus. Errors of a field are shown at the field only. */
  readonly error?: string | undefined;
  /** The content of `<main>`. Boxes of class `w` limit its width. */
  readonly main: ComponentChildren;
  /** A second skip link, such as `#findings`. */
  readonly skip?: readonly [href: string, label: string];
  /** True while something is in progress: script reloads the page every second. */
  readonly isLive?: boolean;
  /**
   * URL that browsers without script load after three seconds, for a live page without a form. It is always explicit: at a URL with a
   * fragment, a browser would only scroll.
   */
  readonly reloadAt?: string;
  /** Additional elements of `<head>`. */
  readonly head?: ComponentChildren;
  /** A page with a description may be indexed. */
  readonly description?: string;
  /** Preview text of a link to a page that may not be indexed. */
  readonly sharedDescription?: string;
  /** Path of the page as Markdown. */
  readonly markdownPath?: string;
  /** Set for a page that shows a secret: it is not compressed, since its length could reveal the secret. */
  readonly hasSecret?: true;
}

/** Messages by their code in the query parameter `notice`. */
export type Notices = Readonly<Record<string, ComponentChildren>>;

export const PRODUCT = 'Agent Readiness Scan';

/** State of a request. */
export interface WebState extends RequestState {
  /** Null for a visitor. */
  session: Session | null;
  /** The token that the browser sent, even if its session has ended. */
  sessionToken?: string | undefined;
  readonly deps: RouteDeps;
  /** Pages that are the same for all visitors, by path. */
  readonly constantPages: Map<string, { readonly body: Buffer; readonly etag: string }>;
}

/** A request and its response; within a route, with the parameters in its path. */
export type WebContext = ParameterizedContext<WebState> & {
  readonly params?: Readonly<Record<string, string | undefined>>;
};

/** Error messages by the name of the field; `''` for the form as a whole, which is the page's `error`. */
export type FieldErrors = Readonly<Record<string, string>>;

/** Services and settings that pages use. */
export interface RouteDeps extends HttpContext, App, Pick<Context, 'db' | 'clock' | 'publicUrl' | 'hasMail'> {
  /** The registry of checks. */
  readonly checks: readonly Check[];
  /** The parsed `generated/openapi.json`. */
  readonly document: object;
  readonly mcpDocuments: McpDocuments;
  /** How to reach the operator: a mailto or https URL; null if the operator has published none. */
  readonly contact: string | null;
  /** True if visitors may create accounts. */
  readonly isSignUpOpen: boolean;
  /** Days for which evidence is stored; 0 for not at all. */
  readonly evidenceDays: number;
  readonly version: string;
  /** True for `serve --demo`. */
  readonly isDemo?: boolean;
}

/** JSON documents about the MCP server, ready to be served. */
interface McpDocuments {
  /** `/mcp/server-card` and `/.well-known/mcp/server-card.json`, as `application/mcp-server-card+json`. */
  readonly serverCard: object;
  /** `/.well-known/mcp.json`, for clients older than the server card. */
  readonly manifest: object;
  /** Entry of `/.well-known/ard.json`. */
  readonly catalogEntry: object;
}

/** Adds the routes of a page. */
export type AddRoutes = (router: Router<WebState>, deps: RouteDeps) => void;
