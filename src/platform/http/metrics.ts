import { createHash, timingSafeEqual } from 'node:crypto';
import type Koa from 'koa';
import { Gauge, Histogram, type Registry } from 'prom-client';
import { Refusal, ServiceError } from '../errors.js';
import type { Lifecycle } from './server.js';
import type { Logger } from '../logging.js';
import { createHttpApp, type ObserveRequest } from './app.js';
import { challengeOf, pathOf, readBearer, type RequestState } from './request.js';
import { isRead } from './answer.js';

/** Reads take milliseconds; a client may wait up to 70 s for a run. */
const BUCKETS_S = [0.005, 0.025, 0.05, 0.1, 0.25, 1, 2.5, 5, 15, 60, 90];

/** Node knows three dozen methods; this bounds the series that a client can create by trying them all. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

export function createRequestMetrics(register: Registry): ObserveRequest {
  const durations = new Histogram({
    name: 'agent_readiness_http_request_duration_seconds',
    help: 'Time to answer an HTTP request, by app, method, template of the path ("none" where none matched) and class of the status.',
    labelNames: ['app', 'method', 'route', 'status'] as const,
    buckets: BUCKETS_S,
    registers: [register],
  });
  const inFlight = new Gauge({
    name: 'agent_readiness_http_requests_in_flight',
    help: 'HTTP requests that are being answered, by app.',
    labelNames: ['app'] as const,
    registers: [register],
  });
  return (app) => {
    inFlight.inc({ app });
    return ({ method, route, status, durationMs }) => {
      inFlight.dec({ app });
      const labels = {
        app,
        method: METHODS.has(method) ? method : 'other',
        route: route ?? 'none',
        status: `${Math.floor(status / 100)}xx`,
      };
      durations.observe(labels, durationMs / 1000);
    };
  };
}

export const METRICS_PATH = '/metrics';

export interface MetricsEndpointOptions {
  readonly metrics: {
    readonly observeRequest: ObserveRequest;
    readonly contentType: string;
    text(): Promise<string>;
  };
  /** The token that a client must send; null if only the operator can reach the port. */
  readonly token: string | null;
  readonly logger: Logger;
  readonly lifecycle: Lifecycle;
}

/** Answers GET /metrics, for the operator. Not part of the contract. */
export function createMetricsEndpoint({
  metrics,
  token,
  logger,
  lifecycle,
}: MetricsEndpointOptions): Koa<RequestState> {
  const app = createHttpApp({ name: 'metrics', observeRequest: metrics.observeRequest, logger, lifecycle });
  const isAllowed = token === null ? () => true : createGate(token);
  app.use(async (ctx) => {
    if (pathOf(ctx.req.url ?? '') !== METRICS_PATH) throw new ServiceError('not_found');
    ctx.state.route = METRICS_PATH;
    ctx.state.isProbe = true;
    if (!isRead(ctx)) return;
    const given = readBearer(ctx.headers.authorization);
    if (!isAllowed(given)) {
      ctx.set('WWW-Authenticate', challengeOf('agent-readiness-metrics', given !== null));
      throw new Refusal(401, 'invalid_metrics_token', REFUSED);
    }
    ctx.set('Content-Type', metrics.contentType);
    ctx.body = await metrics.text();
  });
  return app;
}

/** Compares digests of equal length, so that timing reveals neither the token's length nor how much of it matched. */
function createGate(token: string): (given: string | null) => boolean {
  const expected = digestOf(token);
  return (given) => given !== null && timingSafeEqual(digestOf(given), expected);
}

function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** For operators only, so its code is not in the table that the API's document lists. */
const REFUSED = 'Send the value of METRICS_TOKEN in the header "Authorization: Bearer <METRICS_TOKEN>".';
