import type { LinkState } from '../artifacts/llms.js';
import { isHtmlType, parseMediaType } from '../parsers/media-type.js';
import { type Control, isShellPage } from './control.js';
import { type PathResponse, isSameTarget, fingerprintOf } from './likeness.js';
import { isHtmlBody } from './outcome.js';
import { isPrivatePath } from './sample-candidates.js';
import type { Fetched, FetchOptions, SiteResponse, Visit } from '../client/visit.js';

/** Responses that a link's response is compared with, to recognize soft 404s. */
export interface ProbeReferences {
  /** The page control of the link's own origin, or null if there is none. */
  pageControl(url: URL): Promise<Control | null>;
  home(): Promise<SiteResponse | null>;
}

/**
 * Follows a link. It is dead after 404 or 410 twice, if its host does not exist, or if it is a proven soft 404. Responses to anonymous
 * clients or under load (401, 403, 429, 5xx, a stall, a challenge) mean unknown, never dead.
 */
export async function probeLink(
  visit: Visit,
  references: ProbeReferences,
  url: URL,
  options: FetchOptions = {},
): Promise<LinkState> {
  const first = await visit.fetch(url, options);
  const fetched = isGone(first) ? await visit.fetch(url, { ...options, isRepeat: true }) : first;
  return isGone(fetched) ? 'dead' : stateOf(fetched, url, references);
}

function isGone(fetched: Fetched): boolean {
  if ('failure' in fetched) return false;
  const { status } = fetched.response;
  return (status === 404 || status === 410) && fetched.response.challenge === null;
}

async function stateOf(fetched: Fetched, url: URL, references: ProbeReferences): Promise<LinkState> {
  if ('failure' in fetched) return fetched.failure === 'name_not_found' ? 'dead' : 'unknown';
  const { response } = fetched;
  if (response.status < 200 || response.status > 299 || response.challenge !== null) return 'unknown';
  if (!isPage(response)) return 'alive';
  const state = await stateOfPage({ path: url.pathname, response }, references, url);
  // Many sites redirect anonymous visitors to their sign-in page, from private pages as well as from missing ones.
  return state === 'dead' && isPrivatePath(response.url) ? 'unknown' : state;
}

function isPage(response: SiteResponse): boolean {
  return isHtmlType(parseMediaType(response.headers.get('content-type')).essence) || isHtmlBody(response);
}

/**
 * Compares a page with the response at a URL that cannot exist. If both are application shells, or both are the home page, existing and
 * missing pages look the same.
 */
async function stateOfPage(asked: PathResponse, references: ProbeReferences, url: URL): Promise<LinkState> {
  const [control, home] = await Promise.all([references.pageControl(url), references.home()]);
  if (control === null || !control.isSound || home === null) return 'alive';
  const { response } = asked;
  if (isSameTarget(asked, control)) return isAt(response.url, home.url) ? 'likeMissing' : 'dead';
  const { status } = control.response;
  // A link to the page that unknown paths redirect to is a link to a real page.
  if (status < 200 || status > 299 || isAt(response.url, control.response.url) || isAt(response.url, home.url))
    return 'alive';
  if (response.isOverLimit) return 'alive';
  if (control.isShell && isShellPage(response)) return 'unknown';
  const body = fingerprintOf(asked, control.path);
  if (body === '' || body !== fingerprintOf(control, asked.path)) return 'alive';
  return body === fingerprintOf({ path: asked.path, response: home }, control.path) ? 'likeMissing' : 'dead';
}

function isAt(url: URL, page: URL): boolean {
  return url.href === page.href;
}
