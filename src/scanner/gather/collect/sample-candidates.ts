import type { PageFacts } from '../../evidence/pages.js';
import { withoutFragment } from '../../evidence/site-address.js';
import { isPrivatePath } from '../context/private-path.js';

/** A possible page for the sample, with its position among the links of the home page. */
export interface SampleCandidate {
  readonly position: number;
  readonly url: URL;
}

/** A path with one of these extensions is a page; any other extension means a file. */
const PAGE_EXTENSION = /\.(?:html?|xhtml|php|aspx?|jsp|cfm)$/i;
const EXTENSION = /\.[a-z0-9]{1,8}$/i;

/**
 * The internal pages that the home page links, in link order and with distinct first path segments, so that the sample shows
 * different kinds of pages. If the home page is below `/`, such as `/en/`, segments count from there.
 */
export function findSampleCandidates(page: PageFacts, home: URL): SampleCandidate[] {
  const links = page.links.flatMap(({ position, url }) => (url === null ? [] : [{ position, url }]));
  return selectCandidates(links, home);
}

/**
 * Keeps only links that {@link findSampleCandidates} would: on the home page's origin, not another view of it, not a file, not a
 * login.
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
  const last = url.pathname.slice(url.pathname.lastIndexOf('/') + 1);
  return !EXTENSION.test(last) || PAGE_EXTENSION.test(last);
}

/** The first segment below the folder of the home page. */
function firstSegment(url: URL, home: URL): string {
  const folder = home.pathname.slice(0, home.pathname.lastIndexOf('/') + 1);
  const path = url.pathname.startsWith(folder) ? url.pathname.slice(folder.length) : url.pathname.slice(1);
  return path.slice(0, path.includes('/') ? path.indexOf('/') : undefined);
}
