import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { ParsingTurns } from './parsing-turns.js';
import { TransportError } from './transport.js';

/** The bytes that one run may still take off the wire: bodies, and all that a server sends around them. */
export class WireAllowance {
  constructor(private bytesLeft: number) {}

  /** False once more was taken than there was. */
  take(bytes: number): boolean {
    this.bytesLeft -= bytes;
    return this.bytesLeft >= 0;
  }
}

/** Bytes that bodies of one run may hold unread: a chunk of one byte takes two hundred times its length in memory. */
const UNREAD_BYTES_MAX = 16_384;

/**
 * Holds the connections of one run back while their bodies come faster than they are decoded, which their parser must not be
 * asked for: it is as if the bytes were still on their way. Whoever reads the bodies must go on, or give them up.
 */
export class Backlog {
  readonly #bodies = new Set<Readable>();
  readonly #held = new Set<Socket>();

  /** Counts what this body holds, until it is closed. */
  watch(body: Readable): void {
    this.#bodies.add(body);
    body.once('close', () => {
      this.#bodies.delete(body);
      this.letGo();
    });
  }

  /** Whether the socket has to wait; if so it is told when it may be read. */
  holds(socket: Socket): boolean {
    if (!this.#isFull()) return false;
    this.#held.add(socket);
    return true;
  }

  /** To be called after bytes were taken out of a body. */
  letGo(): void {
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
 * Most bytes that the HTTP parser is given at once. It does not stop where header fields pass their limit, but makes an error
 * for each that is left of what it was given: for 128 KiB of small ones that takes 60 ms.
 */
const PIECE_BYTES = 4096;

/** What the connections of one run share, and with the parsing turns those of the process. */
export interface Wire {
  readonly allowance: WireAllowance;
  readonly backlog: Backlog;
  readonly parsingTurns: ParsingTurns;
}

/**
 * Stands between a connection and its HTTP parser: counts what comes in, and ends the connection when the run may take no more.
 * Endless 1xx answers, chunk extensions and trailers are no part of any body, so that only here they can be seen.
 */
export function meterSocket(socket: Socket, { allowance, backlog, parsingTurns }: Wire): Socket {
  const read: (bytes?: number) => unknown = socket.read.bind(socket);
  const destroy = socket.destroy.bind(socket);
  let countedBytes = 0;
  socket.read = (bytes) => {
    // Streams themselves read 0 bytes, to have more fetched.
    if (bytes !== undefined) return read(bytes);
    if (socket.destroyed || backlog.holds(socket) || parsingTurns.holds(socket)) return null;
    const isAllowed = allowance.take(socket.bytesRead - countedBytes);
    countedBytes = socket.bytesRead;
    if (isAllowed) return read(Math.min(PIECE_BYTES, socket.readableLength) || undefined);
    socket.destroy(new TransportError('budget_spent'));
    return null;
  };
  socket.destroy = (error) => destroy(error ? asBroken(error) : error);
  return socket;
}

/** undici takes ECONNRESET for the regular end of a body without a length; here such a body is one that was cut off. */
function asBroken(error: Error): Error {
  const isReset = 'code' in error && error.code === 'ECONNRESET';
  return isReset ? Object.assign(new Error(error.message, { cause: error }), { code: 'ECONNABORTED' }) : error;
}
