import { type BodyOptions, type ReadBody, readBody } from '../../net/body.js';
import { failureOf, TransportError, UnsentError } from '../../net/failure.js';
import type { HopResponse, ResponseHeaders, Transport } from '../../net/transport.js';
import { type SafeText, term } from '../artifacts/safe-text.js';
import { parseMediaType, headOf } from '../parsers/text.js';
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

/** Bytes of a page that are searched. A challenge page is small, or has its markers near the start. */
const SEARCHED_BYTES = 65_536;

type Checked = Pick<SiteResponse, 'status' | 'headers' | 'body'>;

interface Marker {
  readonly vendor: SafeText;
  readonly isHeaderSet?: (response: Checked) => boolean;
  /** Strings that must all be in the page. One alone may be in a page that passed the challenge, or that writes about it. */
  readonly inBody?: readonly string[];
}

const MARKERS: readonly Marker[] = [
  {
    vendor: term('Cloudflare'),
    isHeaderSet: ({ headers }) => headers.get('cf-mitigated')?.toLowerCase() === 'challenge',
    inBody: ['<title>Just a moment...</title>', '/cdn-cgi/challenge-platform/'],
  },
  { vendor: term('Vercel'), isHeaderSet: ({ headers }) => headers.get('x-vercel-mitigated') !== null },
  {
    vendor: term('AWS WAF'),
    isHeaderSet: ({ headers, status }) =>
      (status === 202 || status === 405) && headers.get('x-amzn-waf-action') !== null,
  },
  {
    vendor: term('SiteGround'),
    isHeaderSet: ({ headers }) => headers.get('sg-captcha') !== null,
    inBody: ['http-equiv="refresh"', '/.well-known/sgcaptcha/'],
  },
  { vendor: term('Imperva'), inBody: ['_Incapsula_Resource', 'main-iframe'] },
  { vendor: term('Imperva'), inBody: ['Request unsuccessful. Incapsula incident ID'] },
  {
    vendor: term('Sucuri'),
    isHeaderSet: ({ headers, status }) => status >= 400 && headers.get('x-sucuri-block') !== null,
    inBody: ['sucuri_cloudproxy_js'],
  },
  { vendor: term('Sucuri'), inBody: ['Sucuri WebSite Firewall - Access Denied'] },
  { vendor: term('Anubis'), inBody: ['id="anubis_challenge"'] },
  { vendor: term('Anubis'), inBody: ['<title>Making sure you', '/.within.website/x/cmd/anubis/'] },
  { vendor: term('DataDome'), inBody: ['captcha-delivery.com', 'var dd='] },
];

/**
 * Returns the vendor if the response is a bot challenge instead of the resource, else null. A challenge says nothing about the site
 * behind it, so callers must treat it as "could not be checked".
 */
export function detectChallenge(response: Checked): SafeText | null {
  const text = headOf(response.body, SEARCHED_BYTES).toString('latin1');
  const hasMarker = (marker: Marker): boolean =>
    marker.isHeaderSet?.(response) === true || marker.inBody?.every((part) => text.includes(part)) === true;
  return MARKERS.find(hasMarker)?.vendor ?? null;
}
