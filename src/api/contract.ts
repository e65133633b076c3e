import type { Middleware } from 'koa';
import type { Access } from '../app/keys/access.js';
import type { Clock } from '../platform/clock.js';
import { type ErrorCode, ServiceError } from '../platform/errors.js';
import { sendJson } from '../platform/http/json.js';
import { setAllow } from '../platform/http/methods.js';
import { readBody } from '../platform/http/request-body.js';
import { pathOf, queryOf } from '../platform/http/request-target.js';
import { compileRoutes, type Route, segmentsOf } from './contract-routes.js';
import type { AnyOperation, ApiContext, ApiState, OperationDeps } from './operation.js';
import { OPERATIONS } from './operations.js';
import { setRateLimits } from './headers.js';

export interface ContractDeps extends OperationDeps {
  readonly access: Pick<Access, 'admit'>;
  readonly clock: Clock;
}

/** Largest body of an operation that takes one. */
const BODY_BYTES_MAX = 64 * 1024;

/**
 * The operations of the document, bound to their handlers. Refusals come in this order: route (404, 405), key, plan and
 * quota (`access.admit`), parameters and body (400, 413), then what the operation itself finds. HEAD is answered as GET; OPTIONS
 * costs nothing and needs no key.
 * @param handlerOf finds the handler of the operation with this id
 */
export async function contract(
  deps: ContractDeps,
  handlerOf = (id: string) => OPERATIONS.get(id),
): Promise<Middleware<ApiState>> {
  const routes = (await compileRoutes(deps.document)).map((route) => bind(route, handlerOf, deps));
  return async (ctx) => {
    const { url = '', headers } = ctx.req;
    const segments = segmentsOf(pathOf(url));
    const there = routes.filter(({ route }) => route.matches(segments));
    if (there.length === 0) throw new ServiceError('not_found');
    const method = ctx.method === 'HEAD' ? 'GET' : ctx.method;
    const bound = there.find(({ route }) => route.method === method);
    if (!bound) {
      answerOptions(ctx, there);
      return;
    }
    const { route, isWithKey } = bound;
    ctx.state.route = route.operation.path;
    const read = (body?: string) => route.read(segments, { query: queryOf(url), headers, body });
    let parsed = route.operation.requestBody ? null : read();
    const asked = parsed ? bound.reads?.(parsed) : undefined;
    if (isWithKey) ctx.state.admission = await deps.access.admit(headers.authorization, asked);
    if (route.operation.requestBody) parsed = read(await readText(ctx));
    if (!parsed) throw new ServiceError(bound.invalid);
    const { admission } = ctx.state;
    const { requestBody: body, ...parts } = parsed;
    const answer = await bound.handle({ ...parts, body, asked, admission, request: ctx.req });
    if (admission) setRateLimits(ctx, [admission.rateLimit, ...(answer.rateLimits ?? [])], deps.clock.now());
    Object.assign(ctx.state.headers, answer.headers);
    sendJson(ctx, answer.status, answer.body);
  };
}

interface Bound {
  readonly route: Route;
  readonly handle: ReturnType<AnyOperation['handler']>;
  readonly reads: ReturnType<NonNullable<AnyOperation['reads']>> | undefined;
  readonly invalid: ErrorCode;
  /** Whether it is for holders of a key only: the document asks for nothing else (see parameters.ts). */
  readonly isWithKey: boolean;
}

function bind(route: Route, handlerOf: (id: string) => AnyOperation | undefined, deps: OperationDeps): Bound {
  const { operationId = '', security = [] } = route.operation;
  const operation = handlerOf(operationId);
  if (!operation) throw new Error('an operation of the document has no handler');
  const { invalid = 'invalid_request' } = operation;
  const [handle, reads] = [operation.handler(deps), operation.reads?.(deps)];
  return { route, handle, reads, invalid, isWithKey: security.length > 0 };
}

/** The text of a body; undefined for an empty one. */
async function readText(ctx: ApiContext): Promise<string | undefined> {
  return (await readBody(ctx.req, BODY_BYTES_MAX)).toString('utf8') || undefined;
}

/** @throws ServiceError method_not_allowed */
function answerOptions(ctx: ApiContext, there: readonly Bound[]): void {
  setAllow(ctx, [...new Set(there.map(({ route }) => route.method))]);
  if (ctx.method !== 'OPTIONS') throw new ServiceError('method_not_allowed');
  // Pages may read the document, and revalidate it: the latter is what a browser asks about first.
  if (there.some(({ route }) => route.operation.operationId === 'description')) {
    ctx.set('Access-Control-Allow-Origin', '*');
    ctx.set('Access-Control-Allow-Headers', 'If-None-Match');
  }
  ctx.status = 204;
}
