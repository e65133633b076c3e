import type { FetchFailure } from '../../evidence/failure.js';
import type { ResponseHeaders } from './transport.js';

/** What is scanned. */
export interface ScanTarget {
  /** The stored origin, such as `https://example.com`. */
  readonly origin: URL;
  /** Whether the caller has proved that the domain is theirs; without it no other agent's name is used. */
  readonly isOwnershipVerified: boolean;
}

/** Which work is dropped first when the request budget runs short: sameAs, then llms.txt links, then sitemap entries. */
export type Priority = 'core' | 'sitemapEntries' | 'llmsLinks' | 'sameAs';

export interface FetchOptions {
  readonly method?: 'GET' | 'POST';
  /** The Accept header; by default a complete set that prefers HTML. */
  readonly accept?: string;
  /** By default our own honest name. */
  readonly userAgent?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Most decoded bytes to keep; past them the answer is marked `overLimit`. By default 1 MiB. */
  readonly bodyBytesMax?: number;
  /**
   * Sees the decoded bytes as they come, instead of keeping them; stops the transfer by answering false. `offset` is where the
   * chunk stands in its body: 0 begins a body anew, since each try sends its own.
   */
  readonly sink?: (chunk: Uint8Array, offset: number) => boolean;
  /** Undo gzip that the body itself carries (magic bytes), after the content coding. */
  readonly gunzipByMagic?: boolean;
  /** A bare 3xx is the answer, redirects are not followed. */
  readonly isRedirectManual?: boolean;
  /**
   * `standard`: 5xx, 429 or reset 3 tries with growing pauses, a stall 2 tries. `once`: one try.
   * By default standard.
   */
  readonly attempts?: 'standard' | 'once';
  /** By default core. */
  readonly priority?: Priority;
  /** Fetch anew although the same request was made before in this run. */
  readonly isRepeat?: boolean;
}

/** A complete answer, or one that our own limit cut. */
export interface SiteResponse {
  readonly status: number;
  /** The final URL. */
  readonly url: URL;
  /** The URLs that redirected, in order; empty without redirects. */
  readonly hops: readonly URL[];
  readonly headers: ResponseHeaders;
  /** Decoded; empty when a sink took it. */
  readonly body: Uint8Array;
  /** Decoded length in bytes as far as it was read. */
  readonly byteCount: number;
  readonly isOverLimit: boolean;
}

/** Answers are values: a fetch of a stranger's site never throws. */
export type Fetched =
  | { readonly response: SiteResponse }
  /** `response` is there when an answer came but its body failed (cut off, wrong coding). */
  | { readonly failure: FetchFailure };

/**
 * One run's visit to one site: every request of the run goes through it. It fetches each URL once for all checks,
 * follows at most 5 redirects through the guard, retries, and keeps the limits: 8 connections to one host (2 after the first
 * 429 or 503), 150 requests of which 30 are kept for hops and second tries, 64 MiB on the wire, 45 s.
 */
export interface Visit {
  fetch(url: URL, options?: FetchOptions): Promise<Fetched>;
  /** Our own honest name, as sent where no other is asked for. */
  readonly userAgent: string;
  /** Waits, at most until the run's deadline; never rejects. */
  pause(ms: number): Promise<void>;
  /** Requests sent so far, hops and second tries included. */
  readonly requestCount: number;
  /** Aborted when the run's deadline comes. */
  readonly deadline: AbortSignal;
}
