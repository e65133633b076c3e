import { distinctBy } from '../../net/keyed.js';
import { isSameHost } from '../../net/url-gate.js';
import { pageKey, pathOf, type PageCandidate, type PageFacts } from '../artifacts/pages.js';
import type { FileFacts } from '../artifacts/resource.js';
import { safeText } from '../artifacts/safe-text.js';
import { SCAN_LIMITS } from '../artifacts/scanner.js';
import { withoutFragment } from '../artifacts/site-address.js';
import type { ScanTarget, SiteResponse } from '../client/visit.js';
import { parsePage } from '../parsers/html.js';
import { isHtmlType, parseMediaType, XHTML_TYPE, decodeBody, decodeHtml, looksLikeHtml } from '../parsers/text.js';

/** Parses an HTML page; null for another status or type, or an empty body. */
export function pageOf(response: SiteResponse): PageFacts | null {
  const { essence, charset } = parseMediaType(response.headers.get('content-type'));
  if (response.status < 200 || response.status > 299) return null;
  if (essence !== null && !isHtmlType(essence)) return null;
  const text = decodeHtml(response.body, charset);
  if (text.trim() === '' || (essence === null && !looksLikeHtml(text))) return null;
  return parsePage(text, response.url, { isCut: response.isOverLimit, isXhtml: essence === XHTML_TYPE });
}

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

/** Extensions of files that are not pages. Any other extension may be a page's. */
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

/** Links of the home page that may be sampled. */
const LINKED_MAX = 30;

/**
 * Returns the pages that the user chose, on the scheme and host that the home page answered on, then the internal pages that it links to,
 * in order. Fetches nothing.
 */
export function findCandidates({ pages = [] }: ScanTarget, page: PageFacts, home: URL): PageCandidate[] {
  const asked = pages.map((chosen) => ({
    path: pathOf(chosen),
    url: isSameHost(chosen, home) ? new URL(home.origin + chosen.pathname + chosen.search) : chosen,
  }));
  const chosen = distinctBy(asked, ({ url }) => pageKey(url, home)).slice(0, SCAN_LIMITS.chosenPagesMax);
  const links = page.links.flatMap(({ position, url }) => (url === null ? [] : [{ position, url }]));
  return [
    ...chosen.map(({ path, url }, index) => ({
      path,
      url,
      origin: chosen.length === 1 ? safeText`the chosen page` : safeText`chosen page ${index + 1}`,
    })),
    ...selectCandidates(links, home)
      .slice(0, LINKED_MAX)
      .map(({ position, url }) => ({ url, origin: safeText`link ${position} of the home page` })),
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

/** The first segment below the folder of the home page. */
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
