import { type LookupFunction, type Socket, isIP } from 'node:net';
import { Agent, buildConnector } from 'undici';
// undici loads its parser with the first connection, when no file descriptor may be left to read it.
import 'undici/lib/llhttp/llhttp_simd-wasm.js';
import { toTransportError } from './network-failure.js';
import { TransportError } from './transport.js';
import { canonicalAddress, literalAddressOf } from './address.js';
import type { Guard } from './guard.js';
import type { Resolver } from './resolver.js';
import type { RefusalReason } from './refusal.js';
import { remember } from './keyed.js';

/** Thrown if the guard refuses a target. The reason is for the log only: it would reveal which names lead into a private network. */
export class RefusedTargetError extends TransportError {
  constructor(readonly reason: RefusalReason) {
    super('target_refused');
  }
}

export interface ConnectorOptions {
  readonly guard: Guard;
  readonly resolver: Pick<Resolver, 'resolveAddresses'>;
  /** Time limit of the connection and its TLS handshake, after name resolution. */
  readonly connectMs: number;
  /** Certificate authorities that replace the platform's. */
  readonly ca?: string;
  /** Called with every new connection before anything is sent on it. */
  readonly onSocket: (socket: Socket) => Socket;
}

/** An undici agent whose every connection the guard has allowed. */
export interface GuardedAgent {
  readonly agent: Agent;
  /** Returns the one address that all connections to this host and port use. Rejects with a TransportError. */
  addressOf(hostname: string, port: number): Promise<string>;
}

/**
 * Opens the only kind of agent there is: no other module imports undici, so no code can connect without the guard. A `lookup` alone is not
 * enough, because Node never calls it for an IP address. So every new connection goes to exactly the vetted address, with the SNI and
 * certificate of the name, and then the peer's address is compared.
 */
export function openGuardedAgent(
  options: ConnectorOptions,
  limits: Omit<Agent.Options, 'allowH2' | 'connect' | 'factory'>,
): GuardedAgent {
  const picked = new Map<string, Promise<string>>();
  const connectors = new Map<string, Connect>();
  // The run may end while we wait.
  const failIfClosed = (): void => {
    if (agent.destroyed) throw new TransportError('run_deadline');
  };
  // The vetted address, the one that limits apply to and the one connected to are the same for the whole run.
  const addressOf = (hostname: string, port: number): Promise<string> =>
    remember(picked, `${hostname} ${port}`, () => pickAddress(options, hostname, port, failIfClosed));
  const open = async (target: buildConnector.Options): Promise<Socket> => {
    const { hostname, port, protocol } = target;
    const address = await addressOf(hostname, Number(port || (protocol === 'https:' ? 443 : 80)));
    failIfClosed();
    const connect = remember(connectors, address, () => pinTo(address, options));
    const socket = await connect(target);
    const peer = canonicalAddress(socket.remoteAddress ?? '');
    if (peer !== null && canonicalAddress(address) === peer) return options.onSocket(socket);
    socket.destroy();
    throw new RefusedTargetError('address_not_public');
  };
  const agent: Agent = new Agent({
    ...limits,
    // The connector offers no HTTP/2. Without this setting, a pool delays other connections until it knows what the first one
    // speaks.
    allowH2: false,
    connect: (target, callback) => {
      open(target).then(
        (socket) => callback(null, socket),
        (error: unknown) => callback(error as Error, null),
      );
    },
  });
  return { agent, addressOf };
}

/** Most DNS answers that we try to connect to. */
const ADDRESSES_MAX = 16;

/** How long an address that does not respond may delay the next one. */
const NEXT_ADDRESS_MS = 1000;

/** Picks the address of a host and port. A name is resolved, but never for an allowed endpoint. One non-public address refuses the name. */
async function pickAddress(
  { guard, resolver, connectMs }: ConnectorOptions,
  hostname: string,
  port: number,
  failIfClosed: () => void,
): Promise<string> {
  const endpoints = guard.endpointAddresses(hostname, port);
  if (endpoints.length > 0) return findReachable(endpoints, port, connectMs, failIfClosed);
  const literal = literalAddressOf(hostname);
  const addresses = literal === null ? await resolver.resolveAddresses(hostname) : [literal];
  if (!addresses.every((address) => guard.isAllowedAddress(address)))
    throw new RefusedTargetError('address_not_public');
  return findReachable(addresses.slice(0, ADDRESSES_MAX), port, connectMs, failIfClosed);
}

/** Returns the first address that accepts a connection within the time limit, else the last one tried. */
async function findReachable(
  addresses: readonly string[],
  port: number,
  connectMs: number,
  failIfClosed: () => void,
): Promise<string> {
  const lastMs = performance.now() + connectMs - NEXT_ADDRESS_MS;
  const [address, ...others] = addresses;
  if (address === undefined) throw new TransportError('dns_failed');
  let found = address;
  for (const next of others) {
    failIfClosed();
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
    // If we run out of sockets, the address is not to blame.
    return toTransportError(error, 'headers').failure === 'no_resources';
  }
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
