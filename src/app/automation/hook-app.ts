import type { ParameterizedContext } from 'koa';
import { Refusal, ServiceError } from '../../platform/errors.js';
import { createHttpApp, type ObserveRequest } from '../../platform/http/app.js';
import { ignoreBody, type RequestState } from '../../platform/http/request.js';
import { setAllow } from '../../platform/http/answer.js';
import type { Lifecycle } from '../../platform/http/server.js';
import type { Logger } from '../../platform/logging.js';
import type { RunLabel } from '../runs/run-label.js';
import { labelFrom } from '../../platform/label.js';
import { DEPLOY_WAIT_S, type DeployHooks } from './deploy-hooks.js';

export interface HookOptions {
  readonly deployHooks: DeployHooks;
  /** The service's base address, without a trailing slash. */
  readonly publicUrl: string;
  readonly logger: Logger;
  readonly lifecycle: Lifecycle;
  readonly observeRequest?: ObserveRequest;
}

type Context = ParameterizedContext<RequestState>;

const PREFIX = '/hooks/deploy/';

/** Logged instead of the path, which contains the secret. */
const ROUTE = '/hooks/deploy/{token}';

/** The address is a secret, and the response must not be cached. */
const HEADERS = { 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' };

const MESSAGES = {
  not_found:
    'There is no such deploy hook: it was replaced or removed. Create a new address on the site\'s "Automation" page.',
};

/**
 * Serves deploy hooks: `POST /hooks/deploy/{token}?wait=N&commit=…&label=…` queues a run of the site, and a GET of the same address returns
 * its state. The secret in the address is the only credential. Guesses are not limited: it has 256 random bits, and a wrong one costs one
 * lookup in an index.
 */
export function createHookApp({ deployHooks, publicUrl, logger, lifecycle, observeRequest }: HookOptions) {
  const options = { observeRequest, logger, lifecycle, headers: HEADERS, messages: MESSAGES };
  const app = createHttpApp({ name: 'hooks', ...options });
  app.use(async (ctx) => {
    const token = tokenOf(ctx);
    const { method } = ctx;
    if (method === 'POST') await answerCall(ctx, token, { deployHooks, publicUrl });
    else if (method === 'GET' || method === 'HEAD') {
      const { state, latest } = await deployHooks.status(token);
      ctx.body = { state, latest };
    } else {
      setAllow(ctx, ['GET', 'POST']);
      if (method !== 'OPTIONS') throw new ServiceError('method_not_allowed');
      ctx.status = 204;
    }
  });
  return { handle: app.callback() };
}

/** @throws ServiceError not_found */
function tokenOf({ path, state }: Context): string {
  const token = path.startsWith(PREFIX) ? path.slice(PREFIX.length) : '';
  if (token === '' || token.includes('/')) throw new ServiceError('not_found');
  state.route = ROUTE;
  return token;
}

async function answerCall(
  ctx: Context,
  token: string,
  { deployHooks, publicUrl }: Pick<HookOptions, 'deployHooks' | 'publicUrl'>,
): Promise<void> {
  await ignoreBody(ctx.req);
  const { siteId, hostname, runAfter, latestNumber } = await deployHooks.call(token, waitOf(ctx), labelOf(ctx));
  ctx.status = 202;
  // Only in the header: pipelines print the body, and the address is a secret.
  ctx.set('Location', publicUrl + PREFIX + token);
  ctx.body = {
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

const INVALID_WAIT = `wait is the number of seconds until the deployment is live: an integer from 0 to ${DEPLOY_WAIT_S.max}.`;

/** An integer as in the API: decimal digits without sign or leading zero. */
const INTEGER = /^(?:0|[1-9][0-9]{0,2})$/;

/** Parses the seconds until the deployment is live. @throws Refusal invalid_wait, a code that the API does not have */
function waitOf({ querystring }: Context): number {
  const [text = String(DEPLOY_WAIT_S.standard), ...others] = new URLSearchParams(querystring).getAll('wait');
  const seconds = INTEGER.test(text) ? Number(text) : Infinity;
  if (others.length > 0 || seconds > DEPLOY_WAIT_S.max) throw new Refusal(400, 'invalid_wait', INVALID_WAIT);
  return seconds;
}

/** Ignores empty values, since pipelines also send variables that are not set. */
function labelOf({ querystring }: Context): RunLabel {
  const given = new URLSearchParams(querystring);
  return { commit: labelFrom(given.get('commit') ?? ''), label: labelFrom(given.get('label') ?? '') };
}
