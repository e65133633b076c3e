import type { ParameterizedContext } from 'koa';
import { ServiceError } from '../errors.js';

/** Says which methods an address takes: HEAD goes with GET, and OPTIONS with all. */
export function setAllow(ctx: ParameterizedContext, methods: readonly string[]): void {
  const withHead = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  ctx.set('Allow', [...withHead, 'OPTIONS'].join(', '));
}

/**
 * For an address that can only be read, and whose answer is of the moment.
 * @returns whether it is to be read; false: the request is answered already
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
