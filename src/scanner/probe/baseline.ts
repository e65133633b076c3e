import type { HomePageFailure, Shortfall } from '../artifacts/evidence.js';
import type { FailedFetch, FetchFailure } from '../../net/failure.js';
import { adviceFor, describeFailedFetch, OutOfResources } from '../artifacts/resource.js';
import { type SafeText, sentences, safeText } from '../artifacts/safe-text.js';
import { isSameSite, withoutFragment } from '../artifacts/site-address.js';
import type { Fetched, FetchOptions, ScanTarget, SiteResponse, Visit } from '../client/visit.js';
import { SCAN_LIMITS } from '../artifacts/scanner.js';
import { pageOf } from './page.js';
import { httpUrlOf } from '../parsers/addresses.js';
import { instantRefresh } from '../parsers/html.js';
import { headOf } from '../parsers/text.js';

/** The home page's response under our own name, or why no check can judge the site. */
export type Baseline =
  { readonly response: SiteResponse; readonly httpsFailure: FailedFetch | null } | { readonly failed: Shortfall };

/** Most decoded bytes of an HTML page. */
export const PAGE_BYTES_MAX = 2 * 1024 * 1024;

/** Includes `reset`, since servers reset the connection to break off a TLS handshake. */
const CONNECTION_FAILURES: ReadonlySet<FetchFailure> = new Set([
  'connect_failed',
  'connect_timeout',
  'reset',
  'tls_expired',
  'tls_wrong_host',
  'tls_untrusted',
  'tls_outdated',
  'tls_failed',
]);

/**
 * Requests the home page. If no https connection is possible, tries http once, since a site without https still has pages. If that fails
 * too, reports the https failure.
 * @throws OutOfResources, which must not become a finding
 */
export async function establishBaseline({ origin }: ScanTarget, visit: Visit): Promise<Baseline> {
  const first = await fetchHome(new URL('/', origin), visit);
  if ('response' in first) return assess(first.response, origin, null);
  if (first.failure === 'no_resources') throw new OutOfResources();
  if (origin.protocol === 'https:' && CONNECTION_FAILURES.has(first.failure)) {
    const plain = new URL('/', origin);
    plain.protocol = 'http:';
    const second = await fetchHome(plain, visit, { attempts: 'once' });
    if ('response' in second) return assess(second.response, origin, first);
  }
  return unusable(
    { failure: first.failure },
    safeText`The home page cannot be read: ${describeFailedFetch(first)}.`,
    adviceFor(first),
  );
}

async function fetchHome(url: URL, visit: Visit, options: FetchOptions = {}): Promise<Fetched> {
  const pageOptions = { ...options, bodyBytesMax: PAGE_BYTES_MAX };
  const fetched = await visit.fetch(url, pageOptions);
  return 'failure' in fetched ? fetched : followRefresh(fetched.response, visit, pageOptions);
}

function assess(response: SiteResponse, origin: URL, httpsFailure: FailedFetch | null): Baseline {
  const vendor = response.challenge;
  if (vendor !== null) {
    return unusable(
      'challenge',
      safeText`The home page returns a bot challenge from ${vendor} to this scanner.`,
      safeText`Add a rule there that exempts the User-Agent AgentReadinessScan from challenges, then run again.`,
    );
  }
  const { status } = response;
  // A response from another site says nothing about this one's own files.
  if (isUsable(response) || !isSameSite(response.url, origin)) return { response, httpsFailure };
  return unusable(
    { status },
    safeText`The home page returns status ${status} to this scanner.`,
    adviceForStatus(status),
  );
}

function adviceForStatus(status: number): SafeText {
  if (status === 429) return safeText`Raise the rate limit for the User-Agent AgentReadinessScan, or run again later.`;
  if (status >= 500) return safeText`Fix the server error, then run again.`;
  return status < 400
    ? safeText`Make it return the page or a complete redirect, then run again.`
    : safeText`Allow the User-Agent AgentReadinessScan in the firewall, CDN or server that refuses it, then run again.`;
}

/** True for success, 404, 410 and a login challenge: these come from the site itself, so its files can be checked. */
function isUsable({ status, headers }: SiteResponse): boolean {
  if (status >= 200 && status < 300) return true;
  return status === 404 || status === 410 || (status === 401 && headers.get('www-authenticate') !== null);
}

function unusable(gap: HomePageFailure, cause: SafeText, advice: SafeText | null): Baseline {
  return { failed: { result: 'UNDETERMINED', detail: sentences(cause, advice), gap } };
}

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
  if (!isSuccess || response.challenge !== null) return null;
  const page = pageOf(response);
  if (target === null) return page?.refresh ?? null;
  return page === null || page.isBare ? httpUrlOf(target, response.url) : null;
}
