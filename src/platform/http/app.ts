import { randomUUID } from 'node:crypto';
import Koa, { type Middleware, type ParameterizedContext } from 'koa';
import { type ErrorCode, Refusal, ServiceError } from '../errors.js';
import type { Lifecycle } from '../lifecycle.js';
import type { Logger } from '../logging.js';
import { sendError } from './json.js';
import type { AppName, ObserveRequest } from './request-metrics.js';
import { isWellFormed } from './well-formed.js';

/** What every app knows of a request. */
export interface RequestState {
  requestId: string;
  /** The template of the matched path, for the log: a raw path may hold anything. */
  route: string | null;
}

export interface AppOptions<S extends RequestState = RequestState> {
  readonly name: AppName;
  readonly observeRequest?: ObserveRequest | undefined;
  readonly logger: Logger;
  readonly lifecycle: Lifecycle;
  /** How many proxies stand in front: the client's address is taken from what they add to X-Forwarded-For. */
  readonly trustProxy?: number;
  /** The app's own part of the state, as it is before anything is known. */
  readonly initialState?: Omit<S, keyof RequestState>;
  /** Of every answer, refusals included. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Where the words of the API would be wrong. */
  readonly messages?: Readonly<Partial<Record<ErrorCode, string>>>;
  /** What comes before the answer to an error. */
  readonly onRefusal?: (ctx: ParameterizedContext<S>, refusal: Refusal) => void | Promise<void>;
  /** How an error is answered: as JSON, unless said otherwise. */
  readonly sendRefusal?: (ctx: ParameterizedContext<S>, refusal: Refusal) => void;
  /** What the request's log line tells beside id, method, route, status and time. */
  readonly logFields?: (state: S) => Readonly<Record<string, unknown>>;
}

/**
 * A Koa app with what all of ours share: the request's id, its line in the log, its place in the metrics, and the answer to
 * every error. Ids that a proxy gives are kept when they are sane.
 */
export function createApp<S extends RequestState = RequestState>(options: AppOptions<S>): Koa<S> {
  const { name, observeRequest, logger, initialState, headers = {}, logFields, trustProxy = 0 } = options;
  const app = new Koa<S>({ proxy: trustProxy > 0, maxIpsCount: trustProxy });
  app.on('error', (cause: unknown) => logUnsent(logger, cause));
  const answer = answerErrors(options);
  app.use(async (ctx, next) => {
    const startedMs = performance.now();
    const observed = observeRequest?.(name);
    const requestId = requestIdOf(ctx.get('X-Request-Id') || undefined);
    ctx.state = { requestId, route: null, ...initialState } as unknown as S;
    ctx.set('X-Request-Id', requestId);
    ctx.set('X-Content-Type-Options', 'nosniff');
    for (const [header, value] of Object.entries(headers)) ctx.set(header, value);
    // What Koa answers where even the refusal fails.
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
      logger.info({ ...fields, ...logFields?.(state) }, 'request');
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
    } catch (error) {
      const refusal = error instanceof Refusal ? error : new ServiceError('internal_error', { cause: error });
      logFault(logger, ctx, refusal);
      refusal.message = messages[refusal.code as ErrorCode] ?? refusal.message;
      ctx.set('Cache-Control', 'no-store');
      if (refusal.retryAfterS !== undefined) ctx.set('Retry-After', String(refusal.retryAfterS));
      await onRefusal?.(ctx, refusal);
      sendRefusal(ctx, refusal);
      // Where one message cannot be read, the start of the next is unknown.
      if (refusal.code === 'bad_request' && refusal.status === 400) ctx.set('Connection', 'close');
    }
    if (lifecycle.isStopping) ctx.set('Connection', 'close');
  };
}

/** A line in the log, with the cause, for a refusal that is a fault of ours. */
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

/** Ids that a proxy or a client may give a request: short, and without anything that could forge a log line. */
const SANE_REQUEST_ID = /^[\w.~-]{1,64}$/;

function requestIdOf(given: string | undefined): string {
  return given !== undefined && SANE_REQUEST_ID.test(given) ? given : randomUUID();
}

/** What a socket reports when it is the client that has gone. */
const HANG_UPS = new Set(['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE', 'ABORT_ERR']);

/** Logs what Koa could not send. A client that hangs up in the middle of an answer, such as a stream, is no fault of ours. */
function logUnsent(logger: Logger, cause: unknown): void {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  if (HANG_UPS.has(code)) logger.debug({ cause }, 'a client hung up');
  else logger.error({ cause }, 'an answer could not be sent');
}
