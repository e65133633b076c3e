import { ERRORS, ServiceError, type ErrorCode } from '../platform/errors.js';
import { logFault } from '../platform/http/boundary.js';
import type { Logger } from '../platform/logging.js';
import { sendJson, setRateLimit, type Exchange } from './exchange.js';

const REALM = 'Bearer realm="agent-readiness"';

/** How `WWW-Authenticate` asks for a key (RFC 6750 §3): a request without one is told nothing but the scheme. */
const CHALLENGES: Readonly<Partial<Record<ErrorCode, string>>> = {
  missing_api_key: REALM,
  invalid_api_key: `${REALM}, error="invalid_token"`,
};

/** The pause for a refusal that time heals and that says none of its own. */
const RETRY_AFTER_S = 5;

/** The body of every error, made once. */
const BODIES = new Map(
  Object.entries(ERRORS).map(([code, { message }]) => [
    code,
    Buffer.from(JSON.stringify({ error: { code, message } })),
  ]),
);

/** The JSON text of an error's body. */
export function errorBody(code: ErrorCode): Buffer {
  return BODIES.get(code) ?? Buffer.alloc(0);
}

/**
 * Answers with a refusal, whatever was thrown: what is no ServiceError is a fault of ours, whose cause goes to the log only.
 * A refusal that costs nothing gives the request back to the month's quota first, so that the headers tell the true rest.
 */
export async function refuse(exchange: Exchange, error: unknown, logger: Logger): Promise<void> {
  const refusal = error instanceof ServiceError ? error : new ServiceError('internal_error', { cause: error });
  logFault(logger, exchange, refusal);
  if (refusal.rateLimit) setRateLimit(exchange, refusal.rateLimit);
  const { admission } = exchange.state;
  if (admission && refusal.isChargeReturned) setRateLimit(exchange, await admission.refund());
  setRefusalHeaders(exchange, refusal);
  sendJson(exchange, refusal.status, errorBody(refusal.code));
}

function setRefusalHeaders(exchange: Exchange, { code, status, retryAfterS }: ServiceError): void {
  exchange.set('Cache-Control', 'no-store');
  const challenge = CHALLENGES[code];
  if (challenge !== undefined) exchange.set('WWW-Authenticate', challenge);
  if (status === 429 || status === 503) exchange.set('Retry-After', String(retryAfterS ?? RETRY_AFTER_S));
}
