import { createHash, timingSafeEqual } from 'node:crypto';
import type Koa from 'koa';
import { Refusal, ServiceError } from '../errors.js';
import { createHttpApp, type HttpContext } from './app.js';
import { challengeOf, pathOf, readBearer, type RequestState } from './request.js';
import { acceptRead } from './answer.js';

export const METRICS_PATH = '/metrics';

interface Metrics {
  readonly contentType: string;
  text(): Promise<string>;
}

/**
 * Answers GET /metrics, for the operator. Not part of the contract.
 * @param token the token that a client must send; null if only the operator can reach the port
 */
export function createMetricsEndpoint(http: HttpContext, metrics: Metrics, token: string | null): Koa<RequestState> {
  const app = createHttpApp({ ...http, name: 'metrics' });
  // Digests have equal lengths, so that timing reveals neither the token's length nor how much of it matched.
  const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();
  const expected = token === null ? null : digestOf(token);
  app.use(async (ctx) => {
    if (pathOf(ctx.req.url ?? '') !== METRICS_PATH) throw new ServiceError('not_found');
    ctx.state.route = METRICS_PATH;
    ctx.state.isProbe = true;
    if (!acceptRead(ctx)) return;
    const sent = readBearer(ctx.headers.authorization);
    if (expected && (sent === null || !timingSafeEqual(digestOf(sent), expected))) {
      ctx.set('WWW-Authenticate', challengeOf('agent-readiness-metrics', sent !== null));
      throw new Refusal(401, 'invalid_metrics_token', REFUSED);
    }
    ctx.set('Content-Type', metrics.contentType);
    ctx.body = await metrics.text();
  });
  return app;
}

/** For operators only, so its code is not among those of the API's document. */
const REFUSED = 'Send the value of METRICS_TOKEN in the header "Authorization: Bearer <METRICS_TOKEN>".';
