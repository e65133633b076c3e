import { FETCH_FAILURES } from '../../net/failure.js';
import { readHeadMetas } from '../parsers/verification-meta.js';
import { isSuccess } from './requests.js';
import type { Visit } from './visit.js';

/** The start of a body that the requested host itself served, or why there is none. */
export type SameHostText = { readonly text: string } | NoText;

export interface NoText {
  /** Our own wording, never the site's. */
  readonly reason: string;
  /** True if the host itself shows that the text does not exist: 404, 410 or a redirect elsewhere. */
  readonly isAbsent: boolean;
  /** True if the host sent an HTTP response. */
  readonly isAnswered: boolean;
}

/**
 * Fetches a text through the guard. Follows redirects on the same host and port only, never from https to http: a response from
 * another host says nothing about who owns this one.
 */
export async function fetchSameHostText(visit: Visit, url: URL): Promise<SameHostText> {
  let isSecure = url.protocol === 'https:';
  let refusal = '';
  const follows = (target: URL): boolean => {
    // `host` includes the port, which may have another owner. On the default ports, it is the same for http and https.
    if (target.host !== url.host)
      refusal = 'a redirect leads to another host or port, which proves nothing for this one';
    else if (isSecure && target.protocol !== 'https:') refusal = 'a redirect leads from https to http';
    isSecure ||= target.protocol === 'https:';
    return refusal === '';
  };
  const fetched = await visit.fetch(url, { follows, attempts: 'once', isRepeat: true });
  if ('failure' in fetched) {
    const isAnswered = fetched.failure === 'redirect_loop' || fetched.failure === 'bad_redirect';
    return { reason: FETCH_FAILURES[fetched.failure], isAbsent: false, isAnswered };
  }
  const { status, challenge, body, isEndlessRedirect } = fetched.response;
  if (challenge !== null)
    return { reason: 'the server answered with a bot challenge', isAbsent: false, isAnswered: true };
  if (isSuccess(status)) return { text: Buffer.from(body).toString('utf8') };
  if (refusal !== '') return { reason: refusal, isAbsent: true, isAnswered: true };
  if (isEndlessRedirect === true) return { reason: FETCH_FAILURES.redirect_loop, isAbsent: false, isAnswered: true };
  return { reason: `the server answered ${status}`, isAbsent: status === 404 || status === 410, isAnswered: true };
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
