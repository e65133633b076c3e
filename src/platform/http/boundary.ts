import { randomUUID } from 'node:crypto';
import type { Middleware, ParameterizedContext } from 'koa';
import { ServiceError } from '../errors.js';
import type { Lifecycle } from '../lifecycle.js';
import type { Logger } from '../logging.js';
import type { ObserveRequest, Room } from './request-metrics.js';
import { isWellFormed } from './well-formed.js';

/** What every room that answers requests knows of one. */
export interface RequestState {
  requestId: string;
  /** The template of the matched path, for the log: a raw path may hold anything. */
  route: string | null;
}

export interface BoundaryOptions<S extends RequestState> {
  /** Whose boundary it is. */
  readonly room: Room;
  readonly observeRequest?: ObserveRequest | undefined;
  readonly logger: Logger;
  readonly lifecycle: Lifecycle;
  /** The room's own part of the state, as it is before anything is known. */
  readonly initialState: Omit<S, keyof RequestState>;
  /** Answers for whatever was thrown. */
  readonly refuse: (exchange: ParameterizedContext<S>, error: unknown) => void | Promise<void>;
  /** What the request's log line tells beside id, method, route, status and time. */
  readonly logFields?: (state: S) => Readonly<Record<string, unknown>>;
}

/**
 * Around everything that answers a request: its id, its line in the log, its place in the metrics, and the answer to whatever is
 * thrown. Ids that a proxy gives are kept when they are sane.
 */
export function boundary<S extends RequestState>(options: BoundaryOptions<S>): Middleware<S> {
  const { room, observeRequest, logger, lifecycle, initialState, refuse, logFields } = options;
  const answer: Middleware<S> = async (exchange, next) => {
    try {
      if (!isWellFormed(exchange.req)) throw new ServiceError('bad_request');
      await next();
    } catch (error) {
      await refuse(exchange, error);
      // Where one message cannot be read, nobody knows where the next begins.
      if (error instanceof ServiceError && error.code === 'bad_request') exchange.set('Connection', 'close');
    }
    if (lifecycle.isStopping) exchange.set('Connection', 'close');
  };
  return async (exchange, next) => {
    const startedMs = performance.now();
    const observed = observeRequest?.(room);
    const requestId = requestIdOf(exchange.get('X-Request-Id') || undefined);
    exchange.state = { requestId, route: null, ...initialState } as unknown as S;
    exchange.set('X-Request-Id', requestId);
    exchange.set('X-Content-Type-Options', 'nosniff');
    // What Koa answers where even the refusal fails.
    let status = 500;
    try {
      await answer(exchange, next);
      ({ status } = exchange);
    } finally {
      const { method, state } = exchange;
      const { route } = state;
      const durationMs = performance.now() - startedMs;
      observed?.({ method, route, status, durationMs });
      const fields = { requestId, method, route, status, durationMs: Math.round(durationMs) };
      logger.info({ ...fields, ...logFields?.(state) }, 'request');
    }
  };
}

/** The line for the log about a refusal that is a fault of ours, with its cause; others need none. */
export function logFault(
  logger: Logger,
  { method, state: { requestId, route } }: { readonly method: string; readonly state: RequestState },
  { code, status, cause }: ServiceError,
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
