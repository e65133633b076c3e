import type { FailedFetch, FetchFailure } from '../../net/failure.js';
import type { Sink } from '../../net/body.js';
import type { ResponseHeaders } from '../../net/transport.js';
import type { SafeText } from '../artifacts/safe-text.js';
import type { RefusalReason } from '../../net/url-gate.js';

export interface ScanTarget {
  /** The stored origin, such as `https://example.com`. */
  readonly origin: URL;
  /** True if the caller has proved ownership of the domain. Otherwise only our own User-Agent is used. */
  readonly isOwnershipVerified: boolean;
  /** Pages that come first in the sample, at most `SCAN_LIMITS.chosenPagesMax`. Undefined if no pages were ever chosen. */
  readonly pages?: readonly URL[];
  /** Limits for anonymous scans. Default: none. */
  readonly anonymousLimits?: AnonymousLimits;
  /** Hosts that get no request, including their subdomains. Default: none. */
  readonly excludedHosts?: readonly string[];
}

export interface Pace {
  /** Reserves the next request to the address. Returns the milliseconds to wait before it. */
  reserve(address: string): number | Promise<number>;
  /** Aborts when requests no longer have to wait. */
  readonly released: AbortSignal;
}

export interface AnonymousLimits {
  /** Shared by all anonymous scans. */
  readonly pace: Pace;
  /** True if one more request may go to a site that is not being scanned, by its registrable domain. Never rejects. */
  mayRequestDomain(domain: string): Promise<boolean>;
}

/** Priority when the request budget runs short; the last is dropped first. `guesses`: files that most sites do not have. */
export type Priority = 'core' | 'sitemapEntries' | 'llmsLinks' | 'sameAs' | 'guesses';

export interface FetchOptions {
  /** Names in lower case. Default: a browser's Accept, and our own User-Agent, which only a verified owner's scan may replace. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Maximum number of decoded bytes to read. A longer response has `isOverLimit`. Default: 1 MiB. */
  readonly bodyBytesMax?: number;
  /** Receives the whole body of a successful response, whose `body` is then only the start. A gzip file is decompressed, by its magic bytes. */
  readonly sink?: Sink;
  /** Returns true to follow a redirect to this URL, false to return the redirect itself. Default: all are followed. */
  readonly follows?: (url: URL) => boolean;
  /**
   * `standard`: 3 tries for 5xx, 429 or a reset, with growing pauses; 2 for a stall. `once`: one try.
   * Default: standard.
   */
  readonly attempts?: 'standard' | 'once';
  /** Default: core. */
  readonly priority?: Priority;
  /** The part of the run that sends the request. */
  readonly part?: Part | null;
  /** True to send the request even if its response is cached. */
  readonly isRepeat?: boolean;
}

/** A complete response, or one that our limit cut off. */
export interface SiteResponse {
  readonly status: number;
  /** The final URL. */
  readonly url: URL;
  /** The URLs that redirected, in order; empty without redirects. */
  readonly hops: readonly URL[];
  /** True for a redirect that was not followed because it adds the same part to the path again and again. */
  readonly isEndlessRedirect?: boolean;
  readonly headers: ResponseHeaders;
  /** The vendor of a bot challenge that came instead of the resource, else null. */
  readonly challenge: SafeText | null;
  /** The decoded body; only its start if a sink received it. */
  readonly body: Uint8Array;
  /** Number of decoded bytes that were read. */
  readonly byteCount: number;
  readonly isOverLimit: boolean;
  /**
   * Set with a sink if the response is complete but its compressed data ends early: the number of bytes as sent. The sink got what
   * could be decoded.
   */
  readonly endsEarly?: number;
}

/** The result of a fetch, which never throws because of the site. */
export type Fetched = ({ readonly response: SiteResponse } | FailedFetch) & {
  /** The last try, if any was sent; it reached no server if the host has no address. `Visit.fetch` omits it. */
  readonly sent?: SentTry;
};

export interface SentTry {
  /** The IP address, or the host name if the address is unknown. */
  readonly address: string;
  readonly durationMs: number;
}

/**
 * Sends all requests of one run. Fetches each URL once for all checks, follows at most 5 redirects through the guard, retries, and enforces
 * the limits: 8 requests in flight to one address (2 after the first 429 or 503), 150 requests (30 reserved for redirects and retries, at
 * most 10 to external sites), 64 MiB on the wire, 45 s.
 */
export interface Visit {
  fetch(url: URL, options?: FetchOptions): Promise<Fetched>;
  /** True if the guard refuses the URL itself; makes no DNS lookup. */
  refuses(url: URL): boolean;
  /** Our own User-Agent, sent unless a request overrides it. */
  readonly userAgent: string;
  /** Waits, but at most until the run's deadline; never rejects. */
  pause(ms: number): Promise<void>;
  /** Requests so far, including redirects and retries. */
  readonly requestCount: number;
  /** Requests that were actually sent to the scanned site. */
  readonly siteRequestCount: number;
  /** Aborts at the run's deadline. */
  readonly deadline: AbortSignal;
  /** True if the run ended because it waited too long for our own limits, so its evidence is incomplete. */
  readonly isLimitedByUs: boolean;
  /** Applies the `Crawl-delay` that the site asks for, in seconds. */
  applyCrawlDelay(delayS: number): void;
}

/** A step of a run, such as one kind of evidence or a control: sends its own requests and depends on other parts. */
export interface Part {
  readonly name: string;
  /** True if it requests an address that cannot exist, for comparison. */
  readonly isControl: boolean;
  /** Parts whose results it uses. */
  readonly dependencies: Set<Part>;
}

/** A request with every default applied. Each hop of a redirect is a separate request. */
export interface SiteRequest extends Readonly<Required<Omit<FetchOptions, 'body' | 'sink'>>> {
  /** Without fragment and trailing dot. */
  readonly url: URL;
  readonly method: 'GET' | 'POST';
  readonly body: string | null;
  readonly sink: Sink | null;
  /** True if it goes to another site, which sees only our own User-Agent. */
  readonly isExternal: boolean;
  /** True if it has another agent's User-Agent. No other part uses such a response, so it is not cached. */
  readonly hasOtherUserAgent: boolean;
  /** True for a redirect hop, a retry or a repeat. The budget reserves requests for these. */
  readonly isFollowUp: boolean;
}

/** A decision about a request. */
export type RunEvent = { readonly request: SiteRequest } & (
  | {
      /** One try over the transport. */
      readonly kind: 'sent';
      readonly fetched: Fetched & { readonly sent: SentTry };
    }
  /** Answered from the cache. */
  | { readonly kind: 'cached' }
  /** Refused by the guard. Users must not see the reason. */
  | { readonly kind: 'refused'; readonly reason: RefusalReason }
  /** Not sent because of a limit of the run. */
  | { readonly kind: 'unsent'; readonly failure: FetchFailure }
  /** Will be tried again after a pause. */
  | { readonly kind: 'retried'; readonly pauseMs: number }
  | { readonly kind: 'redirected'; readonly to: URL }
  /** A redirect that is not followed. `to` is null without a usable Location; `failure` is null if the caller gets the redirect itself. */
  | { readonly kind: 'stopped'; readonly to: URL | null; readonly failure: FetchFailure | null }
);

/** Called synchronously for each event. Must not throw. */
export type Listener = (event: RunEvent) => void;
