/**
 * The token that a request brings in `Authorization` (RFC 6750 §2.1); null when it brings none. The scheme's name is compared without
 * regard to case (RFC 9110 §11.1), and white space is what HTTP means by it (§5.6.3): `trim` would take others away from a token.
 */
export function readBearer(authorization: string | undefined): string | null {
  const [scheme = '', ...rest] = (authorization ?? '').split(/[ \t]+/).filter((word) => word !== '');
  return scheme.toLowerCase() === 'bearer' && rest.length > 0 ? rest.join(' ') : null;
}

/** How `WWW-Authenticate` asks for a token (RFC 6750 §3): a request without one is told nothing but the scheme. */
export function challengeOf(realm: string, isTokenSent: boolean): string {
  return `Bearer realm="${realm}"${isTokenSent ? ', error="invalid_token"' : ''}`;
}
