import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { ServiceError } from '../errors.js';
import { errorBody } from './answer.js';

/** Statuses for input that the HTTP parser cannot read, by Node's error code; 400 for all others. */
const MALFORMED_STATUSES: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** Answers input that never became a request, and closes its connection. */
export function answerMalformed(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable) {
    // The parser reports an error for every further chunk; the first answer may still be on its way.
    closeSoon(socket);
    return;
  }
  writeRefusal(socket, MALFORMED_STATUSES[error.code ?? ''] ?? '400 Bad Request', new ServiceError('bad_request'));
}

/** Answers a client that is refused before its request is read, and closes its connection. */
export function answerBusy(socket: Socket): void {
  writeRefusal(socket, '503 Service Unavailable', new ServiceError('overloaded'));
  closeSoon(socket);
}

function writeRefusal(socket: Socket, status: string, refusal: ServiceError): void {
  const body = errorBody(refusal);
  const head = [
    `HTTP/1.1 ${status}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    `X-Request-Id: ${randomUUID()}`,
    ...(refusal.retryAfterS === undefined ? [] : [`Retry-After: ${refusal.retryAfterS}`]),
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body.toString()}`);
}

const closing = new WeakSet<Socket>();

/** Closes a connection once pending writes are flushed. The guard matters because each `destroySoon` call adds a listener. */
export function closeSoon(socket: Socket): void {
  if (closing.has(socket)) return;
  closing.add(socket);
  socket.destroySoon();
}
