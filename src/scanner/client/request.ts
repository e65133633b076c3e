import { ACCEPT_ENCODING, type Sink } from '../../net/body.js';
import type { FetchFailure } from '../../net/failure.js';
import { canonicalUrl, type RefusalReason } from '../../net/url-gate.js';
import { isSameSite } from '../artifacts/site-address.js';
import type { Fetched, FetchOptions, ScanTarget } from './visit.js';

/** A request with every default applied. Each hop of a redirect is a separate request. */
export interface SiteRequest extends Readonly<Required<Omit<FetchOptions, 'body' | 'sink'>>> {
  /** Without fragment and trailing dot. */
  readonly url: URL;
  readonly method: 'GET' | 'POST';
  readonly body: string | null;
  readonly sink: Sink | null;
  /** True if it goes to another site, which is asked under our own name only. */
  readonly isExternal: boolean;
  /** True under another agent's name: no other part uses such a response, so it is not cached. */
  readonly isUnderOtherName: boolean;
  /** True for a redirect hop, a retry or a repetition, which have their own reserve in the budget. */
  readonly isFollowUp: boolean;
}

const BODY_BYTES_MAX = 1_048_576;

/** Larger than the largest file that we stream (a sitemap of 50 MiB), but bounded. */
const SINK_BYTES_MAX = 64 * 1_048_576;

/** A browser's Accept header without image types. */
const ACCEPT = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

/** Header fields that are dropped with the body when a redirect turns POST into GET. */
const BODY_FIELDS = ['content-type', 'content-length', 'content-encoding', 'content-language'];

/** The site of a run, and our own User-Agent. */
export interface Requester {
  readonly target: Pick<ScanTarget, 'origin' | 'isOwnershipVerified'>;
  readonly userAgent: string;
}

/** Applies the defaults. */
export function prepareRequest(url: URL, options: FetchOptions, { target, userAgent }: Requester): SiteRequest {
  const { headers, body = null, sink = null, isRepeat = false } = options;
  const isExternal = !isSameSite(url, target.origin);
  const mayUseOtherName = target.isOwnershipVerified && !isExternal;
  const name = (mayUseOtherName && headers?.['user-agent']) || userAgent;
  return {
    bodyBytesMax: sink === null ? BODY_BYTES_MAX : SINK_BYTES_MAX,
    gunzipByMagic: false,
    attempts: 'standard',
    priority: 'core',
    follows: () => true,
    part: null,
    ...options,
    body,
    sink,
    isRepeat,
    url: canonicalUrl(url),
    method: body === null ? 'GET' : 'POST',
    headers: {
      accept: ACCEPT,
      'accept-encoding': ACCEPT_ENCODING,
      'accept-language': '*',
      ...headers,
      'user-agent': name,
    },
    isExternal,
    isUnderOtherName: name !== userAgent,
    isFollowUp: isRepeat,
  };
}

/** Returns the options for a redirect's target (RFC 9110 §15.4). As in browsers, 301 to 303 turn POST into GET. */
export function redirectOptions({ body, ...options }: FetchOptions, status: number): FetchOptions {
  if (body === undefined) return options;
  if (status === 307 || status === 308) return { ...options, body };
  const fields = Object.entries(options.headers ?? {}).filter(([name]) => !BODY_FIELDS.includes(name));
  return { ...options, headers: Object.fromEntries(fields) };
}

/** A decision about a request. */
export type RunEvent = { readonly request: SiteRequest } & (
  | Sent
  /** Answered from memory. */
  | { readonly kind: 'remembered' }
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

/** One try over the transport. If the host has no address, nothing was sent. */
export interface Sent {
  readonly kind: 'sent';
  /** The IP address it was sent to, or the host name if the address is unknown. */
  readonly address: string;
  readonly fetched: Fetched;
  readonly durationMs: number;
}

/** Called synchronously for each event. Must not throw. */
export type Listener = (event: RunEvent) => void;
