import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf, subjectOfAddress } from '../client-address.js';
import { isWellFormed } from './request.js';

/** Above this share of the connections, keep-alive is off. */
const CROWDED_SHARE = 3 / 4;

/** How many connections there may be. */
export interface ConnectionLimits {
  readonly total: number;
  readonly perAddress: number;
  /** Default: `total`. */
  readonly perNetwork?: number;
  /** True if every connection is a proxy's: idle ones are then never closed. */
  readonly isBehindProxy?: boolean;
}

/** Descriptors for files, the database, the log and name servers. */
const RESERVED_DESCRIPTORS = 128;
const DESCRIPTORS_PER_SCAN = 16;
/** An idle connection takes about 15 kB. */
const CONNECTIONS_MAX = 8000;
/** The share of all connections that one address may use. Its network may use twice as many. */
const ADDRESS_SHARE = 8;

/**
 * Limits that leave enough descriptors for scans and answers: without them a crowd of idle clients stops both.
 * @param descriptorsMax how many descriptors the process may have
 */
export function connectionLimitsOf(
  { scanConcurrency, trustProxy }: { readonly scanConcurrency: number; readonly trustProxy: number },
  descriptorsMax = readDescriptorsMax(),
): ConnectionLimits {
  const left = descriptorsMax - RESERVED_DESCRIPTORS - DESCRIPTORS_PER_SCAN * scanConcurrency;
  // A process with few descriptors and many scans still answers.
  const total = Math.floor(Math.min(CONNECTIONS_MAX, Math.max(left, descriptorsMax / 4)));
  // All connections come from the proxy.
  const perAddress = trustProxy > 0 ? total : Math.ceil(total / ADDRESS_SHARE);
  return { total, perAddress, perNetwork: 2 * perAddress, isBehindProxy: trustProxy > 0 };
}

/** Node raises the soft limit to the hard one when it starts. */
function readDescriptorsMax(): number {
  // Otherwise the report would look up the names of peers.
  Object.assign(process.report, { excludeNetwork: true });
  const { userLimits } = process.report.getReport() as {
    readonly userLimits?: { readonly open_files?: { readonly soft: number | string } };
  };
  const soft = Number(userLimits?.open_files?.soft);
  // "unlimited", or Windows, which has no such limit.
  return Number.isFinite(soft) ? soft : Infinity;
}

/** The connections of one address. Those without a request are in the order in which they are closed to make room. */
interface AddressConnections {
  /** Never sent a request; the oldest first. */
  readonly unused: Set<Socket>;
  /** Between requests; the longest idle first. */
  readonly idle: Set<Socket>;
  /** All connections, also those with a request in flight. */
  count: number;
}

/**
 * The open connections of a server. At the limit, a new connection replaces one without a request, from the address with the most
 * connections: an unused one, else the one that has been idle longest. So a few addresses with many unused connections exclude no
 * other client, and no response is cut off.
 */
export class Connections {
  #count = 0;
  /** Open connections per network. */
  readonly #networks = new Map<string, number>();
  readonly #byAddress = new Map<string, AddressConnections>();
  readonly #bySocket = new WeakMap<Socket, AddressConnections>();

  constructor(private readonly limits: ConnectionLimits) {}

  get isCrowded(): boolean {
    return this.#count >= this.limits.total * CROWDED_SHARE;
  }

  /** Adds a new connection until it closes. @returns false if there is no room for it */
  admit(socket: Socket): boolean {
    const { remoteAddress = '' } = socket;
    const [address, network] = [subjectOfAddress(remoteAddress), networkOf(remoteAddress)];
    const own = this.#byAddress.get(address) ?? { unused: new Set(), idle: new Set(), count: 0 };
    const { total, perAddress, perNetwork = Infinity } = this.limits;
    if (own.count >= perAddress || (this.#networks.get(network) ?? 0) >= perNetwork) return false;
    // A connection that is closed still counts until the next turn, so each new one closes another.
    if (this.#count >= total && !this.#makeRoom()) return false;
    this.#byAddress.set(address, own);
    this.#bySocket.set(socket, own);
    this.#add(own, network, 1);
    own.unused.add(socket);
    socket.once('close', () => {
      this.#add(own, network, -1);
      own.unused.delete(socket);
      own.idle.delete(socket);
      if (own.count === 0) this.#byAddress.delete(address);
    });
    return true;
  }

  /** Call it when a request of the connection begins. */
  markActive(socket: Socket): void {
    const own = this.#bySocket.get(socket);
    own?.unused.delete(socket);
    own?.idle.delete(socket);
  }

  /** Call it when the connection has no more requests in flight. */
  markIdle(socket: Socket): void {
    if (!socket.destroyed && !this.limits.isBehindProxy) this.#bySocket.get(socket)?.idle.add(socket);
  }

  #add(own: AddressConnections, network: string, change: 1 | -1): void {
    this.#count += change;
    own.count += change;
    const ofNetwork = (this.#networks.get(network) ?? 0) + change;
    if (ofNetwork > 0) this.#networks.set(network, ofNetwork);
    else this.#networks.delete(network);
  }

  /** Closes a connection without a request. @returns false if there is none */
  #makeRoom(): boolean {
    let most: AddressConnections | null = null;
    for (const own of this.#byAddress.values()) {
      if (own.unused.size + own.idle.size > 0 && (most === null || own.count > most.count)) most = own;
    }
    const [closed = most?.idle.values().next().value] = most?.unused ?? [];
    if (!closed) return false;
    most?.unused.delete(closed);
    most?.idle.delete(closed);
    closed.destroy();
    return true;
  }
}

/**
 * How many requests of one connection may wait for their answers. One packet can carry more than a thousand small requests, and
 * while they are handled all other connections wait; real clients send no more than a few dozen ahead.
 */
const REQUESTS_WAITING_MAX = 100;

/**
 * `accepted`; `last`: accepted, but nothing after it is; `too many`: refused, and nothing after it is accepted; `ignored`: it follows a
 * `last` or `too many` request.
 */
export type Admission = 'accepted' | 'last' | 'too many' | 'ignored';

interface Connection {
  /** Requests in flight, each with a function that reports that its answer can no longer be sent. */
  readonly open: Map<IncomingMessage, () => void>;
  /** The last request that was not ignored. */
  latest: IncomingMessage;
  isEnded: boolean;
  /** Called once no request is in flight. */
  readonly onIdle: Set<() => void>;
}

/**
 * The requests in flight: each until its handler has ended and its answer is sent or its connection is closed. Node counts
 * connections instead, and treats an opened but unused one as busy. Node also never closes the answer to a pipelined request that
 * was still queued when the connection broke, so the end of the connection ends its requests.
 */
export class InFlight {
  readonly #connections = new WeakMap<Socket, Connection>();
  #count = 0;
  #onIdle = (): void => undefined;

  /**
   * Decides whether a request is accepted: clients may pipeline requests, that is, send them before earlier ones are answered. Call it once
   * per request, in the order of arrival.
   */
  admit(request: IncomingMessage): Admission {
    const { socket } = request;
    const connection = this.#connections.get(socket) ?? this.#connect(socket, request);
    if (connection.isEnded) return 'ignored';
    connection.latest = request;
    const isTooMany = connection.open.size >= REQUESTS_WAITING_MAX;
    if (!isTooMany && !isLast(request)) return 'accepted';
    connection.isEnded = true;
    return isTooMany ? 'too many' : 'last';
  }

  /**
   * Adds an accepted request.
   * @param handled resolves when the handler has ended; never rejects
   * @returns resolves when the request is no longer in flight, to true if no other request of its connection is
   */
  async add(request: IncomingMessage, response: ServerResponse, handled: Promise<unknown>): Promise<boolean> {
    const connection = this.#connections.get(request.socket);
    this.#count += 1;
    const gone = new Promise<void>((resolve) => {
      response.once('close', resolve);
      connection?.open.set(request, resolve);
    });
    await Promise.all([handled, gone]);
    connection?.open.delete(request);
    this.#count -= 1;
    if (this.#count === 0) this.#onIdle();
    if (connection?.open.size !== 0) return false;
    for (const resolve of connection.onIdle) resolve();
    connection.onIdle.clear();
    return true;
  }

  /** The last request of the connection that was not ignored: bytes still being read from the connection are its body. */
  latestOn(socket: Socket): IncomingMessage | undefined {
    return this.#connections.get(socket)?.latest;
  }

  /** Resolves once no request of the connection is in flight. */
  async settleOn(socket: Socket): Promise<void> {
    const connection = this.#connections.get(socket);
    if (connection && connection.open.size > 0) await new Promise<void>((resolve) => connection.onIdle.add(resolve));
  }

  /** Resolves to true once no request is in flight, or to false after `timeoutMs`. */
  async settle(timeoutMs: number): Promise<boolean> {
    if (this.#count === 0) return true;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#onIdle = resolve;
      timer = setTimeout(resolve, timeoutMs);
    });
    clearTimeout(timer);
    return this.#count === 0;
  }

  #connect(socket: Socket, latest: IncomingMessage): Connection {
    const connection: Connection = { open: new Map(), latest, isEnded: false, onIdle: new Set() };
    this.#connections.set(socket, connection);
    socket.once('close', () => {
      for (const endRequest of connection.open.values()) endRequest();
    });
    return connection;
  }
}

/**
 * True if the start of the next request on the connection is unknown, so nothing after this one may be accepted (RFC 9112 §9.6).
 * When bytes arrive in one chunk with an upgrade request, Node drops the rest of that chunk and resumes parsing mid-request.
 */
function isLast(request: IncomingMessage): boolean {
  return !isWellFormed(request) || request.headers.upgrade !== undefined;
}
