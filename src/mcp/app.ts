import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import type { ParameterizedContext } from 'koa';
import { z } from 'zod';
import { Refusal, ServiceError } from '../platform/errors.js';
import { createHttpApp, type HttpContext } from '../platform/http/app.js';
import { networkOf, readBody, type RequestState } from '../platform/http/request.js';
import { Slots } from '../platform/slots.js';
import { countContainers } from '../scanner/parsers/json.js';
import { CAPABILITIES, identityOf, MCP_PATH, createMcpDocuments } from './card.js';
import { explainCheck } from './explain-check.js';
import { fixPlan, scanSite } from './scan-site.js';
import { CALLER_HEADER, SITE_URL, type ToolServices } from './tool.js';
import { tryFix } from './try-fix.js';
import { verifyFix } from './verify-fix.js';

export interface McpOptions extends ToolServices, HttpContext {
  readonly version: string;
}

const INSTRUCTIONS = `scan_site checks a public web site and returns a score and what fails; fix_plan lists the fixes step by step; try_fix shows what a file would change before it is deployed; verify_fix proves all fixes in one call; explain_check explains a check and gives its full fixes. No key is needed. scan_site names the limits; try_fix and verify_fix run a new scan each time.`;

const CROSS_ORIGIN =
  'Web pages may call this endpoint only from its own origin, and under its own host name. Other clients send no Origin.';

/** Clients may cache descriptions, which change only with a new version. */
const CACHE_HINT = { ttlMs: 3_600_000, cacheScope: 'public' } as const;

const readyPrompt = {
  name: 'make_site_agent_ready',
  title: 'Make this site ready for agents',
  description: 'Scans a site, fixes what stops AI agents, and proves each fix.',
  argsSchema: z.object({ url: SITE_URL }),
};

function instructionsFor(url: string): string {
  return `Make the site ${url} ready for AI agents.

1. Call fix_plan with this url. It lists what fails, in the order in which to fix it. If it says that the site has no score, tell me why and stop, since it is unknown what fails.
2. For each step, find in this project what serves it (a file, a template, the server's configuration), and fix only that. explain_check with the step's checkId and errorType gives the full fix, with snippets. Ask me before you change who may read the site, or what it says about itself. If a wrong file would do harm, call try_fix first: it shows what the file would change.
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
    // Mostly client mistakes, which are answered with an error.
    onerror: (cause) => logger.debug({ cause }, 'MCP request refused'),
  });
  const ownUrl = new URL(publicUrl);
  const largeBodies = new Slots(LARGE_BODIES.total, { perOwner: LARGE_BODIES.perNetwork });
  const app = createHttpApp({ ...options, name: 'mcp', messages: MESSAGES, sendRefusal });
  app.use(async (ctx) => {
    ctx.state.route = MCP_PATH;
    if (isCrossOrigin(ctx.headers, ownUrl)) throw new Refusal(403, 'foreign_page', CROSS_ORIGIN);
    if (ctx.method !== 'POST') throw new ServiceError('method_not_allowed');
    const request = await toWebRequest(ctx, publicUrl + MCP_PATH, largeBodies);
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

/** A call has a few hundred bytes, so an array of a hundred calls fits. */
const BODY_BYTES_MAX = 64 * 1024;
/** A file for `try_fix` has up to 100 kB, which ASCII-only JSON can triple. */
const LARGE_BODY_BYTES_MAX = 320 * 1024;

/** How many large bodies are read at a time. Slow clients may send them for long. */
const LARGE_BODIES = { total: 32, perNetwork: 8 };

const TOO_DEEP = 'The message has too many values, or they are nested too deeply.';

/** Headers that the protocol uses. All others are dropped. */
const READ_HEADERS = /^(accept|content-type|mcp-.*)$/;

/**
 * @param largeBodies see {@link LARGE_BODIES}
 * @throws ServiceError payload_too_large, bad_request, overloaded; Refusal too_deep
 */
async function toWebRequest(ctx: ParameterizedContext, url: string, largeBodies: Slots): Promise<Request> {
  const { req, res, ip } = ctx;
  const body = await readCall(ctx, largeBodies);
  // The parsers after this one are recursive and would run out of stack.
  if (countContainers(body.toString('latin1')) === null) throw new Refusal(400, 'too_deep', TOO_DEEP);
  const headers = new Headers();
  for (const [name, value] of Object.entries(req.headers)) {
    if (READ_HEADERS.test(name) && value !== undefined) headers.set(name, String(value));
  }
  headers.set(CALLER_HEADER, ip);
  const disconnected = new AbortController();
  res.once('close', () => disconnected.abort());
  return new Request(url, { method: 'POST', headers, body: new Uint8Array(body), signal: disconnected.signal });
}

async function readCall({ req, ip }: ParameterizedContext, largeBodies: Slots): Promise<Buffer> {
  const declared = Number(req.headers['content-length'] ?? 0);
  if (declared <= BODY_BYTES_MAX || declared > LARGE_BODY_BYTES_MAX) return readBody(req, BODY_BYTES_MAX);
  return largeBodies.run(networkOf(ip), () => readBody(req, LARGE_BODY_BYTES_MAX));
}

/** Answers with the MCP server's response. A stream continues after this returns. */
async function sendWebResponse(ctx: ParameterizedContext, response: Response): Promise<void> {
  ctx.status = response.status;
  const type = response.headers.get('Content-Type');
  response.headers.forEach((value, name) => {
    // The HTTP server decides whether the connection stays open.
    if (name !== 'connection') ctx.set(name, value);
  });
  if (response.body !== null && type?.startsWith('text/event-stream') === true) {
    ctx.body = Readable.fromWeb(response.body as ReadableStream<Uint8Array>);
  } else {
    ctx.body = Buffer.from(await response.arrayBuffer());
  }
  // Replaces the type that Koa guesses from the body.
  if (type === null) ctx.remove('Content-Type');
  else ctx.set('Content-Type', type);
}

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];

/**
 * True if a request may come from a page of another site (Streamable HTTP, "Security & Endpoint": DNS rebinding). Browsers send an Origin
 * with each POST; other clients send none and are accepted. The Host is also compared, since another domain could point at us. IP
 * addresses and names without a dot are accepted: a proxy may set them. All loopback names count as one origin.
 */
function isCrossOrigin({ origin, host }: IncomingHttpHeaders, ownUrl: URL): boolean {
  const { protocol, hostname, port, origin: ownOrigin } = ownUrl;
  const suffix = port === '' ? '' : `:${port}`;
  const isLoopback = LOOPBACK_NAMES.includes(hostname);
  const origins = isLoopback ? LOOPBACK_NAMES.map((name) => `${protocol}//${name}${suffix}`) : [ownOrigin];
  if (origin !== undefined && !origins.includes(origin)) return true;
  if (host === undefined) return false;
  const sent = URL.parse(`http://${host}`)?.hostname;
  return sent === undefined || (sent.includes('.') && isIP(sent) === 0 && sent !== hostname);
}

/** JSON-RPC 2.0, section 5.1. */
const INVALID_REQUEST = -32_600;
const INTERNAL_ERROR = -32_603;

/** Messages that replace the API's. */
const MESSAGES = {
  payload_too_large: 'The request body is larger than 320 KiB, or than 64 KiB without a Content-Length.',
  method_not_allowed: 'This is a stateless MCP endpoint (Streamable HTTP): it accepts only POST.',
} as const;

/** Answers a request that did not reach the MCP server with a JSON-RPC error without an id (Streamable HTTP, "Security & Endpoint"). */
function sendRefusal(ctx: ParameterizedContext<RequestState>, { status, code, message }: Refusal): void {
  if (code === 'method_not_allowed') ctx.set('Allow', 'POST');
  ctx.status = status;
  ctx.body = { jsonrpc: '2.0', id: null, error: { code: status >= 500 ? INTERNAL_ERROR : INVALID_REQUEST, message } };
}
