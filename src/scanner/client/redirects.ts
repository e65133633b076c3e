import { resolveUrl } from '../artifacts/site-address.js';
import type { SiteRequest } from './request.js';
import { redirectRequest } from './request.js';
import type { ResponseHeaders } from '../../net/transport.js';
import type { Fetched, SiteResponse } from './visit.js';

/** Fetches one URL without following redirects. */
export type FetchHop = (request: SiteRequest, isHop: boolean) => Promise<Fetched>;

const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308]);

/** Whether an answer is a redirect. A 3xx without Location is an answer like any other. */
export function isRedirect(answer: { readonly status: number; readonly headers: ResponseHeaders }): boolean {
  return REDIRECT_STATUSES.has(answer.status) && answer.headers.get('location') !== null;
}

export interface RedirectRules {
  readonly hopsMax: number;
  /** Whether to follow one to this URL; else it is the result. By default all. */
  readonly follows?: ((url: URL) => boolean) | undefined;
  /** Whether one leads to the domain that the whole site has moved to, where it is not followed; by default none does. */
  readonly leadsToMove?: ((from: URL, to: URL) => Promise<boolean>) | undefined;
}

/** Follows redirects, at most `hopsMax` and no URL twice. Each hop passes the gates, since `fetchHop` checks them. */
export async function followRedirects(
  first: SiteRequest,
  fetchHop: FetchHop,
  { hopsMax, follows, leadsToMove }: RedirectRules,
): Promise<Fetched> {
  const hops: URL[] = [];
  for (let request = first; ;) {
    const fetched = await fetchHop(request, hops.length > 0);
    if ('failure' in fetched) return fetched;
    const { response } = fetched;
    if (!isRedirect(response)) return { response: { ...response, hops } };
    const location = locationOf(response);
    if (location === null) return { failure: 'bad_redirect' };
    if (follows?.(location) === false) return { response: { ...response, hops } };
    if ((await leadsToMove?.(request.url, location)) === true) return { failure: 'moved' };
    hops.push(request.url);
    const next = redirectRequest(request, response.status, location);
    const isCircle = next.method === request.method && hops.some((hop) => hop.href === next.url.href);
    if (isCircle || hops.length > hopsMax) return { failure: 'redirect_loop' };
    request = next;
  }
}

/** Two different Location fields contradict each other, so neither counts. */
function locationOf({ url, headers }: SiteResponse): URL | null {
  const [location = '', ...others] = headers.all('location');
  return others.some((other) => other !== location) ? null : resolveUrl(location, url);
}
