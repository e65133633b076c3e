import type { Shortfall } from '../artifacts/evidence.js';
import { lacking } from '../artifacts/evidence.js';
import type { FailedFetch, FetchFailure } from '../../net/failure.js';
import { adviceFor, describeFailedFetch } from '../artifacts/resource.js';
import { OutOfResources } from '../artifacts/out-of-resources.js';
import type { SafeText } from '../artifacts/safe-text.js';
import { sentences, safeText } from '../artifacts/safe-text.js';
import { isSameSite, siteKey } from '../artifacts/site-address.js';
import { detectChallenge } from '../client/challenge.js';
import { followRefresh } from './refresh.js';
import type { Fetched, FetchOptions, ScanTarget, SiteResponse, Visit } from '../client/visit.js';

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
  return unusable(safeText`The home page cannot be read: ${describeFailedFetch(first)}.`, adviceFor(first));
}

async function fetchHome(url: URL, visit: Visit, options: FetchOptions = {}): Promise<Fetched> {
  const pageOptions = { ...options, bodyBytesMax: PAGE_BYTES_MAX, isHome: true };
  const fetched = await visit.fetch(url, pageOptions);
  return 'failure' in fetched ? fetched : followRefresh(fetched.response, visit, pageOptions);
}

/** The site (as by `siteKey`) that the home page redirects to; null if it stays on its own. */
export function movedSite(baseline: Baseline, { origin }: ScanTarget): string | null {
  if ('failed' in baseline || isSameSite(baseline.response.url, origin)) return null;
  return siteKey(baseline.response.url);
}

function assess(response: SiteResponse, origin: URL, httpsFailure: FailedFetch | null): Baseline {
  const vendor = detectChallenge(response);
  if (vendor !== null) {
    return unusable(
      safeText`The home page answers this scanner with a bot challenge from ${vendor} instead of the page.`,
      safeText`Add a rule there that lets the User-Agent AgentReadinessScan pass without a challenge, then run again.`,
    );
  }
  const { status } = response;
  // A response from another site says nothing about this one's own files.
  if (isUsable(response) || !isSameSite(response.url, origin)) return { response, httpsFailure };
  const answered = safeText`The home page answers this scanner with status ${status}.`;
  if (status === 429) {
    return unusable(
      answered,
      safeText`Raise the rate limit for the User-Agent AgentReadinessScan, or run again later.`,
    );
  }
  if (status >= 500) return unusable(answered, safeText`Fix the server error, then run again.`);
  if (status < 400)
    return unusable(answered, safeText`Make it answer with the page or with a complete redirect, then run again.`);
  return unusable(
    answered,
    safeText`Let the User-Agent AgentReadinessScan pass in the firewall, CDN or server that refuses it, then run again.`,
  );
}

/** True for success, 404, 410 and a login challenge: these come from the site itself, so its files can be checked. */
function isUsable({ status, headers }: SiteResponse): boolean {
  if (status >= 200 && status < 300) return true;
  return status === 404 || status === 410 || (status === 401 && headers.get('www-authenticate') !== null);
}

function unusable(cause: SafeText, advice: SafeText | null): Baseline {
  return lacking('UNDETERMINED', sentences(cause, advice));
}
