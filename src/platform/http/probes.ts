import type Koa from 'koa';
import type { Middleware } from 'koa';
import { Refusal, ServiceError } from '../errors.js';
import type { Lifecycle } from '../lifecycle.js';
import { type AppOptions, createHttpApp } from './app.js';
import { pathOf, type RequestState } from './request.js';
import { isRead, sendJson } from './answer.js';

/** Tells whether the process can work now. */
export interface Readiness {
  /** Returns why it cannot, in fixed words; null when it can. */
  whyNotReady(): Promise<string | null>;
}

/** Load balancers give up quickly: a database that takes longer than this counts as not ready. */
const READINESS_TIMEOUT_MS = 2_000;

export const SILENT_DATABASE = 'the database does not answer';

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

/** @throws Refusal overloaded that says why the process cannot work now */
async function assertReady(readiness: Readiness, lifecycle: Lifecycle): Promise<void> {
  if (lifecycle.isStopping) throw notReady('the process is stopping');
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<string>((resolve) => {
    timer = setTimeout(resolve, READINESS_TIMEOUT_MS, SILENT_DATABASE);
  });
  try {
    const reason = await Promise.race([readiness.whyNotReady(), timeout]);
    if (reason !== null) throw notReady(reason);
  } catch (cause) {
    if (cause instanceof Refusal) throw cause;
    throw new Refusal(503, 'overloaded', 'The readiness check failed.', { cause });
  } finally {
    clearTimeout(timer);
  }
}

function notReady(reason: string): Refusal {
  return new Refusal(503, 'overloaded', `The service is not ready: ${reason}.`, { cause: new Error(reason) });
}
