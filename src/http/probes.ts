import type { Middleware } from 'koa';
import { ServiceError } from '../domain/errors.js';
import { pathOf } from '../platform/request-target.js';
import type { Lifecycle } from '../platform/lifecycle.js';
import { assertReady, type Readiness } from '../platform/readiness.js';
import { sendJson, type ExchangeState } from './exchange.js';

const OK = Buffer.from('{"status":"ok"}');

/** GET /healthz (the process answers) and /readyz (it can work; 503 while it stops). Neither needs a key. */
export function probes(readiness: Readiness, lifecycle: Lifecycle): Middleware<ExchangeState> {
  return async (exchange, next) => {
    const path = pathOf(exchange.req.url ?? '');
    if (path !== '/healthz' && path !== '/readyz') {
      await next();
      return;
    }
    exchange.state.route = path;
    exchange.set('Cache-Control', 'no-store');
    exchange.set('Allow', 'GET, HEAD, OPTIONS');
    if (exchange.method === 'OPTIONS') {
      exchange.status = 204;
      return;
    }
    if (exchange.method !== 'GET' && exchange.method !== 'HEAD') throw new ServiceError('method_not_allowed');
    if (path === '/readyz') await assertReady(readiness, lifecycle);
    sendJson(exchange, 200, OK);
  };
}
