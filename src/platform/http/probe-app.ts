import type Koa from 'koa';
import { ServiceError } from '../errors.js';
import type { Lifecycle } from '../lifecycle.js';
import type { Logger } from '../logging.js';
import type { Readiness } from '../readiness.js';
import type { ObserveRequest } from './request-metrics.js';
import type { ExchangeState } from '../../api/exchange.js';
import { createJsonApp } from './json-app.js';
import { probes } from './probes.js';

export interface ProbeAppDeps {
  readonly readiness: Readiness;
  readonly logger: Logger;
  readonly lifecycle: Lifecycle;
  readonly observeRequest?: ObserveRequest;
}

/** /healthz and /readyz, and nothing else: what a process answers that only performs work. */
export function createProbeApp(deps: ProbeAppDeps): Koa<ExchangeState> {
  const { readiness, logger, lifecycle, observeRequest } = deps;
  const app = createJsonApp({ room: 'api', observeRequest, logger, lifecycle });
  app.use(probes(readiness, lifecycle));
  app.use(() => {
    throw new ServiceError('not_found');
  });
  return app;
}
