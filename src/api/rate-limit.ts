import type { ParameterizedContext } from 'koa';
import type { RateLimit } from '../platform/errors.js';

/** Says what is left of the monthly quota. */
export function setRateLimit(ctx: ParameterizedContext, { limit, remaining }: RateLimit): void {
  ctx.set('X-RateLimit-Limit', String(limit));
  ctx.set('X-RateLimit-Remaining', String(Math.max(0, remaining)));
}
