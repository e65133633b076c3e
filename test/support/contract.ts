import formats from 'ajv-formats';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Document } from 'openapi-backend';
import type { Test } from 'tap';
import type { OperationId } from '../../src/api/operation.js';
import type { HttpAnswer } from './http-client.js';
import { readProject } from './project.js';
import type { ReceivedMessage } from './servers.js';

interface Header {
  readonly required?: boolean;
  readonly schema: { readonly type: string };
}
interface Ref {
  readonly $ref: string;
}
export interface ResponseObject {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Header | Ref>>;
  readonly links?: object;
  readonly content?: Readonly<Record<string, MediaType>>;
}
interface MediaType {
  readonly examples: Readonly<Record<string, Example | Ref>>;
}
interface Example {
  readonly value: unknown;
}
export interface OperationObject {
  readonly operationId: OperationId;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly security?: readonly unknown[];
  readonly responses: Readonly<Record<string, ResponseObject | Ref>>;
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

/** An answer that the document declares, and the JSON pointer of where it does. */
interface DeclaredResponse {
  readonly response: ResponseObject;
  readonly at: string;
}

/** The answers that an operation declares, by status: refusals stand among the components. */
export function responsesOf({ object, pointer }: Operation): ReadonlyMap<string, DeclaredResponse> {
  return new Map(
    Object.entries(object.responses).map(([status, response]) => [
      status,
      '$ref' in response
        ? { response: resolve(response) as ResponseObject, at: response.$ref.slice(1) }
        : { response, at: `${pointer}/responses/${status}` },
    ]),
  );
}

/** The examples of a body by their titles: those of successes stand among the components. */
export function examplesOf(body: MediaType | undefined): readonly (readonly [title: string, example: Example])[] {
  return Object.entries(body?.examples ?? {}).map(([title, example]) => [
    title,
    '$ref' in example ? (resolve(example) as Example) : example,
  ]);
}

function resolve({ $ref }: Ref): unknown {
  const [kind = '', name = ''] = $ref.replace('#/components/', '').split('/');
  const found = (DOCUMENT.components as Record<string, Record<string, unknown>> | undefined)?.[kind]?.[name];
  if (!found) throw new Error(`the document has no ${$ref}`);
  return found;
}

const CONTRACT_HEADERS = new Set(
  OPERATIONS.flatMap((operation) => [...responsesOf(operation).values()]).flatMap(({ response }) =>
    Object.keys(response.headers ?? {}),
  ),
);

/** What every answer of the service has, although clients may not count on it: gateways strip such headers. */
const ALWAYS_SENT = ['X-Request-Id', 'Cache-Control'];

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
  const declared = responsesOf(operationOf(operationId)).get(String(answer.status));
  if (!declared) return [`status ${answer.status} is not declared`];
  const { response, at } = declared;
  const always = operationId === 'description' && answer.status < 400 ? ['Access-Control-Allow-Origin'] : [];
  const unsent = [...ALWAYS_SENT, ...always].filter((name) => answer.headers[name.toLowerCase()] === undefined);
  return [
    ...unsent.map((name) => `header ${name} is not sent`),
    ...headerFaults(response, at, answer),
    ...bodyFaults(response, at, answer),
  ];
}

/** A header of a response, which may refer to it. */
export function headerOf(header: Header | Ref): Header {
  return '$ref' in header ? (resolve(header) as Header) : header;
}

function headerFaults({ headers = {} }: ResponseObject, at: string, answer: HttpAnswer): string[] {
  const declared = Object.entries(headers).flatMap(([name, header]) => {
    const { required, schema } = headerOf(header);
    const text = answer.headers[name.toLowerCase()];
    if (text === undefined) return required ? [`header ${name} is missing`] : [];
    const value = schema.type === 'integer' ? Number(text) : text;
    const pointer = '$ref' in header ? header.$ref.slice(1) : `${at}/headers/${name}`;
    return faultsAt(`${pointer}/schema`, value).map((fault) => `header ${name}: ${fault}`);
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

interface Parameter {
  readonly name: string;
  readonly schema: { readonly type: string };
}

interface WebhookObject {
  readonly summary: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody: {
    readonly content: { readonly 'application/json': { readonly schema: Schema } };
  };
}

/** The messages that the document describes, by their type. */
export const WEBHOOKS = ((DOCUMENT as { readonly webhooks?: unknown }).webhooks ?? {}) as Readonly<
  Record<string, { readonly post: WebhookObject }>
>;

/** The fields of each kind of change, besides the kind; the document has them as optional, since more kinds may come. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  ACCESS_CHANGED: ['assistant', 'before', 'now', 'reason'],
  SCORE_FELL: ['from', 'to'],
  CHECK_FAILING: ['checkId', 'errorType', 'headline', 'title'],
  CHECK_FIXED: ['checkId', 'title'],
  SITE_UNREACHABLE: [],
  SITE_REACHABLE: [],
};

/** What in a delivered message departs from the document: its type, headers or body. Empty when nothing does. */
export function messageFaults({ headers, body }: Pick<ReceivedMessage, 'headers' | 'body'>): string[] {
  const message = JSON.parse(body) as { readonly type: string; readonly data: object };
  const webhook = WEBHOOKS[message.type];
  if (!webhook) return [`type ${message.type} is not described`];
  const pointer = `/webhooks/${message.type}/post`;
  const inHeaders = webhook.post.parameters.flatMap(({ name, schema }, index) => {
    const value = schema.type === 'integer' ? Number(headers[name]) : headers[name];
    return faultsAt(`${pointer}/parameters/${index}/schema`, value).map((fault) => `${name}${fault}`);
  });
  const { schema } = webhook.post.requestBody.content['application/json'];
  const inBody = faultsAt(`${pointer}/requestBody/content/application~1json/schema`, message);
  return [...inHeaders, ...inBody, ...undescribed(schema, message), ...changeFaults(message.data)];
}

/** Asserts that a delivered message is one that the document describes. */
export function expectDescribed(t: Test, message: ReceivedMessage): void {
  t.strictSame(messageFaults(message), [], 'the message is as the document says');
}

function at(pointer: string): unknown {
  const steps = pointer.split('/').slice(1);
  return steps.reduce<unknown>((value, step) => (value as Record<string, unknown>)[step], DOCUMENT);
}

function changeFaults(data: { readonly changes?: readonly { readonly kind: string }[] }): string[] {
  return (data.changes ?? []).flatMap(({ kind, ...fields }) => {
    const found = Object.keys(fields).sort().join();
    return found === FIELDS[kind]?.join() ? [] : [`${kind} has the fields ${found}`];
  });
}

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

/** Fields that the document does not have: it leaves objects open for those of later versions, and there are none yet. */
function undescribed({ $ref, properties, items = {} }: Schema, value: unknown, where = ''): string[] {
  if ($ref !== undefined) return undescribed(at($ref.slice(1)) as Schema, value, where);
  if (Array.isArray(value)) return value.flatMap((item) => undescribed(items, item, where));
  if (!properties || typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, its]) => {
    const path = `${where}/${name}`;
    return properties[name] ? undescribed(properties[name], its, path) : [`${path} is not described`];
  });
}
