import type { Socket } from 'node:net';
import { subjectOfAddress } from '../client-address.js';
import { type PlaceLimits, Places } from './places.js';

/** Most places are taken: from here on, nobody keeps one between requests. */
const CROWDED_SHARE = 3 / 4;

/** How many connections there may be, and which of them make room for a new one. */
export interface ConnectionRules extends PlaceLimits {
  /** Whether all connections are those of a proxy: one that rests between requests is then its to keep. */
  readonly isBehindProxy?: boolean;
}

/** The connections of one address that are closed where others need their places, those that come first first. */
interface Spare {
  /** They never sent a request, in the order in which they came. */
  readonly silent: Set<Socket>;
  /** Between requests, in the order in which their last ones ended. */
  readonly resting: Set<Socket>;
  /** Of all connections of the address. */
  count: number;
}

/**
 * The connections of a server. With no place left, a new one takes that of a connection without a request: of the address that has
 * most, one that never sent any, else the one that has rested longest. So a few addresses full of silent clients keep nobody out,
 * and no answer or stream is ever cut.
 */
export class OpenConnections {
  readonly #places: Places;
  readonly #bySubject = new Map<string, Spare>();
  readonly #bySocket = new WeakMap<Socket, Spare>();

  constructor(private readonly rules: ConnectionRules) {
    // The total is kept by closing others.
    this.#places = new Places({ ...rules, total: Infinity });
  }

  get isCrowded(): boolean {
    return this.#places.count >= this.rules.total * CROWDED_SHARE;
  }

  /** @returns whether there is a place for the new connection, which frees it by closing */
  admit(socket: Socket): boolean {
    const { remoteAddress = '' } = socket;
    const leave = this.#places.take(remoteAddress);
    if (!leave) return false;
    // One that is closed gives its place back a turn later, so each new one needs another.
    if (this.#places.count > this.rules.total && !this.#makeRoom()) {
      leave();
      return false;
    }
    const subject = subjectOfAddress(remoteAddress);
    const spare = this.#bySubject.get(subject) ?? { silent: new Set(), resting: new Set(), count: 0 };
    this.#bySubject.set(subject, spare);
    this.#bySocket.set(socket, spare);
    spare.count += 1;
    spare.silent.add(socket);
    socket.once('close', () => {
      leave();
      spare.silent.delete(socket);
      spare.resting.delete(socket);
      spare.count -= 1;
      if (spare.count === 0) this.#bySubject.delete(subject);
    });
    return true;
  }

  /** A request of the connection has begun. */
  begin(socket: Socket): void {
    const spare = this.#bySocket.get(socket);
    spare?.silent.delete(socket);
    spare?.resting.delete(socket);
  }

  /** Its last request has ended. */
  rest(socket: Socket): void {
    if (!socket.destroyed && !this.rules.isBehindProxy) this.#bySocket.get(socket)?.resting.add(socket);
  }

  #makeRoom(): boolean {
    let most: Spare | null = null;
    for (const spare of this.#bySubject.values()) {
      if (spare.silent.size + spare.resting.size > 0 && (most === null || spare.count > most.count)) most = spare;
    }
    const [closed = most?.resting.values().next().value] = most?.silent ?? [];
    if (!closed) return false;
    most?.silent.delete(closed);
    most?.resting.delete(closed);
    closed.destroy();
    return true;
  }
}
