import { type BodyOptions, type ReadBody, readBody } from '../../net/body.js';
import { TimeLimit } from '../../net/time-limit.js';
import { failureOf, type HopResponse, type Transport, TransportError, UnsentError } from '../../net/transport.js';
import { parseMediaType } from '../parsers/media-type.js';
import type { Listener, Sent } from './events.js';
import { isRedirect } from './redirects.js';
import type { Ask, SiteRequest } from './request.js';
import { isRetryableStatus } from './retries.js';
import type { Fetched, SiteResponse } from './visit.js';

export interface ExchangeOptions {
  readonly transport: Transport;
  /** The run's; its reason is a TransportError. */
  readonly deadline: AbortSignal;
  /** Limits connection, header fields and body of one try. Time spent waiting before it does not count. */
  readonly tryMs: number;
  readonly listen: Listener;
}

/** How long a redirect's own body, which is not used, may delay the next hop. */
const REDIRECT_BODY_MS = 1000;

/**
 * How to read a body that is not the result: of a redirect, of an answer that leads to another try, or of one that no sink was
 * opened for.
 */
const SIDE_BODY: BodyOptions = { bodyBytesMax: 65_536, sink: null, gunzipByMagic: false };

/** The end of the chain: one exchange over the transport, with its body. */
export function exchange({ transport, deadline, tryMs, listen }: ExchangeOptions): Ask {
  const tryOnce = async (request: SiteRequest): Promise<SiteResponse> => {
    const limit = new TimeLimit(deadline, tryMs);
    try {
      const { url, method, headers, body } = request;
      const asked = { url, method, headers, signal: limit.signal };
      const answer = await transport.exchange(body === null ? asked : { ...asked, body });
      const read = await readAnswer(answer, limit, request);
      return { status: answer.status, url, hops: [], headers: answer.headers, ...read };
    } finally {
      limit.clear();
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
      // So late, nothing but the address can be refused.
      else if (failure === 'target_refused') listen({ kind: 'refused', request, reason: 'address_not_public' });
      else listen({ request, ...sent(fetched) });
      return fetched;
    }
  };
}

function readAnswer(answer: HopResponse, limit: TimeLimit, request: SiteRequest): ReadBody | Promise<ReadBody> {
  if (isRedirect(answer)) return skimRedirect(answer, limit);
  if (isEventStream(answer)) {
    limit.abandon();
    return { body: new Uint8Array(), byteCount: 0, isOverLimit: true };
  }
  const awaitRoom = (bytes: number): Promise<void> => waitForRoom(bytes, answer, limit, request);
  return readWhole(answer, limit, { ...optionsFor(answer, request), awaitRoom });
}

/** Closes a body that either side abandoned, so that it does not hold its connection for the rest of the run. */
async function readWhole(answer: HopResponse, limit: TimeLimit, options: BodyOptions): Promise<ReadBody> {
  let isWhole = false;
  try {
    const read = await readBody(answer, options);
    isWhole = !read.isOverLimit;
    return read;
  } finally {
    if (!isWhole) limit.abandon();
  }
}

/** Reads what arrives at once, so that the connection can be reused; a redirect works whatever its body does. */
async function skimRedirect(answer: HopResponse, limit: TimeLimit): Promise<ReadBody> {
  limit.shortenTo(REDIRECT_BODY_MS);
  try {
    return await readWhole(answer, limit, SIDE_BODY);
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    return { body: new Uint8Array(), byteCount: 0, isOverLimit: false };
  }
}

/** The time of the try stands still meanwhile, and the other answers of the run continue. */
async function waitForRoom(bytes: number, answer: HopResponse, limit: TimeLimit, request: SiteRequest): Promise<void> {
  if (request.isReference) return;
  const wait = request.lease.take(bytes, limit.signal);
  if (wait === null) return;
  limit.pause();
  answer.setAside?.(true);
  try {
    await wait;
  } finally {
    answer.setAside?.(false);
    limit.resume();
  }
}

/** An event stream has no end, and may stay silent while it lives, so we never wait for its body. */
function isEventStream({ status, headers }: HopResponse): boolean {
  return status === 200 && parseMediaType(headers.get('content-type')).essence === 'text/event-stream';
}

/** A sink receives only what it was opened for, not error pages; their start is kept, since the body identifies a challenge. */
function optionsFor({ status }: HopResponse, { bodyBytesMax, sink, gunzipByMagic }: SiteRequest): BodyOptions {
  const isForSink = status >= 200 && status < 300;
  return isRetryableStatus(status) || (sink !== null && !isForSink) ? SIDE_BODY : { bodyBytesMax, sink, gunzipByMagic };
}
