import { FETCH_FAILURES } from '../../net/failure.js';
import { readHeadMetas } from '../parsers/verification-meta.js';
import type { SiteResponse, Visit } from './visit.js';

const HOPS_MAX = 5;

/** The start of a body that the requested host itself served, or why there is none. */
export type SameHostText = { readonly text: string } | NoText;

export interface NoText {
  /** One of our own texts. */
  readonly reason: string;
  /** True if the host itself says so: 404, 410 or a redirect elsewhere. */
  readonly isAbsent: boolean;
  /** True if the host sent an HTTP response. */
  readonly isAnswered: boolean;
}

/**
 * Fetches a text through the guard. Follows redirects on the same host and port only, never from https to http: a response from
 * another host says nothing about who owns this one.
 */
export async function fetchSameHostText(visit: Visit, url: URL): Promise<SameHostText> {
  let at = url;
  for (let hops = 0; hops <= HOPS_MAX; hops += 1) {
    const fetched = await visit.fetch(at, { follows: false, attempts: 'once', isRepeat: true });
    if ('failure' in fetched) return { reason: FETCH_FAILURES[fetched.failure], isAbsent: false, isAnswered: false };
    const { response } = fetched;
    if (response.challenge !== null) return noText('the server answered with a bot challenge', false);
    if (response.status >= 200 && response.status < 300) return { text: Buffer.from(response.body).toString('utf8') };
    const next = redirectOf(response, at);
    if (next === null) {
      return noText(`the server answered ${response.status}`, response.status === 404 || response.status === 410);
    }
    // `host` includes the port, which may have another owner. It stays equal from http to https on the default ports.
    if (next.host !== at.host) {
      return noText('a redirect leads to another host or port, which proves nothing for this one', true);
    }
    if (at.protocol === 'https:' && next.protocol !== 'https:')
      return noText('a redirect leads from https to http', true);
    at = next;
  }
  return noText(FETCH_FAILURES.redirect_loop, false);
}

function noText(reason: string, isAbsent: boolean): NoText {
  return { reason, isAbsent, isAnswered: true };
}

/** Returns the target of a redirect, or null. */
function redirectOf({ status, headers }: SiteResponse, at: URL): URL | null {
  const location = headers.get('location');
  return status < 400 && location !== null ? URL.parse(location, at) : null;
}

/** Fetches the contents of `<meta name="…">` in the head of a page on exactly this host. */
export async function fetchSameHostMetas(
  visit: Visit,
  url: URL,
  name: string,
): Promise<{ readonly contents: readonly string[] } | NoText> {
  const answer = await fetchSameHostText(visit, url);
  return 'reason' in answer ? answer : { contents: readHeadMetas(answer.text, name) };
}
