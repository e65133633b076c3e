import { type BodyOptions, type ReadBody, readBody } from '../../net/body.js';
import { type HopResponse, type Transport } from '../../net/transport.js';
import { parseMediaType } from '../parsers/media-type.js';
import { detectChallenge } from './challenge.js';
import type { Listener, Sent, Ask, SiteRequest } from './request.js';
import { isRedirect } from './redirects.js';
import { isRetryableStatus } from './retries.js';
import type { Fetched, SiteResponse } from './visit.js';
import { failureOf, TransportError, UnsentError } from '../../net/failure.js';

export interface ExchangeOptions {
  readonly transport: Transport;
  /** Aborts at the run's deadline, with a TransportError. */
  readonly signal: AbortSignal;
  /** Limits connection, header fields and body of one try. Time spent waiting before it does not count. */
  readonly tryMs: number;
  readonly listen: Listener;
}

/** How long the unused body of a redirect may delay the next hop. */
const REDIRECT_BODY_MS = 1000;

/** Options for a body that is not the result: of a redirect, of a response that will be retried, or of an error while a sink waits. */
const UNUSED_BODY: BodyOptions = { bodyBytesMax: 65_536, sink: null, gunzipByMagic: false };

/** Ends the chain: sends the request over the transport and reads the body. */
export function exchange({ transport, signal, tryMs, listen }: ExchangeOptions): Ask {
  const tryOnce = async (request: SiteRequest): Promise<SiteResponse> => {
    const ending = new AbortController();
    const timer = stallAfter(tryMs, ending);
    try {
      const { url, method, headers, body } = request;
      const asked = { url, method, headers, signal: AbortSignal.any([signal, ending.signal]) };
      const answer = await transport.exchange(body === null ? asked : { ...asked, body });
      const read = await readAnswer(answer, ending, request);
      const response = { status: answer.status, url, hops: [], headers: answer.headers, ...read };
      return { ...response, challenge: detectChallenge(response) };
    } finally {
      clearTimeout(timer);
    }
  };
  return async (request) => {
    const beganMs = performance.now();
    const sent = (fetched: Fetched): Sent => ({ kind: 'sent', fetched, durationMs: performance.now() - beganMs });
    try {
      const fetched = { response: await tryOnce(request) };
      listen({ request, ...sent(fetched) });
      return fetched;
    } catch (error) {
      const fetched = { failure: failureOf(error) };
      const { failure } = fetched;
      if (error instanceof UnsentError) listen({ kind: 'unsent', request, failure });
      // The URL passed the guard before, so only the address can be refused here.
      else if (failure === 'target_refused') listen({ kind: 'refused', request, reason: 'address_not_public' });
      else listen({ request, ...sent(fetched) });
      return fetched;
    }
  };
}

function stallAfter(ms: number, ending: AbortController): NodeJS.Timeout {
  return setTimeout(() => ending.abort(new TransportError('stalled')), ms);
}

/** Closes the connection. */
function abandon(ending: AbortController): void {
  ending.abort(new TransportError('reset'));
}

function readAnswer(answer: HopResponse, ending: AbortController, request: SiteRequest): ReadBody | Promise<ReadBody> {
  if (isRedirect(answer)) return skimRedirect(answer, ending);
  if (isEventStream(answer)) {
    abandon(ending);
    return { body: new Uint8Array(), byteCount: 0, isOverLimit: true };
  }
  return readWhole(answer, ending, optionsFor(answer, request));
}

/** Closes the connection unless the body was read to its end, so that it is not held for the rest of the run. */
async function readWhole(answer: HopResponse, ending: AbortController, options: BodyOptions): Promise<ReadBody> {
  let isWhole = false;
  try {
    const read = await readBody(answer, options);
    isWhole = !read.isOverLimit;
    return read;
  } finally {
    if (!isWhole) abandon(ending);
  }
}

/** Reads what arrives within a second, so that the connection can be reused. A redirect counts even if its body fails. */
async function skimRedirect(answer: HopResponse, ending: AbortController): Promise<ReadBody> {
  const timer = stallAfter(REDIRECT_BODY_MS, ending);
  try {
    return await readWhole(answer, ending, UNUSED_BODY);
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    return { body: new Uint8Array(), byteCount: 0, isOverLimit: false };
  } finally {
    clearTimeout(timer);
  }
}

/** True for an event stream, which has no end and may stay silent, so we never wait for its body. */
function isEventStream({ status, headers }: HopResponse): boolean {
  return status === 200 && parseMediaType(headers.get('content-type')).essence === 'text/event-stream';
}

/** A sink receives successful bodies only. The start of an error page is stored, since it identifies a challenge. */
function optionsFor({ status }: HopResponse, { bodyBytesMax, sink, gunzipByMagic }: SiteRequest): BodyOptions {
  const isForSink = status >= 200 && status < 300;
  return isRetryableStatus(status) || (sink !== null && !isForSink)
    ? UNUSED_BODY
    : { bodyBytesMax, sink, gunzipByMagic };
}
