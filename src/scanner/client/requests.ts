import { ACCEPT_ENCODING } from '../../net/body.js';
import type { FetchFailure } from '../../net/failure.js';
import type { ResponseHeaders } from '../../net/transport.js';
import { canonicalUrl, isSameSite } from '../../net/url-gate.js';
import { SCAN_LIMITS } from '../artifacts/scanner.js';
import type { Fetched, FetchOptions, Listener, ScanTarget, SiteRequest, SiteResponse } from './visit.js';

/** The site of a run, and our own User-Agent. */
export interface Requester {
  readonly target: Pick<ScanTarget, 'origin' | 'isOwnershipVerified'>;
  readonly userAgent: string;
}

const BODY_BYTES_MAX = 1_048_576;

/** More than the largest file that we stream, a sitemap of 50 MiB. */
const SINK_BYTES_MAX = 64 * 1_048_576;

/** A browser's Accept header, without image types. */
const ACCEPT = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

/** Returns the request with every default applied. */
export function prepareRequest(url: URL, options: FetchOptions, { target, userAgent }: Requester): SiteRequest {
  const { headers, body = null, sink = null, isRepeat = false } = options;
  const isExternal = !isSameSite(url, target.origin);
  const mayUseOtherName = target.isOwnershipVerified && !isExternal;
  const name = (mayUseOtherName && headers?.['user-agent']) || userAgent;
  return {
    bodyBytesMax: sink === null ? BODY_BYTES_MAX : SINK_BYTES_MAX,
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
    hasOtherUserAgent: name !== userAgent,
    isFollowUp: isRepeat,
  };
}

const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308]);

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** True for a redirect. A 3xx without Location is an ordinary response. */
export function isRedirect(answer: { readonly status: number; readonly headers: ResponseHeaders }): boolean {
  return REDIRECT_STATUSES.has(answer.status) && answer.headers.get('location') !== null;
}

/** Follows at most 5 redirects and no URL twice. Each hop passes the guard. */
export async function followRedirects(
  run: Requester & { readonly listen: Listener },
  url: URL,
  options: FetchOptions,
  send: (request: SiteRequest) => Promise<Fetched>,
): Promise<Fetched> {
  const first = prepareRequest(url, options, run);
  const hops: URL[] = [];
  let hopOptions = options;
  for (let request = first; ;) {
    const fetched = await send(request);
    if ('failure' in fetched) {
      const { failure } = fetched;
      return hops.length === 0 ? { failure } : { failure, redirect: { from: first.url, to: request.url } };
    }
    const { response } = fetched;
    if (!isRedirect(response)) return { response: { ...response, hops } };

    const location = locationOf(response);
    const stop = (failure: FetchFailure | null): void =>
      run.listen({ kind: 'stopped', request, to: location, failure });
    if (location === null) {
      stop('bad_redirect');
      return { failure: 'bad_redirect' };
    }
    const isEndlessRedirect = repeatsAddition(hops.at(-1), request.url, location);
    if (isEndlessRedirect || !request.follows(location)) {
      stop(null);
      return { response: { ...response, hops, isEndlessRedirect } };
    }
    hops.push(request.url);
    hopOptions = redirectOptions(hopOptions, response.status);
    const hop = { ...prepareRequest(location, hopOptions, run), isFollowUp: true };
    const isCircle = hop.method === request.method && hops.some(({ href }) => href === hop.url.href);
    if (isCircle || hops.length > SCAN_LIMITS.redirectsMax) {
      stop('redirect_loop');
      return { failure: 'redirect_loop' };
    }
    run.listen({ kind: 'redirected', request, to: hop.url });
    request = hop;
  }
}

/** Returns the redirect's target; null if it is invalid, or if two Location fields differ. */
function locationOf({ url, headers }: SiteResponse): URL | null {
  const [location = '', ...others] = headers.all('location');
  return others.some((other) => other !== location) ? null : URL.parse(location, url);
}

/** Returns the options for a redirect's target (RFC 9110 §15.4). As in browsers, 301 to 303 turn POST into GET. */
function redirectOptions(options: FetchOptions, status: number): FetchOptions {
  const { body, headers = {}, ...others } = options;
  if (body === undefined || status === 307 || status === 308) return options;
  return {
    ...others,
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'content-type')),
  };
}

/**
 * True if a redirect adds the same part to the path as the previous one (`/x`, `/en/x`, `/en/en/x`). Such redirects never end, and following
 * them for each missing file would use up the run's requests.
 */
function repeatsAddition(before: URL | undefined, from: URL, to: URL): boolean {
  const added = before && addedPath(before, from);
  return added !== undefined && added !== '' && added === addedPath(from, to);
}

/** Returns the prefix or suffix that the path of `to` adds to that of `from`, or an empty string. */
function addedPath({ pathname: from }: URL, { pathname: to }: URL): string {
  if (to.endsWith(from)) return to.slice(0, to.length - from.length);
  return to.startsWith(from) ? to.slice(from.length) : '';
}
