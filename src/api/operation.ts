import type { IncomingMessage } from 'node:http';
import type { ParameterizedContext } from 'koa';
import type { Document } from 'openapi-backend';
import type { operations } from '../../generated/contract.js';
import type { Access, Admission } from '../app/keys/access.js';
import type { RunRequest } from '../app/runs/run-reads.js';
import type { Runs } from '../app/runs/runs.js';
import type { Clock } from '../platform/clock.js';
import type { RateLimit } from '../platform/errors.js';
import type { HttpContext } from '../platform/http/app.js';
import type { RequestState } from '../platform/http/request.js';

export interface ApiState extends RequestState {
  admission: Admission | null;
}

export type ApiContext = ParameterizedContext<ApiState>;

export type ApiDocument = Document;

export interface ApiServices extends HttpContext {
  readonly runs: Pick<Runs, 'start' | 'prepareRead' | 'read'>;
  readonly access: Pick<Access, 'admit'>;
  readonly clock: Clock;
  /** The parsed `generated/openapi.json`. */
  readonly document: ApiDocument;
  /** The service's base URL, without a trailing slash: the document's server, and the start of every Location. */
  readonly publicUrl: string;
  /** How to reach the operator: a mailto or https URL; null or omitted if the operator gives none. */
  readonly contact?: string | null;
}

export type OperationId = keyof operations;

type ParametersOf<Id extends OperationId> = operations[Id]['parameters'];
type ResponsesOf<Id extends OperationId> = operations[Id]['responses'];
type SuccessOf<Id extends OperationId> = Extract<keyof ResponsesOf<Id>, 200 | 201>;

/** Headers that are set on every answer, never by a handler. */
type CommonHeader = 'X-Request-Id' | `X-RateLimit-${string}` | 'RateLimit' | 'RateLimit-Policy';

type HeadersOf<Response> = Response extends { headers: infer H }
  ? { readonly [Name in keyof H as string extends Name ? never : Name extends CommonHeader ? never : Name]: H[Name] }
  : never;

/** A request of one operation after routing, admission and validation, typed by the document. */
export interface Call<Id extends OperationId> {
  readonly params: NonNullable<ParametersOf<Id>['path']>;
  /** By name in lower case. */
  readonly headers: {
    readonly [Name in keyof NonNullable<ParametersOf<Id>['header']> as Lowercase<Name & string>]: NonNullable<
      ParametersOf<Id>['header']
    >[Name];
  };
  /** Null for an operation without a key (one that never answers 401). */
  readonly admission: 401 extends keyof ResponsesOf<Id> ? Admission : null;
  readonly request: IncomingMessage;
  /** The result of {@link Operation.prepareRead}. */
  readonly runRequest: RunRequest | undefined;
}

/** The successful answer of one operation, with every header that the document declares for it. */
export interface Answer<Id extends OperationId> {
  readonly status: SuccessOf<Id>;
  readonly headers: HeadersOf<ResponsesOf<Id>[SuccessOf<Id>]>;
  /** Limits besides the key's month. */
  readonly rateLimits?: readonly RateLimit[];
  readonly body: Uint8Array;
}

/** One operation of the document. Throws a ServiceError to refuse a request. */
export interface Operation<Id extends OperationId> {
  /** Returns the run that a valid request reads, so that one query can charge the key and read the run. */
  prepareRead?(call: Pick<Call<Id>, 'params'>): RunRequest | undefined;
  handle(call: Call<Id>): Promise<Answer<Id>>;
}

/** Any operation. Routing, admission and validation ensure that calls match its type. */
export interface AnyOperation {
  prepareRead?(call: Record<'params', unknown>): RunRequest | undefined;
  handle(call: Record<keyof Call<OperationId>, unknown>): Promise<{
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly rateLimits?: readonly RateLimit[];
    readonly body: Uint8Array;
  }>;
}
