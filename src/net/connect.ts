import { Resolver as DnsResolver } from 'node:dns/promises';
import { type LookupFunction, type Socket, isIP } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Agent, buildConnector } from 'undici';
// Loads undici's parser early: at the first connection, no file descriptor may be left to read it.
import 'undici/lib/llhttp/llhttp_simd-wasm.js';
import { canonicalAddress, literalAddressOf } from './address.js';
import { type FetchFailure, TransportError } from './failure.js';
import type { Guard } from './guard.js';
import { BoundedMap, getOrCreate } from './keyed.js';
import type { RefusalReason } from './url-gate.js';

/** Resolves names by DNS only, without the hosts file or search domains. */
export interface Resolver {
  /** IPv4 addresses first; never empty. Rejects with a TransportError: name_not_found, dns_failed or dns_silent. */
  resolveAddresses(host: string): Promise<readonly string[]>;
  /** One string per record, with its parts joined; empty if there is no such record or name. Rejects with dns_failed. */
  resolveTxt(host: string): Promise<readonly string[]>;
  /** True only if DNS says that the name does not exist (NXDOMAIN). Never rejects. */
  isNameGone(host: string): Promise<boolean>;
}

export interface ResolverOptions {
  /** DNS servers, such as `127.0.0.1:5353`. Default: the system's. */
  readonly servers?: readonly string[];
  /** Time limit of the first try; the second one waits twice as long. */
  readonly timeoutMs?: number;
  /** A clock that only goes forward, in milliseconds; for tests. */
  readonly nowMs?: () => number;
}

/** How long a missing AAAA answer may delay an A answer: some name servers never answer AAAA queries. */
const V6_GRACE_MS = 500;

/** Limits of the cache; a longer TTL is shortened. */
const CACHE_TTL_MAX_S = 60;
const CACHE_ENTRIES_MAX = 10_000;

/**
 * Creates a resolver on c-ares; use one per process. `dns.lookup` has four threads for the whole process, so it would need 3.2 s for 64
 * lookups of 100 ms. Caches addresses for their TTL, at most a minute: the guard vets them at each use.
 */
export function createResolver(options: ResolverOptions = {}): Resolver {
  const dns = new DnsResolver({ timeout: options.timeoutMs ?? 1500, tries: 2 });
  if (options.servers) dns.setServers(options.servers);
  const nowMs = options.nowMs ?? (() => performance.now());
  const cache = new BoundedMap<string, { readonly addresses: readonly string[]; readonly untilMs: number }>(
    CACHE_ENTRIES_MAX,
  );
  return {
    resolveAddresses: async (host) => {
      const cached = cache.get(host);
      if (cached && cached.untilMs > nowMs()) return cached.addresses;
      const v6Query = queryDns(dns.resolve6(host, { ttl: true }));
      const v4 = await queryDns(dns.resolve4(host, { ttl: true }));
      const grace = new AbortController();
      const timeout = delay(V6_GRACE_MS, NO_ANSWER, { signal: grace.signal }).catch(() => NO_ANSWER);
      const v6 = await Promise.race(v4.records.length > 0 ? [v6Query, timeout] : [v6Query]);
      grace.abort();
      const records = [...v4.records, ...v6.records];
      if (records.length > 0) {
        // Sorted, since servers rotate them and limits apply to the first address.
        const addresses = [v4, v6].flatMap((answer) => answer.records.map(({ address }) => address).sort());
        const ttlS = Math.min(CACHE_TTL_MAX_S, ...records.map(({ ttl }) => ttl));
        // After a failed IPv4 query, the list may be incomplete.
        const isComplete = v4.code === null || v4.code === 'ENODATA';
        if (isComplete && ttlS > 0) cache.set(host, { addresses, untilMs: nowMs() + ttlS * 1000 });
        return addresses;
      }
      throw new TransportError(dnsFailureOf([v4.code, v6.code]));
    },
    resolveTxt: async (host) => {
      const { records, code } = await queryDns(dns.resolveTxt(host));
      if (code !== null && code !== 'ENOTFOUND' && code !== 'ENODATA') throw new TransportError('dns_failed');
      return records.map((parts) => parts.join(''));
    },
    // NXDOMAIN applies to every type of record (RFC 2308 §2.1).
    isNameGone: async (host) => (await queryDns(dns.resolveTxt(host))).code === 'ENOTFOUND',
  };
}

interface Answer<T> {
  readonly records: readonly T[];
  /** Error code of c-ares; null if DNS answered with records. */
  readonly code: string | null;
}

/** Codes if no DNS server listens, or none answers in time. */
const SILENT_CODES = ['ECONNREFUSED', 'ETIMEOUT'];

function dnsFailureOf(codes: readonly (string | null)[]): FetchFailure {
  if (codes.every((code) => code === 'ENOTFOUND')) return 'name_not_found';
  return codes.every((code) => SILENT_CODES.includes(code ?? '')) ? 'dns_silent' : 'dns_failed';
}

const NO_ANSWER: Answer<never> = { records: [], code: 'ETIMEOUT' };

async function queryDns<T>(query: Promise<readonly T[]>): Promise<Answer<T>> {
  try {
    return { records: await query, code: null };
  } catch (error) {
    return { records: [], code: (error as NodeJS.ErrnoException).code ?? 'EUNKNOWN' };
  }
}

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

/** An undici agent. The guard vets each of its connections. */
export interface GuardedAgent {
  readonly agent: Agent;
  /** Returns the one address that all connections to this host and port use. Rejects with a TransportError. */
  addressOf(hostname: string, port: number): Promise<string>;
}

interface Host {
  readonly address: string;
  readonly connect: (target: buildConnector.Options) => Promise<Socket>;
}

/**
 * Opens an agent whose connections the guard vets. No other module imports undici, so no code can connect without it. A `lookup` alone is
 * not enough, because Node never calls it for an IP address. So every new connection goes to the picked address, with the SNI and
 * certificate of the name, and then the peer's address is compared.
 */
export function openGuardedAgent(
  options: ConnectorOptions,
  limits: Omit<Agent.Options, 'allowH2' | 'connect' | 'factory'>,
): GuardedAgent {
  const hosts = new Map<string, Promise<Host>>();
  // Picked once, so that limits per address apply to the address that is connected to.
  const hostOf = (hostname: string, port: number): Promise<Host> =>
    getOrCreate(hosts, `${hostname} ${port}`, async () => {
      const address = await pickAddress(options, hostname, port);
      return { address, connect: connectorTo([address], options) };
    });
  const openSocket = async (target: buildConnector.Options): Promise<Socket> => {
    const port = Number(target.port || (target.protocol === 'https:' ? 443 : 80));
    const { address, connect } = await hostOf(target.hostname, port);
    // The run may end while we wait.
    if (agent.destroyed) throw new TransportError('run_deadline');
    const socket = await connect(target);
    if (findPeer(socket, [address]) !== undefined) return options.onSocket(socket);
    socket.destroy();
    throw new RefusedTargetError('address_not_public');
  };
  const agent: Agent = new Agent({
    ...limits,
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
  return { agent, addressOf: async (hostname, port) => (await hostOf(hostname, port)).address };
}

/** Most addresses of a name that we try to connect to. */
const ADDRESSES_MAX = 16;

/** How long an address that does not respond may delay the next one. */
const NEXT_ADDRESS_MS = 1000;

/** Picks the first address that accepts a connection, else the first. An allowed endpoint has fixed addresses. */
async function pickAddress(options: ConnectorOptions, hostname: string, port: number): Promise<string> {
  const endpoints = options.guard.endpointAddresses(hostname, port);
  const found = endpoints.length > 0 ? endpoints : await resolveAllowed(options, hostname);
  const [first, ...others] = found.slice(0, ADDRESSES_MAX);
  if (first === undefined) throw new TransportError('dns_failed');
  if (others.length === 0) return first;
  try {
    const connect = connectorTo([first, ...others], options);
    const socket = await connect({ hostname: 'any', port: String(port), protocol: 'http:' });
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

/** Resolves a host. @throws RefusedTargetError if any of its addresses is not allowed */
async function resolveAllowed({ guard, resolver }: ConnectorOptions, hostname: string): Promise<readonly string[]> {
  const literal = literalAddressOf(hostname);
  const addresses = literal === null ? await resolver.resolveAddresses(hostname) : [literal];
  if (addresses.every((address) => guard.isAllowedAddress(address))) return addresses;
  throw new RefusedTargetError('address_not_public');
}

/** Returns a function that connects to the first of these addresses that responds. */
function connectorTo(addresses: readonly string[], { connectMs, ca }: ConnectorOptions): Host['connect'] {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  // Calls back one turn later, like the system's own lookup. Otherwise a connection that fails at once, such as to an IPv6 address
  // on a host without IPv6, would fail inside tls.connect, which then throws and leaves an unhandled error that ends the process.
  // Returns a list, because autoSelectFamily makes Node request all; if it requested one, Node would reject a list.
  const lookup: LookupFunction = (_hostname, _options, callback) => process.nextTick(() => callback(null, found));
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
