import Koa from 'koa';
import { ServiceError } from '../domain/errors.js';
import { boundary } from '../platform/boundary.js';
import type { Lifecycle } from '../platform/lifecycle.js';
import type { Logger } from '../platform/logging.js';
import type { Readiness } from '../platform/readiness.js';
import type { ObserveRequest } from '../platform/request-metrics.js';
import { logUnsent } from '../platform/unsent.js';
import type { ExchangeState } from './exchange.js';
import { probes } from './probes.js';
import { refuse } from './refusals.js';

export interface ProbeAppDeps {
  readonly readiness: Readiness;
  readonly logger: Logger;
  readonly lifecycle: Lifecycle;
  readonly observeRequest?: ObserveRequest;
}

/** /healthz and /readyz, and nothing else: what a process answers that only performs work. */
export function createProbeApp(deps: ProbeAppDeps): Koa<ExchangeState> {
  const { readiness, logger, lifecycle, observeRequest } = deps;
  const app = new Koa<ExchangeState>();
  app.on('error', logUnsent(logger));
  app.use(
    boundary<ExchangeState>({
      room: 'api',
      observeRequest,
      logger,
      lifecycle,
      initialState: { admission: null },
      refuse: (exchange, error) => refuse(exchange, error, logger),
    }),
  );
  app.use(probes(readiness, lifecycle));
  app.use(() => {
    throw new ServiceError('not_found');
  });
  return app;
}
