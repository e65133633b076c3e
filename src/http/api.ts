import Koa from 'koa';
import { boundary } from '../platform/boundary.js';
import type { Logger } from '../platform/logging.js';
import type { ObserveRequest } from '../platform/request-metrics.js';
import type { Readiness } from '../platform/readiness.js';
import { logUnsent } from '../platform/unsent.js';
import { contract, type ContractDeps } from './contract.js';
import type { ExchangeState } from './exchange.js';
import { probes } from './probes.js';
import { refuse } from './refusals.js';

export interface ApiDeps extends ContractDeps {
  readonly readiness: Readiness;
  readonly logger: Logger;
  readonly observeRequest?: ObserveRequest;
}

/** The API and its probes. Every answer is JSON and carries a request id; nothing that a client sends gives a 500. */
export async function createApi(deps: ApiDeps): Promise<Koa<ExchangeState>> {
  const { logger, lifecycle, observeRequest } = deps;
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
      logFields: ({ admission }) => (admission ? { accountId: admission.accountId, keyId: admission.keyId } : {}),
    }),
  );
  app.use(probes(deps.readiness, lifecycle));
  app.use(await contract(deps));
  return app;
}
