import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../errors.js';

const BROKEN = Symbol('broken');
const brokenRequests = new WeakSet<IncomingMessage>();

/** Tells whoever reads this body, now or later, that its rest cannot be read. Node tells the server, but not the request. */
export function breakBody(request: IncomingMessage): void {
  brokenRequests.add(request);
  request.emit(BROKEN);
}

/** Rejects once the rest of the body cannot be read: it is malformed, too slow or cut off. Never resolves. */
export function whenBroken(request: IncomingMessage): Promise<never> {
  return new Promise((_resolve, reject) => {
    const giveUp = (): void => reject(new ServiceError('bad_request'));
    // A request is closed after its end, too.
    const giveUpUnlessRead = (): void => {
      if (!request.readableEnded) giveUp();
    };
    request.once(BROKEN, giveUp).once('error', giveUp).once('close', giveUpUnlessRead);
    if (brokenRequests.has(request)) giveUp();
    if (request.destroyed) giveUpUnlessRead();
  });
}

/**
 * Hands each piece of the body to `onPiece` until the end, or until that says `enough`. The rest is then read and dropped, so that
 * a client which first sends everything still gets to see the answer; the server's request timeout bounds that.
 * @throws ServiceError bad_request when the body cannot be read
 */
export function drainBody(request: IncomingMessage, onPiece: (piece: Buffer) => 'more' | 'enough'): Promise<void> {
  const drained = new Promise<void>((resolve) => {
    request.on('data', (piece: Buffer) => {
      if (onPiece(piece) === 'enough') resolve();
    });
    request.once('end', resolve);
  });
  return Promise.race([drained, whenBroken(request)]);
}

/**
 * The whole body of a request.
 * @throws ServiceError payload_too_large; bad_request when it cannot be read
 */
export async function readBody(request: IncomingMessage, bytesMax: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  await drainBody(request, (piece) => {
    bytes += piece.length;
    if (bytes > bytesMax) {
      pieces.length = 0;
      return 'enough';
    }
    pieces.push(piece);
    return 'more';
  });
  if (bytes > bytesMax) throw new ServiceError('payload_too_large');
  return Buffer.concat(pieces);
}

/** Largest request body that an operation which needs none puts up with. */
const IGNORED_BODY_BYTES_MAX = 64 * 1024;

/**
 * Reads a request body that nobody needs, without keeping it, until its size is known to be fine. A declared length is
 * believed, since Node frames the body by it.
 * @throws ServiceError payload_too_large; bad_request when the chunks are malformed, too slow or cut off
 */
export async function ignoreBody(request: IncomingMessage, bytesMax = IGNORED_BODY_BYTES_MAX): Promise<void> {
  const declared = request.headers['content-length'];
  const isChunked = request.headers['transfer-encoding'] !== undefined;
  let bytes = 0;
  if (isChunked) await drainBody(request, (piece) => ((bytes += piece.length) > bytesMax ? 'enough' : 'more'));
  request.resume();
  if (Math.max(bytes, Number(declared ?? 0)) > bytesMax) throw new ServiceError('payload_too_large');
}
