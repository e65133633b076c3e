import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../domain/errors.js';

/** Largest request body that an operation which needs none puts up with. */
const IGNORED_BODY_BYTES_MAX = 64 * 1024;

const BROKEN = Symbol('broken');
const brokenRequests = new WeakSet<IncomingMessage>();

/** Tells whoever reads this body, now or later, that its rest cannot be read. Node tells the server, but not the request. */
export function breakBody(request: IncomingMessage): void {
  brokenRequests.add(request);
  request.emit(BROKEN);
}

/**
 * Reads a request body that nobody needs, without keeping it, until its size is known to be fine. A declared length is
 * believed, since Node frames the body by it. The rest of a body that is too large is read and dropped, so that a
 * client which first sends everything still gets to see the refusal; the server's request timeout bounds that.
 * @throws ServiceError payload_too_large; bad_request when the chunks are malformed, too slow or cut off
 */
export async function ignoreBody(request: IncomingMessage, bytesMax = IGNORED_BODY_BYTES_MAX): Promise<void> {
  const declared = request.headers['content-length'];
  const isChunked = request.headers['transfer-encoding'] !== undefined;
  if (isChunked) await countBody(request, bytesMax);
  request.resume();
  if (Number(declared ?? 0) > bytesMax) throw new ServiceError('payload_too_large');
}

function countBody(request: IncomingMessage, bytesMax: number): Promise<void> {
  return new Promise((resolve, reject) => {
    let bytes = 0;
    const giveUp = (): void => reject(new ServiceError('bad_request'));
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > bytesMax) reject(new ServiceError('payload_too_large'));
    });
    request.once('end', resolve);
    for (const event of [BROKEN, 'close', 'error']) request.once(event, giveUp);
    if (brokenRequests.has(request)) giveUp();
  });
}
