import type { ParameterizedContext } from 'koa';
import { ServiceError } from '../errors.js';

/** Sets the Allow header: HEAD comes with GET, and OPTIONS with everything. */
export function setAllow(ctx: ParameterizedContext, methods: readonly string[]): void {
  const withHead = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  ctx.set('Allow', [...withHead, 'OPTIONS'].join(', '));
}

/**
 * For a read-only address whose answer must not be cached.
 * @returns whether to send the content; false: the request is already answered
 * @throws ServiceError method_not_allowed
 */
export function isRead(ctx: ParameterizedContext): boolean {
  ctx.set('Cache-Control', 'no-store');
  setAllow(ctx, ['GET']);
  if (ctx.method === 'GET' || ctx.method === 'HEAD') return true;
  if (ctx.method !== 'OPTIONS') throw new ServiceError('method_not_allowed');
  ctx.status = 204;
  return false;
}
