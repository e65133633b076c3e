import type { Middleware } from 'koa';
import { Refusal } from '../../../platform/errors.js';
import { seeOther, type WebContext, type WebState } from '../../../web/kit/context.js';
import { actAs, holderAt } from '../../audit/actor.js';
import type { SignIn } from '../sign-in.js';
import type { Session } from '../sessions.js';

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

/** Thrown where a page is for account holders only: visitors are led to the sign-in page, and back again. */
class SignInNeeded extends Refusal {
  override readonly name = 'SignInNeeded';

  constructor() {
    super(401, 'sign_in_needed', 'Sign in first.');
  }
}

/** The sessions of the requests that are being answered; the pages' kit knows of each no more than the name. */
const SESSIONS = new WeakMap<WebState, Session>();

/** Finds out who asks. A cookie that is no longer good is as none. */
export function authenticate(cookie: Cookie, signIn: Pick<SignIn, 'authenticate'>): Middleware<WebState> {
  return async (ctx, next) => {
    const token = cookie.read(ctx);
    const session = token ? await signIn.authenticate(token) : null;
    if (session) {
      SESSIONS.set(ctx.state, session);
      ctx.state.viewer = { name: session.account.email };
    }
    try {
      await actAs(holderAt(ctx.ip, ctx.get('User-Agent')), next);
    } catch (error) {
      if (!(error instanceof SignInNeeded)) throw error;
      seeOther(ctx, ctx.method === 'GET' ? `/sign-in?next=${encodeURIComponent(ctx.url)}` : '/sign-in');
    }
  };
}

/** @throws SignInNeeded */
export function sessionOf({ state }: WebContext): Session {
  const session = SESSIONS.get(state);
  if (!session) throw new SignInNeeded();
  return session;
}
