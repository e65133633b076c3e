import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { isWellFormed } from './request.js';

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
      for (const hangUp of connection.open.values()) hangUp();
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
