import type { ParameterizedContext } from 'koa';
import { ServiceError } from '../platform/errors.js';
import { logFault, type RequestState } from '../platform/http/boundary.js';
import type { Logger } from '../platform/logging.js';

/** JSON-RPC 2.0, section 5.1. */
const INVALID_REQUEST = -32_600;
const INTERNAL_ERROR = -32_603;

/** A request that a page of another site may have sent. */
export class ForeignPageError extends Error {
  override readonly name = 'ForeignPageError';
}

/** A message whose values are nested past what can be read. */
export class TooDeepError extends Error {
  override readonly name = 'TooDeepError';
}

const FOREIGN_PAGE =
  'Web pages may call this endpoint only from its own origin, and under its own host name. Other clients send no Origin.';

/** Answers what never reached the server: an HTTP status with a JSON-RPC error without an id (Streamable HTTP, "Security & Endpoint"). */
export function refuse(logger: Logger): (exchange: ParameterizedContext<RequestState>, error: unknown) => void {
  return (exchange, error) => {
    exchange.set('Cache-Control', 'no-store');
    if (error instanceof ForeignPageError) {
      send(exchange, 403, INVALID_REQUEST, FOREIGN_PAGE);
      return;
    }
    if (error instanceof TooDeepError) {
      send(exchange, 400, INVALID_REQUEST, 'The values of the message are nested too deeply.');
      return;
    }
    const refusal = error instanceof ServiceError ? error : new ServiceError('internal_error', { cause: error });
    logFault(logger, exchange, refusal);
    const { status, code, message } = refusal;
    if (code === 'method_not_allowed') exchange.set('Allow', 'POST');
    if (status === 503) exchange.set('Retry-After', String(refusal.retryAfterS ?? 5));
    send(exchange, status, status >= 500 ? INTERNAL_ERROR : INVALID_REQUEST, MESSAGES[code] ?? message);
  };
}

/** Where the words of the API would be wrong here. */
const MESSAGES: Readonly<Partial<Record<ServiceError['code'], string>>> = {
  payload_too_large: 'The request body is larger than 64 KiB.',
  method_not_allowed: 'This is a stateless MCP endpoint (Streamable HTTP): it takes POST only.',
};

function send(exchange: ParameterizedContext, status: number, code: number, message: string): void {
  exchange.status = status;
  exchange.body = { jsonrpc: '2.0', id: null, error: { code, message } };
}
