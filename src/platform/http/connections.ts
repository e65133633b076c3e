import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf, subjectOfAddress } from './request.js';

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
/** One address may use one in this many connections; its network twice as many. */
const ADDRESS_SHARE = 8;
/** Above this share of the connections, keep-alive is off. */
const CROWDED_SHARE = 3 / 4;

/**
 * Returns limits that leave enough descriptors for scans and answers. Without limits, a crowd of idle clients would stop both.
 * @param descriptorsMax how many descriptors the process may have
 */
export function connectionLimitsOf(
  { scanConcurrency, trustProxy }: { readonly scanConcurrency: number; readonly trustProxy: number },
  descriptorsMax = readDescriptorsMax(),
): ConnectionLimits {
  const left = descriptorsMax - RESERVED_DESCRIPTORS - DESCRIPTORS_PER_SCAN * scanConcurrency;
  // Lets a process with few descriptors and many scans still answer.
  const total = Math.floor(Math.min(CONNECTIONS_MAX, Math.max(left, descriptorsMax / 4)));
  // Behind a proxy, all connections come from its address.
  const perAddress = trustProxy > 0 ? total : Math.ceil(total / ADDRESS_SHARE);
  return { total, perAddress, perNetwork: 2 * perAddress, isBehindProxy: trustProxy > 0 };
}

/** Returns the soft limit, which Node raises to the hard one when it starts. */
function readDescriptorsMax(): number {
  // By default, the report looks up the names of peers.
  Object.assign(process.report, { excludeNetwork: true });
  const { userLimits } = process.report.getReport() as {
    readonly userLimits?: { readonly open_files?: { readonly soft: number | string } };
  };
  // NaN for "unlimited", and on Windows, which has no such limit.
  return Number(userLimits?.open_files?.soft) || Infinity;
}

/** How many connections an address or a network has. */
interface Client {
  readonly prefix: string;
  count: number;
}

export interface Connection {
  readonly socket: Socket;
  readonly address: Client;
  readonly network: Client;
  /** Requests that are not answered yet. */
  readonly requests: Set<Promise<void>>;
  /** The last accepted request: bytes that are still read from the connection are its body. Null for an unused connection. */
  latest: IncomingMessage | null;
  /** True once no further request is accepted. */
  isEnded: boolean;
}

/**
 * The open connections of a server and their requests. At the limit, a new connection replaces one without a request, from the address
 * with the most connections: an unused one, else the one that has been idle longest. So a few addresses with many unused connections
 * cannot lock out other clients, and no response is cut off.
 */
export class Connections {
  readonly #bySocket = new Map<Socket, Connection>();
  /** Connections that may be closed to make room: unused and idle ones, the oldest first. */
  readonly #closable = new Set<Connection>();
  readonly #clients = new Map<string, Client>();
  readonly #requests = new Set<Promise<void>>();

  constructor(private readonly limits: ConnectionLimits) {}

  get isCrowded(): boolean {
    return this.#bySocket.size >= this.limits.total * CROWDED_SHARE;
  }

  /** Returns undefined for a connection that was not admitted. */
  find(socket: Socket): Connection | undefined {
    return this.#bySocket.get(socket);
  }

  /** Adds a new connection until it closes. @returns false if there is no room for it */
  admit(socket: Socket): boolean {
    const { remoteAddress = '' } = socket;
    const { total, perAddress, perNetwork = Infinity } = this.limits;
    const address = this.#clientOf(subjectOfAddress(remoteAddress));
    const network = this.#clientOf(networkOf(remoteAddress));
    if (address.count >= perAddress || network.count >= perNetwork) return false;
    // A closed connection still counts until the next turn of the event loop, so each new one closes another.
    if (this.#bySocket.size >= total && !this.#makeRoom()) return false;
    const connection: Connection = { socket, address, network, requests: new Set(), latest: null, isEnded: false };
    this.#bySocket.set(socket, connection);
    this.#closable.add(connection);
    for (const client of [address, network]) {
      client.count += 1;
      this.#clients.set(client.prefix, client);
    }
    // Each request adds a listener.
    socket.setMaxListeners(0).once('close', () => this.#remove(connection));
    return true;
  }

  /**
   * Adds an accepted request until its handler has ended and its answer is sent or its connection is closed. Node counts connections
   * instead, and before version 24 never closed the answer to a pipelined request that was still queued when the connection broke.
   * @param handled resolves when the handler has ended; never rejects
   */
  track(connection: Connection, response: ServerResponse, handled: Promise<unknown>): void {
    connection.latest = response.req;
    this.#closable.delete(connection);
    const { socket, requests } = connection;
    const { promise: answered, resolve } = Promise.withResolvers<void>();
    response.once('close', resolve);
    socket.once('close', resolve);
    const done = Promise.all([handled, answered]).then(() => {
      socket.off('close', resolve);
      requests.delete(done);
      this.#requests.delete(done);
      if (requests.size === 0 && !socket.destroyed && !this.limits.isBehindProxy) this.#closable.add(connection);
    });
    requests.add(done);
    this.#requests.add(done);
  }

  /** Resolves once no request is in flight, including those that arrive while it waits. */
  async settle(): Promise<void> {
    while (this.#requests.size > 0) await Promise.all(this.#requests);
  }

  #clientOf(prefix: string): Client {
    return this.#clients.get(prefix) ?? { prefix, count: 0 };
  }

  #remove(connection: Connection): void {
    this.#bySocket.delete(connection.socket);
    this.#closable.delete(connection);
    for (const client of [connection.address, connection.network]) {
      client.count -= 1;
      if (client.count === 0) this.#clients.delete(client.prefix);
    }
  }

  /** Closes a connection without a request. @returns false if there is none */
  #makeRoom(): boolean {
    const rank = ({ address, latest }: Connection): number => 2 * address.count + (latest === null ? 1 : 0);
    let closed: Connection | undefined;
    for (const connection of this.#closable) {
      if (!closed || rank(connection) > rank(closed)) closed = connection;
    }
    if (!closed) return false;
    this.#closable.delete(closed);
    closed.socket.destroy();
    return true;
  }
}
