import type { Socket } from 'node:net';
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

/**
 * Most bytes that the HTTP parser is given at once. It does not stop where header fields pass their limit, but makes an error
 * for each that is left of what it was given: for 128 KiB of small ones that takes 60 ms.
 */
const PIECE_BYTES = 4096;

/**
 * Stands between a connection and its HTTP parser: counts what comes in, and ends the connection when the run may take no more.
 * Endless 1xx answers, chunk extensions and trailers are no part of any body, so that only here they can be seen.
 */
export function meterSocket(socket: Socket, allowance: WireAllowance): Socket {
  const read: (bytes?: number) => unknown = socket.read.bind(socket);
  const destroy = socket.destroy.bind(socket);
  let countedBytes = 0;
  socket.read = (bytes) => {
    // Streams themselves read 0 bytes, to have more fetched.
    if (bytes !== undefined) return read(bytes);
    if (socket.destroyed) return null;
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
