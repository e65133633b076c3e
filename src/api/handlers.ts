import type { IncomingMessage } from 'node:http';
import type { operations } from '../../generated/contract.js';
import type { Admission } from '../app/keys/access.js';

export type OperationId = keyof operations;

type ResponsesOf<Id extends OperationId> = operations[Id]['responses'];

type SuccessOf<Id extends OperationId> = Extract<keyof ResponsesOf<Id>, 200 | 201>;

/** Headers that every answer gets at one place each, so that no handler has to think of them. */
type CommonHeader = 'X-Request-Id' | 'X-RateLimit-Limit' | 'X-RateLimit-Remaining';

type HeadersOf<Response> = Response extends { headers: infer H }
  ? { readonly [Name in keyof H as string extends Name ? never : Name extends CommonHeader ? never : Name]: H[Name] }
  : never;

/** A request of one operation after routing, admission and validation. */
export interface Call<Id extends OperationId> {
  readonly params: NonNullable<operations[Id]['parameters']['path']>;
  /** Who asks; null for an operation without a key (one that never answers 401). */
  readonly admission: 401 extends keyof ResponsesOf<Id> ? Admission : null;
  readonly request: IncomingMessage;
}

/** The successful answer of one operation, with every header that the document declares for it. */
export interface Answer<Id extends OperationId> {
  readonly status: SuccessOf<Id>;
  readonly headers: HeadersOf<ResponsesOf<Id>[SuccessOf<Id>]>;
  readonly body: Uint8Array;
}

/** One handler for each operation of the document; a refusal is thrown as a ServiceError. */
export type Handlers = { readonly [Id in OperationId]: (call: Call<Id>) => Promise<Answer<Id>> };
