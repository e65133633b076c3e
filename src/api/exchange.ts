import type { ParameterizedContext } from 'koa';
import type { RateLimit } from '../platform/errors.js';
import type { RequestState } from '../platform/http/boundary.js';
import type { Admission } from '../app/keys/access.js';

/** What is known of a request so far. */
export interface ExchangeState extends RequestState {
  admission: Admission | null;
}

/** One request and its answer. */
export type Exchange = ParameterizedContext<ExchangeState>;

/** Says what is left of the monthly quota. */
export function setRateLimit(exchange: Exchange, { limit, remaining }: RateLimit): void {
  exchange.set('X-RateLimit-Limit', String(limit));
  exchange.set('X-RateLimit-Remaining', String(Math.max(0, remaining)));
}

/** Answers with JSON text as it is. */
export function sendJson(exchange: Exchange, status: number, body: Uint8Array): void {
  exchange.status = status;
  exchange.set('Content-Type', 'application/json');
  exchange.body = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
}
