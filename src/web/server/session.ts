import type { OpenedSession } from '../../app/accounts/sessions.js';
import { seeOther } from '../../platform/http/answer.js';
import type { WebContext } from './page.js';
import { seeNotice } from './routes.js';

/** `__Host-` binds the cookie to this host and to https (RFC 6265bis §4.1.3.2), so a service on plain http cannot use it. */
export function sessionCookieName(publicUrl: string): string {
  return isSecure(publicUrl) ? '__Host-session' : 'session';
}

function isSecure(publicUrl: string): boolean {
  return publicUrl.startsWith('https:');
}

function setCookie(ctx: WebContext, value: string | null, expires: Date): void {
  const { publicUrl } = ctx.state.deps;
  const secure = isSecure(publicUrl);
  // TLS ends at a proxy, so the public address says if the connection is secure.
  ctx.cookies.secure = secure;
  const options = { httpOnly: true, sameSite: 'lax', path: '/', secure, expires, overwrite: true } as const;
  ctx.cookies.set(sessionCookieName(publicUrl), value, options);
}

export function clearSessionCookie(ctx: WebContext): void {
  setCookie(ctx, null, new Date(0));
}

/** Sets the cookie of a new session, ends the session that the browser had, and redirects. */
export async function signInAndRedirect(
  ctx: WebContext,
  { token, expiresAt }: OpenedSession,
  location: string,
): Promise<void> {
  const { deps, sessionToken: before } = ctx.state;
  // Set first, so that a failure to end the earlier session loses neither the new one nor the link that opened it.
  setCookie(ctx, token, new Date(expiresAt));
  if (before !== undefined) await deps.signIn.signOut(before);
  seeOther(ctx, location);
}

/** Removes the cookie of a session that has ended, and redirects. */
export function signOutAndRedirect(ctx: WebContext): void {
  clearSessionCookie(ctx);
  seeNotice(ctx, '/sign-in', 'signed-out');
}
