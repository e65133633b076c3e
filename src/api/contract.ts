import type { Middleware } from 'koa';
import type { Document, Operation } from 'openapi-backend';
import { ServiceError } from '../platform/errors.js';
import type { Access } from '../app/keys/access.js';
import type { Runs } from '../app/runs/runs.js';
import { ContractBackend } from './contract-backend.js';
import { isCurrent } from '../platform/http/entity-tag.js';
import { pathOf } from '../platform/http/request-target.js';
import { sendJson, setRateLimit, type Exchange, type ExchangeState } from './exchange.js';
import type { Call, Handlers, OperationId } from './handlers.js';
import type { Lifecycle } from '../platform/lifecycle.js';
import { createRun } from './operations/create-run.js';
import { description } from './operations/description.js';
import { getLatestRun } from './operations/get-latest-run.js';
import { getRun } from './operations/get-run.js';

/** An OpenAPI document, parsed. */
export type ApiDocument = Document;

export interface ContractDeps {
  readonly access: Pick<Access, 'admit'>;
  readonly runs: Runs;
  /** The parsed `generated/openapi.json`. */
  readonly document: ApiDocument;
  /** The base address of the service, without a trailing slash: the document's server, and the start of every Location. */
  readonly publicUrl: string;
  readonly lifecycle: Lifecycle;
}

/** Node leaves out headers that were not sent, rather than making them undefined. */
type Headers = Record<string, string | string[]>;

/** A handler and its answer with their operation forgotten. */
type UntypedHandler = (call: Record<keyof Call<OperationId>, unknown>) => Promise<UntypedAnswer>;
interface UntypedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>> & { readonly ETag: string };
  readonly body: Uint8Array;
}

/**
 * The operations of the document, bound to their handlers. Refusals come in this order: route (404, 405), key, plan and
 * quota (`access.admit`), parameters (400), then what the operation itself finds. HEAD is answered as GET; OPTIONS costs
 * nothing and needs no key.
 */
export async function contract(deps: ContractDeps): Promise<Middleware<ExchangeState>> {
  const backend = await new ContractBackend(deps.document).init();
  const { router, validator } = backend;
  const withKey = new Set(backend.getOperations().filter(asksForKey));
  // Admission and validation make each call what its handler's type says.
  const handlers = handlersOf(deps) as unknown as Record<OperationId, UntypedHandler>;
  return async (exchange) => {
    const path = pathOf(exchange.req.url ?? '');
    if (exchange.method === 'OPTIONS') {
      answerOptions(exchange, path, backend);
      return;
    }
    const method = exchange.method === 'HEAD' ? 'GET' : exchange.method;
    const request = { method, path, headers: exchange.req.headers as Headers };
    const operation = backend.operationOf(request);
    if (!operation) throw explainNoMatch(exchange, backend.methodsAt(path));
    exchange.state.route = operation.path;
    if (withKey.has(operation)) await admit(exchange, deps.access);
    // The run number is the only parameter of the document that a request can get wrong.
    if (!validator.validateRequest(request, operation).valid) throw new ServiceError('invalid_run_number');
    const params: unknown = router.parseRequest(request, operation).params;
    const handle = handlers[operation.operationId as OperationId];
    send(exchange, await handle({ params, admission: exchange.state.admission, request: exchange.req }));
  };
}

function handlersOf({ runs, document, publicUrl, lifecycle }: ContractDeps): Handlers {
  return {
    createRun: createRun(runs, lifecycle, publicUrl),
    getLatestRun: getLatestRun(runs),
    getRun: getRun(runs),
    description: description(document, publicUrl),
  };
}

/**
 * Whether an operation is for holders of a key only.
 * @throws Error for a document that asks for what nobody here looks at
 */
function asksForKey({ operationId, security = [] }: Operation): boolean {
  for (const requirement of security) {
    const schemes = Object.keys(requirement);
    if (schemes.join() !== 'ApiKey') throw new Error(`${operationId ?? ''} asks for ${schemes.join()}, not for ApiKey`);
  }
  return security.length > 0;
}

function explainNoMatch(exchange: Exchange, methods: readonly string[]): ServiceError {
  if (methods.length === 0) return new ServiceError('not_found');
  setAllow(exchange, methods);
  return new ServiceError('method_not_allowed');
}

async function admit(exchange: Exchange, access: Pick<Access, 'admit'>): Promise<void> {
  const admission = await access.admit(exchange.req.headers.authorization);
  exchange.state.admission = admission;
  setRateLimit(exchange, admission.rateLimit);
}

function send(exchange: Exchange, { status, headers, body }: UntypedAnswer): void {
  for (const [name, value] of Object.entries(headers)) exchange.set(name, value);
  if (status === 200 && isCurrent(exchange.req.headers['if-none-match'], headers.ETag)) exchange.status = 304;
  else sendJson(exchange, status, body);
}

function answerOptions(exchange: Exchange, path: string, backend: ContractBackend): void {
  const methods = backend.methodsAt(path);
  if (methods.length === 0) throw new ServiceError('not_found');
  setAllow(exchange, methods);
  // Pages may read the document, and revalidate it: the latter is what a browser asks about first.
  if (path === backend.getOperation('description')?.path) {
    exchange.set('Access-Control-Allow-Origin', '*');
    exchange.set('Access-Control-Allow-Headers', 'If-None-Match');
  }
  exchange.status = 204;
}

function setAllow(exchange: Exchange, methods: readonly string[]): void {
  const withHead = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  exchange.set('Allow', [...withHead, 'OPTIONS'].join(', '));
}
