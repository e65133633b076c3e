import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { portOf } from './url-gate.js';
import { type GuardedAgent, openGuardedAgent } from './connector.js';
import type { Guard } from './guard.js';
import type { Resolver } from './resolver.js';
import { toTransportError } from './network-failure.js';
import { type FieldLine, type HopRequest, type HopResponse, type Transport, ResponseHeaders } from './transport.js';
import { Backlog, UNREAD_BYTES_MAX, meterSocket, type Wire, WireAllowance } from './wire.js';
import { remember } from './keyed.js';

/** The limits of one exchange. */
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
  readonly resolver: Pick<Resolver, 'resolveAddresses'>;
  readonly limits?: Partial<NetworkLimits>;
  /** Certificate authorities in PEM, replacing the platform's. */
  readonly ca?: string;
}

/**
 * Opens the network transport of one run, with its own connections and resolved names, so that no run trusts what another one vetted. It
 * follows no redirects, decodes nothing, and has no total deadline: callers abort the signal.
 */
export function openNetworkTransport(options: NetworkTransportOptions): Transport {
  const limits = { ...NETWORK_LIMITS, ...options.limits };
  const { guard, ca } = options;
  const resolver = resolveOnce(options.resolver);
  const wire: Wire = { allowance: new WireAllowance(limits.wireBytesMax), backlog: new Backlog() };
  const connector = {
    guard,
    resolver,
    connectMs: limits.connectMs,
    ...(ca === undefined ? {} : { ca }),
    onSocket: (socket: Socket) => meterSocket(socket, wire),
  };
  const { agent, addressOf } = openGuardedAgent(connector, {
    connections: limits.connectionsPerOrigin,
    pipelining: 1,
    maxHeaderSize: limits.headerBytesMax,
    headersTimeout: limits.headersMs,
    bodyTimeout: 0,
  });
  return {
    exchange: (request) => exchange(agent, request, wire.backlog),
    // A name without an address fails when connecting.
    addressOf: (url) => addressOf(url.hostname, portOf(url)).catch(() => url.hostname),
    close: () => agent.destroy(),
  };
}

/** Resolves each name once, so that it has the same addresses for the whole run. */
function resolveOnce({ resolveAddresses }: NetworkTransportOptions['resolver']): NetworkTransportOptions['resolver'] {
  const answers = new Map<string, Promise<readonly string[]>>();
  return {
    resolveAddresses: (host) => remember(answers, host, () => resolveAddresses(host)),
  };
}

async function exchange(agent: GuardedAgent['agent'], request: HopRequest, backlog: Backlog): Promise<HopResponse> {
  const { url, method, headers, body = null, signal } = request;
  signal.throwIfAborted();
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
    });
    const answer = await abandonOnAbort(sent, signal);
    backlog.watch(answer.body);
    return {
      status: answer.statusCode,
      headers: new ResponseHeaders([...readRawHeaders(answer.headers as unknown as readonly string[])]),
      body: readChunks(answer.body, signal, backlog),
    };
  } catch (error) {
    signal.throwIfAborted();
    throw toTransportError(error, 'headers');
  }
}

async function* readChunks(body: Readable, signal: AbortSignal, backlog: Backlog): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of body) {
      backlog.resume();
      yield chunk as Uint8Array;
    }
    // undici frees the connection one turn of the event loop later; a request before that would open a new one.
    await nextTurn();
  } catch (error) {
    signal.throwIfAborted();
    throw toTransportError(error, 'body');
  }
}

/** undici reports an abort only once the connection exists: during its setup, stop waiting for the promise. */
function abandonOnAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', onAbort);
    // Settling an already settled promise has no effect.
    promise.then(resolve, reject);
  });
}

function* readRawHeaders(fields: readonly string[]): Generator<FieldLine> {
  for (let at = 0; at + 1 < fields.length; at += 2) yield [fields[at] ?? '', fields[at + 1] ?? ''];
}
