import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { isWellFormed } from './well-formed.js';
import type { InFlight } from './in-flight.js';

/**
 * How many requests of one connection may wait for their answers. A packet holds a thousand and more small ones, and while those are
 * dealt with nobody else is; no client in use sends more than a few dozen ahead.
 */
const REQUESTS_WAITING_MAX = 100;

/** `heeded`; `last`: heeded, but nothing behind it; `too many`: refused, and nothing behind it heeded; `ignored`: it is behind such a one. */
export type Admission = 'heeded' | 'last' | 'too many' | 'ignored';

/** Which requests of each connection are heeded: clients may send them ahead of the answers, one behind the other. */
export class Pipelines {
  readonly #latest = new WeakMap<Socket, IncomingMessage>();
  readonly #ended = new WeakSet<Socket>();

  constructor(private readonly inFlight: InFlight) {}

  /** To be called once for each request that comes, in their order. */
  admit(request: IncomingMessage): Admission {
    const { socket } = request;
    if (this.#ended.has(socket)) return 'ignored';
    this.#latest.set(socket, request);
    const isTooMany = this.inFlight.countOn(socket) >= REQUESTS_WAITING_MAX;
    if (!isTooMany && !isLast(request)) return 'heeded';
    this.#ended.add(socket);
    return isTooMany ? 'too many' : 'last';
  }

  /** The request of a connection that came last and was not ignored: what is still read of the connection is its body. */
  latestOn(socket: Socket): IncomingMessage | undefined {
    return this.#latest.get(socket);
  }
}

/**
 * Whether nobody can tell where the next request of the connection begins, so that what follows is not to be heeded (RFC 9112
 * §9.6). Of what comes in one piece with a request to upgrade, Node drops the part behind it, and reads on in the middle.
 */
function isLast(request: IncomingMessage): boolean {
  return !isWellFormed(request) || request.headers.upgrade !== undefined;
}
