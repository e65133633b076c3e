import type Koa from 'koa';
import { ServiceError } from '../platform/errors.js';
import type { Lifecycle } from '../platform/lifecycle.js';
import type { Logger } from '../platform/logging.js';
import type { Readiness } from '../platform/readiness.js';
import type { ObserveRequest } from '../platform/request-metrics.js';
import type { ExchangeState } from './exchange.js';
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
