import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { FixtureRequest, FixtureSite } from './fixture-site.js';
import { FIXTURE_ORIGIN, answerOf } from './fixture-site.js';
import { listen, type Listening } from './listen.js';

export interface FixtureServer extends Listening {
  /** Such as `http://127.0.0.1:43211`. */
  readonly origin: string;
}

/**
 * Serves a fixture site over a real loopback socket on a free port. Whatever host the request names, the paths of the site's
 * own origin answer, or of the origin in the header `x-fixture-origin`. A site that must know its address is given as a function of it.
 */
export async function startFixtureServer(
  definition: FixtureSite | ((origin: string) => FixtureSite),
  options: { readonly address?: string } = {},
): Promise<FixtureServer> {
  let site: FixtureSite = { routes: {} };
  const server = createServer((request, response) => void answer(site, request, response));
  const address = options.address ?? '127.0.0.1';
  const listening = await listen(server, address);
  const origin = `http://${address.includes(':') ? `[${address}]` : address}:${listening.port}`;
  site = typeof definition === 'function' ? definition(origin) : definition;
  return { ...listening, origin };
}

/** Reads a request as one to this origin, whatever host it names. */
export async function readRequest(request: IncomingMessage, origin: string): Promise<FixtureRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return {
    url: new URL(origin + (request.url ?? '/')),
    method: request.method ?? 'GET',
    headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)])),
    ...(chunks.length > 0 && { body: Buffer.concat(chunks).toString() }),
  };
}

async function answer(site: FixtureSite, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const origin = String(request.headers['x-fixture-origin'] ?? site.origin ?? FIXTURE_ORIGIN);
  const settled = await answerOf(site, await readRequest(request, origin));
  if (settled.failure === 'stalled') return;
  if (settled.failure) {
    request.socket.resetAndDestroy();
    return;
  }
  const headers = settled.headers.flatMap(([name, value]) => [name, value]);
  if (settled.isCut) {
    response.writeHead(settled.status, [...headers, 'content-length', String(settled.body.length)]);
    response.write(settled.body.subarray(0, Math.floor(settled.body.length / 2)), () => request.socket.destroy());
    return;
  }
  response.writeHead(settled.status, headers);
  response.end(settled.body);
}
