import type { Middleware } from 'koa';
import { Refusal, ServiceError } from '../../platform/errors.js';
import { seeOther } from '../../platform/http/answer.js';
import { type Cookie, paramOf, type RouteContext, type RouteDeps, type WebContext, type WebState } from './page.js';
import { seeNotice } from './form.js';
import { actAs, ownerActor } from '../../app/audit/audit.js';
import type { SignIn } from '../../app/accounts/sign-in.js';
import type { OpenedSession, Session } from '../../app/accounts/sessions.js';
import type { OwnSite, SiteOfAccount } from '../../app/sites/site.js';

/** `__Host-` binds the cookie to this host and to https (RFC 6265bis §4.1.3.2), so a service on plain http cannot use it. */
export function createSessionCookie(publicUrl: string): Cookie {
  const secure = publicUrl.startsWith('https:');
  const name = secure ? '__Host-session' : 'session';
  const put = (ctx: WebContext, value: string | null, expires: Date): void => {
    // TLS ends at a proxy, so the public address says if the connection is secure.
    ctx.cookies.secure = secure;
    ctx.cookies.set(name, value, { httpOnly: true, sameSite: 'lax', path: '/', secure, expires, overwrite: true });
  };
  return {
    read: (ctx) => ctx.cookies.get(name),
    set: (ctx, { token, expiresAt }) => put(ctx, token, new Date(expiresAt)),
    clear: (ctx) => put(ctx, null, new Date(0)),
  };
}

const SIGN_IN_NEEDED = 'sign_in_needed';

/**
 * Reads the session of a request; ignores a cookie whose session has ended. Redirects a visitor who asks for a page of an account to
 * the sign-in page, and back afterwards.
 */
export function authenticate(cookie: Cookie, signIn: Pick<SignIn, 'authenticate'>): Middleware<WebState> {
  return async (ctx, next) => {
    const token = cookie.read(ctx);
    ctx.state.session = token ? await signIn.authenticate(token, ctx.ip) : null;
    try {
      await actAs(ownerActor(ctx.ip, ctx.get('User-Agent')), next);
    } catch (error) {
      if (!(error instanceof Refusal && error.code === SIGN_IN_NEEDED)) throw error;
      seeOther(ctx, ctx.method === 'GET' ? `/sign-in?next=${encodeURIComponent(ctx.url)}` : '/sign-in');
    }
  };
}

/** @throws Refusal sign_in_needed */
export function sessionOf({ state }: WebContext): Session {
  if (!state.session) throw new Refusal(401, SIGN_IN_NEEDED, 'Sign in first.');
  return state.session;
}

/** Sets the cookie of a new session, ends the session that the browser had, and redirects. */
export async function signInAndRedirect(
  ctx: WebContext,
  { signIn, sessionCookie }: Pick<RouteDeps, 'signIn' | 'sessionCookie'>,
  session: OpenedSession,
  location: string,
): Promise<void> {
  // Set first, so that a failure to end the earlier session loses neither the new one nor the link that opened it.
  sessionCookie.set(ctx, session);
  const before = sessionCookie.read(ctx);
  if (before !== undefined) await signIn.signOut(before);
  seeOther(ctx, location);
}

/** Removes the cookie of a session that has ended, and redirects. */
export function signOutAndRedirect(ctx: WebContext, { sessionCookie }: Pick<RouteDeps, 'sessionCookie'>): void {
  sessionCookie.clear(ctx);
  seeNotice(ctx, '/sign-in', 'signed-out');
}

/** Returns the site in the path and the signed-in account. @throws Refusal sign_in_needed */
export function requestedSite(ctx: RouteContext): SiteOfAccount {
  return { accountId: sessionOf(ctx).account.id, siteId: paramOf(ctx, 'siteId') };
}

/** Parses a positive number in an address, such as `12`; null for anything else. */
export function parseNumber(text: string): number | null {
  return /^[1-9][0-9]{0,9}$/.test(text) ? Number(text) : null;
}

/** Loads the site in the path. @throws Refusal sign_in_needed; ServiceError site_not_found, also for another account's site */
export async function loadOwnSite(ctx: RouteContext, { sites }: Pick<RouteDeps, 'sites'>): Promise<OwnSite> {
  return sites.getOwn(requestedSite(ctx));
}

/** Loads the site in the path, and parses the number of the run. @throws as {@link loadOwnSite}; ServiceError run_not_found */
export async function loadOwnRun(
  ctx: RouteContext,
  deps: Pick<RouteDeps, 'sites'>,
): Promise<{ readonly site: OwnSite; readonly number: number }> {
  // Checks the owner first: only the owner may learn that a run does not exist.
  const site = await loadOwnSite(ctx, deps);
  const number = parseNumber(paramOf(ctx, 'number'));
  if (number === null) throw new ServiceError('run_not_found');
  return { site, number };
}
