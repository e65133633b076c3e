import type { ParameterizedContext } from 'koa';
import { ServiceError } from '../../platform/errors.js';
import { logFault, type RequestState } from '../../platform/http/boundary.js';
import type { Logger } from '../../platform/logging.js';
import { DEPLOY_WAIT_S } from './deploy-hooks.js';

/** A `wait` that is no number of seconds, or too many. The API has no such parameter, so its table of errors has no such code. */
export class InvalidWait extends Error {
  override readonly name = 'InvalidWait';
}

const INVALID_WAIT = {
  code: 'invalid_wait',
  message: `wait is the number of seconds until the deployment is live: an integer from 0 to ${DEPLOY_WAIT_S.max}.`,
};

/** Where the words of the API would be wrong here. */
const MESSAGES: Readonly<Partial<Record<ServiceError['code'], string>>> = {
  not_found:
    'There is no such deploy hook: it was replaced or removed. The page "Automatic runs" of the site makes a new address.',
};

/** The pause for a refusal that time heals and that says none of its own. */
const RETRY_AFTER_S = 5;

/** Answers with a refusal, whatever was thrown: what is none is a fault of ours, whose cause goes to the log only. */
export function refuse(logger: Logger): (exchange: ParameterizedContext<RequestState>, error: unknown) => void {
  return (exchange, error) => {
    if (error instanceof InvalidWait) {
      send(exchange, 400, INVALID_WAIT);
      return;
    }
    const refusal = error instanceof ServiceError ? error : new ServiceError('internal_error', { cause: error });
    logFault(logger, exchange, refusal);
    const { status, code, message, retryAfterS } = refusal;
    if (status === 429 || status === 503) exchange.set('Retry-After', String(retryAfterS ?? RETRY_AFTER_S));
    send(exchange, status, { code, message: MESSAGES[code] ?? message });
  };
}

function send(
  exchange: ParameterizedContext,
  status: number,
  error: { readonly code: string; readonly message: string },
): void {
  exchange.status = status;
  exchange.body = { error };
}
