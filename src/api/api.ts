import type Koa from 'koa';
import type { Logger } from '../platform/logging.js';
import type { ObserveRequest } from '../platform/http/request-metrics.js';
import type { Readiness } from '../platform/readiness.js';
import { contract, type ContractDeps } from './contract.js';
import type { ExchangeState } from './exchange.js';
import { createJsonApp } from '../platform/http/json-app.js';
import { probes } from '../platform/http/probes.js';

export interface ApiDeps extends ContractDeps {
  readonly readiness: Readiness;
  readonly logger: Logger;
  readonly observeRequest?: ObserveRequest;
}

/** The API and its probes. Every answer is JSON and carries a request id; nothing that a client sends gives a 500. */
export async function createApi(deps: ApiDeps): Promise<Koa<ExchangeState>> {
  const { logger, lifecycle, observeRequest } = deps;
  const app = createJsonApp({
    ...{ room: 'api', observeRequest, logger, lifecycle },
    logFields: ({ admission }) => (admission ? { accountId: admission.accountId, keyId: admission.keyId } : {}),
  });
  app.use(probes(deps.readiness, lifecycle));
  app.use(await contract(deps));
  return app;
}
