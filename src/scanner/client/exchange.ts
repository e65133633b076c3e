import { type BodyOptions, type ReadBody, readBody } from '../../net/body.js';
import { failureOf, TransportError, UnsentError } from '../../net/failure.js';
import type { HopResponse, ResponseHeaders, Transport } from '../../net/transport.js';
import { parseMediaType } from '../parsers/text.js';
import { detectChallenge } from './challenge.js';
import type { Deadline } from './limits.js';
import type { Listener, SiteRequest } from './request.js';
import type { Fetched, SiteResponse } from './visit.js';

export interface ExchangeOptions {
  readonly transport: Transport;
  readonly deadline: Deadline;
  /** Limits connection, header fields and body of one try. Time spent waiting before it does not count. */
  readonly tryMs: number;
  readonly listen: Listener;
}

/** Sends the request over the transport and reads the body. */
export async function exchange(options: ExchangeOptions, request: SiteRequest, address: string): Promise<Fetched> {
  const { listen } = options;
  const beganMs = performance.now();
  let fetched: Fetched;
  try {
    fetched = { response: await readResponse(options, request) };
  } catch (error) {
    const failure = failureOf(error);
    fetched = { failure };
    if (error instanceof UnsentError) {
      listen({ kind: 'unsent', request, failure });
      return fetched;
    }
    // The URL passed the guard before, so only the address can be refused here.
    if (failure === 'target_refused') {
      listen({ kind: 'refused', request, reason: 'address_not_public' });
      return fetched;
    }
  }
  listen({ kind: 'sent', request, address, fetched, durationMs: performance.now() - beganMs });
  return fetched;
}

async function readResponse(
  { transport, deadline, tryMs }: ExchangeOptions,
  request: SiteRequest,
): Promise<SiteResponse> {
  const ending = new AbortController();
  const timer = stallAfter(tryMs, ending);
  try {
    const { url, method, headers, body } = request;
    const signal = AbortSignal.any([deadline.signal, ending.signal]);
    const answer = await transport.exchange({ url, method, headers, signal, ...(body !== null && { body }) });
    const read = await readAnswer(answer, ending, request);
    const response = { status: answer.status, url, hops: [], headers: answer.headers, ...read };
    return { ...response, challenge: detectChallenge(response) };
  } finally {
    clearTimeout(timer);
  }
}

function stallAfter(ms: number, ending: AbortController): NodeJS.Timeout {
  return setTimeout(() => ending.abort(new TransportError('stalled')), ms);
}

/** Options for a body that is not the result: of a redirect, of a response that will be retried, or of an error while a sink waits. */
const UNUSED_BODY: BodyOptions = { bodyBytesMax: 65_536, sink: null, gunzipByMagic: false };

/** How long the unused body of a redirect may delay the next hop. */
const REDIRECT_BODY_MS = 1000;

/** Reads a body. Closes the connection unless it was read to its end, so that it is not held for the rest of the run. */
async function readAnswer(answer: HopResponse, ending: AbortController, request: SiteRequest): Promise<ReadBody> {
  const { status, headers } = answer;
  const isHop = isRedirect(answer);
  const timer = isHop ? stallAfter(REDIRECT_BODY_MS, ending) : undefined;
  let isWhole = false;
  try {
    // An event stream has no end and may stay silent.
    const isStream = status === 200 && parseMediaType(headers.get('content-type')).essence === 'text/event-stream';
    if (isStream) return { body: new Uint8Array(), byteCount: 0, isOverLimit: true };
    // A sink receives successful bodies only. The start of an error page is stored, since it identifies a challenge.
    const isForSink = status >= 200 && status < 300;
    const isUnused = isHop || isRetryableStatus(status) || (request.sink !== null && !isForSink);
    const read = await readBody(answer, isUnused ? UNUSED_BODY : request);
    isWhole = !read.isOverLimit;
    return read;
  } catch (error) {
    // A redirect counts even if its body fails.
    if (isHop && error instanceof TransportError) return { body: new Uint8Array(), byteCount: 0, isOverLimit: false };
    throw error;
  } finally {
    clearTimeout(timer);
    if (!isWhole) ending.abort(new TransportError('reset'));
  }
}

const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308]);

/** True for a redirect. A 3xx without Location is an ordinary response. */
export function isRedirect(answer: { readonly status: number; readonly headers: ResponseHeaders }): boolean {
  return REDIRECT_STATUSES.has(answer.status) && answer.headers.get('location') !== null;
}

export function isRetryableStatus(status: number): boolean {
  return status >= 500 || status === 429;
}
