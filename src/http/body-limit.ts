import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../domain/errors.js';
import { drainBody } from '../platform/request-body.js';

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
