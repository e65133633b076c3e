import type { LookupFunction, Socket } from 'node:net';
import { isIP } from 'node:net';
import { buildConnector } from 'undici';
import { TransportError } from '../fetch/transport.js';
import { canonicalAddress } from './address-gate.js';
import type { Guard } from './guard.js';
import type { Resolver } from './resolver.js';
import type { RefusalReason } from '../../domain/refusal.js';
import { literalAddressOf } from './url-gate.js';

/** A target that the guard refuses. The reason is for the log: it tells which names lead into a private network. */
export class RefusedTargetError extends TransportError {
  constructor(readonly reason: RefusalReason) {
    super('target_refused');
  }
}

export interface ConnectorOptions {
  readonly guard: Guard;
  readonly resolver: Pick<Resolver, 'resolveAddresses'>;
  /** For the connection with its TLS handshake, once the name is resolved. */
  readonly connectMs: number;
  /** Certificate authorities instead of the platform's own. */
  readonly ca?: string;
}

/** Most answers of the DNS that are looked at, and so connected to. */
const ADDRESSES_MAX = 16;

/** How long one of several addresses may keep the next one waiting. */
const NEXT_ADDRESS_MS = 1000;

/**
 * The connect function for undici. A `lookup` alone is not enough, because Node never calls it for an address: here every new
 * connection passes. A name is resolved once a run, that of an excepted endpoint never; one bad answer refuses the name; the
 * connection goes to the very answers that were vetted, under the name's own SNI and certificate; and the peer's address is
 * compared once it is there.
 */
export function createGuardedConnector(options: ConnectorOptions): buildConnector.connector {
  const { guard, resolver } = options;
  const resolved = new Map<string, Promise<PinnedHost>>();

  const pin = async (hostname: string): Promise<PinnedHost> => {
    const addresses = (await resolver.resolveAddresses(hostname)).slice(0, ADDRESSES_MAX);
    if (!addresses.every((address) => guard.isAllowedAddress(address)))
      throw new RefusedTargetError('address_not_public');
    return pinTo(addresses, options);
  };
  const pinLiteral = (address: string): PinnedHost => {
    if (!guard.isAllowedAddress(address)) throw new RefusedTargetError('address_not_public');
    return pinTo([address], options);
  };
  const pinOnce = (hostname: string): Promise<PinnedHost> => {
    const known = resolved.get(hostname) ?? pin(hostname);
    resolved.set(hostname, known);
    return known;
  };
  const pinTarget = ({ hostname, port, protocol }: buildConnector.Options): PinnedHost | Promise<PinnedHost> => {
    const portNumber = Number(port || (protocol === 'https:' ? 443 : 80));
    const endpoint = guard.endpointAddress(hostname, portNumber);
    if (endpoint !== null) return pinTo([endpoint], options);
    const literal = literalAddressOf(hostname);
    return literal === null ? pinOnce(hostname) : pinLiteral(literal);
  };
  const open = async (target: buildConnector.Options): Promise<Socket> => {
    const { addresses, connect } = await pinTarget(target);
    const socket = await connect(target);
    const peer = canonicalAddress(socket.remoteAddress ?? '');
    if (peer !== null && addresses.some((address) => canonicalAddress(address) === peer)) return socket;
    socket.destroy();
    throw new RefusedTargetError('address_not_public');
  };
  return (target, callback) => {
    open(target).then(
      (socket) => callback(null, socket),
      (error: unknown) => callback(error as Error, null),
    );
  };
}

interface PinnedHost {
  readonly addresses: readonly string[];
  readonly connect: (target: buildConnector.Options) => Promise<Socket>;
}

function pinTo(addresses: readonly string[], { connectMs, ca }: ConnectorOptions): PinnedHost {
  const records = addresses.map((address) => ({ address, family: isIP(address) }));
  const lookup: LookupFunction = (_hostname, { all }, callback) => {
    if (all === true) callback(null, records);
    else callback(null, records[0]?.address ?? '', records[0]?.family ?? 4);
  };
  const connector = buildConnector({
    timeout: connectMs,
    lookup,
    // Node then tries one address after the other, all of them ours, when a connection fails.
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
    ...(ca === undefined ? {} : { ca }),
  });
  return {
    addresses,
    connect: (target) =>
      new Promise((resolve, reject) => {
        connector(target, (error, socket) => (error ? reject(error) : resolve(socket)));
      }),
  };
}
