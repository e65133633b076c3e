import type { Middleware } from 'koa';
import { Refusal } from '../../platform/errors.js';
import type { WebState } from './context.js';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** The code of the refusal of a form that another site sent, or a client that cannot say where it comes from. */
export const FOREIGN_ORIGIN = 'foreign_origin';

/** Title and text of that refusal. */
export const FOREIGN_WORDS = [
  'This form was not sent from our pages',
  'Open the page here, and send the form again. Forms that another site sends are refused.',
] as const;

/**
 * The defence against forged requests (OWASP, "Cross-Site Request Forgery Prevention", fetch metadata): what changes anything
 * must come from our own pages by the browser's own word. Sec-Fetch-Site decides; browsers that do not send it give an Origin.
 * A client that sends neither is refused.
 */
export function sameOriginOnly(publicUrl: string): Middleware<WebState> {
  const { origin: ownOrigin } = new URL(publicUrl);
  return async (ctx, next) => {
    if (!SAFE_METHODS.has(ctx.method)) {
      const site = ctx.get('Sec-Fetch-Site');
      const isOwn = site === '' ? ctx.get('Origin') === ownOrigin : site === 'same-origin' || site === 'none';
      if (!isOwn) throw new Refusal(403, FOREIGN_ORIGIN, FOREIGN_WORDS.join('. '));
    }
    await next();
  };
}
