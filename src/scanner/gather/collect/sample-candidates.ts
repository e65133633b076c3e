import type { PageFacts } from '../../evidence/pages.js';
import { withoutFragment } from '../../evidence/site-address.js';
import { isPrivatePath } from '../context/private-path.js';

/** A page that the sample may take, with its place among the links of the home page. */
export interface SampleCandidate {
  readonly position: number;
  readonly url: URL;
}

/** A path that ends so is a page; any other extension names a file. */
const PAGE_EXTENSION = /\.(?:html?|xhtml|php|aspx?|jsp|cfm)$/i;
const EXTENSION = /\.[a-z0-9]{1,8}$/i;

/**
 * The internal pages that the home page links, in the order of its links and with distinct first path segments, so that the
 * sample shows different kinds of pages. Where the home page itself is below `/`, as `/en/` is, segments count from there.
 */
export function findSampleCandidates(page: PageFacts, home: URL): SampleCandidate[] {
  const links = page.links.flatMap(({ position, url }) => (url === null ? [] : [{ position, url }]));
  return selectCandidates(links, home);
}

/** Keeps of these links what {@link findSampleCandidates} would: on the home page's origin, no other view of it, no file, no login. */
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
