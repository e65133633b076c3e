import type Koa from 'koa';
import { type Refusal, ServiceError } from '../platform/errors.js';
import { createHttpApp } from '../platform/http/app.js';
import { challengeOf } from '../platform/http/bearer.js';
import { probes } from '../platform/http/probes.js';
import type { ObserveRequest } from '../platform/http/request-metrics.js';
import type { Clock } from '../platform/clock.js';
import type { Logger } from '../platform/logging.js';
import type { Readiness } from '../platform/readiness.js';
import { contract, type ContractDeps } from './contract.js';
import type { ApiContext, ApiState } from './operation.js';
import { setRateLimits } from './headers.js';

export interface ApiDeps extends ContractDeps {
  readonly readiness: Readiness;
  readonly logger: Logger;
  readonly observeRequest?: ObserveRequest;
}

/** The API and its probes. Every answer is JSON and carries a request id; nothing that a client sends gives a 500. */
export async function createApi(deps: ApiDeps): Promise<Koa<ApiState>> {
  const { logger, lifecycle, observeRequest } = deps;
  const app = createHttpApp<ApiState>({
    ...{ name: 'api', observeRequest, logger, lifecycle },
    onRefusal: (ctx, refusal) => onRefusal(ctx, refusal, deps.clock),
    initialState: { admission: null },
    logFields: ({ admission }) => (admission ? { accountId: admission.accountId, keyId: admission.keyId } : {}),
  });
  app.use(probes(deps.readiness, lifecycle));
  app.use(await contract(deps));
  return app;
}

/** A refusal that costs nothing gives the request back to the month's quota first, so that the headers tell the true rest. */
async function onRefusal(ctx: ApiContext, refusal: Refusal, clock: Clock): Promise<void> {
  if (refusal.status === 401) {
    ctx.set('WWW-Authenticate', challengeOf('agent-readiness', refusal.code !== 'missing_api_key'));
  }
  const { rateLimit, isChargeReturned = false } = refusal instanceof ServiceError ? refusal : {};
  const { admission } = ctx.state;
  const month = isChargeReturned ? await admission?.refund() : admission?.rateLimit;
  setRateLimits(
    ctx,
    [month, rateLimit].filter((known) => known !== undefined),
    clock.now(),
  );
}
