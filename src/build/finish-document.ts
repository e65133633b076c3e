import { SpecError } from './compile-spec.js';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema?: Readonly<Record<string, unknown>>;
}

interface Header {
  readonly required?: boolean;
  readonly $ref?: string;
}

interface Answer {
  headers?: Record<string, Header>;
  readonly content?: Readonly<Record<string, { readonly examples?: Record<string, object> }>>;
  readonly $ref?: string;
  readonly links?: object;
}

interface Operation {
  readonly operationId?: string;
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly required?: boolean };
  readonly responses: Record<string, Answer>;
  'x-links'?: object;
  'x-webhook'?: string;
}

type Methods = Record<string, Operation>;

export interface OpenApi {
  readonly openapi?: string;
  paths: Record<string, Methods>;
  webhooks?: Record<string, Methods>;
  readonly components: Record<string, object> & { readonly parameters?: Readonly<Record<string, Parameter>> };
}

/**
 * Finishes the document that TypeSpec's emitter writes: each step does what TypeSpec cannot say, and explains why.
 * @throws SpecError
 */
export function finishDocument(compiled: string): string {
  const document = relocate(tidyDocument(JSON.parse(compiled) as Json) as unknown as OpenApi);
  assertRefusals(document);
  return JSON.stringify(shareAnswers(shareExamples(document)), null, 2) + '\n';
}

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

type JsonObject = Readonly<Record<string, Json>>;

const NULL_TYPE = '{"type":"null"}';

/** A line end within a paragraph or a list item. */
const LINE_END = /(?<!\n|^#.*)\n(?!\n|- )/gm;

/**
 * Rewrites output of TypeSpec's emitter that is valid but awkward for other tools:
 *
 * - a nullable scalar becomes `type: [T, "null"]` (generators turn an `anyOf` into a union of objects); a nullable enum keeps
 * `anyOf` with a `$ref`;
 * - the HTTP authentication scheme is in lower case, as in its registry;
 * - an operation without a key has `security: []` rather than `[{}]`, "a key, or none";
 * - a server without variables omits `variables`;
 * - a paragraph of a description is one line: the emitter keeps the line ends of the specification, and many readers show them.
 */
export function tidyDocument(value: Json): Json {
  if (isList(value)) return value.map(tidyDocument);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, field]): [string, Json] => [
    key,
    rewriteField(key, tidyDocument(field)),
  ]);
  return mergeNullable(Object.fromEntries(entries.filter(([key, field]) => !isEmptyVariables(key, field))));
}

function rewriteField(key: string, value: Json): Json {
  if (key === 'scheme' && typeof value === 'string') return value.toLowerCase();
  if (key === 'description' && typeof value === 'string') return value.replaceAll(LINE_END, ' ');
  if (key === 'security' && JSON.stringify(value) === '[{}]') return [];
  return value;
}

function isEmptyVariables(key: string, value: Json): boolean {
  return key === 'variables' && JSON.stringify(value) === '{}';
}

/** `{anyOf: [{type: T, …}, {type: "null"}], …}` → `{type: [T, "null"], …, …}`. */
function mergeNullable(schema: JsonObject): JsonObject {
  const { anyOf, ...rest } = schema;
  if (anyOf === undefined || !isList(anyOf) || anyOf.length !== 2) return schema;
  const [scalar, nothing] = anyOf;
  if (!isObject(scalar) || typeof scalar.type !== 'string' || JSON.stringify(nothing) !== NULL_TYPE) return schema;
  return { ...scalar, type: [scalar.type, 'null'], ...rest };
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Moves what TypeSpec can only write at an operation to where OpenAPI has it. `x-links` become the links of its success, since the emitter
 * silently drops those of an answer. An operation with `x-webhook` becomes a webhook, which the emitter does not have. Components that
 * only webhooks use are inlined there, because a Go generator drops components without a path and then does not compile. OpenAPI 3.0 has
 * no webhooks, so they are left out.
 * @throws SpecError for links of an operation without success
 */
export function relocate(document: OpenApi): OpenApi {
  const moved = structuredClone(document);
  const webhooks: Record<string, Methods> = {};
  const paths = Object.entries(moved.paths).filter(([, methods]) => {
    for (const operation of Object.values(methods)) placeLinks(operation);
    const { 'x-webhook': name, ...rest } = methods.post ?? {};
    if (name !== undefined) webhooks[name] = { post: rest as Operation };
    return name === undefined;
  });
  moved.paths = Object.fromEntries(paths);
  if (Object.keys(webhooks).length === 0) return moved;
  const all = structuredClone(moved.components);
  dropUnused(moved);
  if (!moved.openapi?.startsWith('3.0')) moved.webhooks = inline(webhooks, all, moved.components) as typeof webhooks;
  return moved;
}

function placeLinks(operation: Operation): void {
  const { 'x-links': links, responses, operationId } = operation;
  if (links === undefined) return;
  const success = Object.keys(responses).find((status) => status.startsWith('2'));
  if (success === undefined) throw new SpecError(`${operationId} has links, and no success to link from`);
  responses[success] = { ...responses[success], links };
  delete operation['x-links'];
}

/** Removes components that nothing refers to. */
function dropUnused(document: OpenApi): void {
  for (const kind of ['parameters', 'schemas']) {
    const isUsed = ([name]: [string, unknown]): boolean => {
      const others = { ...document.components[kind], [name]: undefined };
      const text = JSON.stringify([document.paths, { ...document.components, [kind]: others }]);
      return text.includes(`"#/components/${kind}/${name}"`);
    };
    let unused = true;
    while (unused) {
      const all = Object.entries(document.components[kind] ?? {});
      const used = all.filter(isUsed);
      unused = used.length < all.length;
      if (unused) document.components[kind] = Object.fromEntries(used);
    }
  }
}

type Components = OpenApi['components'];

/** Replaces references to components that were removed by the components. */
function inline(value: unknown, all: Components, left: Components): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => inline(item, all, left));
  const entries = Object.entries(value);
  const [, kind = '', name = ''] = /^#\/components\/(\w+)\/([\w.-]+)$/.exec(String(new Map(entries).get('$ref'))) ?? [];
  const component = new Map(Object.entries(all[kind] ?? {})).get(name) as unknown;
  if (component !== undefined && !(name in (left[kind] ?? {}))) return inline(component, all, left);
  return Object.fromEntries(entries.map(([key, field]) => [key, inline(field, all, left)]));
}

/** Keys of a schema that are no constraints. */
const ANNOTATIONS: readonly string[] = ['type', 'description', 'title', 'default', 'example', 'examples', 'deprecated'];

/**
 * Refuses an operation that can be called wrongly and declares no 400: one with a required query, header, cookie or body, or with a
 * parameter that not every text satisfies. A plain string in the path cannot be wrong, since the route would not match without it.
 * @throws SpecError that names every such operation and its first input
 */
export function assertRefusals({ paths, components: { parameters: shared = {} } }: OpenApi): void {
  const faults: string[] = [];
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  for (const { operationId, parameters = [], requestBody, responses } of operations) {
    if ('400' in responses) continue;
    const all = parameters.map((parameter) =>
      '$ref' in parameter ? shared[parameter.$ref.replace('#/components/parameters/', '')] : parameter,
    );
    const refused = all.find((parameter) => parameter && canBeWrong(parameter));
    const input = refused ? `the ${refused.in} parameter ${refused.name}` : requestBody?.required && 'a required body';
    if (input) faults.push(`${operationId} has ${input}, so it needs an answer for 400 (spec/operations.tsp).`);
  }
  if (faults.length > 0) throw new SpecError(faults.join('\n'));
}

function canBeWrong({ in: place, required, schema = {} }: Parameter): boolean {
  const isText = schema.type === 'string' && Object.keys(schema).every((key) => ANNOTATIONS.includes(key));
  return !isText || (required === true && place !== 'path');
}

/**
 * Moves the examples of successes to the components, since several operations answer the same run and TypeSpec's emitter repeats it. The
 * title in the specification names an example: `completed_run` becomes CompletedRun.
 * @throws SpecError for two different examples with one title
 */
export function shareExamples(document: OpenApi): OpenApi {
  const shared = structuredClone(document);
  const components: Record<string, object> = {};
  for (const { responses } of Object.values(shared.paths).flatMap((methods) => Object.values(methods))) {
    for (const [status, { content = {} }] of Object.entries(responses)) {
      if (!status.startsWith('2')) continue;
      for (const { examples = {} } of Object.values(content)) {
        for (const [title, example] of Object.entries(examples)) {
          const name = title.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
          components[name] ??= example;
          if (JSON.stringify(components[name]) !== JSON.stringify(example))
            throw new SpecError(`there are two examples "${title}", and not alike: give each a title of its own`);
          examples[title] = { $ref: `#/components/examples/${name}` };
        }
      }
    }
  }
  return { ...shared, components: { ...shared.components, examples: components } };
}

/** Names of the answers without a run, by status, or by operation and status. */
const NAMES: Readonly<Record<string, string>> = {
  304: 'NotModified',
  'description 304': 'DocumentNotModified',
  400: 'InvalidRunNumber',
  401: 'Unauthorized',
  403: 'Forbidden',
  'createRun 404': 'SiteNotFound',
  'getLatestRun 404': 'LatestRunNotFound',
  'getRun 404': 'RunNotFound',
  409: 'DomainNotVerified',
  413: 'PayloadTooLarge',
  429: 'QuotaExceeded',
  'createRun 429': 'QuotaOrDailyRunsExceeded',
  500: 'InternalError',
  'description 500': 'DocumentFailed',
  503: 'Overloaded',
};

/**
 * Moves headers and refusals of answers to the components, which TypeSpec's emitter never does. Each is then said once, and clients in Go
 * get types named after refusals instead of types that clash over their headers. An optional header stays inside its answer if other
 * answers always have it, or if no other has it.
 * @throws SpecError for a refusal without a name, and for two different ones with one name
 */
export function shareAnswers(document: OpenApi): OpenApi {
  const shared = structuredClone(document);
  const operations = Object.values(shared.paths).flatMap((methods) => Object.values(methods));
  const headers = shareHeaders(operations.flatMap(({ responses }) => Object.values(responses)));
  const responses = shareRefusals(operations);
  return { ...shared, components: { ...shared.components, headers, responses } };
}

function shareHeaders(answers: readonly Answer[]): Record<string, Header> {
  const components: Record<string, Header> = {};
  const all = answers.flatMap(({ headers = {} }) => Object.entries(headers));
  for (const [name, header] of all) if (header.required) components[name] ??= header;
  for (const [name, header] of all) {
    if (all.filter(([other]) => other === name).length > 1) components[name] ??= header;
  }
  for (const { headers = {} } of answers) {
    for (const [name, header] of Object.entries(headers)) {
      const component = components[name];
      if (!component) continue;
      if (!isSame({ ...component, required: true }, { ...header, required: true })) throw described(`header ${name}`);
      if (isSame(component, header)) headers[name] = { $ref: `#/components/headers/${name}` };
    }
  }
  return components;
}

function shareRefusals(operations: readonly Operation[]): Record<string, Answer> {
  const components: Record<string, Answer> = {};
  for (const { operationId, responses } of operations) {
    for (const [status, answer] of Object.entries(responses)) {
      if (status.startsWith('2')) continue;
      const name = NAMES[`${operationId} ${status}`] ?? NAMES[status];
      if (name === undefined)
        throw new SpecError(`${operationId} ${status} needs a name in src/build/finish-document.ts`);
      components[name] ??= answer;
      if (!isSame(components[name], answer)) throw described(`answer ${name} (${operationId} ${status})`);
      responses[status] = { $ref: `#/components/responses/${name}` };
    }
  }
  return components;
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
}

/** Sorts the fields of the outermost object. */
function sorted(value: unknown): unknown {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
    : value;
}

function described(what: string): Error {
  return new SpecError(`the ${what} is described twice, and not alike: name each in src/build/finish-document.ts`);
}
