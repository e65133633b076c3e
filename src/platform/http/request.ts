import type { IncomingMessage } from 'node:http';

/** What every app knows about a request. */
export interface RequestState {
  requestId: string;
  /** The template of the matched path, for the log; a raw path may contain anything. */
  route: string | null;
  /** Set for requests that machines send every few seconds: logged at debug. */
  isProbe?: true;
  /** Sent with the answer; they replace headers that were set on Koa's context. */
  readonly headers: Record<string, string>;
  /** See `answer`. */
  body?: Uint8Array;
  /** Set for a page that shows a secret, so that it is not compressed. */
  hasSecret?: boolean;
}

/** The path of a request target, still percent-encoded, without its query. Empty for targets without a path, such as `*`. */
export function pathOf(target: string): string {
  if (target.startsWith('/')) return target.split(/[?#]/, 1)[0] ?? '';
  return URL.parse(target)?.pathname ?? '';
}

/** The query of a request target with its `?`, as sent; empty if there is none. */
export function queryOf(target: string): string {
  return /\?[^#]*/.exec(target)?.[0] ?? '';
}

const HOST = /^host$/i;

/**
 * True if HTTP allows an answer to this request. Node accepts some requests that it should not, or refuses them without an
 * explanation: those with no Host or several (RFC 9112 §3.2), those of an unsupported version (§2.3), and those whose end
 * another server on the path could see elsewhere: any transfer coding but `chunked`, and any at all in HTTP/1.0 (§6.1).
 */
export function isWellFormed({ headers, rawHeaders, httpVersion }: IncomingMessage): boolean {
  const hostCount = rawHeaders.filter((text, index) => index % 2 === 0 && HOST.test(text)).length;
  const coding = headers['transfer-encoding']?.trim().toLowerCase();
  if (httpVersion === '1.0') return hostCount <= 1 && coding === undefined;
  return httpVersion === '1.1' && hostCount === 1 && (coding === undefined || coding === 'chunked');
}

/**
 * The token in `Authorization` (RFC 6750 §2.1); null if there is none. The scheme's name is compared case-insensitively (RFC 9110
 * §11.1), and only HTTP white space (§5.6.3) is stripped: `trim` would also strip other characters from a token.
 */
export function readBearer(authorization: string | undefined): string | null {
  const [scheme = '', ...rest] = (authorization ?? '').split(/[ \t]+/).filter((word) => word !== '');
  return scheme.toLowerCase() === 'bearer' && rest.length > 0 ? rest.join(' ') : null;
}

/** How `WWW-Authenticate` asks for a token (RFC 6750 §3): a request without one learns only the scheme. */
export function challengeOf(realm: string, isTokenSent: boolean): string {
  return `Bearer realm="${realm}"${isTokenSent ? ', error="invalid_token"' : ''}`;
}
