import type { Middleware } from 'koa';
import type { OpenedSession, SignIn } from '../app/accounts/sign-in.js';
import type { Exchange, WebState } from './exchange.js';

/** Reads, sets and clears the cookie that holds a session. */
export interface SessionCookie {
  read(exchange: Exchange): string | undefined;
  set(exchange: Exchange, session: OpenedSession): void;
  clear(exchange: Exchange): void;
}

/**
 * `__Host-` binds the cookie to this very host and to https (RFC 6265bis §4.1.3.2); a service on plain http, such as one on a
 * laptop, has to do without.
 */
export function createSessionCookie(publicUrl: string): SessionCookie {
  const secure = publicUrl.startsWith('https:');
  const name = secure ? '__Host-session' : 'session';
  const put = (exchange: Exchange, value: string | null, expires: Date): void => {
    // TLS ends at a proxy: whether the connection is safe for a cookie, the public address says.
    exchange.cookies.secure = secure;
    exchange.cookies.set(name, value, { httpOnly: true, sameSite: 'lax', path: '/', secure, expires, overwrite: true });
  };
  return {
    read: (exchange) => exchange.cookies.get(name),
    set: (exchange, { token, expiresAt }) => put(exchange, token, new Date(expiresAt)),
    clear: (exchange) => put(exchange, null, new Date(0)),
  };
}

/** Finds out who asks. A cookie that is no longer good is as none. */
export function authenticate(cookie: SessionCookie, signIn: Pick<SignIn, 'authenticate'>): Middleware<WebState> {
  return async (exchange, next) => {
    const token = cookie.read(exchange);
    if (token) exchange.state.session = await signIn.authenticate(token);
    await next();
  };
}
