import { yieldToEventLoop } from '../../net/event-loop.js';
import type { FetchFailure } from '../../net/failure.js';
import type { LinkState } from '../artifacts/llms.js';
import { isHtmlType, parseMediaType } from '../parsers/media-type.js';
import { detectChallenge } from '../client/challenge.js';
import { type Control, isShellPage } from './control.js';
import type { Asked } from './likeness.js';
import { isSameTarget, fingerprintOf } from './likeness.js';
import { isHtmlBody } from './outcome.js';
import { isPrivatePath } from './private-path.js';
import type { Fetched, FetchOptions, SiteResponse, Visit } from '../client/visit.js';

/** What a link's answer is compared with, to tell a page from a soft 404. */
export interface ProbeReferences {
  /** The page control of the link's own origin, or null if there is none. */
  pageControl(url: URL): Promise<Control | null>;
  home(): Promise<SiteResponse | null>;
}

/**
 * Whether a link is dead: 404 or 410 twice, a host that does not exist, or a proven soft 404. Answers to strangers or under load
 * (401, 403, 429, 5xx, a stall, a challenge) mean unknown, never dead.
 */
export async function probeLink(
  visit: Visit,
  references: ProbeReferences,
  url: URL,
  options: FetchOptions = {},
): Promise<LinkState> {
  // Read while its body holds its room: a page of many links would otherwise keep all of them until the references are there.
  const judge = async (fetched: Fetched): Promise<LinkState | null> =>
    isGone(fetched) ? null : stateOf(fetched, url, references);
  const first = await visit.read(url, options, judge);
  return first ?? (await visit.read(url, { ...options, isRepeat: true }, judge)) ?? 'dead';
}

function isGone(fetched: Fetched): boolean {
  if ('failure' in fetched) return false;
  const { status } = fetched.response;
  return (status === 404 || status === 410) && detectChallenge(fetched.response) === null;
}

async function stateOf(fetched: Fetched, url: URL, references: ProbeReferences): Promise<LinkState> {
  if ('failure' in fetched) return stateOfFailure(fetched.failure);
  const { response } = fetched;
  if (response.status < 200 || response.status > 299 || detectChallenge(response) !== null) return 'unknown';
  if (!isPage(response)) return 'alive';
  const state = await stateOfPage({ path: url.pathname, response }, references, url);
  // Many sites send strangers to their sign-in page, from private pages and from nonexistent ones alike.
  return state === 'dead' && isPrivatePath(response.url) ? 'unknown' : state;
}

function stateOfFailure(failure: FetchFailure): LinkState {
  if (failure === 'moved') return 'moved';
  return failure === 'name_not_found' ? 'dead' : 'unknown';
}

function isPage(response: SiteResponse): boolean {
  return isHtmlType(parseMediaType(response.headers.get('content-type')).essence) || isHtmlBody(response);
}

/**
 * Compares a page with the answer to an address that cannot exist. Where both are application shells, or both are the home page,
 * nothing tells a page that exists from one that does not.
 */
async function stateOfPage(asked: Asked, references: ProbeReferences, url: URL): Promise<LinkState> {
  const [control, home] = await Promise.all([references.pageControl(url), references.home()]);
  if (control === null || !control.isSound || home === null) return 'alive';
  const { response } = asked;
  if (isSameTarget(asked, control)) return isAt(response.url, home.url) ? 'unknown' : 'dead';
  const { status } = control.response;
  // A link to the page that unknown paths redirect to is a link to a real page.
  if (status < 200 || status > 299 || isAt(response.url, control.response.url) || isAt(response.url, home.url))
    return 'alive';
  if (response.isOverLimit) return 'alive';
  if (control.isShell && (await isShellPage(response))) return 'unknown';
  // Many links may have been answered at once, and a fingerprint of a MiB takes some milliseconds.
  await yieldToEventLoop();
  const body = fingerprintOf(asked, control.path);
  if (body === '' || body !== fingerprintOf(control, asked.path)) return 'alive';
  return body === fingerprintOf({ path: asked.path, response: home }, control.path) ? 'unknown' : 'dead';
}

function isAt(url: URL, page: URL): boolean {
  return url.href === page.href;
}
