import type { ParameterizedContext } from 'koa';
import type { RateLimit } from '../platform/errors.js';
import type { StoredRun } from '../app/runs/run-performer.js';

/** The caching headers of a finished run: it never changes, but who may read it does, so a cache has to ask each time. */
export function runHeaders(run: StoredRun): { readonly ETag: string; readonly 'Cache-Control': string } {
  return { ETag: run.etag, 'Cache-Control': 'private, no-cache' };
}

/** Says what is left of the monthly quota. */
export function setRateLimit(ctx: ParameterizedContext, { limit, remaining }: RateLimit): void {
  ctx.set('X-RateLimit-Limit', String(limit));
  ctx.set('X-RateLimit-Remaining', String(Math.max(0, remaining)));
}
