import { isSameSite, withoutFragment } from '../artifacts/site-address.js';
import { SCAN_LIMITS } from '../artifacts/scanner.js';
import type { Fetched, FetchOptions, SiteResponse, Visit } from '../client/visit.js';
import { detectChallenge } from '../client/challenge.js';
import { pageOf } from './page.js';
import { httpUrlOf } from '../parsers/manifests/shape.js';
import { instantRefresh } from '../parsers/page-redirect.js';
import { headOf } from '../parsers/text.js';

/** Bytes at the start of a page that are searched for a refresh. */
const SEARCHED_BYTES = 65_536;

/**
 * Follows instant refreshes (header or meta element) of pages without text, as a browser would. They count as redirects, and each target
 * passes the guard. Refreshes of bot challenges are not followed.
 */
export async function followRefresh(first: SiteResponse, visit: Visit, options: FetchOptions): Promise<Fetched> {
  const seen = new Set<string>();
  for (let response = first; ;) {
    seen.add(withoutFragment(response.url));
    const target = refreshOf(response);
    if (target === null || seen.has(withoutFragment(target))) return { response };
    if (response.hops.length >= SCAN_LIMITS.redirectsMax) return { failure: 'redirect_loop' };
    const fetched = await visit.fetch(target, options);
    if ('failure' in fetched) {
      return { ...fetched, redirect: { from: first.url, to: fetched.redirect?.to ?? target } };
    }
    // If a temporary redirect led to the refreshing page, the refresh is temporary as well.
    const hasLeft =
      response.redirectedTemporarily ??
      (response.wasLastRedirectTemporary === true && !isSameSite(response.url, target));
    const hops = [...response.hops, response.url, ...fetched.response.hops];
    response = { ...fetched.response, hops, ...(hasLeft && { redirectedTemporarily: true }) };
  }
}

function refreshOf(response: SiteResponse): URL | null {
  const [field = ''] = response.headers.all('refresh');
  const target = instantRefresh(field);
  const head = headOf(response.body, SEARCHED_BYTES).toString('latin1');
  if (target === null && !/http-equiv\s{0,9}=\s{0,9}["']?refresh/i.test(head)) return null;
  const isSuccess = response.status >= 200 && response.status < 300;
  if (!isSuccess || detectChallenge(response) !== null) return null;
  const page = pageOf(response);
  if (target === null) return page?.refresh ?? null;
  return page === null || page.isBare ? httpUrlOf(target, response.url) : null;
}
