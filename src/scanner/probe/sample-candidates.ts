import type { PageFacts } from '../artifacts/pages.js';
import { withoutFragment } from '../artifacts/site-address.js';

/** A possible page of the sample, with its position among the links of the home page. */
export interface SampleCandidate {
  readonly position: number;
  readonly url: URL;
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

/**
 * Returns the internal pages that the home page links to, in order, with distinct first path segments, so that the sample has different
 * kinds of pages. If the home page is below `/`, such as `/en/`, segments count from there.
 */
export function findSampleCandidates(page: PageFacts, home: URL): SampleCandidate[] {
  const links = page.links.flatMap(({ position, url }) => (url === null ? [] : [{ position, url }]));
  return selectCandidates(links, home);
}

/**
 * Filters links as {@link findSampleCandidates} does: only pages on the home page's origin, without the home page itself, files and
 * sign-in pages.
 */
export function selectCandidates(links: readonly SampleCandidate[], home: URL): SampleCandidate[] {
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
