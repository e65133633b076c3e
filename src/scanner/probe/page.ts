import { distinctBy, memoizePerObject } from '../../net/keyed.js';
import { isSameHost, withoutFragment, isSameSite } from '../../net/url-gate.js';
import { pageKey, pathOf, type PageCandidate, type PageFacts } from '../artifacts/pages.js';
import { type FileFacts, adviceFor, describeFailedFetch, OutOfResources } from '../artifacts/resource.js';
import { safeText, type SafeText, sentences } from '../artifacts/safe-text.js';
import { SCAN_LIMITS } from '../artifacts/scanner.js';
import { isSuccess } from '../client/requests.js';
import type { ScanTarget, SiteResponse, Fetched, FetchOptions, Visit } from '../client/visit.js';
import { parsePage, instantRefresh } from '../parsers/html.js';
import {
  isHtmlType,
  parseMediaType,
  XHTML_TYPE,
  decodeBody,
  decodeHtml,
  looksLikeHtml,
  headOf,
} from '../parsers/text.js';
import type { HomePageFailure, MissingEvidence } from '../artifacts/evidence.js';
import type { FailedFetch, FetchFailure } from '../../net/failure.js';
import { parseHttpUrl } from '../parsers/addresses.js';

/** Parses a response's HTML page, once. Null if the status is not 2xx, the type is not HTML, or the body is empty. */
export const pageOf = memoizePerObject((response: SiteResponse): PageFacts | null => {
  const { essence, charset } = parseMediaType(response.headers.get('content-type'));
  if (!isSuccess(response.status)) return null;
  if (essence !== null && !isHtmlType(essence)) return null;
  const text = decodeHtml(response.body, charset);
  if (text.trim() === '' || (essence === null && !looksLikeHtml(text))) return null;
  return parsePage(text, response.url, { isCut: response.isOverLimit, isXhtml: essence === XHTML_TYPE });
});

/** Extracts the facts that checks use from a 2xx response. */
export function toFileFacts(response: SiteResponse): FileFacts {
  const { essence, charset } = parseMediaType(response.headers.get('content-type'));
  const text = decodeBody(response.body, charset);
  return {
    mediaType: essence,
    isHtml: looksLikeHtml(text),
    text,
    isOverLimit: response.isOverLimit,
  };
}

/** Extensions of files that are not pages. Any other extension may belong to a page. */
const FILE_EXTENSION = new RegExp(
  `\\.(?:${[
    '7z apk avi avif bin bmp bz2 css csv deb dmg docx? eps epub exe flac gif gz heic ico ics iso jar jpe?g js json jsonld',
    'key m4a m4v map mjs mkv mov mp3 mp4 mpe?g msi ods odt ogg opus otf pdf pkg png pptx? ps psd rar rpm rss rtf svg tar',
    'tgz tiff? toml ttf txt vcf wasm wav webm webmanifest webp wmv woff2? xlsx? xml xz ya?ml zip zst',
  ]
    .join(' ')
    .replaceAll(' ', '|')})$`,
  'i',
);

/** Maximum number of the home page's links that become candidates. */
const LINKED_MAX = 30;

/**
 * Returns the pages that the user chose, on the scheme and host that the home page answered on, then the internal pages that it links to,
 * in order. Fetches nothing.
 */
export function findCandidates({ pages = [] }: ScanTarget, page: PageFacts, home: URL): PageCandidate[] {
  const requested = pages.map((chosen) => ({
    path: pathOf(chosen),
    url: isSameHost(chosen, home) ? new URL(home.origin + chosen.pathname + chosen.search) : chosen,
  }));
  const chosen = distinctBy(requested, ({ url }) => pageKey(url, home)).slice(0, SCAN_LIMITS.chosenPagesMax);
  const links = page.links.flatMap(({ position, url }) => (url === null ? [] : [{ position, url }]));
  return [
    ...chosen.map(({ path, url }, index) => ({
      path,
      url,
      foundAt: chosen.length === 1 ? safeText`the chosen page` : safeText`chosen page ${index + 1}`,
    })),
    ...selectCandidates(links, home)
      .slice(0, LINKED_MAX)
      .map(({ position, url }) => ({ url, foundAt: safeText`link ${position} of the home page` })),
  ];
}

/**
 * Filters links: only pages on the home page's origin, without the home page itself, files and sign-in pages, and with distinct first path
 * segments, so that the sample has different kinds of pages. If the home page is below `/`, such as `/en/`, segments count from there.
 */
export function selectCandidates<T extends { readonly url: URL }>(links: readonly T[], home: URL): T[] {
  const segments = new Set<string>();
  return links.filter(({ url }) => {
    if (url.origin !== home.origin || isHome(url, home) || !isPublicPage(url)) return false;
    const segment = firstSegment(url, home);
    if (segments.has(segment)) return false;
    segments.add(segment);
    return true;
  });
}

function isHome(url: URL, home: URL): boolean {
  return withoutFragment(url) === withoutFragment(home) || url.pathname === '/' || url.pathname === home.pathname;
}

function isPublicPage(url: URL): boolean {
  if (isPrivatePath(url)) return false;
  return !FILE_EXTENSION.test(url.pathname);
}

/** Returns the first segment below the folder of the home page. */
function firstSegment(url: URL, home: URL): string {
  const folder = home.pathname.slice(0, home.pathname.lastIndexOf('/') + 1);
  const path = url.pathname.startsWith(folder) ? url.pathname.slice(folder.length) : url.pathname.slice(1);
  return path.slice(0, path.includes('/') ? path.indexOf('/') : undefined);
}

/** Path segments of pages that need an account or a session, such as a cart. */
const PRIVATE_SEGMENTS = new Set(
  `account accounts admin auth basket cart checkout forgot-password login log-in logout log-out my-account oauth password
  profile register session sessions signin sign-in signout sign-out signup sign-up sso user wp-admin wp-login.php`.split(
    /\s+/,
  ),
);

/** True if a URL's path indicates a sign-in page, an account or a cart. */
export function isPrivatePath({ pathname }: URL): boolean {
  return pathname
    .toLowerCase()
    .split('/')
    .some((segment) => PRIVATE_SEGMENTS.has(segment));
}

/** The home page's response to our own User-Agent, or why no check can judge the site. */
export type Baseline =
  { readonly response: SiteResponse; readonly httpsFailure: FailedFetch | null } | { readonly failed: MissingEvidence };

/** Maximum number of decoded bytes that are read of an HTML page. */
export const PAGE_BYTES_MAX = 2 * 1024 * 1024;

/** Failures after which plain http is tried. Includes `reset`, since servers abort a TLS handshake with a reset. */
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
  if ('response' in first) return assessHome(first.response, origin, null);
  if (first.failure === 'no_resources') throw new OutOfResources();
  if (origin.protocol === 'https:' && CONNECTION_FAILURES.has(first.failure)) {
    const plain = new URL('/', origin);
    plain.protocol = 'http:';
    const second = await fetchHome(plain, visit, { attempts: 'once' });
    if ('response' in second) return assessHome(second.response, origin, first);
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

function assessHome(response: SiteResponse, origin: URL, httpsFailure: FailedFetch | null): Baseline {
  const vendor = response.challenge;
  if (vendor !== null) {
    return unusable(
      'challenge',
      safeText`The home page returns a bot challenge from ${vendor} to this scanner.`,
      safeText`Add a rule there that exempts the User-Agent AgentReadinessScan from challenges, then run again.`,
    );
  }
  const { status } = response;
  // A failing response from another site says nothing about this site's files.
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
  if (isSuccess(status)) return true;
  return status === 404 || status === 410 || (status === 401 && headers.get('www-authenticate') !== null);
}

function unusable(gap: HomePageFailure, cause: SafeText, advice: SafeText | null): Baseline {
  return { failed: { result: 'UNDETERMINED', detail: sentences(cause, advice), gap } };
}

/** Number of bytes at the start of a page that are searched for a refresh. */
const SEARCHED_BYTES = 65_536;

/**
 * Follows instant refreshes (header or meta element) of pages without text, as a browser would. They count as redirects, and each target
 * passes the guard. Refreshes of bot challenges are not followed.
 */
export async function followRefresh(first: SiteResponse, visit: Visit, options: FetchOptions): Promise<Fetched> {
  const seen = new Set<string>();
  for (let response = first; ;) {
    seen.add(withoutFragment(response.url));
    const target = findRefresh(response);
    if (target === null || seen.has(withoutFragment(target))) return { response };
    if (response.hops.length >= SCAN_LIMITS.redirectsMax) return { failure: 'redirect_loop' };
    const fetched = await visit.fetch(target, options);
    if ('failure' in fetched) {
      return { ...fetched, redirect: { from: first.url, to: fetched.redirect?.to ?? target } };
    }
    response = { ...fetched.response, hops: [...response.hops, response.url, ...fetched.response.hops] };
  }
}

function findRefresh(response: SiteResponse): URL | null {
  const [field = ''] = response.headers.all('refresh');
  const target = instantRefresh(field);
  const head = headOf(response.body, SEARCHED_BYTES).toString('latin1');
  if (target === null && !/http-equiv\s{0,9}=\s{0,9}["']?refresh/i.test(head)) return null;
  if (!isSuccess(response.status) || response.challenge !== null) return null;
  const page = pageOf(response);
  if (target === null) return page?.refresh ?? null;
  return page === null || page.hasLittleText ? parseHttpUrl(target, response.url) : null;
}
