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
