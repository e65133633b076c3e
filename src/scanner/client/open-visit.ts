import { createGuard } from '../../net/guard.js';
import type { Transport } from '../../net/transport.js';
import type { UrlGate } from '../../net/url-gate.js';
import { SCAN_LIMITS, scannerUserAgent } from '../artifacts/scanner.js';
import { Limiter } from './limiter.js';
import { CrawlDelay, Deadline, type Pause, pauseFor, RequestBudget } from './limits.js';
import { followRedirects } from './requests.js';
import { type Run, sendWithRetries, triesFor } from './send.js';
import type { Fetched, FetchOptions, Listener, Part, ScanTarget, SiteRequest, Visit } from './visit.js';

/** The limits of one run. */
const VISIT_LIMITS = {
  runMs: SCAN_LIMITS.runMs,
  /** How long the run may wait for slots that other runs use. */
  slotWaitMs: SCAN_LIMITS.slotWaitMs,
  /** How long the run may wait for the rate limit of anonymous scans. */
  paceMs: SCAN_LIMITS.paceMs,
  /** Time limit of one try: connection, header fields and body. */
  tryMs: 12_000,
  requestsMax: SCAN_LIMITS.requestsMax,
  /** Requests reserved for redirects and retries. */
  followUpReserve: 30,
  /** Requests that may go to external sites. */
  externalMax: SCAN_LIMITS.externalRequestsMax,
  /** Total bytes of cached bodies. */
  memoBytesMax: 4 * 1_048_576,
};
export type VisitLimits = Readonly<Record<keyof typeof VISIT_LIMITS, number>>;

export interface VisitOptions {
  readonly target: ScanTarget;
  /** Closing the visit closes it. */
  readonly transport: Transport;
  /** Default: the guard without exceptions. */
  readonly gate?: UrlGate;
  /** Shared by all runs of the process, so that runs at one address share its limit. Default: a new one. */
  readonly limiter?: Limiter;
  readonly limits?: Partial<VisitLimits>;
  /** The page that explains this scanner to site owners; part of the User-Agent. */
  readonly infoUrl?: URL | string;
  readonly pause?: Pause;
  /** Ends the run when it aborts. Default: only the deadline does. */
  readonly timeUp?: AbortSignal;
  /** Observes each hop: called with the request, returns a function that gets the response, which may come from the cache. */
  readonly watch?: (request: SiteRequest) => (fetched: Fetched) => void;
  /** Observers of decisions about requests. */
  readonly listeners?: readonly Listener[];
}

export interface ClosableVisit extends Visit {
  /** Aborts all running fetches and closes the transport. */
  close(): Promise<void>;
}

/** Opens the visit of one run, whose time starts now. */
export function openVisit(options: VisitOptions): ClosableVisit {
  const { target, transport, watch, gate = createGuard(), pause = pauseFor, listeners = [] } = options;
  const limits = { ...VISIT_LIMITS, ...options.limits };
  const deadline = new Deadline(limits.runMs, limits.slotWaitMs + (target.anonymousLimits ? limits.paceMs : 0));
  const { signal } = deadline;
  options.timeUp?.addEventListener('abort', () => deadline.end(), { once: true });
  const run: Run = {
    target,
    transport,
    gate,
    deadline,
    pause,
    userAgent: scannerUserAgent(options.infoUrl),
    budget: new RequestBudget(limits.requestsMax, limits.followUpReserve, limits.externalMax),
    crawlDelay: new CrawlDelay(pause, signal),
    limiter: options.limiter ?? new Limiter(),
    tryMs: limits.tryMs,
    listen: (event) => {
      for (const notify of listeners) notify(event);
    },
  };
  const memo = new FetchMemo(run, limits.memoBytesMax);
  const send = async (request: SiteRequest): Promise<Fetched> => {
    const report = watch?.(request);
    const fetched = await memo.fetch(request);
    report?.(fetched);
    return fetched;
  };
  return {
    userAgent: run.userAgent,
    fetch: (url, fetchOptions = {}) => followRedirects(run, url, fetchOptions, send),
    refuses: (url) => gate.vetUrl(url) !== null,
    // The deadline ends the pause; later fetches then fail with `run_deadline`.
    pause: (ms) => pause(ms, signal).catch(() => undefined),
    get requestCount() {
      return run.budget.count;
    },
    get siteRequestCount() {
      return run.budget.siteCount;
    },
    deadline: signal,
    get isLimitedByUs() {
      return deadline.isLimitedByUs;
    },
    applyCrawlDelay: (delayS) => run.crawlDelay.begin(delayS),
    close: async () => {
      deadline.end();
      await transport.close();
    },
  };
}

/** Caches the responses of one run, so that all checks together fetch each URL once. */
class FetchMemo {
  readonly #entries = new Map<string, { readonly request: SiteRequest; readonly fetched: Promise<Fetched> }>();

  /** @param bytesLeft total bytes of cached bodies; a response beyond that is fetched again */
  constructor(
    private readonly run: Run,
    private bytesLeft: number,
  ) {}

  /**
   * Returns a cached response, or sends the request. Bypasses the cache for repeats, for requests under another agent's name, and for
   * those with a sink, which must receive the bytes.
   */
  async fetch(request: SiteRequest): Promise<Fetched> {
    const { url, method, headers, body } = request;
    if (request.sink !== null || request.isRepeat || request.hasOtherUserAgent)
      return sendWithRetries(this.run, request);
    const key = JSON.stringify([method, url.href, headers, body]);
    for (let entry = this.#entries.get(key); entry; entry = this.#entries.get(key)) {
      const fetched = await entry.fetched;
      if (canServe(entry.request, fetched, request)) {
        this.run.listen({ kind: 'cached', request });
        return truncateBody(fetched, request.bodyBytesMax);
      }
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
    }
    const sent = sendWithRetries(this.run, request);
    this.#entries.set(key, { request, fetched: sent });
    const fetched = await sent;
    const bytes = 'response' in fetched ? fetched.response.body.length : 0;
    if (bytes > this.bytesLeft) this.#entries.delete(key);
    else this.bytesLeft -= bytes;
    return fetched;
  }
}

/** True if a cached result is as good as a new one: it has enough of the body and enough tries, or the priority's budget was spent. */
function canServe(first: SiteRequest, fetched: Fetched, request: SiteRequest): boolean {
  if ('failure' in fetched && fetched.failure === 'budget_spent') return first.priority === request.priority;
  const hasTriedEnough = triesFor(fetched) === 1 || first.attempts === 'standard' || request.attempts === 'once';
  const hasEnoughBody =
    !('response' in fetched) || !fetched.response.isOverLimit || first.bodyBytesMax >= request.bodyBytesMax;
  return hasTriedEnough && hasEnoughBody;
}

function truncateBody(fetched: Fetched, bytesMax: number): Fetched {
  if (!('response' in fetched) || fetched.response.byteCount <= bytesMax) return fetched;
  const { response } = fetched;
  const body = response.body.subarray(0, bytesMax);
  return { ...fetched, response: { ...response, body, byteCount: bytesMax, isOverLimit: true } };
}

/** Starts each part of a run once and shares its result. */
export class Parts {
  readonly #started = new Map<string, { readonly part: Part; readonly result: Promise<unknown> }>();

  /** Returns the result of the part with this name. @param caller the part that uses it, or null */
  once<T>(
    name: string,
    caller: Part | null,
    start: (part: Part) => Promise<T>,
    { isControl = false } = {},
  ): Promise<T> {
    let started = this.#started.get(name);
    if (!started) {
      const part: Part = { name, isControl, dependencies: new Set() };
      started = { part, result: start(part) };
      this.#started.set(name, started);
    }
    caller?.dependencies.add(started.part);
    // A name always identifies the same part, so the type is right.
    return started.result as Promise<T>;
  }

  /** Returns the started parts with these names. */
  named(names: readonly string[]): Part[] {
    return names.flatMap((name) => this.#started.get(name)?.part ?? []);
  }
}

/** Returns the same visit with `part` as the sender of its requests. */
export function withCaller(part: Part | null, visit: Visit): Visit {
  return Object.assign(Object.create(visit) as Visit, {
    fetch: (url: URL, options?: FetchOptions) => visit.fetch(url, { part, ...options }),
  });
}
