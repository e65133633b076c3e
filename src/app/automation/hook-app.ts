import type { IncomingMessage, ServerResponse } from 'node:http';
import Koa, { type Middleware, type ParameterizedContext } from 'koa';
import { ServiceError } from '../../platform/errors.js';
import { boundary, type RequestState } from '../../platform/http/boundary.js';
import type { Lifecycle } from '../../platform/lifecycle.js';
import type { Logger } from '../../platform/logging.js';
import type { ObserveRequest } from '../../platform/http/request-metrics.js';
import { ignoreBody } from '../../platform/http/request-body.js';
import { logUnsent } from '../../platform/http/unsent.js';
import { DEPLOY_WAIT_S, type DeployHooks } from './deploy-hooks.js';
import { InvalidWait, refuse } from './hook-refusals.js';

export interface HooksDeps {
  readonly deployHooks: Pick<DeployHooks, 'call' | 'status'>;
  /** The service's base address, without a trailing slash. */
  readonly publicUrl: string;
  readonly logger: Logger;
  readonly lifecycle: Lifecycle;
  readonly observeRequest?: ObserveRequest;
}

export interface Hooks {
  /** Deals with a request below `/hooks`; resolves when it is done. */
  readonly handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
}

type Exchange = ParameterizedContext<RequestState>;

const PREFIX = '/hooks/deploy/';

/** For the log, in place of the path, which holds the secret. */
const ROUTE = '/hooks/deploy/{token}';

const ALLOW = 'GET, HEAD, OPTIONS, POST';

/**
 * What deployments call: `POST /hooks/deploy/{token}?wait=N` queues a run of the site, and the same address answers a GET with how
 * that stands. The secret in the address is all that is asked for. Nobody is held back from guessing one: it has 256 random
 * bits, and a wrong guess costs one look into an index.
 */
export function createHooks({ deployHooks, publicUrl, logger, lifecycle, observeRequest }: HooksDeps): Hooks {
  const app = new Koa<RequestState>();
  app.on('error', logUnsent(logger));
  app.use(protectAddress);
  app.use(
    boundary<RequestState>({
      ...{ room: 'hooks', observeRequest, logger, lifecycle },
      initialState: {},
      refuse: refuse(logger),
    }),
  );
  app.use(async (exchange) => {
    const token = tokenOf(exchange);
    const { method } = exchange;
    if (method === 'POST') await takeCall(exchange, token, { deployHooks, publicUrl });
    else if (method === 'GET' || method === 'HEAD') {
      const { state, latest } = await deployHooks.status(token);
      exchange.body = { state, latest };
    } else {
      exchange.set('Allow', ALLOW);
      if (method !== 'OPTIONS') throw new ServiceError('method_not_allowed');
      exchange.status = 204;
    }
  });
  return { handle: app.callback() };
}

/** Before the boundary, so that its refusals have them too: the address is a secret, and what it answers is of the moment. */
const protectAddress: Middleware = async (exchange, next) => {
  exchange.set('Cache-Control', 'no-store');
  exchange.set('Referrer-Policy', 'no-referrer');
  await next();
};

/** @throws ServiceError not_found */
function tokenOf({ path, state }: Exchange): string {
  const token = path.startsWith(PREFIX) ? path.slice(PREFIX.length) : '';
  if (token === '' || token.includes('/')) throw new ServiceError('not_found');
  state.route = ROUTE;
  return token;
}

async function takeCall(
  exchange: Exchange,
  token: string,
  { deployHooks, publicUrl }: Pick<HooksDeps, 'deployHooks' | 'publicUrl'>,
): Promise<void> {
  await ignoreBody(exchange.req);
  const { siteId, hostname, runAfter, latestNumber } = await deployHooks.call(token, waitOf(exchange));
  exchange.status = 202;
  // In the header alone: pipelines print what curl shows, the body, and the address is a secret.
  exchange.set('Location', publicUrl + PREFIX + token);
  exchange.body = {
    status: 'queued',
    site: { id: siteId, hostname },
    runAfter: runAfter.toISOString(),
    // The run of this call has a higher number.
    after: latestNumber,
    lookAt: {
      page: `${publicUrl}/sites/${siteId}`,
      latest: `${publicUrl}/api/v1/sites/${siteId}/runs/latest`,
    },
  };
}

/** An integer as the API reads one: decimal digits without sign or leading zero. */
const INTEGER = /^(?:0|[1-9][0-9]{0,2})$/;

/** Seconds until the deployment is live. @throws InvalidWait */
function waitOf({ querystring }: Exchange): number {
  const given = new URLSearchParams(querystring).getAll('wait');
  const [text = String(DEPLOY_WAIT_S.standard)] = given;
  const seconds = INTEGER.test(text) ? Number(text) : Infinity;
  if (given.length > 1 || seconds > DEPLOY_WAIT_S.max) throw new InvalidWait();
  return seconds;
}
