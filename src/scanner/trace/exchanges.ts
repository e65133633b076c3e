import { isIP } from 'node:net';
import { isPublicAddress } from '../../net/address.js';
import { getOrCreate } from '../../net/keyed.js';
import type { ResponseHeaders } from '../../net/transport.js';
import { isSameSite } from '../../net/url-gate.js';
import { isRedirect } from '../client/requests.js';
import type { SiteRequest, Fetched, Part, SiteResponse } from '../client/visit.js';
import { Parts } from '../client/open-visit.js';
import type { StoredExchange, OutcomeClass, SiteExchange } from './stored-evidence.js';

/** One request, without its redirects, and the outcome of its last try. */
export interface Exchange {
  readonly url: URL;
  /** True without a response, or with an error status. */
  readonly isFailing: boolean;
  readonly stored: StoredExchange;
  /** The decoded body of a response from the site, or its start. Null if it is empty, a redirect, or from another source. */
  readonly body: Uint8Array | null;
  readonly contentType: string | null;
}

export interface AttributedExchange {
  readonly exchange: Exchange;
  /** True if the parts made the request or compared with it; false if a part that they depend on did. */
  readonly isOwn: boolean;
}

export interface ExchangeLogOptions {
  readonly origin: URL;
  /** True if responses from this address may be shown; by default {@link isPublicAddress}. */
  readonly isShown?: (address: string, url: URL) => boolean;
}

/** Maximum total size of bodies that are stored whole until the run is judged. */
const WHOLE_BYTES_MAX = 4 * 1_048_576;
/** Bytes stored from the start of any other body. */
const START_BYTES_MAX = 16_384;
const PATH_CHARS_MAX = 500;

/** Records the exchanges of a run, and which of them each part depends on. */
export class ExchangeLog {
  readonly parts = new Parts();
  /** Keyed by the response's header fields, or the failure: the memo returns the same object to every caller. */
  readonly #exchanges = new WeakMap<object, Exchange>();
  /** Exchanges of each part, with the number of its first request to order them, since responses arrive in any order. */
  readonly #requested = new Map<Part, Map<Exchange, number>>();
  #requestCount = 0;
  #wholeBytesLeft = WHOLE_BYTES_MAX;

  constructor(private readonly options: ExchangeLogOptions) {}

  /** Records that the request's part depends on the response, which may come from the memo. */
  readonly watch = (request: SiteRequest): ((fetched: Fetched) => void) => {
    const number = (this.#requestCount += 1);
    return (fetched) => {
      const exchange = getOrCreate(this.#exchanges, memoKey(fetched), () => this.#describe(request, fetched));
      if (request.part === null) return;
      const requested = getOrCreate(this.#requested, request.part, () => new Map<Exchange, number>());
      requested.set(exchange, Math.min(number, requested.get(exchange) ?? Infinity));
    };
  };

  /** Returns the exchanges that these parts depend on, in the order of requests: their own first, then those of their dependencies. */
  exchangesOf(names: readonly string[]): AttributedExchange[] {
    const found = new Map<Exchange, AttributedExchange>();
    const own = this.parts.named(names);
    const parts = new Set(own);
    // The loop also visits parts that it adds.
    for (const part of parts) {
      const isOwn = own.includes(part) || (part.isControl && own.some(({ dependencies }) => dependencies.has(part)));
      const requested = [...(this.#requested.get(part) ?? [])].sort(([, a], [, b]) => a - b);
      for (const [exchange] of requested) if (!found.has(exchange)) found.set(exchange, { exchange, isOwn });
      for (const other of part.dependencies) parts.add(other);
    }
    return [...found.values()];
  }

  #describe(request: SiteRequest, fetched: Fetched): Exchange {
    const { url } = request;
    const source = this.#sourceOf(url, fetched);
    const isControl = request.part?.isControl === true;
    const isFailing = 'failure' in fetched || fetched.response.status >= 400;
    if (source !== 'site') {
      const outcome = source === 'other host' ? classify(fetched) : null;
      return { url, isFailing, stored: { source, isControl, outcome }, body: null, contentType: null };
    }
    const { method, headers, body: sent } = request;
    const stored = {
      source,
      isControl,
      method,
      url: url.origin + url.pathname.slice(0, PATH_CHARS_MAX),
      hasQuery: url.search !== '',
      userAgent: headers['user-agent'] ?? '',
      accept: headers.accept ?? '*/*',
      sent: sent === null ? null : { type: headers['content-type'] ?? 'application/octet-stream', body: sent },
      durationMs: fetched.sent ? Math.round(fetched.sent.durationMs) : null,
    } satisfies Omit<SiteExchange, 'answer'>;
    if ('failure' in fetched) {
      const answer = { failure: fetched.failure };
      return { url, isFailing, stored: { ...stored, answer }, body: null, contentType: null };
    }
    const { response } = fetched;
    const { status, byteCount, isOverLimit } = response;
    const body = isRedirect(response) ? null : this.#storeBody(response, request);
    const answer = { status, headers: storedHeaders(response.headers, url), body: body && { byteCount, isOverLimit } };
    return { url, isFailing, stored: { ...stored, answer }, body, contentType: response.headers.get('content-type') };
  }

  /** Hides a response from a private or unknown address: a redirect must not reveal what only our own network can see. */
  #sourceOf(url: URL, fetched: Fetched): StoredExchange['source'] {
    const { origin, isShown = isPublicAddress } = this.options;
    const { address = '' } = fetched.sent ?? {};
    if (!isSameSite(url, origin)) return 'other host';
    if (isIP(address) === 0) return 'failure' in fetched ? 'site' : 'private address';
    return isShown(address, url) ? 'site' : 'private address';
  }

  #storeBody({ body, byteCount }: SiteResponse, { hasOtherUserAgent }: SiteRequest): Uint8Array | null {
    if (byteCount === 0) return null;
    const isStored = body.length <= (hasOtherUserAgent ? START_BYTES_MAX : this.#wholeBytesLeft);
    if (isStored && !hasOtherUserAgent) this.#wholeBytesLeft -= body.length;
    // A slice of a Buffer would retain all of it.
    return isStored ? body : new Uint8Array(body.subarray(0, START_BYTES_MAX));
  }
}

function memoKey(fetched: Fetched): object {
  return 'response' in fetched ? fetched.response.headers : fetched;
}

function classify(fetched: Fetched): OutcomeClass {
  if ('failure' in fetched || fetched.response.status >= 500) return 'failed';
  if (fetched.response.status >= 400) return 'refused';
  return fetched.response.status >= 300 ? 'redirected' : 'answered';
}

/** Header fields that a verdict may depend on or that identify the server. No field here may contain a secret, as Set-Cookie does. */
const STORED_FIELDS = [
  'content-type',
  'content-length',
  'content-encoding',
  'content-disposition',
  'location',
  'retry-after',
  'cache-control',
  'vary',
  'link',
  'x-robots-tag',
  'content-signal',
  'content-usage',
  'allow',
  'last-modified',
  'server',
  'via',
  'cf-mitigated',
  'x-vercel-mitigated',
] as const;

const HEADER_CHARS_MAX = 300;
const HEADERS_CHARS_MAX = 1000;

/** Returns the {@link STORED_FIELDS} of a response. Cuts long values, and removes the query of a Location. */
function storedHeaders(headers: ResponseHeaders, url: URL): (readonly [name: string, value: string])[] {
  const stored: (readonly [string, string])[] = [];
  let charsLeft = HEADERS_CHARS_MAX;
  for (const name of STORED_FIELDS) {
    const value = headers.get(name);
    if (value === null || charsLeft <= 0) continue;
    const shown = name === 'location' ? withoutQuery(value, url) : value;
    const cut = shown.slice(0, Math.min(HEADER_CHARS_MAX, charsLeft));
    charsLeft -= cut.length;
    stored.push([name, cut.length < shown.length ? `${cut}…` : cut]);
  }
  return stored;
}

function withoutQuery(location: string, base: URL): string {
  const target = URL.parse(location, base);
  return target ? target.origin + target.pathname : '';
}
