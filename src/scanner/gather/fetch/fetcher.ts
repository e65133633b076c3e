import type { BodyOptions, ReadBody } from './body.js';
import { readBody } from './body.js';
import type { RequestBudget, RequestKind } from './budget.js';
import { RefusedTargetError } from '../guard/connector.js';
import type { UrlGate } from '../guard/url-gate.js';
import type { RefusalReason } from '../guard/refusal.js';
import { parseMediaType } from '../../parse/media-type.js';
import type { HostQueue } from './host-queue.js';
import { isRedirect } from './redirects.js';
import type { SiteRequest } from './request.js';
import { isRetryableStatus } from './retries.js';
import type { HopResponse, Transport } from './transport.js';
import { TransportError } from './transport.js';
import type { Fetched } from './visit.js';

export interface FetcherOptions {
  readonly transport: Transport;
  readonly gate: UrlGate;
  readonly budget: RequestBudget;
  /** The run's; its reason is a TransportError. */
  readonly deadline: AbortSignal;
  /** Connection, header fields and body of one try. Waiting for a place in the queue does not count. */
  readonly tryMs: number;
  readonly queueOf: (hostname: string) => HostQueue;
  /** For the log: a refusal's true reason, which no tenant may see. */
  readonly onRefused: (url: URL, reason: RefusalReason) => void;
}

/** How long a redirect's own body, which nobody reads, may keep the next hop waiting. */
const REDIRECT_BODY_MS = 1000;

/** How the body of a redirect is read, of an answer that calls for another try, or of one that no sink was opened for. */
const SIDE_BODY: BodyOptions = { bodyBytesMax: 65_536, sink: null, gunzipByMagic: false };

/** One try of one request, redirects not followed: gate, budget, place in the queue, exchange, body. */
export class Fetcher {
  constructor(private readonly options: FetcherOptions) {}

  async tryOnce(request: SiteRequest, kind: RequestKind): Promise<Fetched> {
    const { gate, budget, onRefused, queueOf, deadline } = this.options;
    const reason = gate.vetUrl(request.url);
    if (reason !== null) {
      onRefused(request.url, reason);
      return { failure: 'target_refused' };
    }
    if (deadline.aborted) return { failure: 'run_deadline' };
    if (!budget.take(kind, request.priority)) return { failure: 'budget_spent' };
    const queue = queueOf(request.url.hostname);
    let release: () => void = () => undefined;
    try {
      release = await queue.acquire(request.priority, deadline);
      const fetched = await this.#exchange(request);
      if ('response' in fetched && [429, 503].includes(fetched.response.status)) queue.slowDown();
      return fetched;
    } catch (error) {
      if (!(error instanceof TransportError)) throw error;
      if (error instanceof RefusedTargetError) onRefused(request.url, error.reason);
      return { failure: error.failure };
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
    return this.#read(answer, limit, optionsFor(answer, request));
  }

  /** A body that was given up half way, by us or by its sender, must not hold its connection for the rest of the run. */
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

  /** Reads what comes at once, so that the connection can be used again; a redirect works whatever its body does. */
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

/** An event stream has no end, and may stay silent for as long as it lives: nothing of it is waited for. */
function isEventStream({ status, headers }: HopResponse): boolean {
  return status === 200 && parseMediaType(headers.get('content-type')).essence === 'text/event-stream';
}

/** A sink sees what it was opened for, no error page; of that the start is kept, since a challenge is known by its body. */
function optionsFor({ status }: HopResponse, { bodyBytesMax, sink, gunzipByMagic }: SiteRequest): BodyOptions {
  const isForSink = status >= 200 && status < 300;
  return isRetryableStatus(status) || (sink !== null && !isForSink) ? SIDE_BODY : { bodyBytesMax, sink, gunzipByMagic };
}

/** A signal that aborts as stalled after a time of its own, or with the run's deadline. */
class TimeLimit {
  readonly #controller = new AbortController();
  readonly #deadline: AbortSignal;
  readonly #endsAtMs: number;
  #timer: NodeJS.Timeout;

  constructor(deadline: AbortSignal, ms: number) {
    this.#deadline = deadline;
    this.#endsAtMs = performance.now() + ms;
    this.#timer = setTimeout(this.#stall, ms);
    deadline.addEventListener('abort', this.#end);
    if (deadline.aborted) this.#end();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  shortenTo(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#stall, Math.min(ms, this.#endsAtMs - performance.now()));
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#deadline.removeEventListener('abort', this.#end);
  }

  /** Ends what is still under way. */
  abandon(): void {
    this.#controller.abort(new TransportError('reset'));
  }

  readonly #stall = () => this.#controller.abort(new TransportError('stalled'));
  readonly #end = () => this.#controller.abort(this.#deadline.reason);
}
