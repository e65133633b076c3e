import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { networkOf, subjectOfAddress } from '../client-address.js';

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
/** Above this share of the connections, keep-alive is off. */
const CROWDED_SHARE = 3 / 4;

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
  // "unlimited", or Windows, which has no such limit, gives NaN.
  return Number(userLimits?.open_files?.soft) || Infinity;
}

/** The connections of one address. Those without a request are in the order in which they are closed to make room. */
interface Client {
  /** Never sent a request; the oldest first. */
  readonly unused: Set<Socket>;
  /** Between requests; the longest idle first. */
  readonly idle: Set<Socket>;
  /** All connections, also those with a request in flight. */
  count: number;
}

export interface Connection {
  readonly client: Client;
  /** Requests in flight, each with a function that reports that its answer can no longer be sent. */
  readonly requests: Map<IncomingMessage, () => void>;
  /** The last accepted request: bytes that are still read from the connection are its body. */
  latest: IncomingMessage | null;
  /** True once no further request is accepted. */
  isEnded: boolean;
  /** Called once no request is in flight. */
  onIdle: (() => void)[];
}

/**
 * The open connections of a server and their requests. At the limit, a new connection replaces one without a request, from the address
 * with the most connections: an unused one, else the one that has been idle longest. So a few addresses with many unused connections
 * exclude no other client, and no response is cut off.
 */
export class Connections {
  readonly #bySocket = new Map<Socket, Connection>();
  readonly #clients = new Map<string, Client>();
  /** Open connections per network. */
  readonly #networks = new Map<string, number>();
  #requestCount = 0;
  #onIdle = (): void => undefined;

  constructor(private readonly limits: ConnectionLimits) {}

  get isCrowded(): boolean {
    return this.#bySocket.size >= this.limits.total * CROWDED_SHARE;
  }

  /** Undefined for a connection that was not admitted. */
  find(socket: Socket): Connection | undefined {
    return this.#bySocket.get(socket);
  }

  /** Adds a new connection until it closes. @returns false if there is no room for it */
  admit(socket: Socket): boolean {
    const { remoteAddress = '' } = socket;
    const [address, network] = [subjectOfAddress(remoteAddress), networkOf(remoteAddress)];
    const client = this.#clients.get(address) ?? { unused: new Set(), idle: new Set(), count: 0 };
    const { total, perAddress, perNetwork = Infinity } = this.limits;
    const ofNetwork = this.#networks.get(network) ?? 0;
    if (client.count >= perAddress || ofNetwork >= perNetwork) return false;
    // A connection that is closed still counts until the next turn, so each new one closes another.
    if (this.#bySocket.size >= total && !this.#makeRoom()) return false;
    this.#bySocket.set(socket, { client, requests: new Map(), latest: null, isEnded: false, onIdle: [] });
    this.#clients.set(address, client);
    this.#networks.set(network, ofNetwork + 1);
    client.count += 1;
    client.unused.add(socket);
    socket.once('close', () => this.#remove(socket, client, address, network));
    return true;
  }

  /**
   * Adds an accepted request until its handler has ended and its answer is sent or its connection is closed. Node counts connections
   * instead, and never closes the answer to a pipelined request that was still queued when the connection broke.
   * @param handled resolves when the handler has ended; never rejects
   */
  async track(request: IncomingMessage, response: ServerResponse, handled: Promise<unknown>): Promise<void> {
    const { socket } = request;
    const connection = this.#bySocket.get(socket);
    if (!connection) return;
    const { client, requests } = connection;
    client.unused.delete(socket);
    client.idle.delete(socket);
    this.#requestCount += 1;
    const gone = new Promise<void>((resolve) => {
      response.once('close', resolve);
      requests.set(request, resolve);
    });
    await Promise.all([handled, gone]);
    requests.delete(request);
    this.#requestCount -= 1;
    if (this.#requestCount === 0) this.#onIdle();
    if (requests.size > 0) return;
    for (const resolve of connection.onIdle.splice(0)) resolve();
    if (!socket.destroyed && !this.limits.isBehindProxy) client.idle.add(socket);
  }

  /** Resolves once no request of the connection is in flight. */
  async settleOn(socket: Socket): Promise<void> {
    const connection = this.#bySocket.get(socket);
    if (connection && connection.requests.size > 0) {
      await new Promise<void>((resolve) => connection.onIdle.push(resolve));
    }
  }

  /** Resolves to true once no request is in flight, or to false after `timeoutMs`. */
  async settle(timeoutMs: number): Promise<boolean> {
    if (this.#requestCount === 0) return true;
    const idle = new Promise<void>((resolve) => (this.#onIdle = resolve));
    const timeout = new AbortController();
    await Promise.race([idle, pause(timeoutMs, undefined, { signal: timeout.signal }).catch(() => undefined)]);
    timeout.abort();
    return this.#requestCount === 0;
  }

  #remove(socket: Socket, client: Client, address: string, network: string): void {
    for (const endRequest of this.#bySocket.get(socket)?.requests.values() ?? []) endRequest();
    this.#bySocket.delete(socket);
    client.unused.delete(socket);
    client.idle.delete(socket);
    client.count -= 1;
    if (client.count === 0) this.#clients.delete(address);
    const ofNetwork = (this.#networks.get(network) ?? 0) - 1;
    if (ofNetwork > 0) this.#networks.set(network, ofNetwork);
    else this.#networks.delete(network);
  }

  /** Closes a connection without a request. @returns false if there is none */
  #makeRoom(): boolean {
    let most: Client | null = null;
    for (const client of this.#clients.values()) {
      if (client.unused.size + client.idle.size > 0 && (most === null || client.count > most.count)) most = client;
    }
    const [closed = most?.idle.values().next().value] = most?.unused ?? [];
    if (!closed) return false;
    most?.unused.delete(closed);
    most?.idle.delete(closed);
    closed.destroy();
    return true;
  }
}
