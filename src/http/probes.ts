import type { Middleware } from 'koa';
import { ServiceError } from '../domain/errors.js';
import { pathOf, sendJson, type ExchangeState } from './exchange.js';
import type { Lifecycle } from './lifecycle.js';

/** Whether the process can do its work now: its database answers and has the current schema. */
export interface Readiness {
  /** Rejects or resolves false when it cannot. */
  isReady(): Promise<boolean>;
}

/** A probe's caller gives up soon; a database that takes longer than this is not ready. */
const READINESS_TIMEOUT_MS = 2_000;
const READY_RETRY_AFTER_S = 5;
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

async function assertReady(readiness: Readiness, lifecycle: Lifecycle): Promise<void> {
  if (lifecycle.isStopping) throw notReady(new Error('the process is stopping'));
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), READINESS_TIMEOUT_MS);
  });
  try {
    if (!(await Promise.race([readiness.isReady(), tooLate])))
      throw new Error('the database or its schema is not ready');
  } catch (cause) {
    throw notReady(cause);
  } finally {
    clearTimeout(timer);
  }
}

function notReady(cause: unknown): ServiceError {
  return new ServiceError('overloaded', { retryAfterS: READY_RETRY_AFTER_S, cause });
}
