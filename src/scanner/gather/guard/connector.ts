import type { LookupFunction, Socket } from 'node:net';
import { isIP } from 'node:net';
import { Agent, buildConnector } from 'undici';
// undici loads its parser with the first connection, when there may be no descriptor left to read it with.
import 'undici/lib/llhttp/llhttp_simd-wasm.js';
import { TransportError } from '../fetch/transport.js';
import { canonicalAddress } from '../../evidence/address.js';
import type { Guard } from './guard.js';
import type { Resolver } from './resolver.js';
import type { RefusalReason } from './refusal.js';
import { literalAddressOf } from '../../evidence/address.js';

/** A target that the guard refuses. The reason is for the log only: it would reveal which names lead into a private network. */
export class RefusedTargetError extends TransportError {
  constructor(readonly reason: RefusalReason) {
    super('target_refused');
  }
}

export interface ConnectorOptions {
  readonly guard: Guard;
  readonly resolver: Pick<Resolver, 'resolveAddresses'>;
  /** For the connection with its TLS handshake, after name resolution. */
  readonly connectMs: number;
  /** Certificate authorities that replace the platform's. */
  readonly ca?: string;
  /** Receives every new connection before anything is sent on it. */
  readonly onSocket: (socket: Socket) => Socket;
}

/** Sends requests over its own connections, each of which the guard has admitted. */
export type GuardedAgent = Agent;

/**
 * Only this module imports undici, and it provides no agent without the guard, so no code can contact a stranger past the guard.
 */
export function openGuardedAgent(
  connector: ConnectorOptions,
  limits: Omit<Agent.Options, 'allowH2' | 'connect' | 'factory'>,
): GuardedAgent {
  const agent: Agent = new Agent({
    ...limits,
    // The connector offers no HTTP/2. Without this setting, a pool delays other connections until it knows what the first one
    // speaks.
    allowH2: false,
    connect: createGuardedConnector(connector, () => agent.destroyed),
  });
  return agent;
}

/** Most DNS answers that we try to connect to. */
const ADDRESSES_MAX = 16;

/** How long one of several addresses may delay the next one. */
const NEXT_ADDRESS_MS = 1000;

/**
 * The connect function for undici. A `lookup` alone is not enough, because Node never calls it for an address: here every new
 * connection is checked. A name is resolved once per run, that of an excepted endpoint never; one bad answer refuses the name;
 * the connection uses exactly the vetted answers, with the name's own SNI and certificate; and the peer's address is compared
 * once connected.
 */
function createGuardedConnector(options: ConnectorOptions, isClosed: () => boolean): buildConnector.connector {
  const { guard, resolver, onSocket } = options;
  const resolved = new Map<string, Promise<PinnedHost>>();

  const pin = async (hostname: string): Promise<PinnedHost> => {
    const addresses = await resolver.resolveAddresses(hostname);
    if (!addresses.every((address) => guard.isAllowedAddress(address)))
      throw new RefusedTargetError('address_not_public');
    return pinTo(addresses.slice(0, ADDRESSES_MAX), options);
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
    // A run that ended during a lookup must not connect any more.
    if (isClosed()) throw new TransportError('run_deadline');
    const socket = await connect(target);
    const peer = canonicalAddress(socket.remoteAddress ?? '');
    if (peer !== null && addresses.some((address) => canonicalAddress(address) === peer)) return onSocket(socket);
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
  // Answers one turn later, like the system's own lookup. Otherwise a connection that fails at once, such as to an IPv6 address
  // on a host without IPv6, would fail inside tls.connect, which then throws and leaves an unhandled error that ends the process.
  // Returns all addresses, because autoSelectFamily makes Node request all; if it requested one, Node would reject a list.
  const lookup: LookupFunction = (_hostname, _options, callback) => {
    process.nextTick(() => callback(null, records));
  };
  const connector = buildConnector({
    timeout: connectMs,
    lookup,
    // HTTP/2 would bypass our limits: spec/decisions/0005-http-2-stays-off.md.
    allowH2: false,
    // If a connection fails, Node then tries the next address, all of them vetted.
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
