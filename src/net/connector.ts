import type { LookupFunction, Socket } from 'node:net';
import { isIP } from 'node:net';
import { Agent, buildConnector } from 'undici';
// undici loads its parser with the first connection, when there may be no descriptor left to read it with.
import 'undici/lib/llhttp/llhttp_simd-wasm.js';
import { toTransportError } from './network-failure.js';
import { TransportError } from './transport.js';
import { canonicalAddress, literalAddressOf } from './address.js';
import type { Guard } from './guard.js';
import type { Resolver } from './resolver.js';
import type { RefusalReason } from './refusal.js';
import { remember } from './keyed.js';

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
export interface GuardedAgent {
  readonly agent: Agent;
  /** The one address that all connections to this host and port lead to. Rejects with a TransportError. */
  addressOf(hostname: string, port: number): Promise<string>;
}

/**
 * Only this module imports undici, and it provides no agent without the guard, so no code can contact a stranger past the guard.
 */
export function openGuardedAgent(
  connector: ConnectorOptions,
  limits: Omit<Agent.Options, 'allowH2' | 'connect' | 'factory'>,
): GuardedAgent {
  const isClosed = (): boolean => agent.destroyed;
  const addressOf = createChooser(connector, isClosed);
  const agent: Agent = new Agent({
    ...limits,
    // The connector offers no HTTP/2. Without this setting, a pool delays other connections until it knows what the first one
    // speaks.
    allowH2: false,
    connect: createGuardedConnector(connector, addressOf, isClosed),
  });
  return { agent, addressOf };
}

/** Most DNS answers that we try to connect to. */
const ADDRESSES_MAX = 16;

/** How long one of several addresses may delay the next one. */
const NEXT_ADDRESS_MS = 1000;

/**
 * Chooses the address of each host and port once per run, so that what was vetted and what a place was taken for is what is connected
 * to: a site whose first address is dead would otherwise have its requests counted there, and sent to the next one past its limit. A name
 * is resolved once, that of an excepted endpoint never, and one bad answer refuses the name.
 */
function createChooser(
  { guard, resolver, connectMs }: ConnectorOptions,
  isClosed: () => boolean,
): GuardedAgent['addressOf'] {
  const chosen = new Map<string, Promise<string>>();
  const choose = async (hostname: string, port: number): Promise<string> => {
    const endpoints = guard.endpointAddresses(hostname, port);
    if (endpoints.length > 0) return findAlive(endpoints, port, { connectMs, isClosed });
    const literal = literalAddressOf(hostname);
    const addresses = literal === null ? await resolver.resolveAddresses(hostname) : [literal];
    if (!addresses.every((address) => guard.isAllowedAddress(address)))
      throw new RefusedTargetError('address_not_public');
    return findAlive(addresses.slice(0, ADDRESSES_MAX), port, { connectMs, isClosed });
  };
  return (hostname, port) => {
    return remember(chosen, `${hostname} ${port}`, () => choose(hostname, port));
  };
}

/** The first address that accepts a connection, in the time that a connection may take. The last one need not show that it does. */
async function findAlive(
  addresses: readonly string[],
  port: number,
  { connectMs, isClosed }: { readonly connectMs: number; readonly isClosed: () => boolean },
): Promise<string> {
  const lastMs = performance.now() + connectMs - NEXT_ADDRESS_MS;
  const [address, ...others] = addresses;
  if (address === undefined) throw new TransportError('dns_failed');
  let found = address;
  for (const next of others) {
    // A run that ended meanwhile must not connect any more.
    if (isClosed()) throw new TransportError('run_deadline');
    if (performance.now() > lastMs || (await accepts(found, port))) break;
    found = next;
  }
  return found;
}

async function accepts(address: string, port: number): Promise<boolean> {
  const connect = pinTo(address, { connectMs: NEXT_ADDRESS_MS });
  try {
    const socket = await connect({ hostname: address, port: String(port), protocol: 'http:' });
    socket.destroy();
    return true;
  } catch (error) {
    // Where we are short of sockets, the address is not to blame.
    return toTransportError(error, 'headers').failure === 'no_resources';
  }
}

/**
 * The connect function for undici. A `lookup` alone is not enough, because Node never calls it for an address: here every new
 * connection is checked. It uses exactly the vetted address, with the name's own SNI and certificate; and the peer's address is compared
 * once connected.
 */
function createGuardedConnector(
  options: ConnectorOptions,
  addressOf: GuardedAgent['addressOf'],
  isClosed: () => boolean,
): buildConnector.connector {
  const connectors = new Map<string, Connect>();
  const connectorTo = (address: string): Connect => {
    return remember(connectors, address, () => pinTo(address, options));
  };
  const open = async (target: buildConnector.Options): Promise<Socket> => {
    const { hostname, port, protocol } = target;
    const address = await addressOf(hostname, Number(port || (protocol === 'https:' ? 443 : 80)));
    // A run that ended during a lookup must not connect any more.
    if (isClosed()) throw new TransportError('run_deadline');
    const socket = await connectorTo(address)(target);
    const peer = canonicalAddress(socket.remoteAddress ?? '');
    if (peer !== null && canonicalAddress(address) === peer) return options.onSocket(socket);
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

type Connect = (target: buildConnector.Options) => Promise<Socket>;

function pinTo(address: string, { connectMs, ca }: Pick<ConnectorOptions, 'connectMs' | 'ca'>): Connect {
  // Answers one turn later, like the system's own lookup. Otherwise a connection that fails at once, such as to an IPv6 address
  // on a host without IPv6, would fail inside tls.connect, which then throws and leaves an unhandled error that ends the process.
  // Returns a list, because autoSelectFamily makes Node request all; if it requested one, Node would reject a list.
  const lookup: LookupFunction = (_hostname, _options, callback) => {
    process.nextTick(() => callback(null, [{ address, family: isIP(address) }]));
  };
  const connector = buildConnector({
    timeout: connectMs,
    lookup,
    // HTTP/2 would bypass our limits: spec/decisions/0005-http-2-stays-off.md.
    allowH2: false,
    autoSelectFamily: true,
    ...(ca === undefined ? {} : { ca }),
  });
  return (target) =>
    new Promise((resolve, reject) => {
      connector(target, (error, socket) => (error ? reject(error) : resolve(socket)));
    });
}
