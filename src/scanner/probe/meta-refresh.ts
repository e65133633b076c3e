import { withoutFragment } from '../artifacts/site-address.js';
import { SCAN_LIMITS } from '../artifacts/scanner.js';
import type { Fetched, FetchOptions, SiteResponse, Visit } from '../client/visit.js';
import { detectChallenge } from '../client/challenge.js';
import { pageOf } from './page.js';
import { headOf } from '../parsers/text.js';

/** The head of a page, where a refresh stands, begins within this. */
const LOOKED_AT_BYTES = 65_536;

/**
 * Follows instant meta refreshes of pages without a text of their own, as a browser would: they are redirects that a static host
 * can write. They count as hops, and each target passes the gates. A challenge refreshes, too, and is left as it is.
 */
export async function followMetaRefresh(first: SiteResponse, visit: Visit, options: FetchOptions): Promise<Fetched> {
  const seen = new Set<string>();
  for (let response = first; ;) {
    seen.add(withoutFragment(response.url));
    const target = await refreshOf(response);
    if (target === null || seen.has(withoutFragment(target))) return { response };
    if (response.hops.length >= SCAN_LIMITS.redirectsMax) return { failure: 'redirect_loop' };
    const fetched = await visit.fetch(target, options);
    if ('failure' in fetched) return fetched;
    response = { ...fetched.response, hops: [...response.hops, response.url, ...fetched.response.hops] };
  }
}

async function refreshOf(response: SiteResponse): Promise<URL | null> {
  const head = headOf(response.body, LOOKED_AT_BYTES).toString('latin1');
  if (!/http-equiv\s{0,9}=\s{0,9}["']?refresh/i.test(head)) return null;
  if (detectChallenge(response) !== null) return null;
  return (await pageOf(response))?.refresh ?? null;
}
