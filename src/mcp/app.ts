import type { IncomingMessage, ServerResponse } from 'node:http';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import type { Check } from '../scanner/verdict/check.js';
import type { Clock } from '../platform/clock.js';
import { ServiceError } from '../platform/errors.js';
import { createHttpApp } from '../platform/http/app.js';
import { Places } from '../platform/http/places.js';
import type { Lifecycle } from '../platform/lifecycle.js';
import type { Logger } from '../platform/logging.js';
import type { ObserveRequest } from '../platform/http/request-metrics.js';
import type { App } from '../app/app.js';
import { CAPABILITIES, identityOf, MCP_PATH, mcpDocumentsOf } from './card.js';
import { explainCheck } from './explain-check.js';
import { createForeignGate } from './own-host.js';
import { foreignPage, MESSAGES, sendRefusal } from './refusals.js';
import { LARGE_BODIES, sendWebResponse, toWebRequest } from './relay.js';
import { fixPlan } from './fix-plan.js';
import { readyPrompt } from './ready-prompt.js';
import { LIMITS } from './scan-call.js';
import { scanSite } from './scan-site.js';
import { tryFix } from './try-fix.js';
import { verifyFix } from './verify-fix.js';

export interface McpDeps extends Pick<App, 'freeScans'> {
  /** The registry. */
  readonly checks: readonly Check[];
  /** The service's base address, without a trailing slash. */
  readonly publicUrl: string;
  /** Of this build. */
  readonly version: string;
  /** How many proxies stand in front: the caller's address is taken from what they add to X-Forwarded-For. */
  readonly trustProxy: number;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly lifecycle: Lifecycle;
  readonly observeRequest?: ObserveRequest;
}

export interface Mcp {
  /** In which the server describes itself. */
  readonly documents: ReturnType<typeof mcpDocumentsOf>;
  /** Answers a request to the endpoint, whatever its path; resolves when it is done or streaming. */
  readonly handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  /** Ends open streams: to be called when the server has stopped. */
  close(): Promise<void>;
}

const INSTRUCTIONS = `scan_site checks a public web site and returns a score with what fails; fix_plan says how to fix it, step by step; try_fix tells what a file would change before it is deployed; verify_fix proves fixes, all in one call; explain_check tells what a check means. No key is needed. ${LIMITS} try_fix and verify_fix scan afresh each time.`;

/** What the server says of itself and its tools changes with the next version at the earliest. */
const CACHE_HINT = { ttlMs: 3_600_000, cacheScope: 'public' } as const;

/**
 * The MCP server: Streamable HTTP without sessions. The revision of 2026-07-28 and those before it are served alike, each
 * request by its own server.
 */
export function createMcp(deps: McpDeps): Mcp {
  const { publicUrl, logger, lifecycle, observeRequest, trustProxy } = deps;
  const { newServer, documents } = createServerFactory(deps);
  const handler = createMcpHandler(newServer, {
    // Most of it is what clients do wrong, and they are told.
    onerror: (cause) => logger.debug({ cause }, 'MCP request refused'),
  });
  const isForeign = createForeignGate(publicUrl);
  const largeBodies = new Places(LARGE_BODIES);
  const options = { observeRequest, logger, lifecycle, trustProxy, messages: MESSAGES, sendRefusal };
  const app = createHttpApp({ name: 'mcp', ...options });
  app.use(async (ctx) => {
    ctx.state.route = MCP_PATH;
    if (isForeign(ctx.headers)) throw foreignPage();
    if (ctx.method !== 'POST') throw new ServiceError('method_not_allowed');
    const request = await toWebRequest(ctx, publicUrl + MCP_PATH, ctx.ip, largeBodies);
    const response = await handler.fetch(request);
    if (response.status >= 500) logger.error({ requestId: ctx.state.requestId }, 'MCP request failed');
    await sendWebResponse(ctx, response);
  });
  return { documents, handle: app.callback(), close: () => handler.close() };
}

function createServerFactory(deps: McpDeps): { newServer: () => McpServer; documents: Mcp['documents'] } {
  const identity = identityOf(deps);
  const scan = scanSite(deps);
  const plan = fixPlan(deps);
  const trial = tryFix(deps);
  const verify = verifyFix(deps);
  const explain = explainCheck(deps);
  const documents = mcpDocumentsOf(deps, { tools: [scan, plan, trial, verify, explain], prompts: [readyPrompt] });
  const newServer = (): McpServer => {
    const server = new McpServer(identity, {
      instructions: INSTRUCTIONS,
      capabilities: CAPABILITIES,
      cacheHints: { 'tools/list': CACHE_HINT, 'prompts/list': CACHE_HINT, 'server/discover': CACHE_HINT },
    });
    server.registerTool(scan.name, scan.config, scan.call);
    server.registerTool(plan.name, plan.config, plan.call);
    server.registerTool(trial.name, trial.config, trial.call);
    server.registerTool(verify.name, verify.config, verify.call);
    server.registerTool(explain.name, explain.config, explain.call);
    server.registerPrompt(readyPrompt.name, readyPrompt.config, readyPrompt.call);
    return server;
  };
  return { newServer, documents };
}
