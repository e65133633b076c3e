import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { ParameterizedContext } from 'koa';
import { ServiceError } from '../platform/errors.js';
import type { PlaceLimits, Places } from '../platform/http/places.js';
import { readBody } from '../platform/http/request-body.js';
import { isTooDeep } from './nesting.js';
import { tooDeep } from './refusals.js';

/** A call is a few hundred bytes; an array of a hundred of them fits. */
const BODY_BYTES_MAX = 64 * 1024;
/** The file of `try_fix` has 100 kB, which JSON in ASCII makes three times as long. */
const LARGE_BYTES_MAX = 320 * 1024;

/** So many clients may send a larger body at a time, since each may be slow. */
export const LARGE_BODIES: PlaceLimits = { total: 32, perAddress: 4 };

/** The headers that the protocol reads: nothing else of a client goes further. */
const READ_HEADERS = /^(accept|content-type|mcp-.*)$/;

/**
 * Names the caller to the tools, in the web request made from the client's. It is not among the headers that are copied
 * over from there, so that no client can forge it.
 */
const CALLER_HEADER = 'x-caller';

/** @param largeBodies see {@link LARGE_BODIES} @throws ServiceError payload_too_large, bad_request, overloaded; Refusal too_deep */
export async function toWebRequest(
  { req, res }: { readonly req: IncomingMessage; readonly res: ServerResponse },
  url: string,
  callerAddress: string,
  largeBodies: Places,
): Promise<Request> {
  const body = await readCall(req, callerAddress, largeBodies);
  if (isTooDeep(body)) throw tooDeep();
  const headers = new Headers();
  for (const [name, value] of Object.entries(req.headers)) {
    if (READ_HEADERS.test(name) && value !== undefined) headers.set(name, String(value));
  }
  headers.set(CALLER_HEADER, callerAddress);
  const hungUp = new AbortController();
  res.once('close', () => hungUp.abort());
  return new Request(url, { method: 'POST', headers, body: new Uint8Array(body), signal: hungUp.signal });
}

async function readCall(req: IncomingMessage, callerAddress: string, largeBodies: Places): Promise<Buffer> {
  const declared = Number(req.headers['content-length'] ?? 0);
  if (declared <= BODY_BYTES_MAX || declared > LARGE_BYTES_MAX) return readBody(req, BODY_BYTES_MAX);
  const leave = largeBodies.take(callerAddress);
  if (leave === null) throw new ServiceError('overloaded');
  try {
    return await readBody(req, LARGE_BYTES_MAX);
  } finally {
    leave();
  }
}

/** The address of the client that sent this request. */
export function callerOf(request: Request | undefined): string {
  const address = request?.headers.get(CALLER_HEADER);
  if (!address) throw new Error('a tool was called without a caller');
  return address;
}

/** Answers with the server's response; a stream continues after this returns. */
export async function sendWebResponse(ctx: ParameterizedContext, response: Response): Promise<void> {
  ctx.status = response.status;
  const type = response.headers.get('Content-Type');
  response.headers.forEach((value, name) => {
    // Whether the connection stays open is for the HTTP server to say.
    if (name !== 'connection') ctx.set(name, value);
  });
  if (response.body !== null && type?.startsWith('text/event-stream') === true) {
    ctx.body = Readable.fromWeb(response.body as ReadableStream<Uint8Array>);
  } else {
    ctx.body = Buffer.from(await response.arrayBuffer());
  }
  // Koa has its own opinion on the type of a body.
  if (type === null) ctx.remove('Content-Type');
  else ctx.set('Content-Type', type);
}
