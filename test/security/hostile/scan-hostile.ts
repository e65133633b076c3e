import { CHECKS } from '../../../src/scanner/checks/index.js';
import { newControlSeed } from '../../../src/scanner/probe/control.js';
import { openNetworkTransport, type NetworkLimits } from '../../../src/net/network-transport.js';
import type { VisitLimits, VisitOptions } from '../../../src/scanner/client/open-visit.js';
import { parseCidr } from '../../../src/net/address.js';
import { createGuard } from '../../../src/net/guard.js';
import { createResolver } from '../../../src/net/resolver.js';
import { openSession, scan, type ScanReport } from '../../../src/scanner/scan/scan.js';
import { OTHER_PUBLIC_ADDRESS, PUBLIC_ADDRESS } from '../../support/network-scene.js';
import type { HostileKind, HostilePlace } from './host.js';

/** By default those of the product. */
export interface HostileScanOptions {
  readonly limits?: Partial<VisitLimits>;
  readonly network?: Partial<NetworkLimits>;
  readonly dnsTimeoutMs?: number;
  readonly pause?: NonNullable<VisitOptions['pause']>;
}

/** Scans a site over real sockets with every check, as the service does. */
export async function scanHostile(place: HostilePlace, options: HostileScanOptions = {}) {
  const { limits, network, pause, dnsTimeoutMs } = options;
  const guard = createGuard({
    allowCidrs: [PUBLIC_ADDRESS, OTHER_PUBLIC_ADDRESS].flatMap((address) => parseCidr(address) ?? []),
    allowPorts: place.ports,
  });
  const transport = openNetworkTransport({
    guard,
    resolver: createResolver({ servers: [place.dns], ...(dnsTimeoutMs !== undefined && { timeoutMs: dnsTimeoutMs }) }),
    ...(network && { limits: network }),
    ...(place.ca !== undefined && { ca: place.ca }),
  });
  const target = { origin: new URL(place.origin), isOwnershipVerified: true };
  const visit: VisitOptions = { target, transport, gate: guard, ...(limits && { limits }), ...(pause && { pause }) };
  const startedMs = performance.now();
  const session = openSession(visit, new Date(), newControlSeed());
  const report = await scan(session, { clock: { now: () => new Date() } });
  return { report, wallMs: performance.now() - startedMs };
}

/** Returns what is wrong with the report of a run of this kind. */
export function missesOf({ yields }: HostileKind, { findings }: ScanReport): string[] {
  const ids = findings.map(({ checkId }) => checkId);
  const misses = ids.join() === CHECKS.map(({ id }) => id).join() ? [] : [`findings of ${ids.join()} only`];
  for (const { checkId, result } of findings) {
    if (yields === 'nothing' && result !== 'UNDETERMINED') misses.push(`${checkId} is ${result}`);
    if (yields === 'robots.txt' && checkId === 'C-BOT-01' && result !== 'PASS') misses.push(`${checkId} is ${result}`);
  }
  return misses;
}
