import type { Middleware } from 'koa';
import type { SignIn } from '../../app/accounts/sign-in.js';
import type { WebContext, WebState } from './context.js';

/** Reads, sets and clears one cookie. */
export interface Cookie {
  read(ctx: WebContext): string | undefined;
  set(ctx: WebContext, value: { readonly token: string; readonly expiresAt: string }): void;
  clear(ctx: WebContext): void;
}

/**
 * `__Host-` binds the cookie to this very host and to https (RFC 6265bis §4.1.3.2); a service on plain http, such as one on a
 * laptop, has to do without.
 */
export function createCookie(publicUrl: string, holds: 'session' | 'device'): Cookie {
  const secure = publicUrl.startsWith('https:');
  const name = secure ? `__Host-${holds}` : holds;
  const put = (ctx: WebContext, value: string | null, expires: Date): void => {
    // TLS ends at a proxy: whether the connection is safe for a cookie, the public address says.
    ctx.cookies.secure = secure;
    ctx.cookies.set(name, value, { httpOnly: true, sameSite: 'lax', path: '/', secure, expires, overwrite: true });
  };
  return {
    read: (ctx) => ctx.cookies.get(name),
    set: (ctx, { token, expiresAt }) => put(ctx, token, new Date(expiresAt)),
    clear: (ctx) => put(ctx, null, new Date(0)),
  };
}

/** Finds out who asks. A cookie that is no longer good is as none. */
export function authenticate(cookie: Cookie, signIn: Pick<SignIn, 'authenticate'>): Middleware<WebState> {
  return async (ctx, next) => {
    const token = cookie.read(ctx);
    if (token) ctx.state.session = await signIn.authenticate(token);
    await next();
  };
}
