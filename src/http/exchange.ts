import { randomUUID } from 'node:crypto';
import type { ParameterizedContext } from 'koa';
import type { RateLimit } from '../domain/errors.js';
import type { Admission } from '../service/access.js';

/** What is known of a request so far. */
export interface ExchangeState {
  requestId: string;
  /** The path template of the matched operation, for the log: a raw path may hold anything. */
  route: string | null;
  admission: Admission | null;
}

/** One request and its answer. */
export type Exchange = ParameterizedContext<ExchangeState>;

/** Ids that a proxy or a client may give a request: short, and without anything that could forge a log line. */
const SANE_REQUEST_ID = /^[\w.~-]{1,64}$/;

export function requestIdOf(given: string | undefined): string {
  return given !== undefined && SANE_REQUEST_ID.test(given) ? given : randomUUID();
}

/** The path of a request target, still percent-encoded, without its query. Empty for what names no path, such as `*`. */
export function pathOf(target: string): string {
  if (target.startsWith('/')) return target.split(/[?#]/, 1)[0] ?? '';
  return URL.canParse(target) ? new URL(target).pathname : '';
}

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
