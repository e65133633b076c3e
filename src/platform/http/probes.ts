import type Koa from 'koa';
import type { Middleware } from 'koa';
import { ServiceError } from '../errors.js';
import type { Lifecycle } from '../lifecycle.js';
import { assertReady, type Readiness } from '../readiness.js';
import { type AppOptions, createHttpApp } from './app.js';
import type { RequestState } from './request-state.js';
import { sendJson } from './json.js';
import { isRead } from './methods.js';
import { pathOf } from './request-target.js';

const OK = Buffer.from('{"status":"ok"}');

/** GET /healthz (the process answers) and /readyz (it can work; 503 while it stops). Neither needs a key. */
export function probes<S extends RequestState>(readiness: Readiness, lifecycle: Lifecycle): Middleware<S> {
  return async (ctx, next) => {
    const path = pathOf(ctx.req.url ?? '');
    if (path !== '/healthz' && path !== '/readyz') {
      await next();
      return;
    }
    ctx.state.route = path;
    ctx.state.isProbe = true;
    if (!isRead(ctx)) return;
    if (path === '/readyz') await assertReady(readiness, lifecycle);
    sendJson(ctx, 200, OK);
  };
}

/** Only /healthz and /readyz: for a process that only performs queued work. */
export function createProbeApp({
  readiness,
  ...options
}: Omit<AppOptions, 'name'> & { readonly readiness: Readiness }): Koa<RequestState> {
  const app = createHttpApp({ ...options, name: 'api' });
  app.use(probes(readiness, options.lifecycle));
  app.use(() => {
    throw new ServiceError('not_found');
  });
  return app;
}
