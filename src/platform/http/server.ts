import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Lifecycle } from '../lifecycle.js';
import type { Logger } from '../logging.js';
import { breakBody } from './request-body.js';
import { InFlight } from './in-flight.js';
import { answerMalformed, closeSoon } from './malformed.js';
import { Pipelines } from './pipelines.js';

export interface ServerOptions {
  /** Resolves when the request is dealt with, whether or not its client is still there. */
  readonly handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  readonly lifecycle: Lifecycle;
  readonly logger: Logger;
  /** How long requests in flight may take to finish after `close`. */
  readonly graceMs?: number;
}

export interface ApiServer {
  /** Resolves once connections are accepted; rejects when the address cannot be had. Port 0 takes any free one. */
  listen(port: number, host: string): Promise<AddressInfo>;
  /** Readiness off, no new connections, requests in flight finish; resolves when all are gone. Safe to call again. */
  close(): Promise<void>;
}

/** A run takes 45 s at most and waits 5 s for its turn at most. */
const GRACE_MS = 50_000;

/** Time for a client to send its headers, and its whole request: bounds what idle or dripping clients can hold. */
const HEADERS_TIMEOUT_MS = 15_000;
const REQUEST_TIMEOUT_MS = 30_000;
/** Node looks every 30 s unless told otherwise, which would make a minute of the half. */
const TIMEOUTS_CHECKED_EVERY_MS = 2_000;

/** Longer than the idle time of usual load balancers (60 s), so that it is never we who close under their request. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;

/** The HTTP server around the API's request listener, with an end that loses no request. */
export function createServer({ handle, lifecycle, logger, graceMs = GRACE_MS }: ServerOptions): ApiServer {
  const inFlight = new InFlight();
  const pipelines = new Pipelines(inFlight);
  const server = createHttpServer({
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionsCheckingInterval: TIMEOUTS_CHECKED_EVERY_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    requireHostHeader: false,
  });
  // Node drops the headers past the 2,000th without a word, a key or a second Host among them; 16 KiB of headers bound their number.
  server.maxHeadersCount = 0;
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    const admission = pipelines.admit(request);
    if (admission === 'ignored') {
      // Unread, so that nobody can pile up what is never answered.
      request.socket.pause();
      return;
    }
    if (admission !== 'accepted') response.shouldKeepAlive = false;
    if (admission === 'too many') {
      void refuseMalformed(new Error('too many requests in one pipeline'), request.socket, inFlight);
      return;
    }
    const handled = handle(request, response).catch((cause: unknown) => {
      logger.error({ cause }, 'the request listener failed');
      response.destroy();
    });
    inFlight.add(request, response, handled);
  };
  server.on('connection', (socket) => socket.once('close', () => inFlight.hangUp(socket)));
  server.on('request', onRequest);
  // Node would put the 100 between head and body of an answer whose turn in the pipeline has not come; a client can do without.
  server.on('checkContinue', (request, response) => {
    if (response.socket) response.writeContinue();
    onRequest(request, response);
  });
  // An Expect that we do not know is no reason to refuse a request.
  server.on('checkExpectation', onRequest);
  server.on(
    'clientError',
    (error, socket: Socket) => void refuseMalformed(error, socket, inFlight, pipelines.latestOn(socket)),
  );
  // We are no proxy. Unheard, Node would close the connection without an answer; heard, it no longer minds the socket.
  server.on('connect', (_request, socket: Socket) => {
    socket.on('error', () => undefined);
    void refuseMalformed(new Error('CONNECT'), socket, inFlight).then(() => closeSoon(socket));
  });

  const stop = async (): Promise<void> => {
    lifecycle.stop();
    const closed = new Promise((resolve) => server.close(resolve));
    if (!(await inFlight.settle(graceMs))) logger.warn({}, 'stopped before every request was answered');
    // What is left: idle connections, those that were opened and never used, and the late ones.
    server.closeAllConnections();
    await closed;
  };
  let closing: Promise<void> | undefined;
  return { listen: (port, host) => listen(server, port, host), close: () => (closing ??= stop()) };
}

/**
 * Answers what the parser could not read, after the requests that came whole before it on this connection. Where it is the
 * body of the latest request that is broken, that request's own answer is the last, though it may be given already.
 */
async function refuseMalformed(
  error: NodeJS.ErrnoException,
  socket: Socket,
  inFlight: InFlight,
  latest?: IncomingMessage,
): Promise<void> {
  const isBroken = latest?.complete === false;
  if (isBroken) breakBody(latest);
  await inFlight.endOn(socket);
  if (isBroken) closeSoon(socket);
  else answerMalformed(error, socket);
}

function listen(server: Server, port: number, host: string): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve(server.address() as AddressInfo);
    });
  });
}
