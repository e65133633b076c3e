import { parseCidr } from '../../src/net/address.js';
import { createGuard, type Endpoint } from '../../src/net/guard.js';
import { createResolver, type Resolver } from '../../src/net/resolver.js';
import { type NetworkLimits, openNetworkTransport } from '../../src/net/network-transport.js';
import { type ClosableVisit, openVisit, type VisitOptions } from '../../src/scanner/client/open-visit.js';
import { type DnsName, type DnsServer, startDnsServer } from './dns-server.js';
import type { Scope } from './service.js';

/** Loopback addresses that replace the public internet. 127.0.0.1 stays forbidden. */
export const PUBLIC_ADDRESS = '127.0.0.2';
export const OTHER_PUBLIC_ADDRESS = '127.0.0.3';
export const PUBLIC_CIDRS = [PUBLIC_ADDRESS, OTHER_PUBLIC_ADDRESS].flatMap((address) => parseCidr(address) ?? []);

/** A name that by default resolves to {@link PUBLIC_ADDRESS}. */
export const PUBLIC_HOST = 'www.fixture-site.com';

export interface SceneOptions extends Pick<VisitOptions, 'limits' | 'limiter'> {
  /** The ports of the servers that the visit may reach. */
  readonly ports: readonly number[];
  readonly names?: Readonly<Record<string, DnsName>>;
  readonly allowEndpoints?: readonly Endpoint[];
  readonly network?: Partial<NetworkLimits>;
  readonly ca?: string;
}

/** Opens a visit over real sockets, with its own name server. */
export async function openScene(
  t: Pick<Scope, 'teardown'>,
  { ports, names = {}, allowEndpoints = [], network = {}, ca, ...visitOptions }: SceneOptions,
) {
  const dns = await startDnsServer({ [PUBLIC_HOST]: { A: [PUBLIC_ADDRESS] }, ...names });
  const guard = createGuard({ allowCidrs: PUBLIC_CIDRS, allowPorts: ports, allowEndpoints });
  const resolver = resolverOf(dns, names);
  const refusals: string[] = [];
  const visit = openVisit({
    target: { origin: new URL(`http://${PUBLIC_HOST}`), isOwnershipVerified: true },
    transport: openNetworkTransport({ guard, resolver, limits: network, ...(ca !== undefined && { ca }) }),
    gate: guard,
    pause: () => Promise.resolve(),
    listeners: [(event) => event.kind === 'refused' && refusals.push(event.reason)],
    ...visitOptions,
  });
  t.teardown(async () => {
    await visit.close();
    await dns.close();
  });
  return {
    visit,
    /** Such as `A www.fixture-site.com`. */
    questions: dns.questions as readonly string[],
    refusals: refusals as readonly string[],
  };
}

/** The timeout is short only if some names are silent: other answers may be slow on a busy machine. */
export function resolverOf({ address }: DnsServer, names: Readonly<Record<string, DnsName>> = {}): Resolver {
  const isSilent = Object.values(names).some(({ silent }) => silent !== undefined);
  return createResolver({ servers: [address], ...(isSilent && { timeoutMs: 50 }) });
}

/** Returns the failure or the status of a fetch. */
export async function outcomeOf(visit: ClosableVisit, url: string): Promise<string | number> {
  const fetched = await visit.fetch(new URL(url));
  return 'failure' in fetched ? fetched.failure : fetched.response.status;
}
