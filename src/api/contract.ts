import type { Middleware } from 'koa';
import type { Operation } from 'openapi-backend';
import type { Access } from '../app/keys/access.js';
import type { Clock } from '../platform/clock.js';
import { ServiceError } from '../platform/errors.js';
import { isNotModified } from '../platform/http/conditional.js';
import { sendJson } from '../platform/http/json.js';
import { setAllow } from '../platform/http/methods.js';
import { readBody } from '../platform/http/request-body.js';
import { pathOf, queryOf } from '../platform/http/request-target.js';
import { ContractBackend } from './contract-backend.js';
import type { AnyAnswer, AnyOperation, ApiContext, ApiState, OperationDeps } from './operation.js';
import { OPERATIONS } from './operations.js';
import { setRateLimits } from './headers.js';

export interface ContractDeps extends OperationDeps {
  readonly access: Pick<Access, 'admit'>;
  readonly clock: Clock;
}

/** Node leaves out headers that were not sent, rather than making them undefined. */
type Headers = Record<string, string | string[]>;

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
  const backend = await new ContractBackend(deps.document).init();
  const operations = backend.getOperations();
  const bound = new Map(operations.map((operation) => [operation, bind(handlerOf(operation.operationId ?? ''), deps)]));
  return async (ctx) => {
    const path = pathOf(ctx.req.url ?? '');
    if (ctx.method === 'OPTIONS') {
      answerOptions(ctx, path, backend);
      return;
    }
    const method = ctx.method === 'HEAD' ? 'GET' : ctx.method;
    const request = { method, path, query: queryOf(ctx.req.url ?? ''), headers: ctx.req.headers as Headers };
    const operation = backend.operationOf(request);
    const handler = operation && bound.get(operation);
    if (!handler) throw explainNoMatch(ctx, backend.methodsAt(path));
    ctx.state.route = operation.path;
    if (isWithKey(operation)) ctx.state.admission = await deps.access.admit(ctx.req.headers.authorization);
    const body = operation.requestBody ? await readText(ctx) : undefined;
    const parsed = backend.read(body === undefined ? request : { ...request, body }, operation);
    if (!parsed) throw new ServiceError(handler.invalid);
    const { params, query, headers, requestBody } = parsed;
    const { admission } = ctx.state;
    const answer = await handler.handle({ params, query, headers, body: requestBody, admission, request: ctx.req });
    if (admission) setRateLimits(ctx, [admission.rateLimit, ...(answer.rateLimits ?? [])], deps.clock.now());
    send(ctx, answer);
  };
}

function bind(operation: AnyOperation | undefined, deps: OperationDeps) {
  if (!operation) throw new Error('an operation of the document has no handler');
  return { handle: operation.handler(deps), invalid: operation.invalid ?? 'invalid_request' } as const;
}

/** Whether an operation is for holders of a key only: the document asks for nothing else (see parameters.ts). */
function isWithKey({ security = [] }: Operation): boolean {
  return security.length > 0;
}

function explainNoMatch(ctx: ApiContext, methods: readonly string[]): ServiceError {
  if (methods.length === 0) return new ServiceError('not_found');
  setAllow(ctx, methods);
  return new ServiceError('method_not_allowed');
}

/** The text of a body; undefined for an empty one. */
async function readText(ctx: ApiContext): Promise<string | undefined> {
  return (await readBody(ctx.req, BODY_BYTES_MAX)).toString('utf8') || undefined;
}

function send(ctx: ApiContext, { status, headers, body }: AnyAnswer): void {
  for (const [name, value] of Object.entries(headers)) ctx.set(name, value);
  if (status === 200 && headers.ETag !== undefined && isNotModified(ctx, headers.ETag)) return;
  sendJson(ctx, status, body);
}

function answerOptions(ctx: ApiContext, path: string, backend: ContractBackend): void {
  const methods = backend.methodsAt(path);
  if (methods.length === 0) throw new ServiceError('not_found');
  setAllow(ctx, methods);
  // Pages may read the document, and revalidate it: the latter is what a browser asks about first.
  if (path === backend.getOperation('description')?.path) {
    ctx.set('Access-Control-Allow-Origin', '*');
    ctx.set('Access-Control-Allow-Headers', 'If-None-Match');
  }
  ctx.status = 204;
}
