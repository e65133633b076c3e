import { isIP, type LookupFunction, type Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Agent, buildConnector } from 'undici';
// Loads undici's parser early: by the first connection, there may be no file descriptor left to read it.
import 'undici/lib/llhttp/llhttp_simd-wasm.js';
import { canonicalAddress, literalAddressOf } from './address.js';
import { toTransportError, TransportError } from './failure.js';
import type { Guard } from './guard.js';
import { getOrCreate } from './keyed.js';
import { meterSocket } from './meter.js';
import type { Resolver } from './resolver.js';
import { type FieldLine, type HopRequest, type HopResponse, ResponseHeaders, type Transport } from './transport.js';
import { portOf, type RefusalReason } from './url-gate.js';

export interface NetworkLimits {
  /** Time limit of a connection with its TLS handshake. */
  readonly connectMs: number;
  /** Time limit from the request to the last header field; undici measures it in steps of half a second. */
  readonly headersMs: number;
  readonly headerBytesMax: number;
  readonly connectionsPerOrigin: number;
  /** Most bytes that servers may send in one run. */
  readonly wireBytesMax: number;
}

export const NETWORK_LIMITS: NetworkLimits = {
  connectMs: 5000,
  headersMs: 8000,
  headerBytesMax: 16_384,
  connectionsPerOrigin: 8,
  wireBytesMax: 64 * 1_048_576,
};

export interface NetworkTransportOptions {
  readonly guard: Guard;
  readonly resolver: Pick<Resolver, 'resolveAddresses'>;
  readonly limits?: Partial<NetworkLimits>;
  /** Certificate authorities in PEM, replacing the platform's. */
  readonly ca?: string;
}

/** Thrown if the guard refuses a target. The reason is for the log only: it would reveal which names resolve to private addresses. */
export class RefusedTargetError extends TransportError {
  constructor(readonly reason: RefusalReason) {
    super('target_refused');
  }
}

type Connect = (target: buildConnector.Options) => Promise<Socket>;

/**
 * Opens the network transport of one run, with its own connections and resolved names, so that no run trusts what another one vetted. It
 * follows no redirects, decodes nothing, and has no total deadline: callers abort the signal.
 *
 * The guard vets each connection. No other module imports undici, so no code can connect without it. A `lookup` alone is not enough,
 * because Node never calls it for an IP address. So every new connection goes to the picked address, with the SNI and certificate of the
 * name, and its peer address is compared afterwards.
 */
export function openNetworkTransport({ guard, resolver, ca, ...options }: NetworkTransportOptions): Transport {
  const limits = { ...NETWORK_LIMITS, ...options.limits };
  const allowance = { bytesLeft: limits.wireBytesMax };
  const connectTo = (addresses: readonly string[]): Connect => connectorTo(addresses, limits.connectMs, ca);
  // Each name is resolved once per run.
  const addressesByHost = new Map<string, Promise<readonly string[]>>();
  const resolve = (hostname: string) =>
    getOrCreate(addressesByHost, hostname, () => resolveAllowed(guard, resolver, hostname));
  const hosts = new Map<string, Promise<{ readonly address: string; readonly connect: Connect }>>();
  // Picked once, so that per-address limits apply to the address in use.
  const hostOf = (hostname: string, port: number) =>
    getOrCreate(hosts, `${hostname} ${port}`, async () => {
      // An allowed endpoint has fixed addresses.
      const endpoints = guard.endpointAddresses(hostname, port);
      const address = await pickAddress(endpoints.length > 0 ? endpoints : await resolve(hostname), port, connectTo);
      return { address, connect: connectTo([address]) };
    });
  const openSocket = async (target: buildConnector.Options): Promise<Socket> => {
    const { address, connect } = await hostOf(target.hostname, portOf(target));
    // The run may end while we wait.
    if (agent.destroyed) throw new TransportError('run_deadline');
    const socket = await connect(target);
    if (findPeer(socket, [address]) !== undefined) return meterSocket(socket, allowance);
    socket.destroy();
    throw new RefusedTargetError('address_not_public');
  };
  const agent: Agent = new Agent({
    connections: limits.connectionsPerOrigin,
    pipelining: 1,
    maxHeaderSize: limits.headerBytesMax,
    headersTimeout: limits.headersMs,
    bodyTimeout: 0,
    // The connector offers no HTTP/2. Without this setting, a pool delays other connections until it knows the protocol of
    // the first one.
    allowH2: false,
    connect: (target, callback) => {
      openSocket(target).then(
        (socket) => callback(null, socket),
        (error: unknown) => callback(error as Error, null),
      );
    },
  });
  return {
    exchange: (request) => exchange(agent, request, limits.headerBytesMax),
    // A name without an address fails when connecting.
    addressOf: async (url) => {
      const host = await hostOf(url.hostname, portOf(url)).catch(() => null);
      return host?.address ?? url.hostname;
    },
    close: () => agent.destroy(),
  };
}

/** Resolves a host. @throws RefusedTargetError if any of its addresses is not allowed */
async function resolveAllowed(
  guard: Guard,
  resolver: NetworkTransportOptions['resolver'],
  hostname: string,
): Promise<readonly string[]> {
  const literal = literalAddressOf(hostname);
  const addresses = literal === null ? await resolver.resolveAddresses(hostname) : [literal];
  if (addresses.every((address) => guard.isAllowedAddress(address))) return addresses;
  throw new RefusedTargetError('address_not_public');
}

/** Most addresses of a name that we try to connect to. */
const ADDRESSES_MAX = 16;

/** How long an address that does not respond may delay the next one. */
const NEXT_ADDRESS_MS = 1000;

/** Picks the first address that accepts a connection; if none does, the first. */
async function pickAddress(
  addresses: readonly string[],
  port: number,
  connectTo: (addresses: readonly string[]) => Connect,
): Promise<string> {
  const [first, ...others] = addresses.slice(0, ADDRESSES_MAX);
  if (first === undefined) throw new TransportError('dns_failed');
  if (others.length === 0) return first;
  try {
    const socket = await connectTo([first, ...others])({ hostname: 'any', port: String(port), protocol: 'http:' });
    const peer = findPeer(socket, others);
    socket.destroy();
    return peer ?? first;
  } catch {
    return first;
  }
}

/** Returns the address that a socket is connected to, if it is one of these. */
function findPeer({ remoteAddress = '' }: Socket, addresses: readonly string[]): string | undefined {
  const peer = canonicalAddress(remoteAddress);
  return peer === null ? undefined : addresses.find((address) => canonicalAddress(address) === peer);
}

/** Returns a function that connects to the first of these addresses that responds. */
function connectorTo(addresses: readonly string[], connectMs: number, ca: string | undefined): Connect {
  const entries = addresses.map((address) => ({ address, family: isIP(address) }));
  // Calls back one turn later, like the system's own lookup. Otherwise a connection that fails at once, such as to an IPv6 address
  // on a host without IPv6, would fail inside tls.connect, which then throws and leaves an unhandled error that ends the process.
  // Returns a list, because autoSelectFamily makes Node ask for all addresses. Without it, Node would reject a list.
  const lookup: LookupFunction = (_hostname, _options, callback) => process.nextTick(() => callback(null, entries));
  const connector = buildConnector({
    timeout: connectMs,
    lookup,
    // HTTP/2 would bypass our limits: spec/decisions/0005-http-2-stays-off.md.
    allowH2: false,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
    ...(ca === undefined ? {} : { ca }),
  });
  return (target) =>
    new Promise((resolve, reject) => {
      connector(target, (error, socket) => (error ? reject(error) : resolve(socket)));
    });
}

/** Most unread bytes of one body: a chunk of one byte takes two hundred bytes of memory. */
const UNREAD_BYTES_MAX = 2048;

/** Approximate length of the status line of an interim response (1xx), added to its fields. */
const INTERIM_CHARS = 20;

async function exchange(agent: Agent, request: HopRequest, headerBytesMax: number): Promise<HopResponse> {
  const { url, method, headers, body = null, signal } = request;
  signal.throwIfAborted();
  let interimChars = 0;
  try {
    const sent = agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method,
      headers,
      body,
      signal,
      responseHeaders: 'raw',
      highWaterMark: UNREAD_BYTES_MAX,
      onInfo: (interim) => {
        interimChars += INTERIM_CHARS + Object.values(interim.headers).join('').length;
        if (interimChars > headerBytesMax) throw new TransportError('headers_too_large');
      },
    });
    const response = await rejectOnAbort(sent, signal);
    return {
      status: response.statusCode,
      headers: new ResponseHeaders(linesOf(response.headers as unknown as readonly string[])),
      body: readChunks(response.body, signal),
    };
  } catch (error) {
    signal.throwIfAborted();
    throw toTransportError(error, 'headers');
  }
}

/** Pairs raw header fields, which alternate between name and value. */
function linesOf(raw: readonly string[]): FieldLine[] {
  return raw.flatMap((name, at) => (at % 2 === 0 ? [[name, raw[at + 1] ?? ''] as const] : []));
}

async function* readChunks(body: Readable, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of body) yield chunk as Uint8Array;
    // undici frees the connection one turn of the event loop later; a request before that would open a new one.
    await nextTurn();
  } catch (error) {
    signal.throwIfAborted();
    throw toTransportError(error, 'body');
  }
}

/** Rejects when the signal aborts. undici reports an abort only once the connection exists, not during its setup. */
async function rejectOnAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason as Error);
  signal.addEventListener('abort', abort);
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
