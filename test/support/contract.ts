import formats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { type Document, OpenAPIBackend } from 'openapi-backend';
import type { Test } from 'tap';
import type { OperationId } from '../../src/api/operation.js';
import type { HttpAnswer } from './http-client.js';
import { readProject } from './project.js';
import type { ReceivedMessage } from './servers.js';

interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}
interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly schema: Schema;
  readonly example?: unknown;
}
interface MediaType {
  readonly schema: Schema;
  readonly examples: Readonly<Record<string, { readonly value: unknown }>>;
}
interface ResponseObject {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Omit<Parameter, 'name' | 'in'>>>;
  readonly links?: object;
  readonly content?: Readonly<Record<string, MediaType>>;
}
interface OperationObject {
  readonly operationId: OperationId;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly security?: readonly unknown[];
  readonly parameters: readonly Parameter[];
  readonly responses: Readonly<Record<string, ResponseObject>>;
}
export interface Operation {
  readonly path: string;
  readonly method: string;
  readonly object: OperationObject;
}
interface WebhookObject {
  readonly summary: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody: { readonly content: { readonly 'application/json': { readonly schema: Schema } } };
}

export const DOCUMENT = JSON.parse(readProject('generated/openapi.json')) as Document;

const backend = await new OpenAPIBackend({ definition: DOCUMENT, quick: true }).init();
/** The document with its references resolved. */
const RESOLVED = backend.definition as unknown as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: WebhookObject }>>;
};

export const OPERATIONS: readonly Operation[] = Object.entries(RESOLVED.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, object]) => ({ path, method: method.toUpperCase(), object })),
);

const OF_THE_CONTRACT: readonly OperationId[] = ['createRun', 'description', 'getLatestRun', 'getRun'];

/** The operations that the contract names. Later ones have their own tests. */
export const CONTRACT_OPERATIONS = OPERATIONS.filter(({ object }) => OF_THE_CONTRACT.includes(object.operationId));

/** The messages that the document describes, by type. */
export const WEBHOOKS = RESOLVED.webhooks;

export function operationOf(operationId: OperationId): OperationObject {
  const operation = OPERATIONS.find(({ object }) => object.operationId === operationId);
  if (!operation) throw new Error(`the document has no operation ${operationId}`);
  return operation.object;
}

const HEADERS = new Set(
  OPERATIONS.flatMap(({ object }) => Object.values(object.responses)).flatMap(({ headers }) =>
    Object.keys(headers ?? {}),
  ),
);

/** Headers of every answer, although clients may not count on them: gateways strip such headers. */
const ALWAYS_SENT = ['X-Request-Id', 'Cache-Control'];

const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);

/** Returns how `value` breaks the schema. */
export function faultsOf(schema: Schema, value: unknown): string[] {
  const validate = ajv.compile(schema);
  return validate(value)
    ? []
    : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

/** Returns how an answer departs from the document: in its status, headers, media type or body. */
export function contractFaults(operationId: OperationId, answer: HttpAnswer): string[] {
  const response = operationOf(operationId).responses[answer.status];
  if (!response) return [`status ${answer.status} is not declared`];
  const always = operationId === 'description' && answer.status < 400 ? ['Access-Control-Allow-Origin'] : [];
  const unsent = [...ALWAYS_SENT, ...always].filter((name) => answer.headers[name.toLowerCase()] === undefined);
  return [
    ...unsent.map((name) => `header ${name} is not sent`),
    ...headerFaults(response, answer),
    ...bodyFaults(response, answer),
  ];
}

function headerFaults({ headers = {} }: ResponseObject, answer: HttpAnswer): string[] {
  const declared = Object.entries(headers).flatMap(([name, { required, schema }]) => {
    const text = answer.headers[name.toLowerCase()];
    if (text === undefined) return required ? [`header ${name} is missing`] : [];
    return faultsOf(schema, valueOf(text, schema)).map((fault) => `header ${name}: ${fault}`);
  });
  const undeclared = [...HEADERS].filter(
    (name) => !(name in headers) && answer.headers[name.toLowerCase()] !== undefined,
  );
  return [...declared, ...undeclared.map((name) => `header ${name} is not declared`)];
}

function valueOf(text: unknown, { type }: Schema): unknown {
  return type === 'integer' ? Number(text) : text;
}

function bodyFaults({ content }: ResponseObject, answer: HttpAnswer): string[] {
  if (!content || answer.method === 'HEAD') return answer.text === '' ? [] : ['the body is not empty'];
  const mediaType = answer.headers['content-type'] ?? '';
  const declared = content[mediaType];
  return declared ? faultsOf(declared.schema, JSON.parse(answer.text)) : [`media type ${mediaType} is not declared`];
}

/** Asserts that an answer is one that the document declares for this operation. */
export function expectContract(t: Test, operationId: OperationId, answer: HttpAnswer, about = ''): void {
  t.strictSame(
    contractFaults(operationId, answer),
    [],
    `${about || operationId} ${answer.status} is as the document says`,
  );
}

/** The fields of each kind of change, besides the kind. The document has them as optional, since kinds may be added. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  ACCESS_CHANGED: ['assistant', 'before', 'now', 'reason'],
  SCORE_FELL: ['from', 'to'],
  CHECK_FAILING: ['checkId', 'errorType', 'headline', 'title'],
  CHECK_FIXED: ['checkId', 'title'],
  SITE_UNREACHABLE: [],
  SITE_REACHABLE: [],
};

/** Returns how a delivered message departs from the document: in its type, headers or body. */
export function messageFaults({ headers, body }: Pick<ReceivedMessage, 'headers' | 'body'>): string[] {
  const message = JSON.parse(body) as { readonly type: string; readonly data: object };
  const webhook = WEBHOOKS[message.type];
  if (!webhook) return [`type ${message.type} is not described`];
  const { parameters, requestBody } = webhook.post;
  const inHeaders = parameters.flatMap(({ name, schema }) =>
    faultsOf(schema, valueOf(headers[name], schema)).map((fault) => `${name}${fault}`),
  );
  const { schema } = requestBody.content['application/json'];
  return [...inHeaders, ...faultsOf(schema, message), ...undescribed(schema, message), ...changeFaults(message.data)];
}

/** Asserts that a delivered message is one that the document describes. */
export function expectDescribed(t: Test, message: ReceivedMessage): void {
  t.strictSame(messageFaults(message), [], 'the message is as the document says');
}

function changeFaults(data: { readonly changes?: readonly { readonly kind: string }[] }): string[] {
  return (data.changes ?? []).flatMap(({ kind, ...fields }) => {
    const found = Object.keys(fields).sort().join();
    return found === FIELDS[kind]?.join() ? [] : [`${kind} has the fields ${found}`];
  });
}

/** Returns fields that the document does not have. Its objects are open for fields of later versions, of which there are none yet. */
function undescribed({ properties, items = {} }: Schema, value: unknown, where = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => undescribed(items, item, where));
  if (!properties || typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, its]) => {
    const path = `${where}/${name}`;
    return properties[name] ? undescribed(properties[name], its, path) : [`${path} is not described`];
  });
}
