import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import Koa, { type Middleware, type ParameterizedContext } from 'koa';
import { type ErrorCode, Refusal, ServiceError } from '../errors.js';
import type { Logger } from '../logging.js';
import { acceptRead, send, sendError, sendJson } from './answer.js';
import { challengeOf, isWellFormed, pathOf, readBearer, type RequestState } from './request.js';
import type { Handle, Lifecycle } from './server.js';

export type AppName = 'api' | 'web' | 'mcp' | 'hooks' | 'metrics';

export interface AnsweredRequest {
  readonly method: string;
  /** The template of the matched path; null if none matched. */
  readonly route: string | null;
  readonly status: number;
  readonly durationMs: number;
}

/** Called when a request begins. The returned function is called once, when the request is answered. */
export type ObserveRequest = (app: AppName) => (answered: AnsweredRequest) => void;

/** What all HTTP apps of a process share. */
export interface HttpContext {
  readonly observeRequest?: ObserveRequest;
  readonly logger: Logger;
  readonly lifecycle: Lifecycle;
  /** How many proxies are in front. The client's address comes from the entries that they add to X-Forwarded-For. */
  readonly trustProxy?: number;
}

interface AppOptions<S extends RequestState> extends HttpContext {
  readonly name: AppName;
  /** The app's part of the state at the start of a request. */
  readonly initialState?: Omit<S, keyof RequestState>;
  /** Sent with every answer, refusals included. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Messages that replace the API's where those would be wrong. */
  readonly messages?: Readonly<Partial<Record<ErrorCode, string>>>;
  /** Runs before an error is answered. */
  readonly onRefusal?: (ctx: ParameterizedContext<S>, refusal: Refusal) => void | Promise<void>;
  /** Sends the answer to an error; JSON by default. */
  readonly sendRefusal?: (ctx: ParameterizedContext<S>, refusal: Refusal) => void;
  /** Fields for the request's log line besides id, method, route, status and time. */
  readonly logFields?: (state: S) => Readonly<Record<string, unknown>>;
}

/**
 * Creates a Koa app with what all our apps share: request id, log line, metrics and error answers. Reuses a valid request id from
 * a proxy.
 */
export function createHttpApp<S extends RequestState = RequestState>(options: AppOptions<S>): Koa<S> {
  const { name, observeRequest, logger, initialState, headers = {}, logFields, trustProxy = 0 } = options;
  const app = new Koa<S>({ proxy: trustProxy > 0, maxIpsCount: trustProxy });
  app.on('error', (cause: unknown) => logUnsent(logger, cause));
  const answer = answerErrors(options);
  const fixedHeaders = Object.entries(headers);
  app.use(async (ctx, next) => {
    const startedMs = performance.now();
    const observed = observeRequest?.(name);
    const requestId = chooseRequestId(ctx.get('X-Request-Id') || undefined);
    const common = { 'X-Request-Id': requestId, 'X-Content-Type-Options': 'nosniff' };
    ctx.state = { requestId, route: null, headers: common, ...initialState } as unknown as S;
    for (const [header, value] of fixedHeaders) ctx.set(header, value);
    // Koa answers 500 if even the refusal fails.
    let status = 500;
    try {
      await answer(ctx, next);
      ({ status } = ctx);
    } finally {
      const { method, state } = ctx;
      const { route } = state;
      const durationMs = performance.now() - startedMs;
      observed?.({ method, route, status, durationMs });
      const fields = { requestId, method, route, status, durationMs: Math.round(durationMs) };
      logger[state.isProbe ? 'debug' : 'info']({ ...fields, ...logFields?.(state) }, 'request');
    }
  });
  return app;
}

function answerErrors<S extends RequestState>(options: AppOptions<S>): Middleware<S> {
  const { lifecycle, logger, messages = {}, onRefusal, sendRefusal = sendError } = options;
  return async (ctx, next) => {
    try {
      if (!isWellFormed(ctx.req)) throw new ServiceError('bad_request');
      await next();
      await send(ctx, lifecycle.isStopping);
    } catch (error) {
      const refusal = error instanceof Refusal ? error : new ServiceError('internal_error', { cause: error });
      logFault(logger, ctx, refusal);
      refusal.message = messages[refusal.code as ErrorCode] ?? refusal.message;
      const { headers } = ctx.state;
      headers['Cache-Control'] = 'no-store';
      if (refusal.retryAfterS !== undefined) headers['Retry-After'] = String(refusal.retryAfterS);
      await onRefusal?.(ctx, refusal);
      sendRefusal(ctx, refusal);
      // After an unreadable message, the start of the next one is unknown.
      if (refusal.code === 'bad_request' && refusal.status === 400) headers.Connection = 'close';
      await send(ctx, lifecycle.isStopping);
    }
  };
}

function logFault(
  logger: Logger,
  { method, state: { requestId, route } }: { readonly method: string; readonly state: RequestState },
  { code, status, cause }: Refusal,
): void {
  if (status < 500) return;
  const fields = { requestId, method, route, code, cause };
  if (status === 503) logger.warn(fields, 'request refused for now');
  else logger.error(fields, 'request failed');
}

/** Matches request ids accepted from a proxy or client: short, and without characters that could forge a log line. */
const VALID_REQUEST_ID = /^[\w.~-]{1,64}$/;

function chooseRequestId(sent: string | undefined): string {
  return sent !== undefined && VALID_REQUEST_ID.test(sent) ? sent : randomUUID();
}

const DISCONNECT_CODES = new Set(['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE', 'ABORT_ERR']);

/** Logs what Koa could not send. A client that disconnects during an answer, such as a stream, is not an error. */
function logUnsent(logger: Logger, cause: unknown): void {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  if (DISCONNECT_CODES.has(code)) logger.debug({ cause }, 'client disconnected');
  else logger.error({ cause }, 'could not send a response');
}

/** Returns why the process cannot work, in fixed words; null if it can. */
export type CheckReadiness = () => Promise<string | null>;

/** A database that takes longer than this counts as not ready, since load balancers give up quickly. */
const READINESS_TIMEOUT_MS = 2_000;

export const SILENT_DATABASE = 'the database does not answer';

const OK = Buffer.from('{"status":"ok"}');
const PROBE_PATHS: readonly string[] = ['/healthz', '/readyz'];

/** Serves only GET /healthz (the process answers) and /readyz (it can work; 503 while it stops). Neither needs a key. */
export function createProbeApp(http: HttpContext, checkReadiness: CheckReadiness): Koa<RequestState> {
  return createReadApp(http, 'api', PROBE_PATHS, async (ctx) => {
    if (ctx.state.route === '/readyz') await assertReady(checkReadiness, http.lifecycle);
    sendJson(ctx, 200, OK);
  });
}

/** Creates an app that answers only reads of these paths, which machines repeat every few seconds. */
function createReadApp(
  http: HttpContext,
  name: AppName,
  paths: readonly string[],
  answerRead: (ctx: ParameterizedContext<RequestState>) => Promise<void>,
): Koa<RequestState> {
  const app = createHttpApp({ ...http, name });
  app.use(async (ctx) => {
    const path = pathOf(ctx.req.url ?? '');
    if (!paths.includes(path)) throw new ServiceError('not_found');
    ctx.state.route = path;
    ctx.state.isProbe = true;
    if (acceptRead(ctx)) await answerRead(ctx);
  });
  return app;
}

/** @throws Refusal `overloaded`, with the reason why the process cannot work now */
async function assertReady(checkReadiness: CheckReadiness, lifecycle: Lifecycle): Promise<void> {
  if (lifecycle.isStopping) throw notReady('the process is stopping');
  const timeout = pause(READINESS_TIMEOUT_MS, SILENT_DATABASE, { ref: false });
  const reason = await Promise.race([checkReadiness(), timeout]).catch((cause: unknown) => {
    throw new Refusal(503, 'overloaded', 'The readiness check failed.', { cause });
  });
  if (reason !== null) throw notReady(reason);
}

function notReady(reason: string): Refusal {
  return new Refusal(503, 'overloaded', `The service is not ready: ${reason}.`, { cause: new Error(reason) });
}

const METRICS_PATH = '/metrics';

/** For operators only, so the API's document does not list its code. */
const METRICS_REFUSED = 'Send the value of METRICS_TOKEN in the header "Authorization: Bearer <METRICS_TOKEN>".';

/**
 * Answers GET /metrics, for the operator. Not part of the contract.
 * @param token the token that a client must send; null if only the operator can reach the port
 */
export function createMetricsEndpoint(
  http: HttpContext,
  metrics: { readonly contentType: string; text(): Promise<string> },
  token: string | null,
): Koa<RequestState> {
  // Digests have equal lengths, so that timing reveals neither the token's length nor how much of it matched.
  const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();
  const expected = token === null ? null : digestOf(token);
  return createReadApp(http, 'metrics', [METRICS_PATH], async (ctx) => {
    const sent = readBearer(ctx.headers.authorization);
    if (expected && (sent === null || !timingSafeEqual(digestOf(sent), expected))) {
      ctx.set('WWW-Authenticate', challengeOf('agent-readiness-metrics', sent !== null));
      throw new Refusal(401, 'invalid_metrics_token', METRICS_REFUSED);
    }
    ctx.set('Content-Type', metrics.contentType);
    ctx.body = await metrics.text();
  });
}

/** Apps by name. The probe app answers the paths of omitted apps with 404. Without `metrics`, the pages answer its path. */
type AppHandlers = Readonly<Partial<Record<AppName, Handle | undefined>>> & { readonly probes: Handle };

/** Routes each request to an app by its path, still percent-encoded. */
export function createAppRouter({ probes, ...apps }: AppHandlers): Handle {
  const { api = probes, mcp = probes, hooks = probes, web = probes, metrics = web } = apps;
  return (request, response) => {
    const path = pathOf(request.url ?? '');
    // The API answers targets without a path, such as OPTIONS *.
    if (path === '' || path === '/api' || path.startsWith('/api/')) return api(request, response);
    if (PROBE_PATHS.includes(path)) return probes(request, response);
    if (path === METRICS_PATH) return metrics(request, response);
    if (path.startsWith('/hooks/')) return hooks(request, response);
    // Below /mcp are pages.
    return (path === '/mcp' ? mcp : web)(request, response);
  };
}
