import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type ConnectorOptions, type GuardedAgent, openGuardedAgent } from './connect.js';
import { toTransportError, TransportError } from './failure.js';
import type { Guard } from './guard.js';
import { getOrCreate } from './keyed.js';
import { type FieldLine, type HopRequest, type HopResponse, ResponseHeaders, type Transport } from './transport.js';
import { portOf } from './url-gate.js';

export interface NetworkLimits {
  /** Time limit of a connection with its TLS handshake. */
  readonly connectMs: number;
  /** Time limit from the request to the last header field; undici measures it in steps of half a second. */
  readonly headersMs: number;
  readonly headerBytesMax: number;
  readonly connectionsPerOrigin: number;
  /** Most bytes that servers may send in one run. */
  readonly wireBytesMax: number;
}

export const NETWORK_LIMITS: NetworkLimits = {
  connectMs: 5000,
  headersMs: 8000,
  headerBytesMax: 16_384,
  connectionsPerOrigin: 8,
  wireBytesMax: 64 * 1_048_576,
};

export interface NetworkTransportOptions {
  readonly guard: Guard;
  readonly resolver: ConnectorOptions['resolver'];
  readonly limits?: Partial<NetworkLimits>;
  /** Certificate authorities in PEM, replacing the platform's. */
  readonly ca?: string;
}

/**
 * Opens the network transport of one run, with its own connections and resolved names, so that no run trusts what another one vetted. It
 * follows no redirects, decodes nothing, and has no total deadline: callers abort the signal.
 */
export function openNetworkTransport({ guard, resolver, ca, ...options }: NetworkTransportOptions): Transport {
  const limits = { ...NETWORK_LIMITS, ...options.limits };
  // Each name keeps its addresses for the whole run.
  const addressesByHost = new Map<string, Promise<readonly string[]>>();
  const allowance = { bytesLeft: limits.wireBytesMax };
  const connector: ConnectorOptions = {
    guard,
    resolver: {
      resolveAddresses: (host) => getOrCreate(addressesByHost, host, () => resolver.resolveAddresses(host)),
    },
    connectMs: limits.connectMs,
    ...(ca === undefined ? {} : { ca }),
    onSocket: (socket) => meterSocket(socket, allowance),
  };
  const { agent, addressOf } = openGuardedAgent(connector, {
    connections: limits.connectionsPerOrigin,
    pipelining: 1,
    maxHeaderSize: limits.headerBytesMax,
    headersTimeout: limits.headersMs,
    bodyTimeout: 0,
  });
  return {
    exchange: (request) => exchange(agent, request, limits.headerBytesMax),
    // A name without an address fails when connecting.
    addressOf: (url) => addressOf(url.hostname, portOf(url)).catch(() => url.hostname),
    close: () => agent.destroy(),
  };
}

/** Most unread bytes of one body: a chunk of one byte takes two hundred bytes of memory. */
const UNREAD_BYTES_MAX = 2048;

/** Added to the fields of each interim answer (1xx): about the length of its status line. */
const INTERIM_CHARS = 20;

async function exchange(
  agent: GuardedAgent['agent'],
  request: HopRequest,
  headerBytesMax: number,
): Promise<HopResponse> {
  const { url, method, headers, body = null, signal } = request;
  signal.throwIfAborted();
  let interimChars = 0;
  try {
    const sent = agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method,
      headers,
      body,
      signal,
      responseHeaders: 'raw',
      highWaterMark: UNREAD_BYTES_MAX,
      onInfo: (interim) => {
        interimChars += INTERIM_CHARS + Object.values(interim.headers).join('').length;
        if (interimChars > headerBytesMax) throw new TransportError('headers_too_large');
      },
    });
    const answer = await rejectOnAbort(sent, signal);
    return {
      status: answer.statusCode,
      headers: new ResponseHeaders(linesOf(answer.headers as unknown as readonly string[])),
      body: readChunks(answer.body, signal),
    };
  } catch (error) {
    signal.throwIfAborted();
    throw toTransportError(error, 'headers');
  }
}

/** Pairs raw header fields, which alternate between name and value. */
function linesOf(raw: readonly string[]): FieldLine[] {
  return raw.flatMap((name, at) => (at % 2 === 0 ? [[name, raw[at + 1] ?? ''] as const] : []));
}

async function* readChunks(body: Readable, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of body) yield chunk as Uint8Array;
    // undici frees the connection one turn of the event loop later; a request before that would open a new one.
    await nextTurn();
  } catch (error) {
    signal.throwIfAborted();
    throw toTransportError(error, 'body');
  }
}

/** Rejects when the signal aborts. undici reports an abort only once the connection exists, not during its setup. */
async function rejectOnAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason as Error);
  signal.addEventListener('abort', abort);
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/**
 * Most bytes that the HTTP parser receives at once. It does not stop when header fields exceed their limit, but creates an error
 * for each one left in its input: for 128 KiB of small ones that takes 60 ms.
 */
const CHUNK_BYTES = 4096;

/**
 * Counts the bytes of a connection before its HTTP parser reads them, and ends it when the run's allowance is used up. Chunk
 * extensions and trailers belong to no body, so they can only be counted here.
 * @param allowance bytes that the run may still receive, of bodies and everything else
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
 * Renames each 100 (Continue) at the start of a chunk to 102, in place: clients skip interim answers that they did not ask for (RFC 9110
 * §15.2), but undici fails at a 100. Returns false if the chunk has anything else, so that no body is changed.
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
