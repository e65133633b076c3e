import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { ParsingTurns } from './parsing-turns.js';
import { TransportError } from './transport.js';

/** The bytes that one run may still receive: bodies, and everything that servers send around them. */
export class WireAllowance {
  constructor(private bytesLeft: number) {}

  /** False once more was taken than was available. */
  take(bytes: number): boolean {
    this.bytesLeft -= bytes;
    return this.bytesLeft >= 0;
  }
}

/** Unread bytes that the bodies of one run may hold: a chunk of one byte takes two hundred times its length in memory. */
export const UNREAD_BYTES_MAX = 16_384;

/**
 * Holds back the connections of one run while their bodies arrive faster than they are decoded. The HTTP parser cannot be paused
 * for this, so it sees the bytes as not yet arrived. Readers of the bodies must keep reading or cancel them.
 */
export class Backlog {
  readonly #bodies = new Set<Readable>();
  readonly #held = new Set<Socket>();

  /** Counts this body's unread bytes until it is closed. */
  watch(body: Readable): void {
    this.#bodies.add(body);
    body.once('close', () => {
      this.#bodies.delete(body);
      this.resume();
    });
  }

  /** Does not count a body's unread bytes while its reader waits for something else: nothing would ever let the others go. */
  setAside(body: Readable, isAside: boolean): void {
    if (!isAside && !body.closed) this.#bodies.add(body);
    else if (this.#bodies.delete(body)) this.resume();
  }

  /** Whether the socket must wait; if so, it is told when it may be read. */
  holds(socket: Socket): boolean {
    if (!this.#isFull()) return false;
    this.#held.add(socket);
    return true;
  }

  /** Call it after taking bytes from a body. */
  resume(): void {
    for (const socket of this.#held) {
      if (this.#isFull()) return;
      this.#held.delete(socket);
      socket.emit('readable');
    }
  }

  #isFull(): boolean {
    let bytes = 0;
    for (const { readableLength } of this.#bodies) bytes += readableLength;
    return bytes > UNREAD_BYTES_MAX;
  }
}

/**
 * Most bytes that the HTTP parser receives at once. It does not stop when header fields exceed their limit, but creates an error
 * for each one left in its input: for 128 KiB of small ones that takes 60 ms.
 */
const CHUNK_BYTES = 4096;

/** What the connections of one run share; the parsing turns are shared by the whole process. */
export interface Wire {
  readonly allowance: WireAllowance;
  readonly backlog: Backlog;
  readonly parsingTurns: ParsingTurns;
}

/**
 * Sits between a connection and its HTTP parser: counts incoming bytes, and ends the connection when the run may take no more.
 * Endless 1xx answers, chunk extensions and trailers belong to no body, so they can only be counted here.
 */
export function meterSocket(socket: Socket, { allowance, backlog, parsingTurns }: Wire): Socket {
  const read: (bytes?: number) => unknown = socket.read.bind(socket);
  const destroy = socket.destroy.bind(socket);
  let countedBytes = 0;
  socket.read = (bytes) => {
    // Streams themselves read 0 bytes to trigger a fetch.
    if (bytes !== undefined) return read(bytes);
    if (socket.destroyed || backlog.holds(socket) || parsingTurns.holds(socket)) return null;
    const isAllowed = allowance.take(socket.bytesRead - countedBytes);
    countedBytes = socket.bytesRead;
    if (isAllowed) return read(Math.min(CHUNK_BYTES, socket.readableLength) || undefined);
    socket.destroy(new TransportError('budget_spent'));
    return null;
  };
  socket.destroy = (error) => destroy(error ? asBroken(error) : error);
  return socket;
}

/** undici treats ECONNRESET as the regular end of a body without a length; here such a body was cut off. */
function asBroken(error: Error): Error {
  const isReset = 'code' in error && error.code === 'ECONNRESET';
  return isReset ? Object.assign(new Error(error.message, { cause: error }), { code: 'ECONNABORTED' }) : error;
}
