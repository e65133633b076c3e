import { type Sink, ACCEPT_ENCODING } from '../../net/body.js';
import { canonicalUrl, type RefusalReason } from '../../net/url-gate.js';
import type { Fetched, FetchOptions } from './visit.js';
import type { FetchFailure } from '../../net/failure.js';

const DEFAULTS = {
  body: null,
  sink: null,
  gunzipByMagic: false,
  attempts: 'standard',
  priority: 'core',
  isRepeat: false,
  follows: () => true,
  part: null,
} as const satisfies { readonly [Name in keyof FetchOptions]: FetchOptions[Name] | null };

/** A request with every default applied. Each hop of a redirect is a separate request. */
export interface PreparedRequest extends Readonly<Required<Omit<FetchOptions, 'body' | 'sink'>>> {
  /** Without fragment and trailing dot. */
  readonly url: URL;
  readonly method: 'GET' | 'POST';
  readonly body: string | null;
  readonly sink: Sink | null;
  /** True under another agent's name: no other part uses such a response, so it is not cached. */
  readonly isUnderOtherName: boolean;
  /** True for a redirect hop, a retry or a repetition, which have their own reserve in the budget. */
  readonly isFollowUp: boolean;
}

/** A request with its final User-Agent. */
export interface SiteRequest extends PreparedRequest {
  /** True if it goes to another site. */
  readonly isExternal: boolean;
  /** The IP address it is sent to, or the host name until the address is known. */
  readonly address: string;
}

/** Sends a request. Never rejects because of the site. */
export type Ask<Request = SiteRequest> = (request: Request) => Promise<Fetched>;

/** One layer of the chain: returns a result itself, or calls the next layer once or several times. */
export type Layer<Request = SiteRequest, Next = Request> = (request: Request, next: Ask<Next>) => Promise<Fetched>;

const BODY_BYTES_MAX = 1_048_576;

/** Larger than the largest file that we stream (a sitemap of 50 MiB), but bounded. */
const SINK_BYTES_MAX = 64 * 1_048_576;

/** A browser's Accept header without image types. */
const ACCEPT = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

/** Header fields that are dropped with the body when a redirect turns POST into GET. */
const BODY_FIELDS = ['content-type', 'content-length', 'content-encoding', 'content-language'];

/** Our own User-Agent, and whether requests may have another one. */
export interface Names {
  readonly userAgent: string;
  readonly mayUseOthers: boolean;
}

/** Applies the defaults. */
export function prepareRequest(url: URL, options: FetchOptions, { userAgent, mayUseOthers }: Names): PreparedRequest {
  const { headers, ...asked } = { ...DEFAULTS, ...options };
  const name = (mayUseOthers && headers?.['user-agent']) || userAgent;
  return {
    bodyBytesMax: asked.sink === null ? BODY_BYTES_MAX : SINK_BYTES_MAX,
    ...asked,
    url: canonicalUrl(url),
    method: asked.body === null ? 'GET' : 'POST',
    headers: {
      accept: ACCEPT,
      'accept-encoding': ACCEPT_ENCODING,
      'accept-language': '*',
      ...headers,
      'user-agent': name,
    },
    isUnderOtherName: name !== userAgent,
    isFollowUp: asked.isRepeat,
  };
}

/** Returns the request for a redirect's target (RFC 9110 §15.4). As in browsers, 301 to 303 turn POST into GET. */
export function redirectRequest(request: PreparedRequest, status: number, location: URL): PreparedRequest {
  const hop: PreparedRequest = { ...request, url: canonicalUrl(location), isFollowUp: true };
  if (request.method === 'GET' || status === 307 || status === 308) return hop;
  const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => !BODY_FIELDS.includes(name)));
  return { ...hop, method: 'GET', headers, body: null };
}

/** Returns a key that equal requests share, whatever their body limits. */
export function requestKey({ url, method, headers, body }: SiteRequest): string {
  return JSON.stringify([method, url.href, headers, body]);
}

/** A decision of one layer about a request. */
export type RunEvent = ({ readonly request: SiteRequest } & Decision) | ({ readonly request: PreparedRequest } & Hop);

type Decision =
  | Sent
  /** Answered from memory. */
  | { readonly kind: 'remembered' }
  /** Refused by the guard. Users must not see the reason. */
  | { readonly kind: 'refused'; readonly reason: RefusalReason }
  /** Not sent because of a limit of the run. */
  | { readonly kind: 'unsent'; readonly failure: FetchFailure }
  /** Will be tried again after a pause. */
  | { readonly kind: 'retried'; readonly pauseMs: number };

type Hop =
  | { readonly kind: 'redirected'; readonly to: URL }
  /** A redirect that is not followed. `to` is null without a usable Location; `failure` is null if the caller gets the redirect itself. */
  | { readonly kind: 'stopped'; readonly to: URL | null; readonly failure: FetchFailure | null };

/** One try over the transport. If the host has no address, nothing was sent. */
export interface Sent {
  readonly kind: 'sent';
  readonly fetched: Fetched;
  readonly durationMs: number;
}

/** Called synchronously for each event. Must not throw. */
export type Listener = (event: RunEvent) => void;
