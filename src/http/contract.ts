import type { Middleware } from 'koa';
import type { Context, Document, Handler, HandlerMap } from 'openapi-backend';
import { ServiceError } from '../domain/errors.js';
import type { Access } from '../service/access.js';
import type { Runs } from '../service/runs.js';
import { ContractBackend } from './contract-backend.js';
import { isCurrent } from './entity-tag.js';
import { pathOf } from '../platform/request-target.js';
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
  const handlers: HandlerMap = {
    ...ROUTING,
    methodNotAllowed: (context, exchange: Exchange) => {
      setAllow(exchange, backend.methodsAt(context.request.path));
      throw new ServiceError('method_not_allowed');
    },
    ...bind(handlersOf(deps)),
  };
  const backend = await new ContractBackend(deps.document, handlers, { ApiKey: admitTo(deps.access) }).init();
  return async (exchange) => {
    const path = pathOf(exchange.req.url ?? '');
    if (exchange.method === 'OPTIONS') {
      answerOptions(exchange, path, backend);
      return;
    }
    const method = exchange.method === 'HEAD' ? 'GET' : exchange.method;
    await backend.handleRequest({ method, path, headers: exchange.req.headers as Headers }, exchange);
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

/** What openapi-backend calls beside the operations. Its argument after the context is the exchange. */
const ROUTING = {
  notFound: () => {
    throw new ServiceError('not_found');
  },
  postRoutingHandler: (context: Context, exchange: Exchange) => {
    // Not set where no operation matched, whatever the type says.
    exchange.state.route = (context as Partial<Context>).operation?.path ?? null;
  },
  unauthorizedHandler: (context: Context) => {
    const { ApiKey } = context.security as { ApiKey?: { error?: unknown } };
    throw ApiKey?.error;
  },
  // The run number is the only parameter of the document that a request can get wrong.
  validationFail: () => {
    throw new ServiceError('invalid_run_number');
  },
} satisfies HandlerMap;

function admitTo(access: Pick<Access, 'admit'>): Handler {
  return async (_context, exchange: Exchange) => {
    const admission = await access.admit(exchange.req.headers.authorization);
    exchange.state.admission = admission;
    setRateLimit(exchange, admission.rateLimit);
    return true;
  };
}

/** Gives openapi-backend the handlers. Admission and validation have made each call what its handler's type says. */
function bind(handlers: Handlers): HandlerMap {
  const untyped = Object.entries(handlers as unknown as Record<OperationId, UntypedHandler>);
  return Object.fromEntries(
    untyped.map(([operationId, handler]) => [
      operationId,
      async (context: Context, exchange: Exchange) => {
        const { params } = context.request as { params: unknown };
        send(exchange, await handler({ params, admission: exchange.state.admission, request: exchange.req }));
      },
    ]),
  );
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
