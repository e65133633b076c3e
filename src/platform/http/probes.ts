import type { Middleware } from 'koa';
import { pathOf } from './request-target.js';
import type { Lifecycle } from '../lifecycle.js';
import { assertReady, type Readiness } from '../readiness.js';
import { sendJson, type ExchangeState } from '../../api/exchange.js';
import { isRead } from './json-app.js';

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
    if (!isRead(exchange)) return;
    if (path === '/readyz') await assertReady(readiness, lifecycle);
    sendJson(exchange, 200, OK);
  };
}
