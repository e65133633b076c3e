import type { Sink } from '../../net/body.js';
import type { BodyLease } from './body-room.js';
import { canonicalUrl } from '../../net/url-gate.js';
import { ACCEPT_ENCODING } from '../../net/content-coding.js';
import type { Fetched, FetchOptions } from './visit.js';

/** What the one who asks may leave out, as it is then. */
const DEFAULTS = {
  method: 'GET',
  body: null,
  sink: null,
  gunzipByMagic: false,
  attempts: 'standard',
  priority: 'core',
  isRepeat: false,
  isForOneReader: false,
  isReference: false,
  isHome: false,
  isRedirectManual: false,
  follows: () => true,
  part: null,
} as const satisfies { readonly [Name in keyof FetchOptions]: FetchOptions[Name] | null };

/** What a part of a run asks for, with every default applied; each hop of a redirect is one more. */
export interface AskedRequest extends Readonly<Required<Omit<FetchOptions, 'accept' | 'userAgent' | 'body' | 'sink'>>> {
  /** Without fragment and trailing dot. */
  readonly url: URL;
  /** The user-agent is the one that the site is asked under. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly sink: Sink | null;
  /** A hop, a second try or a repetition, for which a reserve is kept. */
  readonly isFurther: boolean;
  /** The room for a large body. */
  readonly lease: BodyLease;
}

/** One request under the name that its host is told. */
export interface SiteRequest extends AskedRequest {
  /** It goes to the site of somebody else. */
  readonly isForeign: boolean;
  /** Where it is sent: an IP address, or the host name until that is known. */
  readonly address: string;
}

/** Asks the site. Never rejects because of it. */
export type Ask<Request = SiteRequest> = (request: Request) => Promise<Fetched>;

/** One step on the way of a request: it answers by itself, or asks the next one, as often as it takes. */
export type Layer<Request = SiteRequest, Next = Request> = (request: Request, next: Ask<Next>) => Promise<Fetched>;

const BODY_BYTES_MAX = 1_048_576;

/** More than the largest file that we stream, a sitemap of 50 MiB, so that no sink receives an endless body. */
const SINK_BYTES_MAX = 64 * 1_048_576;

/** A browser's Accept without image types: complete, and HTML first. */
const ACCEPT = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

/** Header fields that describe a body, and are dropped with it when a redirect turns POST into GET. */
const BODY_FIELDS = ['content-type', 'content-length', 'content-encoding', 'content-language'];

/** @param options with the name that the site is asked under */
export function prepareRequest(
  url: URL,
  options: FetchOptions & { readonly userAgent: string },
  lease: BodyLease,
): AskedRequest {
  const { accept = ACCEPT, userAgent, headers = {}, ...asked } = { ...DEFAULTS, ...options };
  const given = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return {
    bodyBytesMax: asked.sink === null ? BODY_BYTES_MAX : SINK_BYTES_MAX,
    ...asked,
    url: canonicalUrl(url),
    headers: {
      accept,
      'accept-encoding': ACCEPT_ENCODING,
      'accept-language': '*',
      ...(Object.fromEntries(given) as Record<string, string>),
      // Last, so that no other header can bypass the rule about whose name may be used.
      'user-agent': userAgent,
    },
    isFurther: asked.isRepeat,
    lease,
  };
}

/** The request after a redirect, by RFC 9110 §15.4; as in browsers, 301 to 303 turn POST into GET. */
export function redirectRequest(request: AskedRequest, status: number, location: URL): AskedRequest {
  const url = canonicalUrl(location);
  const hop: AskedRequest = { ...request, url, isFurther: true };
  if (request.method === 'GET' || status === 307 || status === 308) return hop;
  const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => !BODY_FIELDS.includes(name)));
  return { ...hop, method: 'GET', headers, body: null };
}

/** The key of equal requests. How much of the body is kept makes no difference. */
export function requestKey({ url, method, headers, body, gunzipByMagic }: SiteRequest): string {
  return JSON.stringify([method, url.href, headers, body, gunzipByMagic]);
}
