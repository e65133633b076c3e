import type { Socket } from 'node:net';
import { networkOf, subjectOfAddress } from '../client-address.js';

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
  begin(socket: Socket): void {
    const own = this.#bySocket.get(socket);
    own?.unused.delete(socket);
    own?.idle.delete(socket);
  }

  /** Call it when the connection has no more requests in flight. */
  rest(socket: Socket): void {
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
