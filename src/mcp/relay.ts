import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { ParameterizedContext } from 'koa';
import { Refusal } from '../platform/errors.js';
import { networkOf, readBody, type RequestState } from '../platform/http/request.js';
import type { Slots } from '../platform/slots.js';
import { countContainers } from '../scanner/parsers/json.js';

/** A call is a few hundred bytes; an array of a hundred of them fits. */
const BODY_BYTES_MAX = 64 * 1024;
/** The file of `try_fix` has 100 kB, which JSON in ASCII makes three times as long. */
const LARGE_BYTES_MAX = 320 * 1024;

/** How many large bodies are read at a time, since clients may be slow. */
export const LARGE_BODIES = { total: 32, perNetwork: 8 };

const TOO_DEEP = 'The values of the message are nested too deeply, or there are too many.';

/** Headers of the protocol; the relay drops all others. */
const READ_HEADERS = /^(accept|content-type|mcp-.*)$/;

/** Carries the client's address to the tools. It is not copied from the client's request, so that no client can forge it. */
const CALLER_HEADER = 'x-caller';

/** @param largeBodies see {@link LARGE_BODIES} @throws ServiceError payload_too_large, bad_request, overloaded; Refusal too_deep */
export async function toWebRequest(
  { req, res }: { readonly req: IncomingMessage; readonly res: ServerResponse },
  url: string,
  callerAddress: string,
  largeBodies: Slots,
): Promise<Request> {
  const body = await readCall(req, callerAddress, largeBodies);
  // The parsers after this one are recursive and would run out of stack.
  if (countContainers(body.toString('latin1')) === null) throw new Refusal(400, 'too_deep', TOO_DEEP);
  const headers = new Headers();
  for (const [name, value] of Object.entries(req.headers)) {
    if (READ_HEADERS.test(name) && value !== undefined) headers.set(name, String(value));
  }
  headers.set(CALLER_HEADER, callerAddress);
  const disconnected = new AbortController();
  res.once('close', () => disconnected.abort());
  return new Request(url, { method: 'POST', headers, body: new Uint8Array(body), signal: disconnected.signal });
}

async function readCall(req: IncomingMessage, callerAddress: string, largeBodies: Slots): Promise<Buffer> {
  const declared = Number(req.headers['content-length'] ?? 0);
  if (declared <= BODY_BYTES_MAX || declared > LARGE_BYTES_MAX) return readBody(req, BODY_BYTES_MAX);
  return largeBodies.run(networkOf(callerAddress), () => readBody(req, LARGE_BYTES_MAX));
}

export function callerAddress(request: Request | undefined): string {
  const address = request?.headers.get(CALLER_HEADER);
  if (!address) throw new Error('a tool was called without a caller');
  return address;
}

/** Answers with the server's response; a stream continues after this returns. */
export async function sendWebResponse(ctx: ParameterizedContext, response: Response): Promise<void> {
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
  // Koa guesses a type from the body.
  if (type === null) ctx.remove('Content-Type');
  else ctx.set('Content-Type', type);
}

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Returns a function that is true if a request may come from a page of another site (Streamable HTTP, "Security & Endpoint": DNS
 * rebinding). Browsers send their origin with each POST; other clients send none and are accepted. The Host is compared as well, since
 * another domain's name could point at us. IP addresses and names without a dot are accepted: a proxy may set them.
 */
export function createCrossOriginCheck(publicUrl: string): (headers: IncomingHttpHeaders) => boolean {
  const service = new URL(publicUrl);
  const origins = new Set(originsOf(service));
  const isOtherHost = (host: string): boolean => {
    const url = URL.parse(`http://${host}`);
    if (url === null) return true;
    const { hostname } = url;
    const isDomain = hostname.includes('.') && isIP(hostname) === 0;
    return isDomain && hostname !== service.hostname;
  };
  return ({ origin, host }) =>
    (origin !== undefined && !origins.has(origin)) || (host !== undefined && isOtherHost(host));
}

/** Returns one origin; on loopback three, one for each of its names. */
function originsOf({ protocol, hostname, port, origin }: URL): string[] {
  if (!LOOPBACK_NAMES.includes(hostname)) return [origin];
  const suffix = port === '' ? '' : `:${port}`;
  return LOOPBACK_NAMES.map((name) => `${protocol}//${name}${suffix}`);
}

/** JSON-RPC 2.0, section 5.1. */
const INVALID_REQUEST = -32_600;
const INTERNAL_ERROR = -32_603;

/** Messages that replace those of the API. */
export const MESSAGES = {
  payload_too_large: 'The request body is larger than 320 KiB, or than 64 KiB without a Content-Length.',
  method_not_allowed: 'This is a stateless MCP endpoint (Streamable HTTP): it takes POST only.',
} as const;

/** Answers a request that did not reach the MCP server: a JSON-RPC error without an id (Streamable HTTP, "Security & Endpoint"). */
export function sendRefusal(ctx: ParameterizedContext<RequestState>, { status, code, message }: Refusal): void {
  if (code === 'method_not_allowed') ctx.set('Allow', 'POST');
  ctx.status = status;
  ctx.body = { jsonrpc: '2.0', id: null, error: { code: status >= 500 ? INTERNAL_ERROR : INVALID_REQUEST, message } };
}
