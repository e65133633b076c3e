import { createGuard } from '../../src/net/guard.js';
import { openNetworkTransport } from '../../src/net/network-transport.js';
import { type HopRequest, type HopResponse, type Transport } from '../../src/net/transport.js';
import { answerOf, type FixtureSite } from './fixture-site.js';
import { type FixtureServer, startFixtureServer } from './fixture-server.js';
import { TransportError } from '../../src/net/failure.js';

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
