import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { TransportError } from '../../src/net/failure.js';
import { createGuard } from '../../src/net/guard.js';
import { openNetworkTransport } from '../../src/net/network-transport.js';
import type { HopRequest, HopResponse, Transport } from '../../src/net/transport.js';
import { answerOf, FIXTURE_ORIGIN, type FixtureRequest, type FixtureRoute, type FixtureSite } from './fixture-site.js';
import { listen, type Listening } from './servers.js';
import type { Scope } from './service.js';

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

export type OwnSite = Awaited<ReturnType<typeof startOwnSite>>;

const HOME = `<!doctype html>
<html lang="en">
<head><title>Kiln Street Pottery</title></head>
<body><h1>Kiln Street Pottery</h1><p>Bowls and cups, thrown by hand.</p></body>
</html>
`;

/** Starts a site on loopback whose routes a test can change. */
export async function startOwnSite(t: Scope) {
  /** By path. At first there is a home page, and nothing for agents. */
  const routes: Record<string, FixtureRoute> = { '/': HOME };
  const server = await startFixtureServer((origin) => ({ origin, routes }));
  t.teardown(() => server.close());
  return { ...server, routes };
}

const LOOPBACK = '127.0.0.1';

/**
 * Serves a fixture site over real sockets and sends every request there, whatever host and scheme it names, with the host in
 * its Host header: the product's own network transport, HTTP on the wire, and the site's addresses as they are. Failures
 * that need another network than loopback (names, TLS) are as the fixture says.
 */
export class LoopbackTransport implements Transport {
  readonly #network: Transport;

  private constructor(
    private readonly site: FixtureSite,
    private readonly server: FixtureServer,
  ) {
    const guard = createGuard({ allowEndpoints: [{ address: LOOPBACK, port: server.port }] });
    this.#network = openNetworkTransport({ guard, resolver: { resolveAddresses: () => Promise.reject(new Error()) } });
  }

  static async open(site: FixtureSite): Promise<LoopbackTransport> {
    return new LoopbackTransport(site, await startFixtureServer(site));
  }

  async exchange(request: HopRequest): Promise<HopResponse> {
    const { failure } = await answerOf(this.site, request);
    if (failure) throw new TransportError(failure);
    const url = new URL(request.url.pathname + request.url.search, this.server.origin);
    const headers = { ...request.headers, 'x-fixture-origin': request.url.origin };
    return this.#network.exchange({ ...request, url, headers });
  }

  async close(): Promise<void> {
    await this.#network.close();
    await this.server.close();
  }
}
