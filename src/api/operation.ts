import type { IncomingMessage } from 'node:http';
import type { ParameterizedContext } from 'koa';
import type { Document } from 'openapi-backend';
import type { operations } from '../../generated/contract.js';
import type { App } from '../app/app.js';
import type { Admission } from '../app/keys/access.js';
import type { AskedRun } from '../app/runs/run-reads.js';
import type { ErrorCode, RateLimit } from '../platform/errors.js';
import type { RequestState } from '../platform/http/request-state.js';
import type { Lifecycle } from '../platform/lifecycle.js';

/** What is known of a request so far. */
export interface ApiState extends RequestState {
  admission: Admission | null;
}

export type ApiContext = ParameterizedContext<ApiState>;

/** An OpenAPI document, parsed. */
export type ApiDocument = Document;

/** What operations work with. */
export interface OperationDeps extends Pick<App, 'runs'> {
  /** The parsed `generated/openapi.json`. */
  readonly document: ApiDocument;
  /** The base address of the service, without a trailing slash: the document's server, and the start of every Location. */
  readonly publicUrl: string;
  /** Where people reach the operator: a mailto or https URL; null or left out when the operator gives none. */
  readonly contact?: string | null;
  readonly lifecycle: Lifecycle;
}

export type OperationId = keyof operations;

type ParametersOf<Id extends OperationId> = operations[Id]['parameters'];
type ResponsesOf<Id extends OperationId> = operations[Id]['responses'];
type SuccessOf<Id extends OperationId> = Extract<keyof ResponsesOf<Id>, 200 | 201>;

type BodyOf<Request> = Request extends { requestBody?: infer Body }
  ? NonNullable<Body> extends { content: { 'application/json': infer Json } }
    ? Json
    : undefined
  : undefined;

/** Headers that every answer gets at one place each, so that no handler has to think of them. */
type CommonHeader = 'X-Request-Id' | `X-RateLimit-${string}` | 'RateLimit' | 'RateLimit-Policy';

type HeadersOf<Response> = Response extends { headers: infer H }
  ? { readonly [Name in keyof H as string extends Name ? never : Name extends CommonHeader ? never : Name]: H[Name] }
  : never;

/** A request of one operation after routing, admission and validation: each part is what the document says of it. */
export interface Call<Id extends OperationId> {
  readonly params: NonNullable<ParametersOf<Id>['path']>;
  readonly query: NonNullable<ParametersOf<Id>['query']>;
  /** Under their names in lower case. */
  readonly headers: {
    readonly [Name in keyof NonNullable<ParametersOf<Id>['header']> as Lowercase<Name & string>]: NonNullable<
      ParametersOf<Id>['header']
    >[Name];
  };
  readonly body: BodyOf<operations[Id]>;
  /** Who asks; null for an operation without a key (one that never answers 401). */
  readonly admission: 401 extends keyof ResponsesOf<Id> ? Admission : null;
  readonly request: IncomingMessage;
  /** What {@link Operation.reads} said. */
  readonly asked: AskedRun | undefined;
}

/** The successful answer of one operation, with every header that the document declares for it. */
export interface Answer<Id extends OperationId> {
  readonly status: SuccessOf<Id>;
  readonly headers: HeadersOf<ResponsesOf<Id>[SuccessOf<Id>]>;
  /** What is left of other limits than the key's month. */
  readonly rateLimits?: readonly RateLimit[];
  readonly body: Uint8Array;
}

/**
 * One operation of the document: the export `operation` of a file in `operations/`; `operations.ts` lists them. A refusal is thrown as a
 * ServiceError.
 */
export interface Operation<Id extends OperationId> {
  /** The error of a request whose parameters or body the document does not allow; `invalid_request` unless said otherwise. */
  readonly invalid?: ErrorCode;
  /** Which run a valid request reads, so that it may be found along with the charge. Called once, at the start. */
  reads?(deps: OperationDeps): (call: Pick<Call<Id>, 'params'>) => AskedRun | undefined;
  /** Called once, at the start. */
  handler(deps: OperationDeps): (call: Call<Id>) => Promise<Answer<Id>>;
}

/** An operation with its id forgotten: routing, admission and validation make each call what its type says. */
export interface AnyOperation {
  readonly invalid?: ErrorCode;
  reads?(deps: OperationDeps): (call: Record<'params', unknown>) => AskedRun | undefined;
  handler(deps: OperationDeps): (call: Record<keyof Call<OperationId>, unknown>) => Promise<AnyAnswer>;
}

export interface AnyAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly rateLimits?: readonly RateLimit[];
  readonly body: Uint8Array;
}
