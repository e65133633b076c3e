import Koa from 'koa';
import { ServiceError } from '../errors.js';
import { boundary, type BoundaryOptions } from './boundary.js';
import { logUnsent } from './unsent.js';
import type { Exchange, ExchangeState } from '../../api/exchange.js';
import { refuse } from '../../api/refusals.js';

type JsonAppOptions = Omit<BoundaryOptions<ExchangeState>, 'initialState' | 'refuse'>;

/** What answers requests, and every error as JSON by the one table; what it answers beside errors is up to its middleware. */
export function createJsonApp(options: JsonAppOptions): Koa<ExchangeState> {
  const { logger } = options;
  const app = new Koa<ExchangeState>();
  app.on('error', logUnsent(logger));
  app.use(
    boundary<ExchangeState>({
      ...options,
      initialState: { admission: null },
      refuse: (exchange, error) => refuse(exchange, error, logger),
    }),
  );
  return app;
}

/**
 * For a path that can only be read, and whose answer is of the moment.
 * @returns whether it is to be read; false: the request is answered already
 * @throws ServiceError method_not_allowed
 */
export function isRead(exchange: Exchange): boolean {
  exchange.set('Cache-Control', 'no-store');
  exchange.set('Allow', 'GET, HEAD, OPTIONS');
  if (exchange.method === 'OPTIONS') {
    exchange.status = 204;
    return false;
  }
  if (exchange.method !== 'GET' && exchange.method !== 'HEAD') throw new ServiceError('method_not_allowed');
  return true;
}
