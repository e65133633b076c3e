import type { FetchFailure } from '../../net/failure.js';
import type { Sink } from '../../net/body.js';
import type { Part } from './parts.js';
import type { ResponseHeaders } from '../../net/transport.js';

/** The site to scan. */
export interface ScanTarget {
  /** The stored origin, such as `https://example.com`. */
  readonly origin: URL;
  /** Whether the caller has proved ownership of the domain; without that, no other agent's name is used. */
  readonly isOwnershipVerified: boolean;
  /** Pages of it that come first in the sample, at most `SCAN_LIMITS.chosenPagesMax`; left out: nobody has ever chosen any. */
  readonly pages?: readonly URL[];
  /** Whose scan it is, such as an account: addresses are shared fairly between them. By default the site's own. */
  readonly party?: string;
  /** What holds a scan back that anybody may ask for; by default nothing. */
  readonly restraint?: Restraint;
}

/** A pace of requests to each address. */
export interface Pace {
  /** Takes the next turn at the address. @returns how many milliseconds to wait for it */
  take(address: string): number | Promise<number>;
  /** Waits for a turn that was taken, or until the signal aborts. Never rejects. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

/** Holds back the requests of scans that anybody may ask for. */
export interface Restraint {
  /** That of all of them together. */
  readonly pace: Pace;
  /** Whether one more request may go to the site of somebody who is not being scanned, by its registrable domain. Never rejects. */
  mayAskOther(domain: string): Promise<boolean>;
}

/** Priority when the request budget runs short; dropped first are sameAs, then llms.txt links, then sitemap entries. */
export type Priority = 'core' | 'sitemapEntries' | 'llmsLinks' | 'sameAs';

export interface FetchOptions {
  readonly method?: 'GET' | 'POST';
  /** The Accept header; by default a complete set that prefers HTML. */
  readonly accept?: string;
  /** By default our own honest name. */
  readonly userAgent?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Most decoded bytes to keep; a longer answer is marked `overLimit`. By default 1 MiB. */
  readonly bodyBytesMax?: number;
  readonly sink?: Sink;
  /** Undo gzip recognised in the body itself (magic bytes), after the content coding. */
  readonly gunzipByMagic?: boolean;
  /** It is the home page, whose redirects say whether the site has moved; see {@link Visit.noteMove}. */
  readonly isHome?: boolean;
  /** Return a 3xx as it is instead of following redirects. */
  readonly isRedirectManual?: boolean;
  /** Whether to follow a redirect to this URL; one that is not followed is returned as it is. By default each is followed. */
  readonly follows?: (url: URL) => boolean;
  /**
   * `standard`: 5xx, 429 or reset 3 tries with growing pauses, a stall 2 tries. `once`: one try.
   * By default standard.
   */
  readonly attempts?: 'standard' | 'once';
  /** By default core. */
  readonly priority?: Priority;
  /** The part of the run that asks. */
  readonly part?: Part | null;
  /** Fetch again even if the same request was already made in this run. */
  readonly isRepeat?: boolean;
  /** Other answers are compared with it, and hold their room meanwhile: its body takes none, so that none of them waits for ever. */
  readonly isReference?: boolean;
  /** No other part asks for the answer: of its body, only the beginning and a digest are remembered. */
  readonly isForOneReader?: boolean;
}

/** A complete answer, or one that our limit cut. */
export interface SiteResponse {
  readonly status: number;
  /** The final URL. */
  readonly url: URL;
  /** The URLs that redirected, in order; empty without redirects. */
  readonly hops: readonly URL[];
  readonly headers: ResponseHeaders;
  /** Decoded; empty if a sink took it. */
  readonly body: Uint8Array;
  /** Decoded length in bytes of the part that was read. */
  readonly byteCount: number;
  readonly isOverLimit: boolean;
  /**
   * With `gunzipByMagic`, where the answer is complete but the compressed data in it is not: the digest of its bytes as sent. The
   * decoded ones are those before that end.
   */
  readonly endsEarly?: string;
}

/** Answers are values: fetching from a site never throws. */
export type Fetched =
  | { readonly response: SiteResponse }
  /** `response` is set if an answer arrived but its body failed (cut off, wrong coding). */
  | { readonly failure: FetchFailure };

/**
 * One run's visit to one site: all requests of the run pass through it. It fetches each URL once for all checks, follows at most
 * 5 redirects through the guard, retries, and enforces the limits: 8 requests in flight to one address (2 after the first 429 or 503),
 * 150 requests of which 30 are reserved for hops and second tries and 10 may go to sites of others, 64 MiB on the wire, 45 s.
 */
export interface Visit {
  fetch(url: URL, options?: FetchOptions): Promise<Fetched>;
  /**
   * Fetches for one reader, who asks for nothing more on its way: where the body is large, the process keeps room for it until it has
   * been read.
   */
  read<T>(url: URL, options: FetchOptions, read: (fetched: Fetched) => Promise<T>): Promise<T>;
  /** Whether the guard refuses the URL before anything is looked up. */
  refuses(url: URL): boolean;
  /** Our own honest name, sent unless a request overrides it. */
  readonly userAgent: string;
  /**
   * The site (as by `siteKey`) that the home page has moved to; null if it has not. From now on redirects that lead off the site wait for
   * it, and those that lead to it are not followed: they fail as `moved`.
   */
  noteMove(movedTo: Promise<string | null>): void;
  /** Waits, at most until the run's deadline; never rejects. */
  pause(ms: number): Promise<void>;
  /** Requests sent so far, hops and second tries included. */
  readonly requestCount: number;
  /** How many of them were sent to the site itself: none without an address, or to one that the guard refuses. */
  readonly siteRequestCount: number;
  /** Aborted at the run's deadline. */
  readonly deadline: AbortSignal;
  /** Whether the run's time ended while it had waited too long for slots that other runs held: its evidence is not complete. */
  readonly isStarved: boolean;
  /** The site asks for a pause of so many seconds between requests (`Crawl-delay`). */
  keepPace(delayS: number): void;
}

/** The same visit for one part of the run: what it asks for is known to be asked by that part. */
export function askedBy(part: Part | null, visit: Visit): Visit {
  return Object.assign(Object.create(visit) as Visit, {
    fetch: (url: URL, options?: FetchOptions) => visit.fetch(url, { part, ...options }),
    read: <T>(url: URL, options: FetchOptions, read: (fetched: Fetched) => Promise<T>) =>
      visit.read(url, { part, ...options }, read),
  });
}
