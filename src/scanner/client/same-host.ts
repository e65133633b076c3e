import { FETCH_FAILURES } from '../../net/failure.js';
import { detectChallenge } from './challenge.js';
import { readHeadMetas } from '../parsers/verification-meta.js';
import type { SiteResponse, Visit } from './visit.js';

const HOPS_MAX = 5;

/**
 * The read part of a body that the requested host itself served, or a fixed message that says why there is none, and whether the
 * host itself says so: it answers that there is nothing (404, 410), or leads elsewhere.
 */
export type SameHostText = { readonly text: string } | NoText;

interface NoText {
  readonly reason: string;
  readonly isAbsent: boolean;
}

/**
 * Fetches a text through the guard, following redirects on the same host and port only, and never from https to http: an answer
 * from another host says nothing about who owns this one.
 */
export async function fetchSameHostText(visit: Visit, url: URL): Promise<SameHostText> {
  let at = url;
  for (let hops = 0; hops <= HOPS_MAX; hops += 1) {
    const fetched = await visit.fetch(at, { isRedirectManual: true, attempts: 'once', isRepeat: true });
    if ('failure' in fetched) return { reason: FETCH_FAILURES[fetched.failure], isAbsent: false };
    const { response } = fetched;
    if (detectChallenge(response)) return { reason: 'the server answered with a bot challenge', isAbsent: false };
    if (response.status >= 200 && response.status < 300) return { text: Buffer.from(response.body).toString('utf8') };
    const next = redirectOf(response, at);
    if (next === null) {
      const isAbsent = response.status === 404 || response.status === 410;
      return { reason: `the server answered ${response.status}`, isAbsent };
    }
    // Includes the port, since another port may belong to another party; http to https on the default ports keeps the host equal.
    if (next.host !== at.host) {
      const reason = 'a redirect leads to another host or port, which proves nothing for this one';
      return { reason, isAbsent: true };
    }
    if (at.protocol === 'https:' && next.protocol !== 'https:')
      return { reason: 'a redirect leads from https to http', isAbsent: true };
    at = next;
  }
  return { reason: FETCH_FAILURES.redirect_loop, isAbsent: false };
}

/** Where a non-success answer redirects to. */
function redirectOf({ status, headers }: SiteResponse, at: URL): URL | null {
  const location = headers.get('location');
  return status < 400 && location !== null ? URL.parse(location, at) : null;
}

/** The contents of `<meta name="…">` in the head of a page on this very host. */
export async function fetchSameHostMetas(
  visit: Visit,
  url: URL,
  name: string,
): Promise<{ readonly contents: readonly string[] } | NoText> {
  const answer = await fetchSameHostText(visit, url);
  return 'reason' in answer ? answer : { contents: readHeadMetas(answer.text, name) };
}
