import { createHash, type Hash } from 'node:crypto';
import { isIP } from 'node:net';
import { isPublicAddress } from '../../net/address.js';
import type { Sink } from '../../net/body.js';
import type { FetchFailure } from '../../net/failure.js';
import { isSameSite } from '../artifacts/site-address.js';
import type { ResponseHeaders } from '../../net/transport.js';
import type { Listener } from '../client/events.js';
import { type Part, Parts } from '../client/parts.js';
import { isRedirect } from '../client/redirects.js';
import type { Layer, SiteRequest } from '../client/request.js';
import type { Fetched, SiteResponse } from '../client/visit.js';
import { remember } from '../../net/keyed.js';

/** Whose an answer is: only what the site itself says, where its owner may see it, is repeated to them (see {@link ExchangeLogOptions}). */
export type Source = 'site' | 'other host' | 'private address';

/** One request without redirects, and what came of its last try. */
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
        /** Null for a redirect, an empty body, and for a source that is not the site. */
        readonly body: SeenBody | null;
      };
}

/** The decoded body of an answer, as far as it was read. */
export interface SeenBody {
  /** Of what was read, in hexadecimal. */
  sha256(): string;
  /** All that was read, or its beginning. */
  readonly bytes: Uint8Array;
  readonly isWhole: boolean;
}

export interface AttributedExchange {
  readonly exchange: Exchange;
  /** It was asked for an address that cannot exist, to compare with. */
  readonly isControl: boolean;
  /** The parts asked for it themselves, or compared with it; else something that they built on did. */
  readonly isOwn: boolean;
}

/** How a try went. */
interface TryFacts {
  readonly address: string;
  readonly durationMs: number;
}

export interface ExchangeLogOptions {
  /** The site's. */
  readonly origin: URL;
  /** Whether what is at this address, for this URL, may be shown; by default {@link isPublicAddress}. */
  readonly isShown?: (address: string, url: URL) => boolean;
}

/** Bodies that are kept whole until the run is judged; most are the memo's own. */
const WHOLE_BYTES_MAX = 4 * 1_048_576;
/** The beginning of any other. */
const START_BYTES_MAX = 16_384;

/** The exchanges of one run, and which of them each of its parts depends on. */
export class ExchangeLog {
  readonly parts = new Parts();
  /** By what is one and the same for all who get an answer from memory. */
  readonly #exchanges = new WeakMap<object, Exchange>();
  readonly #tries = new WeakMap<object, TryFacts>();
  /** With the number of the first request that came to it: answers come in any order. */
  readonly #asked = new Map<Part, Map<Exchange, number>>();
  #requestCount = 0;
  #wholeBytesLeft = WHOLE_BYTES_MAX;

  constructor(private readonly options: ExchangeLogOptions) {}

  readonly listen: Listener = (event) => {
    if (event.kind !== 'sent') return;
    const { fetched, durationMs, request } = event;
    this.#tries.set(identityOf(fetched), { address: request.address, durationMs });
  };

  /** The caller depends on the answer, wherever it comes from: the site or memory. */
  readonly watch: Layer = async (request, next) => {
    const number = (this.#requestCount += 1);
    const stream = request.sink && new SeenStream(request.sink);
    const fetched = await next(stream ? { ...request, sink: stream.take } : request);
    const exchange = this.#exchangeOf(request, fetched, stream);
    if (request.part === null) return fetched;
    const asked = remember(this.#asked, request.part, () => new Map<Exchange, number>());
    asked.set(exchange, Math.min(number, asked.get(exchange) ?? Infinity));
    return fetched;
  };

  /** What these parts depend on: first what they asked for themselves, then what they built on, each exchange once, as it was asked for. */
  exchangesOf(names: readonly string[]): AttributedExchange[] {
    const found = new Map<Exchange, AttributedExchange>();
    const own = this.parts.named(names);
    const parts = new Set(own);
    // A Set's iteration also visits what is added on the way.
    for (const part of parts) {
      const { basis, isControl } = part;
      const isOwn = own.includes(part) || (isControl && own.some((asking) => asking.basis.has(part)));
      const asked = [...(this.#asked.get(part) ?? [])].sort(([, a], [, b]) => a - b);
      for (const [exchange] of asked) if (!found.has(exchange)) found.set(exchange, { exchange, isControl, isOwn });
      for (const other of basis) parts.add(other);
    }
    return [...found.values()];
  }

  /** The exchange that the request came to: the same one for each who asks for the same. */
  #exchangeOf(request: SiteRequest, fetched: Fetched, stream: SeenStream | null): Exchange {
    const identity = identityOf(fetched);
    return remember(this.#exchanges, identity, () =>
      this.#describe(request, fetched, this.#tries.get(identity), stream),
    );
  }

  #describe(request: SiteRequest, fetched: Fetched, tried: TryFacts | undefined, stream: SeenStream | null): Exchange {
    const source = this.#sourceOf(request.url, fetched, tried);
    const { method, url, headers, body } = request;
    const common = { source, request: { method, url, headers, body }, durationMs: tried?.durationMs ?? null };
    if ('failure' in fetched) return { ...common, answer: fetched };
    const { response } = fetched;
    const seen = source === 'site' && !isRedirect(response) ? this.#keepBody(response, request, stream) : null;
    return { ...common, answer: { ...response, body: seen } };
  }

  /** An answer of unknown origin is not the site's: a redirect must not show what only our own network can see. */
  #sourceOf(url: URL, fetched: Fetched, tried: TryFacts | undefined): Source {
    const { origin, isShown = isPublicAddress } = this.options;
    if (!isSameSite(url, origin)) return 'other host';
    const isAddressKnown = tried !== undefined && isIP(tried.address) !== 0;
    if (!isAddressKnown) return 'failure' in fetched ? 'site' : 'private address';
    return isShown(tried.address, url) ? 'site' : 'private address';
  }

  #keepBody(
    { body, byteCount }: SiteResponse,
    { isForOneReader }: SiteRequest,
    stream: SeenStream | null,
  ): SeenBody | null {
    if (byteCount === 0) return null;
    // A sink takes the whole body, or none of it: an error page is not a sitemap.
    if (stream && body.length === 0) return stream.seen;
    if (body.length <= (isForOneReader ? START_BYTES_MAX : this.#wholeBytesLeft)) {
      if (!isForOneReader) this.#wholeBytesLeft -= body.length;
      return { bytes: body, isWhole: true, sha256: () => createHash('sha256').update(body).digest('hex') };
    }
    const digest = createHash('sha256').update(body).digest('hex');
    // A copy: the slice of a Buffer would keep all of it.
    return { bytes: new Uint8Array(body.subarray(0, START_BYTES_MAX)), isWhole: false, sha256: () => digest };
  }
}

/** A memory hands out the same header fields, or the same failure, to all. */
function identityOf(fetched: Fetched): object {
  return 'response' in fetched ? fetched.response.headers : fetched;
}

/** A body that is not kept: its beginning, and its digest. */
class SeenStream {
  #hash: Hash = createHash('sha256');
  #start = new Uint8Array(START_BYTES_MAX);
  #bytes = 0;

  constructor(private readonly sink: Sink) {}

  /** Takes the place of the sink, and overhears what that is given. */
  readonly take: Sink = (chunk, offset) => {
    if (offset === 0) {
      this.#hash = createHash('sha256');
      this.#bytes = 0;
    }
    this.#hash.update(chunk);
    this.#start.set(chunk.subarray(0, Math.max(0, START_BYTES_MAX - offset)), Math.min(offset, START_BYTES_MAX));
    this.#bytes = offset + chunk.length;
    return this.sink(chunk, offset);
  };

  get seen(): SeenBody {
    const bytes = this.#start.subarray(0, this.#bytes);
    return { bytes, isWhole: this.#bytes <= START_BYTES_MAX, sha256: () => this.#hash.copy().digest('hex') };
  }
}
