import type { FetchFailure } from '../../net/failure.js';
import type { ResponseHeaders } from '../../net/transport.js';
import { isSameSite } from '../artifacts/site-address.js';
import { type Listener, type PreparedRequest, type Layer, redirectRequest } from './request.js';
import type { Fetched, SiteResponse } from './visit.js';

/** RFC 9110 §15.4: clients should continue to use the original URL. */
const TEMPORARY_STATUSES = new Set([302, 303, 307]);
const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308]);

/** True for a redirect. A 3xx without Location is an ordinary response. */
export function isRedirect(answer: { readonly status: number; readonly headers: ResponseHeaders }): boolean {
  return REDIRECT_STATUSES.has(answer.status) && answer.headers.get('location') !== null;
}

export interface RedirectRules {
  readonly hopsMax: number;
  readonly listen: Listener;
}

/** Follows at most `hopsMax` redirects and no URL twice. Each hop passes through all later layers, and so through the guard. */
export function followRedirects({ hopsMax, listen }: RedirectRules): Layer<PreparedRequest> {
  return async (first, next) => {
    if (first.follows === false) return await next(first);
    const { follows } = first;
    const hops: URL[] = [];
    let redirectedTemporarily = false;
    let wasLastRedirectTemporary = false;
    for (let request = first; ;) {
      const fetched = await next(request);
      if ('failure' in fetched) {
        return hops.length === 0 ? fetched : { ...fetched, redirect: { from: first.url, to: request.url } };
      }
      const { response } = fetched;
      if (!isRedirect(response)) {
        return {
          response: {
            ...response,
            hops,
            ...(redirectedTemporarily && { redirectedTemporarily }),
            ...(wasLastRedirectTemporary && { wasLastRedirectTemporary }),
          },
        };
      }
      const location = locationOf(response);
      const current = request;
      const stop = (failure: FetchFailure): Fetched => {
        listen({ kind: 'stopped', request: current, to: location, failure });
        return { failure };
      };
      if (location === null) return stop('bad_redirect');
      const isGrowing = growsAgain(hops.at(-1), request.url, location);
      if (isGrowing || !follows(location)) {
        listen({ kind: 'stopped', request, to: location, failure: null });
        return { response: { ...response, hops, ...(isGrowing && { isGrowing }) } };
      }
      hops.push(request.url);
      wasLastRedirectTemporary = TEMPORARY_STATUSES.has(response.status);
      redirectedTemporarily ||= wasLastRedirectTemporary && !isSameSite(request.url, location);
      const hop = redirectRequest(request, response.status, location);
      const isCircle = hop.method === request.method && hops.some(({ href }) => href === hop.url.href);
      if (isCircle || hops.length > hopsMax) return stop('redirect_loop');
      listen({ kind: 'redirected', request, to: hop.url });
      request = hop;
    }
  };
}

/**
 * True if a redirect adds the same part to the path as the previous one (`/x`, `/en/x`, `/en/en/x`). It would never end, and following it
 * for each missing file would use up the requests of the run.
 */
function growsAgain(before: URL | undefined, from: URL, to: URL): boolean {
  const added = before && additionOf(before, from);
  return added !== undefined && added !== '' && added === additionOf(from, to);
}

/** Returns the prefix or suffix that `to` adds to `from`, or an empty string. */
function additionOf({ pathname: from }: URL, { pathname: to }: URL): string {
  if (to.endsWith(from)) return to.slice(0, to.length - from.length);
  return to.startsWith(from) ? to.slice(from.length) : '';
}

/** Returns the redirect's target; null if it is invalid, or if two Location fields differ. */
function locationOf({ url, headers }: SiteResponse): URL | null {
  const [location = '', ...others] = headers.all('location');
  return others.some((other) => other !== location) ? null : URL.parse(location, url);
}
