import type { FailedFetch, FetchFailure } from '../../net/failure.js';
import type { LinkState } from '../artifacts/llms.js';
import { describeFailedFetch, type Outcome } from '../artifacts/resource.js';
import { type SafeText, safeText } from '../artifacts/safe-text.js';
import { isSuccess } from '../client/requests.js';
import type { Fetched, FetchOptions, SiteResponse, Visit } from '../client/visit.js';
import { isHtmlType, parseMediaType, headOf, looksLikeHtml } from '../parsers/text.js';
import {
  type Control,
  type ControlShape,
  fingerprintOf,
  isSameBody,
  isSameTarget,
  isShellPage,
  type PathResponse,
} from './control.js';
import { isPrivatePath } from './page.js';

type ReadOutcome = Outcome<SiteResponse>;

export interface ReadOptions extends FetchOptions {
  /**
   * True if a body is of the requested kind. Called only if the site answers every path with a non-HTML 2xx, where nothing else proves
   * that the file exists.
   */
  readonly validates?: (response: SiteResponse) => boolean;
  /**
   * True for robots.txt, where a refusal means absent (RFC 9309 §2.3.1.3) and too many redirects are conclusive (§2.3.1.2), whatever the
   * control returns.
   */
  readonly isRobots?: boolean;
}

/** A response and the control that it is compared with. */
export interface Reply {
  /** The requested path. */
  readonly path: string;
  readonly shape: ControlShape;
  readonly fetched: Fetched;
  readonly control: Control;
  readonly options: Pick<ReadOptions, 'validates' | 'isRobots'>;
  /**
   * Resolves to true if another page of the site returns 200. Then a 401 or 403 for every unknown path means absent: object stores answer
   * this for missing objects.
   */
  readonly hasReadablePage: () => Promise<boolean>;
}

/** Failures that prove nothing about the resource: our own limits, DNS failures, and invalid or incomplete responses. */
export const INCONCLUSIVE_FAILURES: ReadonlySet<FetchFailure> = new Set([
  'target_refused',
  'dns_failed',
  'dns_silent',
  'cut_off',
  'ends_early',
  'bad_encoding',
  'headers_too_large',
  'bad_protocol',
  'bad_redirect',
  'budget_spent',
  'external_spent',
  'run_deadline',
  'no_resources',
]);
export const STALL_FAILURES: ReadonlySet<FetchFailure> = new Set(['stalled', 'connect_timeout']);
/** Failures of a redirect, which show that the site did not return success. */
const REDIRECT_FAILURES: ReadonlySet<FetchFailure> = new Set(['target_refused', 'bad_redirect']);
const REFUSALS: ReadonlySet<number> = new Set([401, 402, 403, 451]);
const HTML_START_BYTES = 4096;

/** Determines the state of a resource from its response, compared with the control of its shape. */
export async function judgeReply(reply: Reply): Promise<ReadOutcome> {
  if ('failure' in reply.fetched) return judgeFailure(reply.fetched, reply);
  const { response } = reply.fetched;
  const vendor = response.challenge;
  if (vendor !== null) return unknown(safeText`${vendor} sends a bot challenge to the User-Agent AgentReadinessScan`);
  const { status } = response;
  if (status === 429)
    return unknown(safeText`the User-Agent AgentReadinessScan gets 429 (too many requests) every time`);
  if (status >= 500) {
    return reply.control.isSound
      ? { kind: 'unreachable', cause: { status } }
      : unsuccessful(describeWithFailedControl(safeText`it returns status ${status}`, reply.control));
  }
  if (REFUSALS.has(status)) return judgeRefusal(reply, status);
  if (status >= 400) return absent(status);
  if (status >= 300) {
    const loop: ReadOutcome = { kind: 'unreachable', cause: { failure: 'redirect_loop' } };
    if (response.isEndlessRedirect && reply.options.isRobots === true) return loop;
    if (reply.control.isSound && reply.control.response.status === status) return absent(status);
    return response.isEndlessRedirect
      ? loop
      : unsuccessful(safeText`it returns status ${status}, but no redirect that can be followed`);
  }
  return judgeSuccess(reply, response);
}

/** True if a body is an HTML document, judging by its first characters. */
export function isHtmlBody({ body }: SiteResponse): boolean {
  return looksLikeHtml(headOf(body, HTML_START_BYTES).toString());
}

function judgeFailure(failed: FailedFetch, { control, options }: Pick<Reply, 'control' | 'options'>): ReadOutcome {
  const { failure } = failed;
  const detail = describeFailedFetch(failed);
  if (REDIRECT_FAILURES.has(failure)) return unsuccessful(detail);
  if (INCONCLUSIVE_FAILURES.has(failure)) return unknown(detail);
  if (failure === 'redirect_loop' && options.isRobots === true) return { kind: 'unreachable', cause: failed };
  if (!control.isSound) return unsuccessful(describeWithFailedControl(detail, control));
  return STALL_FAILURES.has(failure) ? { kind: 'timeout' } : { kind: 'unreachable', cause: failed };
}

async function judgeRefusal(reply: Reply, status: number): Promise<ReadOutcome> {
  const { control } = reply;
  if (reply.options.isRobots === true) return absent(status);
  if (!control.isSound)
    return control.status === status
      ? unsuccessful(describeWithFailedControl(safeText`it returns status ${status}`, control))
      : { kind: 'blocked', status };
  if (control.response.status !== status) return { kind: 'blocked', status };
  if (status !== 401 && status !== 403) return absent(status);
  if (await reply.hasReadablePage()) return absent(status);
  return unsuccessful(safeText`it returns status ${status}, like every address that does not exist`);
}

async function judgeSuccess(reply: Reply, response: SiteResponse): Promise<ReadOutcome> {
  const { control, path, shape, options } = reply;
  const present: ReadOutcome = { kind: 'present', value: response };
  if (!control.isSound) {
    // HTML may be the page for nonexistent paths, which we could not fetch.
    return shape !== 'page' && isHtmlBody(response)
      ? unknown(describeWithFailedControl(safeText`it returns an HTML page`, control))
      : present;
  }
  const own = { path, response };
  if (isSameTarget(own, control)) return absent(response.status);
  if (!isSuccess(control.response.status)) return present;
  if (shape !== 'page' && isHtmlBody(control.response)) return isHtmlBody(response) ? absent(response.status) : present;
  if (isSameBody(own, control)) return absent(response.status);
  if (shape === 'page') return present;
  if (options.validates === undefined) {
    return unknown(safeText`this site returns success for every address, so we cannot tell whether the file exists`);
  }
  return options.validates(response) ? present : absent(response.status);
}

function absent(status: number): ReadOutcome {
  return { kind: 'absent', status };
}

function unknown(detail: SafeText): ReadOutcome {
  return { kind: 'unknown', detail };
}

/** Returns an unknown outcome for a site that did not return success. */
function unsuccessful(detail: SafeText): ReadOutcome {
  return { kind: 'unknown', detail, isUnsuccessful: true };
}

/** Adds that the control also failed, so that nothing can be compared. */
function describeWithFailedControl(seen: SafeText, { status }: Control & { isSound: false }): SafeText {
  const failure = status === null ? safeText`no response` : safeText`status ${status}`;
  return safeText`${seen}, but an address that does not exist also fails (${failure})`;
}

/** Responses that a link's response is compared with, to recognize soft 404s. */
export interface ProbeReferences {
  /** The page control of the link's own origin, or null if there is none. */
  pageControl(url: URL): Promise<Control | null>;
  home(): Promise<SiteResponse | null>;
}

/**
 * Follows a link. It is dead after 404 or 410 twice, if its host does not exist, or if it is a proven soft 404. A refusal or overload
 * (401, 403, 429, 5xx, a stall, a challenge) means unknown, never dead.
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
  if (!isSuccess(response.status) || response.challenge !== null) return 'unknown';
  if (!isPage(response)) return 'alive';
  const state = await stateOfPage({ path: url.pathname, response }, references, url);
  // Many sites redirect anonymous visitors to the sign-in page, both from private pages and from missing ones.
  return state === 'dead' && isPrivatePath(response.url) ? 'unknown' : state;
}

function isPage(response: SiteResponse): boolean {
  return isHtmlType(parseMediaType(response.headers.get('content-type')).essence) || isHtmlBody(response);
}

/**
 * Compares a page with the response at a URL that cannot exist. If both are application shells, or both are the home page, existing and
 * missing pages look the same.
 */
async function stateOfPage(page: PathResponse, references: ProbeReferences, url: URL): Promise<LinkState> {
  const [control, home] = await Promise.all([references.pageControl(url), references.home()]);
  if (control === null || !control.isSound || home === null) return 'alive';
  const { response } = page;
  if (isSameTarget(page, control)) return isSameUrl(response.url, home.url) ? 'likeMissing' : 'dead';
  const { status } = control.response;
  // A link to the page that unknown paths redirect to is a link to a real page.
  if (!isSuccess(status) || isSameUrl(response.url, control.response.url) || isSameUrl(response.url, home.url))
    return 'alive';
  if (response.isOverLimit) return 'alive';
  if (control.isShell && isShellPage(response)) return 'unknown';
  const body = fingerprintOf(page, control.path);
  if (body === '' || body !== fingerprintOf(control, page.path)) return 'alive';
  return body === fingerprintOf({ path: page.path, response: home }, control.path) ? 'likeMissing' : 'dead';
}

function isSameUrl(a: URL, b: URL): boolean {
  return a.href === b.href;
}
