import { isIP } from 'node:net';
import { isPublicAddress } from '../../net/address.js';
import type { Sink } from '../../net/body.js';
import type { FetchFailure } from '../../net/failure.js';
import { isSameSite } from '../artifacts/site-address.js';
import type { ResponseHeaders } from '../../net/transport.js';
import type { Listener, Layer, SiteRequest } from '../client/request.js';
import { type Part, Parts, type Fetched, type SiteResponse } from '../client/visit.js';
import { isRedirect } from '../client/chain.js';
import { remember } from '../../net/keyed.js';

/** Who answered. Site owners see only responses of their own site from public addresses. */
export type Source = 'site' | 'other host' | 'private address';

/** One request without redirects, and the outcome of its last try. */
export interface Exchange {
  readonly source: Source;
  readonly request: Pick<SiteRequest, 'method' | 'url' | 'headers' | 'body'>;
  /** Null if nothing was sent. */
  readonly durationMs: number | null;
  readonly answer:
    | { readonly failure: FetchFailure }
    | {
        readonly status: number;
        readonly headers: ResponseHeaders;
        readonly byteCount: number;
        readonly isOverLimit: boolean;
        /** The decoded body, or its start. Null for a redirect, an empty body, and any source but the site. */
        readonly body: Uint8Array | null;
      };
}

export interface AttributedExchange {
  readonly exchange: Exchange;
  /** True for a request to an address that cannot exist, for comparison. */
  readonly isControl: boolean;
  /** True if the parts made the request or compared with it; false if a part that they depend on did. */
  readonly isOwn: boolean;
}

/** Facts about one try. */
interface TryFacts {
  readonly address: string;
  readonly durationMs: number;
}

export interface ExchangeLogOptions {
  /** Origin of the site. */
  readonly origin: URL;
  /** True if responses from this address may be shown; by default {@link isPublicAddress}. */
  readonly isShown?: (address: string, url: URL) => boolean;
}

/** Total size of bodies that are stored whole until the run is judged. */
const WHOLE_BYTES_MAX = 4 * 1_048_576;
/** Bytes stored of any other body. */
const START_BYTES_MAX = 16_384;

/** Records the exchanges of a run, and which of them each part depends on. */
export class ExchangeLog {
  readonly parts = new Parts();
  /** Keyed by the cached response object. */
  readonly #exchanges = new WeakMap<object, Exchange>();
  readonly #tries = new WeakMap<object, TryFacts>();
  /** With the number of the first request, since responses arrive in any order. */
  readonly #asked = new Map<Part, Map<Exchange, number>>();
  #requestCount = 0;
  #wholeBytesLeft = WHOLE_BYTES_MAX;

  constructor(private readonly options: ExchangeLogOptions) {}

  readonly listen: Listener = (event) => {
    if (event.kind !== 'sent') return;
    const { fetched, durationMs, request } = event;
    this.#tries.set(identityOf(fetched), { address: request.address, durationMs });
  };

  /** Notes that the caller depends on the response, which may come from the memo. */
  readonly watch: Layer = async (request, next) => {
    const number = (this.#requestCount += 1);
    const stream = request.sink && watchSink(request.sink);
    const fetched = await next(stream ? { ...request, sink: stream.sink } : request);
    const exchange = this.#exchangeOf(request, fetched, stream);
    if (request.part === null) return fetched;
    const asked = remember(this.#asked, request.part, () => new Map<Exchange, number>());
    asked.set(exchange, Math.min(number, asked.get(exchange) ?? Infinity));
    return fetched;
  };

  /** Returns the exchanges that these parts depend on, in the order of requests: their own first, then those of parts that they build on. */
  exchangesOf(names: readonly string[]): AttributedExchange[] {
    const found = new Map<Exchange, AttributedExchange>();
    const own = this.parts.named(names);
    const parts = new Set(own);
    // The loop also visits parts that it adds.
    for (const part of parts) {
      const { dependencies, isControl } = part;
      const isOwn = own.includes(part) || (isControl && own.some((asking) => asking.dependencies.has(part)));
      const asked = [...(this.#asked.get(part) ?? [])].sort(([, a], [, b]) => a - b);
      for (const [exchange] of asked) if (!found.has(exchange)) found.set(exchange, { exchange, isControl, isOwn });
      for (const other of dependencies) parts.add(other);
    }
    return [...found.values()];
  }

  /** Returns the exchange of a request; the same one for equal requests. */
  #exchangeOf(request: SiteRequest, fetched: Fetched, stream: WatchedSink | null): Exchange {
    const identity = identityOf(fetched);
    return remember(this.#exchanges, identity, () =>
      this.#describe(request, fetched, this.#tries.get(identity), stream),
    );
  }

  #describe(request: SiteRequest, fetched: Fetched, tried: TryFacts | undefined, stream: WatchedSink | null): Exchange {
    const source = this.#sourceOf(request.url, fetched, tried);
    const { method, url, headers, body } = request;
    const common = { source, request: { method, url, headers, body }, durationMs: tried?.durationMs ?? null };
    if ('failure' in fetched) return { ...common, answer: fetched };
    const { response } = fetched;
    const seen = source === 'site' && !isRedirect(response) ? this.#keepBody(response, request, stream) : null;
    return { ...common, answer: { ...response, body: seen } };
  }

  /** A response from an unknown address is not the site's: a redirect must not reveal what only our own network can see. */
  #sourceOf(url: URL, fetched: Fetched, tried: TryFacts | undefined): Source {
    const { origin, isShown = isPublicAddress } = this.options;
    if (!isSameSite(url, origin)) return 'other host';
    const isAddressKnown = tried !== undefined && isIP(tried.address) !== 0;
    if (!isAddressKnown) return 'failure' in fetched ? 'site' : 'private address';
    return isShown(tried.address, url) ? 'site' : 'private address';
  }

  #keepBody(
    { body, byteCount }: SiteResponse,
    { isUnderOtherName }: SiteRequest,
    stream: WatchedSink | null,
  ): Uint8Array | null {
    if (byteCount === 0) return null;
    // A sink takes the whole body, or none of it: an error page is not a sitemap.
    if (stream && body.length === 0) return stream.start();
    const isStored = body.length <= (isUnderOtherName ? START_BYTES_MAX : this.#wholeBytesLeft);
    if (isStored && !isUnderOtherName) this.#wholeBytesLeft -= body.length;
    // A slice of a Buffer would retain all of it.
    return isStored ? body : new Uint8Array(body.subarray(0, START_BYTES_MAX));
  }
}

/** The memo returns the same header fields, or the same failure, to every caller. */
function identityOf(fetched: Fetched): object {
  return 'response' in fetched ? fetched.response.headers : fetched;
}

interface WatchedSink {
  readonly sink: Sink;
  /** Returns the start of what the sink took. */
  readonly start: () => Uint8Array;
}

function watchSink(sink: Sink): WatchedSink {
  const start = new Uint8Array(START_BYTES_MAX);
  let length = 0;
  return {
    sink: (chunk, offset) => {
      if (offset < START_BYTES_MAX) start.set(chunk.subarray(0, START_BYTES_MAX - offset), offset);
      length = offset + chunk.length;
      return sink(chunk, offset);
    },
    start: () => start.subarray(0, length),
  };
}
