import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { Refusal, ServiceError } from '../platform/errors.js';
import { createHttpApp, type HttpContext } from '../platform/http/app.js';
import { Slots } from '../platform/slots.js';
import { CAPABILITIES, identityOf, MCP_PATH, createMcpDocuments } from './card.js';
import { explainCheck } from './explain-check.js';
import { createCrossOriginCheck, LARGE_BODIES, MESSAGES, sendRefusal, sendWebResponse, toWebRequest } from './relay.js';
import { fixPlan, scanSite } from './scan-site.js';
import { SITE_URL, type ToolServices } from './tool.js';
import { tryFix } from './try-fix.js';
import { verifyFix } from './verify-fix.js';

export interface McpOptions extends ToolServices, HttpContext {
  readonly version: string;
}

const INSTRUCTIONS = `scan_site checks a public web site and returns a score and what fails; fix_plan lists the fixes step by step; try_fix shows what a file would change before it is deployed; verify_fix proves all fixes in one call; explain_check explains a check. No key is needed. scan_site names the limits; try_fix and verify_fix scan afresh each time.`;

const CROSS_ORIGIN =
  'Web pages may call this endpoint only from its own origin, and under its own host name. Other clients send no Origin.';

/** Descriptions change only with a new version. */
const CACHE_HINT = { ttlMs: 3_600_000, cacheScope: 'public' } as const;

/** The prompt for a coding agent that is to fix a site. */
const readyPrompt = {
  name: 'make_site_agent_ready',
  title: 'Make this site ready for agents',
  description: 'Scans a site, fixes what stops AI agents, and proves each fix.',
  argsSchema: z.object({ url: SITE_URL }),
};

function instructionsFor(url: string): string {
  return `Make the site ${url} ready for AI agents.

1. Call fix_plan with this url. It lists what fails, in the order in which to fix it. If it says that the site has no score, tell me why and stop: it is not known what fails.
2. For each step, find in this project what serves it (a file, a template, the server's configuration), and fix just that. If isWhole is false, explain_check with the step's checkId and errorType has the whole fix. Ask me before you change who may read the site, or what it says about itself. If a wrong file would do harm, call try_fix first: it shows what the file would change.
3. When the changes are live, call verify_fix once, with the url and the checkIds of all of them. If one still fails, read its detail, try again, and call it with the checks that still fail.
4. At the end, say what you changed, what passes now, and what is left for me to do.`;
}

/**
 * Creates the MCP endpoint: Streamable HTTP without sessions, for the revision of 2026-07-28 and earlier ones. Each request has its own
 * server. `handle` resolves when the request is answered, or its answer streams; `close` ends open streams.
 */
export function createMcp(options: McpOptions) {
  const { publicUrl, logger } = options;
  const identity = identityOf(options);
  const tools = [scanSite(options), fixPlan(options), tryFix(options), verifyFix(options), explainCheck(options)];
  const { name: promptName, ...promptConfig } = readyPrompt;
  const newServer = (): McpServer => {
    const server = new McpServer(identity, {
      instructions: INSTRUCTIONS,
      capabilities: CAPABILITIES,
      cacheHints: { 'tools/list': CACHE_HINT, 'prompts/list': CACHE_HINT, 'server/discover': CACHE_HINT },
    });
    for (const tool of tools) tool.register(server);
    server.registerPrompt(promptName, promptConfig, ({ url }) => ({
      messages: [{ role: 'user', content: { type: 'text', text: instructionsFor(url) } }],
    }));
    return server;
  };
  const handler = createMcpHandler(newServer, {
    // Mostly mistakes of clients, which get an error.
    onerror: (cause) => logger.debug({ cause }, 'MCP request refused'),
  });
  const isCrossOrigin = createCrossOriginCheck(publicUrl);
  const largeBodies = new Slots(LARGE_BODIES.total, { perOwner: LARGE_BODIES.perNetwork });
  const app = createHttpApp({ ...options, name: 'mcp', messages: MESSAGES, sendRefusal });
  app.use(async (ctx) => {
    ctx.state.route = MCP_PATH;
    if (isCrossOrigin(ctx.headers)) throw new Refusal(403, 'foreign_page', CROSS_ORIGIN);
    if (ctx.method !== 'POST') throw new ServiceError('method_not_allowed');
    const request = await toWebRequest(ctx, publicUrl + MCP_PATH, ctx.ip, largeBodies);
    const response = await handler.fetch(request);
    if (response.status >= 500) logger.error({ requestId: ctx.state.requestId }, 'MCP request failed');
    await sendWebResponse(ctx, response);
  });
  return {
    documents: createMcpDocuments(options, { tools, prompts: [readyPrompt] }),
    handle: app.callback(),
    close: () => handler.close(),
  };
}
