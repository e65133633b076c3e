import type { Socket } from 'node:net';
import { TransportError } from './failure.js';

/**
 * Most bytes that the HTTP parser receives at once. It does not stop when header fields exceed their limit, but creates an error
 * for each field left in its input: 60 ms for 128 KiB of small fields.
 */
const CHUNK_BYTES = 4096;

/**
 * Counts the bytes of a connection before its HTTP parser reads them, and closes it when the run's allowance is used up. Chunk
 * extensions and trailers are not part of any body, so they can only be counted here.
 * @param allowance bytes that the run may still receive, including those outside bodies
 */
export function meterSocket(socket: Socket, allowance: { bytesLeft: number }): Socket {
  const read: (bytes?: number) => unknown = socket.read.bind(socket);
  const destroy = socket.destroy.bind(socket);
  const write = socket.write.bind(socket) as (...parts: unknown[]) => boolean;
  let countedBytes = 0;
  let expectsInterim = false;
  socket.write = (...parts: unknown[]) => {
    expectsInterim = true;
    return write(...parts);
  };
  socket.read = (bytes) => {
    // Node itself calls read(0) to trigger a fetch.
    if (bytes !== undefined) return read(bytes);
    if (socket.destroyed) return null;
    allowance.bytesLeft -= socket.bytesRead - countedBytes;
    countedBytes = socket.bytesRead;
    if (allowance.bytesLeft >= 0) {
      const chunk = read(Math.min(CHUNK_BYTES, socket.readableLength) || undefined);
      if (expectsInterim && Buffer.isBuffer(chunk)) expectsInterim = renameContinue(chunk);
      return chunk;
    }
    socket.destroy(new TransportError('budget_spent'));
    return null;
  };
  socket.destroy = (error) => destroy(error ? renameReset(error) : error);
  return socket;
}

const STATUS_LINE_START = 'HTTP/1.1 200'.length;
const INTERIM = /^HTTP\/1\.[01] 1\d\d$/;
const END_OF_HEAD = '\r\n\r\n';

/**
 * Renames each 100 (Continue) at the start of a chunk to 102, in place: clients skip interim responses that they did not ask for (RFC
 * 9110 §15.2), but undici fails at a 100. Returns false if the chunk has anything else, so that no body is changed.
 */
function renameContinue(chunk: Buffer): boolean {
  for (let at = 0, end = 0; end >= 0; at = end + END_OF_HEAD.length) {
    const start = chunk.toString('latin1', at, at + STATUS_LINE_START);
    if (!INTERIM.test(start)) return false;
    if (start.endsWith('100')) chunk.write('2', at + STATUS_LINE_START - 1);
    end = chunk.indexOf(END_OF_HEAD, at);
  }
  return true;
}

/** Renames ECONNRESET, which undici treats as the regular end of a body without a length. */
function renameReset(error: Error): Error {
  const isReset = 'code' in error && error.code === 'ECONNRESET';
  return isReset ? Object.assign(new Error(error.message, { cause: error }), { code: 'ECONNABORTED' }) : error;
}
