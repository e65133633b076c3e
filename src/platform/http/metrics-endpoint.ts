import { createHash, timingSafeEqual } from 'node:crypto';
import type Koa from 'koa';
import { ServiceError } from '../errors.js';
import type { Lifecycle } from '../lifecycle.js';
import type { Logger } from '../logging.js';
import type { ObserveRequest } from './request-metrics.js';
import { pathOf } from './request-target.js';
import { type Exchange, type ExchangeState, sendJson } from '../../api/exchange.js';
import { createJsonApp, isRead } from './json-app.js';

export const METRICS_PATH = '/metrics';

export interface MetricsEndpointDeps {
  readonly metrics: {
    readonly observeRequest: ObserveRequest;
    readonly contentType: string;
    text(): Promise<string>;
  };
  /** What whoever asks has to know; null where the port itself is out of strangers' reach. */
  readonly token: string | null;
  readonly logger: Logger;
  readonly lifecycle: Lifecycle;
}

/** GET /metrics, and nothing else: for the one who operates the service. It is no part of the contract. */
export function createMetricsEndpoint({ metrics, token, logger, lifecycle }: MetricsEndpointDeps): Koa<ExchangeState> {
  const { observeRequest } = metrics;
  const app = createJsonApp({ room: 'metrics', observeRequest, logger, lifecycle });
  const isAllowed = token === null ? () => true : createGate(token);
  app.use(async (exchange) => {
    if (pathOf(exchange.req.url ?? '') !== METRICS_PATH) throw new ServiceError('not_found');
    exchange.state.route = METRICS_PATH;
    if (!isRead(exchange)) return;
    const { authorization } = exchange.headers;
    if (!isAllowed(authorization)) {
      refuseToken(exchange, authorization);
      return;
    }
    exchange.set('Content-Type', metrics.contentType);
    exchange.body = await metrics.text();
  });
  return app;
}

/** RFC 6750, section 2.1; the scheme's name is compared without regard to case (RFC 9110, section 11.1). */
const BEARER = /^Bearer +(\S+) *$/i;

/** Digests of the same length are compared, so that the time tells neither the token's length nor how much of it was right. */
function createGate(token: string): (authorization: string | undefined) => boolean {
  const expected = digestOf(token);
  return (authorization) => {
    const given = BEARER.exec(authorization ?? '')?.[1];
    return given !== undefined && timingSafeEqual(digestOf(given), expected);
  };
}

function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

const REALM = 'Bearer realm="agent-readiness-metrics"';

/** In the form of every error. It is the operator's alone, so its code is not in the table that the API's document lists. */
const REFUSED = Buffer.from(
  JSON.stringify({
    error: {
      code: 'invalid_metrics_token',
      message: 'Send the value of METRICS_TOKEN in the header "Authorization: Bearer <METRICS_TOKEN>".',
    },
  }),
);

/** Whoever sends no token at all is told nothing but the scheme (RFC 6750 §3). */
function refuseToken(exchange: Exchange, authorization: string | undefined): void {
  exchange.set('WWW-Authenticate', authorization === undefined ? REALM : `${REALM}, error="invalid_token"`);
  sendJson(exchange, 401, REFUSED);
}
