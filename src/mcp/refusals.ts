import type { ParameterizedContext } from 'koa';
import { Refusal } from '../platform/errors.js';
import type { RequestState } from '../platform/http/request-state.js';

/** JSON-RPC 2.0, section 5.1. */
const INVALID_REQUEST = -32_600;
const INTERNAL_ERROR = -32_603;

/** A request that a page of another site may have sent. */
export function foreignPage(): Refusal {
  return new Refusal(
    403,
    'foreign_page',
    'Web pages may call this endpoint only from its own origin, and under its own host name. Other clients send no Origin.',
  );
}

/** A message whose values are nested past what can be read. */
export function tooDeep(): Refusal {
  return new Refusal(400, 'too_deep', 'The values of the message are nested too deeply.');
}

/** Where the words of the API would be wrong. */
export const MESSAGES = {
  payload_too_large: 'The request body is larger than 320 KiB, or than 64 KiB without a Content-Length.',
  method_not_allowed: 'This is a stateless MCP endpoint (Streamable HTTP): it takes POST only.',
} as const;

/** Answers what never reached the server: an HTTP status with a JSON-RPC error without an id (Streamable HTTP, "Security & Endpoint"). */
export function sendRefusal(ctx: ParameterizedContext<RequestState>, { status, code, message }: Refusal): void {
  if (code === 'method_not_allowed') ctx.set('Allow', 'POST');
  ctx.status = status;
  ctx.body = { jsonrpc: '2.0', id: null, error: { code: status >= 500 ? INTERNAL_ERROR : INVALID_REQUEST, message } };
}
