import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../errors.js';

const BROKEN = Symbol('broken');
const brokenRequests = new WeakSet<IncomingMessage>();

/** Fails current and future readers of this body, because the rest cannot be read. Node reports that to the server only. */
export function breakBody(request: IncomingMessage): void {
  brokenRequests.add(request);
  request.emit(BROKEN);
}

/** Rejects once the rest of the body cannot be read: it is malformed, too slow or cut off. Never resolves. */
export function whenBroken(request: IncomingMessage): Promise<never> {
  return new Promise((_resolve, reject) => {
    const fail = (): void => reject(new ServiceError('bad_request'));
    // A request is also closed after its regular end.
    const rejectIfUnread = (): void => {
      if (!request.readableEnded) fail();
    };
    request.once(BROKEN, fail).once('error', fail).once('close', rejectIfUnread);
    if (brokenRequests.has(request)) fail();
    if (request.destroyed) rejectIfUnread();
  });
}

/**
 * Passes each chunk of the body to `onChunk` until the end, or until it returns `enough`. The rest is then read and dropped, so
 * that a client that sends everything first still receives the answer; the server's request timeout bounds that.
 * @throws ServiceError bad_request when the body cannot be read
 */
function drainBody(request: IncomingMessage, onChunk: (chunk: Buffer) => 'more' | 'enough'): Promise<void> {
  const drained = new Promise<void>((resolve) => {
    request.on('data', (chunk: Buffer) => {
      if (onChunk(chunk) === 'enough') resolve();
    });
    request.once('end', resolve);
  });
  return Promise.race([drained, whenBroken(request)]);
}

/**
 * Reads the whole body of a request.
 * @throws ServiceError payload_too_large; bad_request when it cannot be read
 */
export async function readBody(request: IncomingMessage, bytesMax: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  await drainBody(request, (chunk) => {
    bytes += chunk.length;
    if (bytes > bytesMax) {
      chunks.length = 0;
      return 'enough';
    }
    chunks.push(chunk);
    return 'more';
  });
  if (bytes > bytesMax) throw new ServiceError('payload_too_large');
  return Buffer.concat(chunks);
}

/** Largest request body that an operation without a body tolerates. */
const IGNORED_BODY_BYTES_MAX = 64 * 1024;

/**
 * Reads and discards an unused request body until its size is known to be acceptable. A declared length is trusted, since Node
 * frames the body by it.
 * @throws ServiceError payload_too_large; bad_request when the chunks are malformed, too slow or cut off
 */
export async function ignoreBody(request: IncomingMessage, bytesMax = IGNORED_BODY_BYTES_MAX): Promise<void> {
  const declared = request.headers['content-length'];
  const isChunked = request.headers['transfer-encoding'] !== undefined;
  let bytes = 0;
  if (isChunked) await drainBody(request, (chunk) => ((bytes += chunk.length) > bytesMax ? 'enough' : 'more'));
  request.resume();
  if (Math.max(bytes, Number(declared ?? 0)) > bytesMax) throw new ServiceError('payload_too_large');
}
