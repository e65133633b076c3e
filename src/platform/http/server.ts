import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { SCAN_LIMITS } from '../../scanner/artifacts/scanner.js';
import { ServiceError } from '../errors.js';
import type { Logger } from '../logging.js';
import { SLOT_WAIT_MS } from '../slots.js';
import { errorBody } from './answer.js';
import { type Connection, type ConnectionLimits, Connections } from './connections.js';
import { breakBody, isWellFormed } from './request.js';

/** Shared state that closing the server sets, and that readiness, new runs and keep-alive read. */
export class Lifecycle {
  isStopping = false;
}

/** Answers a request. Resolves when the work is done, even if the client has disconnected. */
export type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export interface ServerOptions {
  readonly handle: Handle;
  readonly lifecycle: Lifecycle;
  readonly logger: Logger;
  /** How long requests in flight may take to finish after `close`. */
  readonly graceMs?: number;
  /** By default, the connections are not limited. */
  readonly connections?: ConnectionLimits;
}

export type ApiServer = ReturnType<typeof createServer>;

const UNLIMITED: ConnectionLimits = { total: Infinity, perAddress: Infinity };

const STORING_MS = 20_000;
/** Time of the longest request: a run that waits for a slot and for other runs, and is stored. */
export const GRACE_MS = SLOT_WAIT_MS + SCAN_LIMITS.runMs + SCAN_LIMITS.slotWaitMs + STORING_MS;

const OPTIONS = {
  // Time for a client to send its headers, and its whole request. Limits what idle or slow clients can occupy.
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  // Node's default of 30 s would let a request run for a minute instead of half a minute.
  connectionsCheckingInterval: 2_000,
  // Longer than the idle timeout of common load balancers (60 s), so that we never close a connection while they send a request.
  keepAliveTimeout: 65_000,
  // We refuse requests without a Host ourselves, with a body.
  requireHostHeader: false,
};

/** Connections beyond the limit that are accepted only to be answered 503. */
const REFUSED_AT_ONCE = 64;

/**
 * How many requests of one connection may wait for their answers. One packet can carry more than a thousand small requests, and
 * while they are handled all other connections wait; real clients send no more than a few dozen ahead.
 */
const REQUESTS_WAITING_MAX = 100;

/** Creates an HTTP server whose shutdown loses no request. */
export function createServer(options: ServerOptions) {
  const { handle, lifecycle, logger, graceMs = GRACE_MS, connections: limits = UNLIMITED } = options;
  const server = createHttpServer(OPTIONS);
  // By default, Node silently drops headers past the 2,000th, which could be a key or a second Host. The limit of 16 KiB bounds
  // their number.
  server.maxHeadersCount = 0;
  const connections = limitConnections(server, limits, logger);
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request;
    const connection = connections.find(socket);
    if (!connection || connection.isEnded) {
      // Left unread, so that a client cannot pile up requests that are never answered.
      socket.pause();
      return;
    }
    if (connection.requests.size >= REQUESTS_WAITING_MAX) {
      connection.isEnded = true;
      void refuse(connection);
      return;
    }
    connection.isEnded = isLast(request);
    // Near the limit, no client may keep an idle connection open.
    if (connection.isEnded || connections.isCrowded) response.shouldKeepAlive = false;
    const handled = handle(request, response).catch((cause: unknown) => {
      logger.error({ cause }, 'request handler failed');
      response.destroy();
    });
    connections.track(connection, response, handled);
  };
  server.on('request', onRequest);
  // By default, Node would write the 100 between head and body of an earlier pipelined answer. Clients can do without it.
  server.on('checkContinue', (request, response) => {
    if (response.socket) response.writeContinue();
    onRequest(request, response);
  });
  // An unknown Expect is not a reason to refuse a request.
  server.on('checkExpectation', onRequest);
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const connection = connections.find(socket);
    if (connection) void refuse(connection, error.code);
  });
  // This is not a proxy. Without a listener, Node would close the connection without an answer; with one, it stops handling the
  // socket.
  server.on('connect', (_request, socket: Socket) => {
    socket.on('error', () => undefined);
    const connection = connections.find(socket);
    if (connection) void refuse(connection);
  });

  const stop = async (): Promise<void> => {
    lifecycle.isStopping = true;
    const closed = new Promise((resolve) => server.close(resolve));
    const answered = connections.settle().then(() => true);
    if (!(await Promise.race([answered, pause(graceMs, false, { ref: false })]))) {
      logger.warn({}, 'stopped with unanswered requests');
    }
    // Only idle, unused and late connections are left.
    server.closeAllConnections();
    await closed;
  };
  let closing: Promise<void> | undefined;
  return {
    /** Resolves once connections are accepted; rejects when the address is not available. Port 0 chooses a free one. */
    async listen(port: number, host: string): Promise<AddressInfo> {
      await once(server.listen(port, host), 'listening');
      return server.address() as AddressInfo;
    },
    /** Turns off readiness, stops accepting connections and resolves when the requests in flight have finished. May be called again. */
    close: () => (closing ??= stop()),
  };
}

/**
 * True if the start of the next request on the connection is unknown, so nothing after this one may be accepted (RFC 9112 §9.6).
 * When bytes arrive in one chunk with an upgrade request, Node drops the rest of that chunk and resumes parsing mid-request.
 */
function isLast(request: IncomingMessage): boolean {
  return !isWellFormed(request) || request.headers.upgrade !== undefined;
}

function limitConnections(server: Server, limits: ConnectionLimits, logger: Logger): Connections {
  const connections = new Connections(limits);
  let isLogged = false;
  // Connections beyond this wait in the backlog, so that a burst cannot use the last descriptors.
  if (limits.total < Infinity) server.maxConnections = limits.total + REFUSED_AT_ONCE;
  server.on('connection', (socket: Socket) => {
    isLogged &&= connections.isCrowded;
    if (connections.admit(socket)) return;
    if (!isLogged) logger.warn({ connections: limits.total }, 'connection limit reached, rejecting clients');
    isLogged = true;
    writeRefusal(socket, '503 Service Unavailable', new ServiceError('overloaded'));
    socket.destroySoon();
  });
  return connections;
}

/** Statuses for input that the HTTP parser cannot read, by Node's error code; 400 for all others. */
const MALFORMED_STATUSES: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/**
 * Answers input that cannot be read, after the complete requests before it on this connection. If it is the body of the latest request,
 * that request's own answer is the last one, even if it was already sent.
 */
async function refuse({ socket, latest, requests }: Connection, errorCode = ''): Promise<void> {
  const isBody = latest?.complete === false;
  if (isBody) breakBody(latest);
  await Promise.all(requests);
  // The parser reports an error for every further chunk: after the first, the socket is no longer writable.
  const isAnswered = isBody || !socket.writable;
  if (!isAnswered)
    writeRefusal(socket, MALFORMED_STATUSES[errorCode] ?? '400 Bad Request', new ServiceError('bad_request'));
  // A client that is still sending would get a broken connection instead of the answer.
  if (isAnswered || !errorCode.startsWith('HPE_')) socket.destroySoon();
}

/** Answers input that never became a request, and ends the connection. */
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
