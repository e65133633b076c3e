import type { OpenedSession } from '../sessions.js';
import { type WebContext, seeOther } from '../../../web/kit/context.js';
import type { PartDeps } from '../../part.js';

/** Lets the browser in by a session that was just opened, and leads it on. The one that it came with, if any, ends. */
export async function enter(
  ctx: WebContext,
  { signIn, sessionCookie, deviceCookie }: Pick<PartDeps, 'signIn' | 'sessionCookie' | 'deviceCookie'>,
  session: OpenedSession,
  location: string,
): Promise<void> {
  // Set first: should the earlier session fail to end, the new one is not lost for it, nor the link that was used up.
  sessionCookie.set(ctx, session);
  deviceCookie.set(ctx, session.device);
  const before = sessionCookie.read(ctx);
  if (before !== undefined) await signIn.signOut(before);
  seeOther(ctx, location);
}

/** Lets the browser forget the session that it came with, which has ended. */
export function leave(ctx: WebContext, { sessionCookie }: Pick<PartDeps, 'sessionCookie'>): void {
  sessionCookie.clear(ctx);
  seeOther(ctx, '/sign-in?done=signed-out');
}
