import type { Middleware } from 'koa';
import { Refusal, ServiceError } from '../../platform/errors.js';
import { seeOther } from '../../platform/http/answer.js';
import { type Cookie, paramOf, type RouteContext, type WebContext, type WebState } from './page.js';
import { seeNotice } from './form.js';
import { actAs, ownerActor } from '../../app/audit/audit.js';
import type { SignIn } from '../../app/accounts/sign-in.js';
import type { OpenedSession, Session } from '../../app/accounts/sessions.js';
import type { OwnSite, SiteOfAccount } from '../../app/sites/site.js';
import type { Sites } from '../../app/sites/sites.js';

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

/** Thrown if a page requires an account. Redirects visitors to the sign-in page, and back afterwards. */
class SignInNeeded extends Refusal {
  override readonly name = 'SignInNeeded';

  constructor() {
    super(401, 'sign_in_needed', 'Sign in first.');
  }
}

/** The sessions of current requests. */
const SESSIONS = new WeakMap<WebState, Session>();

/** Reads the session of a request. Ignores a cookie whose session has ended. */
export function authenticate(cookie: Cookie, signIn: Pick<SignIn, 'authenticate'>): Middleware<WebState> {
  return async (ctx, next) => {
    const token = cookie.read(ctx);
    const session = token ? await signIn.authenticate(token, ctx.ip) : null;
    if (session) {
      SESSIONS.set(ctx.state, session);
      ctx.state.viewer = { name: session.account.email };
    }
    try {
      await actAs(ownerActor(ctx.ip, ctx.get('User-Agent')), next);
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

interface SignInParts {
  readonly signIn: Pick<SignIn, 'signOut'>;
  readonly sessionCookie: Cookie;
}

/** Sets the cookie of a new session, ends the session that the browser had, and redirects. */
export async function signInAndRedirect(
  ctx: WebContext,
  { signIn, sessionCookie }: SignInParts,
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
export function signOutAndRedirect(ctx: WebContext, { sessionCookie }: Pick<SignInParts, 'sessionCookie'>): void {
  sessionCookie.clear(ctx);
  seeNotice(ctx, '/sign-in', 'signed-out');
}

/** Returns the site in the path and the signed-in account. @throws SignInNeeded */
export function requestedSite(ctx: RouteContext): SiteOfAccount {
  return { accountId: sessionOf(ctx).account.id, siteId: paramOf(ctx, 'siteId') };
}

/** Parses a positive number in an address, such as `12`; null for anything else. */
export function parseNumber(text: string): number | null {
  return /^[1-9][0-9]{0,9}$/.test(text) ? Number(text) : null;
}

interface SiteReader {
  readonly sites: Pick<Sites, 'getOwn'>;
}

/** Loads the site in the path. @throws SignInNeeded; ServiceError site_not_found, also for another account's site */
export async function loadOwnSite(ctx: RouteContext, { sites }: SiteReader): Promise<OwnSite> {
  return sites.getOwn(requestedSite(ctx));
}

/** Loads the site in the path, and parses the number of the run. @throws as {@link loadOwnSite}; ServiceError run_not_found */
export async function loadOwnRun(
  ctx: RouteContext,
  deps: SiteReader,
): Promise<{ readonly site: OwnSite; readonly number: number }> {
  // Checks the owner first: only the owner may learn that a run does not exist.
  const site = await loadOwnSite(ctx, deps);
  const number = parseNumber(paramOf(ctx, 'number'));
  if (number === null) throw new ServiceError('run_not_found');
  return { site, number };
}
