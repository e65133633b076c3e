import type { FetchFailure } from '../../net/failure.js';
import type { ResponseHeaders } from '../../net/transport.js';
import type { Listener } from './events.js';
import { type AskedRequest, type Layer, redirectRequest } from './request.js';
import type { SiteMove } from './site-move.js';
import type { Fetched, SiteResponse } from './visit.js';

const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308]);

/** Whether an answer is a redirect. A 3xx without Location is an answer like any other. */
export function isRedirect(answer: { readonly status: number; readonly headers: ResponseHeaders }): boolean {
  return REDIRECT_STATUSES.has(answer.status) && answer.headers.get('location') !== null;
}

export interface RedirectRules {
  readonly hopsMax: number;
  readonly move: SiteMove;
  readonly listen: Listener;
}

/** Follows redirects, at most `hopsMax` and no URL twice. Each hop passes the gates, since the next layers check them. */
export function followRedirects({ hopsMax, move, listen }: RedirectRules): Layer<AskedRequest> {
  return async (first, next) => {
    if (first.isRedirectManual) return await next(first);
    const hops: URL[] = [];
    for (let request = first; ;) {
      const fetched = await next(request);
      if ('failure' in fetched) return fetched;
      const { response } = fetched;
      if (!isRedirect(response)) return { response: { ...response, hops } };
      const location = locationOf(response);
      const asked = request;
      const stop = (failure: FetchFailure): Fetched => {
        listen({ kind: 'stopped', request: asked, to: location, failure });
        return { failure };
      };
      if (location === null) return stop('bad_redirect');
      if (!request.follows(location)) {
        listen({ kind: 'stopped', request, to: location, failure: null });
        return { response: { ...response, hops } };
      }
      // Where the home page leads is how we learn that the site has moved.
      if (!request.isHome && (await move.isEnteredBy(request.url, location))) return stop('moved');
      hops.push(request.url);
      const hop = redirectRequest(request, response.status, location);
      const isCircle = hop.method === request.method && hops.some(({ href }) => href === hop.url.href);
      if (isCircle || hops.length > hopsMax) return stop('redirect_loop');
      listen({ kind: 'redirected', request, to: hop.url });
      request = hop;
    }
  };
}

/** Two different Location fields contradict each other, so neither counts. */
function locationOf({ url, headers }: SiteResponse): URL | null {
  const [location = '', ...others] = headers.all('location');
  return others.some((other) => other !== location) ? null : URL.parse(location, url);
}
