import type { IncomingMessage } from 'node:http';
import Koa, { type Middleware } from 'koa';
import { ServiceError } from '../domain/errors.js';
import type { Logger } from '../platform/logging.js';
import { contract, type ContractDeps } from './contract.js';
import { requestIdOf, type ExchangeState } from './exchange.js';
import { probes, type Readiness } from './probes.js';
import { refuse } from './refusals.js';

export interface ApiDeps extends ContractDeps {
  readonly readiness: Readiness;
  readonly logger: Logger;
}

/** The API and its probes. Every answer is JSON and carries a request id; nothing that a client sends gives a 500. */
export async function createApi(deps: ApiDeps): Promise<Koa<ExchangeState>> {
  const app = new Koa<ExchangeState>();
  app.on('error', (cause: unknown) => deps.logger.error({ cause }, 'an answer could not be sent'));
  app.use(boundary(deps));
  app.use(probes(deps.readiness, deps.lifecycle));
  app.use(await contract(deps));
  return app;
}

/** Around everything: the request's id, its line in the log, and the answer to whatever is thrown. */
function boundary({ logger, lifecycle }: ApiDeps): Middleware<ExchangeState> {
  return async (exchange, next) => {
    const startedMs = performance.now();
    const requestId = requestIdOf(exchange.get('X-Request-Id') || undefined);
    exchange.state = { requestId, route: null, admission: null };
    exchange.set('X-Request-Id', requestId);
    exchange.set('X-Content-Type-Options', 'nosniff');
    try {
      assertWellFormed(exchange.req);
      await next();
    } catch (error) {
      await refuse(exchange, error, logger);
    }
    if (lifecycle.isStopping) exchange.set('Connection', 'close');
    const { route, admission } = exchange.state;
    const durationMs = Math.round(performance.now() - startedMs);
    const fields = { requestId, method: exchange.method, route, status: exchange.status, durationMs };
    logger.info(admission ? { ...fields, accountId: admission.accountId, keyId: admission.keyId } : fields, 'request');
  };
}

/** What HTTP has refused, and Node lets through or refuses without the body that every error has (RFC 9112 §3.2, §6.3). */
function assertWellFormed({ headers, headersDistinct, httpVersion }: IncomingMessage): void {
  const hostCount = headersDistinct.host?.length ?? 0;
  const lastCoding = headers['transfer-encoding']?.split(',').at(-1)?.trim().toLowerCase() ?? 'chunked';
  if (hostCount > 1 || (hostCount === 0 && httpVersion === '1.1') || lastCoding !== 'chunked') {
    throw new ServiceError('bad_request');
  }
}
