import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { isWellFormed } from './well-formed.js';
import type { InFlight } from './in-flight.js';

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

/** Decides which requests of each connection are accepted: clients may pipeline them, that is, send them ahead of the answers. */
export class Pipelines {
  readonly #latest = new WeakMap<Socket, IncomingMessage>();
  readonly #ended = new WeakSet<Socket>();

  constructor(private readonly inFlight: InFlight) {}

  /** Call it once per request, in the order of arrival. */
  admit(request: IncomingMessage): Admission {
    const { socket } = request;
    if (this.#ended.has(socket)) return 'ignored';
    this.#latest.set(socket, request);
    const isTooMany = this.inFlight.countOn(socket) >= REQUESTS_WAITING_MAX;
    if (!isTooMany && !isLast(request)) return 'accepted';
    this.#ended.add(socket);
    return isTooMany ? 'too many' : 'last';
  }

  /** The last request of the connection that was not ignored: bytes still being read from the connection are its body. */
  latestOn(socket: Socket): IncomingMessage | undefined {
    return this.#latest.get(socket);
  }
}

/**
 * Whether the start of the next request on the connection is unknown, so nothing after this one may be accepted (RFC 9112 §9.6).
 * When bytes arrive in one chunk with an upgrade request, Node drops the rest of that chunk and resumes parsing mid-request.
 */
function isLast(request: IncomingMessage): boolean {
  return !isWellFormed(request) || request.headers.upgrade !== undefined;
}
