import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { Document } from 'openapi-backend';
import type { Test } from 'tap';
import type { OperationId } from '../../src/api/operation.js';
import type { HttpAnswer } from './http-client.js';
import { readProject } from './project.js';

interface Header {
  readonly required?: boolean;
  readonly schema: { readonly type: string };
}
interface ResponseObject {
  readonly description: string;
  readonly headers?: Readonly<Record<string, { readonly $ref: string }>>;
  readonly content?: Readonly<
    Record<string, { readonly examples: Readonly<Record<string, { readonly value: unknown }>> }>
  >;
}
export interface OperationObject {
  readonly operationId: OperationId;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly security?: readonly unknown[];
  readonly responses: Readonly<Record<string, ResponseObject>>;
}
export interface Operation {
  readonly path: string;
  readonly method: string;
  readonly object: OperationObject;
  /** The JSON pointer of the operation. */
  readonly pointer: string;
}

/** The committed document. */
export const DOCUMENT = JSON.parse(readProject('generated/openapi.json')) as Document;

/** Every operation of the document. */
export const OPERATIONS: readonly Operation[] = Object.entries(DOCUMENT.paths ?? {}).flatMap(([path, item]) =>
  Object.entries(item as Record<string, OperationObject>).map(([method, object]) => ({
    path,
    method: method.toUpperCase(),
    object,
    pointer: `/paths/${path.replaceAll('~', '~0').replaceAll('/', '~1')}/${method}`,
  })),
);

const OF_THE_CONTRACT: readonly OperationId[] = ['createRun', 'description', 'getLatestRun', 'getRun'];

/** Those that the contract names. Others may come, and bring tests of their own. */
export const CONTRACT_OPERATIONS = OPERATIONS.filter(({ object }) => OF_THE_CONTRACT.includes(object.operationId));

export function operationOf(operationId: OperationId): Operation {
  const operation = OPERATIONS.find(({ object }) => object.operationId === operationId);
  if (!operation) throw new Error(`the document has no operation ${operationId}`);
  return operation;
}

const CONTRACT_HEADERS = new Set(
  OPERATIONS.flatMap(({ object }) => Object.values(object.responses)).flatMap(({ headers }) =>
    Object.keys(headers ?? {}),
  ),
);

const ajv = new Ajv2020({ strict: false, allErrors: true, verbose: true });
formats.default(ajv);
ajv.addSchema(DOCUMENT, 'openapi.json');
const validators = new Map<string, ValidateFunction>();

/** What is wrong with `value` by the schema at this JSON pointer of the document; empty when nothing is. */
export function faultsAt(pointer: string, value: unknown): string[] {
  const validate = validators.get(pointer) ?? ajv.compile({ $ref: `openapi.json#${encodeURI(pointer)}` });
  validators.set(pointer, validate);
  return validate(value)
    ? []
    : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

/** What in an answer departs from the document: status, headers, media type or body. Empty when nothing does. */
export function contractFaults(operationId: OperationId, answer: HttpAnswer): string[] {
  const { object, pointer } = operationOf(operationId);
  const response = object.responses[answer.status];
  if (!response) return [`status ${answer.status} is not declared`];
  const at = `${pointer}/responses/${answer.status}`;
  return [...headerFaults(response, answer), ...bodyFaults(response, at, answer)];
}

/** What a response refers to as one of its headers. */
export function headerOf({ $ref }: { readonly $ref: string }): Header {
  const header = DOCUMENT.components?.headers?.[$ref.replace('#/components/headers/', '')];
  if (!header) throw new Error(`the document has no ${$ref}`);
  return header as Header;
}

function headerFaults({ headers = {} }: ResponseObject, answer: HttpAnswer): string[] {
  const declared = Object.entries(headers).flatMap(([name, { $ref }]) => {
    const { required, schema } = headerOf({ $ref });
    const text = answer.headers[name.toLowerCase()];
    if (text === undefined) return required ? [`header ${name} is missing`] : [];
    const value = schema.type === 'integer' ? Number(text) : text;
    return faultsAt(`${$ref.slice(1)}/schema`, value).map((fault) => `header ${name}: ${fault}`);
  });
  const undeclared = [...CONTRACT_HEADERS].filter(
    (name) => !(name in headers) && answer.headers[name.toLowerCase()] !== undefined,
  );
  return [...declared, ...undeclared.map((name) => `header ${name} is not declared`)];
}

function bodyFaults({ content }: ResponseObject, at: string, answer: HttpAnswer): string[] {
  if (!content || answer.method === 'HEAD') return answer.text === '' ? [] : ['the body is not empty'];
  const mediaType = answer.headers['content-type'] ?? '';
  if (!(mediaType in content)) return [`media type ${mediaType} is not declared`];
  return faultsAt(`${at}/content/${mediaType.replaceAll('/', '~1')}/schema`, JSON.parse(answer.text));
}

/** Asserts that an answer is one that the document declares for this operation. */
export function expectContract(t: Test, operationId: OperationId, answer: HttpAnswer, about = ''): void {
  t.strictSame(
    contractFaults(operationId, answer),
    [],
    `${about || operationId} ${answer.status} is as the document says`,
  );
}
