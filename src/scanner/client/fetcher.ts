import type { FetchFailure } from '../../net/failure.js';
import type { BodyOptions, ReadBody } from '../../net/body.js';
import { readBody } from '../../net/body.js';
import type { RequestBudget, RequestKind } from './budget.js';
import { RefusedTargetError } from '../../net/connector.js';
import type { UrlGate } from '../../net/url-gate.js';
import type { RefusalReason } from '../../net/refusal.js';
import { parseMediaType } from '../parsers/media-type.js';
import type { VisitPlaces } from './address-places.js';
import type { CrawlPace } from './crawl-pace.js';
import type { TryFacts } from './exchanges.js';
import { isRedirect } from './redirects.js';
import type { SiteRequest } from './request.js';
import { isRetryableStatus } from './retries.js';
import { TimeLimit } from '../../net/time-limit.js';
import type { HopResponse, Transport } from '../../net/transport.js';
import { TransportError } from '../../net/transport.js';
import type { Fetched } from './visit.js';

export interface FetcherOptions {
  readonly transport: Transport;
  readonly gate: UrlGate;
  readonly budget: RequestBudget;
  /** The run's deadline; its reason is a TransportError. */
  readonly deadline: AbortSignal;
  /** Limits connection, header fields and body of one try. Time spent waiting for a place does not count. */
  readonly tryMs: number;
  readonly places: VisitPlaces;
  readonly pace: CrawlPace;
  /** Whether the URL is on the site of somebody else. */
  readonly isForeign: (url: URL) => boolean;
  /** Whether one more request may go to the site of somebody else. */
  readonly mayAskOther: (url: URL) => Promise<boolean>;
  /** Waits for the turn at the address, where there is a pace to keep. Never rejects. */
  readonly waitForTurn: (address: string) => Promise<void>;
  /** For a record of the run: what its limits on requests kept from being sent. */
  readonly onUnsent: (request: SiteRequest, failure: FetchFailure) => void;
  /** For what findings rest on: how each try went. */
  readonly onTried: (fetched: Fetched, facts: TryFacts) => void;
  /** For the log: the true reason of a refusal, which no tenant may see. */
  readonly onRefused: (url: URL, reason: RefusalReason) => void;
}

const NEVER_SENT: readonly FetchFailure[] = ['name_not_found', 'dns_failed', 'target_refused'];

/** How long a redirect's own body, which is not used, may delay the next hop. */
const REDIRECT_BODY_MS = 1000;

/**
 * How to read a body that is not the result: of a redirect, of an answer that leads to another try, or of one that no sink was
 * opened for.
 */
const SIDE_BODY: BodyOptions = { bodyBytesMax: 65_536, sink: null, gunzipByMagic: false };

/** One try of one request without following redirects: gate, budget, pace, place, exchange, body. */
export class Fetcher {
  #siteRequestCount = 0;

  constructor(private readonly options: FetcherOptions) {}

  /** How many requests were sent to the site itself. */
  get siteRequestCount(): number {
    return this.#siteRequestCount;
  }

  async tryOnce(request: SiteRequest, kind: RequestKind): Promise<Fetched> {
    const { gate, budget, onRefused, deadline } = this.options;
    const reason = gate.vetUrl(request.url);
    if (reason !== null) {
      onRefused(request.url, reason);
      return { failure: 'target_refused' };
    }
    if (deadline.aborted) return { failure: 'run_deadline' };
    const isForeign = this.options.isForeign(request.url);
    if (isForeign && !(budget.takeForeign() && (await this.options.mayAskOther(request.url)))) {
      return this.#leave(request, 'foreign_spent');
    }
    if (!budget.take(kind, request.priority)) return this.#leave(request, 'budget_spent');
    try {
      return isForeign ? await this.#exchangeInPlace(request, true) : await this.#exchangeInTurn(request);
    } catch (error) {
      return this.#fail(request, error);
    }
  }

  #fail({ url }: SiteRequest, error: unknown): Fetched {
    if (!(error instanceof TransportError)) throw error;
    if (error instanceof RefusedTargetError) this.options.onRefused(url, error.reason);
    return { failure: error.failure };
  }

  #leave(request: SiteRequest, failure: FetchFailure): Fetched {
    this.options.onUnsent(request, failure);
    return { failure };
  }

  async #exchangeInTurn(request: SiteRequest): Promise<Fetched> {
    const leave = await this.options.pace.enter();
    try {
      return await this.#exchangeInPlace(request, false);
    } finally {
      leave();
    }
  }

  async #exchangeInPlace(request: SiteRequest, isForeign: boolean): Promise<Fetched> {
    const { places, deadline, transport } = this.options;
    const address = (await transport.addressOf?.(request.url)) ?? request.url.hostname;
    await this.options.waitForTurn(address);
    const release = await places.acquire(address, isForeign, request.priority, deadline);
    try {
      const beganMs = performance.now();
      const fetched = await this.#exchange(request).catch((error: unknown) => this.#fail(request, error));
      if (!isForeign && isSent(fetched)) this.#siteRequestCount += 1;
      this.options.onTried(fetched, { address, durationMs: performance.now() - beganMs });
      if ('response' in fetched && [429, 503].includes(fetched.response.status)) places.slowDown(address, isForeign);
      return fetched;
    } finally {
      release();
    }
  }

  async #exchange(request: SiteRequest): Promise<Fetched> {
    const { transport, deadline, tryMs } = this.options;
    const limit = new TimeLimit(deadline, tryMs);
    try {
      const { url, method, headers, body } = request;
      const answer = await transport.exchange({
        url,
        method,
        headers,
        signal: limit.signal,
        ...(body === null ? {} : { body }),
      });
      const read = await this.#readAnswer(answer, limit, request);
      return { response: { status: answer.status, url, hops: [], headers: answer.headers, ...read } };
    } finally {
      limit.clear();
    }
  }

  #readAnswer(answer: HopResponse, limit: TimeLimit, request: SiteRequest): ReadBody | Promise<ReadBody> {
    if (isRedirect(answer)) return this.#skimRedirect(answer, limit);
    if (isEventStream(answer)) {
      limit.abandon();
      return { body: new Uint8Array(), byteCount: 0, isOverLimit: true };
    }
    const awaitRoom = (): Promise<void> => waitForRoom(answer, limit, request);
    return this.#read(answer, limit, { ...optionsFor(answer, request), awaitRoom });
  }

  /** Closes a body that either side abandoned, so that it does not hold its connection for the rest of the run. */
  async #read(answer: HopResponse, limit: TimeLimit, options: BodyOptions): Promise<ReadBody> {
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
  async #skimRedirect(answer: HopResponse, limit: TimeLimit): Promise<ReadBody> {
    limit.shortenTo(REDIRECT_BODY_MS);
    try {
      return await this.#read(answer, limit, SIDE_BODY);
    } catch (error) {
      if (!(error instanceof TransportError)) throw error;
      return { body: new Uint8Array(), byteCount: 0, isOverLimit: false };
    }
  }
}

/** The time of the try stands still meanwhile, and the other answers of the run go on. */
async function waitForRoom(answer: HopResponse, limit: TimeLimit, request: SiteRequest): Promise<void> {
  const wait = request.lease.take(request.bodyBytesMax, limit.signal);
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

/** Whether there was an address to send the request to. */
function isSent(fetched: Fetched): boolean {
  return 'response' in fetched || !NEVER_SENT.includes(fetched.failure);
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
