import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
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
  readonly #waiting = new Set<Socket>();

  /** Counts this body's unread bytes until it is closed. */
  watch(body: Readable): void {
    this.#bodies.add(body);
    body.once('close', () => {
      this.#bodies.delete(body);
      this.resume();
    });
  }

  /** True if the socket must wait. It becomes readable again once bytes were taken. */
  mustWait(socket: Socket): boolean {
    if (!this.#isFull()) return false;
    this.#waiting.add(socket);
    return true;
  }

  /** Call it after taking bytes from a body. */
  resume(): void {
    for (const socket of this.#waiting) {
      if (this.#isFull()) return;
      this.#waiting.delete(socket);
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

/** What the connections of one run share. */
export interface Wire {
  readonly allowance: WireAllowance;
  readonly backlog: Backlog;
}

/**
 * Sits between a connection and its HTTP parser: counts incoming bytes, and ends the connection when the run may take no more.
 * Endless 1xx answers, chunk extensions and trailers belong to no body, so they can only be counted here.
 */
export function meterSocket(socket: Socket, { allowance, backlog }: Wire): Socket {
  const read: (bytes?: number) => unknown = socket.read.bind(socket);
  const write = socket.write.bind(socket) as (...args: unknown[]) => boolean;
  const destroy = socket.destroy.bind(socket);
  const heads = new ResponseHeads();
  let countedBytes = 0;
  socket.write = (...args: unknown[]) => {
    heads.expectNext();
    return write(...args);
  };
  socket.read = (bytes) => {
    // Streams themselves read 0 bytes to trigger a fetch.
    if (bytes !== undefined) return read(bytes);
    if (socket.destroyed || backlog.mustWait(socket)) return null;
    const isAllowed = allowance.take(socket.bytesRead - countedBytes);
    countedBytes = socket.bytesRead;
    if (isAllowed) return heads.renameContinue(read(Math.min(CHUNK_BYTES, socket.readableLength) || undefined));
    socket.destroy(new TransportError('budget_spent'));
    return null;
  };
  socket.destroy = (error) => destroy(error ? asBroken(error) : error);
  return socket;
}

const STATUS_LINE_START = 'HTTP/1.1 200'.length;
const INTERIM = /^HTTP\/1\.[01] 1\d\d$/;
const [LINE_FEED, CARRIAGE_RETURN] = [0x0a, 0x0d];

/**
 * Follows the heads of the answers on one connection as far as the final status, to rename 100 (Continue) to 102: clients skip every
 * interim answer that they did not ask for (RFC 9110 §15.2), and undici does so for all but 100, at which it gives up.
 */
class ResponseHeads {
  /** The start of a status line, as far as it has arrived. Null once the final answer has begun. */
  #statusLine: string | null = null;
  /** Whether the field lines of an interim answer follow, and how long the current one is. */
  #isInFields = false;
  #lineLength = 0;

  /** A request was sent. */
  expectNext(): void {
    this.#statusLine ??= '';
  }

  /** @param chunk what was read from the socket; changed in place */
  renameContinue(chunk: unknown): unknown {
    if (!Buffer.isBuffer(chunk)) return chunk;
    for (let at = 0; at < chunk.length && this.#statusLine !== null; at += 1) {
      if (this.#isInFields) this.#readFields(chunk[at]);
      else if (this.#readStatusLine(this.#statusLine + String.fromCharCode(chunk[at] ?? 0))) chunk.write('2', at);
    }
    return chunk;
  }

  /** @returns true at the last digit of 100 */
  #readStatusLine(start: string): boolean {
    this.#statusLine = start;
    if (start.length < STATUS_LINE_START) return false;
    this.#isInFields = INTERIM.test(start);
    this.#lineLength = start.length;
    if (!this.#isInFields) this.#statusLine = null;
    return this.#isInFields && start.endsWith('100');
  }

  /** An empty line ends the interim answer. */
  #readFields(byte: number | undefined): void {
    if (byte === CARRIAGE_RETURN) return;
    this.#lineLength += 1;
    if (byte !== LINE_FEED) return;
    if (this.#lineLength === 1) {
      this.#isInFields = false;
      this.#statusLine = '';
    }
    this.#lineLength = 0;
  }
}

/** undici treats ECONNRESET as the regular end of a body without a length; here such a body was cut off. */
function asBroken(error: Error): Error {
  const isReset = 'code' in error && error.code === 'ECONNRESET';
  return isReset ? Object.assign(new Error(error.message, { cause: error }), { code: 'ECONNABORTED' }) : error;
}
