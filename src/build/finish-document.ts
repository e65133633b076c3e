import { isDeepStrictEqual } from 'node:util';
import type { Check } from '../scanner/verdict/check.js';
import { type Answer, type Header, type OpenApi, type Operation, operationsOf, SpecError } from './compile-spec.js';
import { addRegistry } from './registry.js';

/**
 * Finishes the document that TypeSpec's emitter writes: each step does what TypeSpec cannot say, and explains why.
 * @throws SpecError
 */
export function finishDocument(compiled: string, checks: readonly Check[]): string {
  return `${JSON.stringify(shareAnswers(addRegistry(relocate(parseAndTidy(compiled)), checks)), null, 2)}\n`;
}

/** A line end within a paragraph or a list item. */
const LINE_END = /(?<!\n|^#.*)\n(?!\n|- )/gm;

/**
 * Parses output of TypeSpec's emitter, and rewrites what is valid but awkward for other tools:
 *
 * - a nullable scalar becomes `type: [T, "null"]` (generators turn an `anyOf` into a union of objects); a nullable enum keeps
 * `anyOf` with a `$ref`;
 * - the HTTP authentication scheme is in lower case, as in its registry;
 * - an operation without a key has `security: []` rather than `[{}]`, "a key, or none";
 * - a server without variables omits `variables`;
 * - a paragraph of a description is one line: the emitter keeps the line ends of the specification, and many readers show them.
 */
function parseAndTidy(compiled: string): OpenApi {
  return JSON.parse(compiled, (key: string, value: unknown) => {
    if (key === 'scheme' && typeof value === 'string') return value.toLowerCase();
    if (key === 'description' && typeof value === 'string') return value.replaceAll(LINE_END, ' ');
    if (key === 'security' && JSON.stringify(value) === '[{}]') return [];
    if (key === 'variables' && JSON.stringify(value) === '{}') return undefined;
    return mergeNullable(value);
  }) as OpenApi;
}

/** `{anyOf: [{type: T, …}, {type: "null"}], …}` → `{type: [T, "null"], …, …}`. */
function mergeNullable(value: unknown): unknown {
  const { anyOf, ...rest } = (value ?? {}) as { readonly anyOf?: readonly { readonly type?: unknown }[] };
  const [scalar, nothing] = anyOf ?? [];
  const isNullable = anyOf?.length === 2 && JSON.stringify(nothing) === '{"type":"null"}';
  return isNullable && typeof scalar?.type === 'string' ? { ...scalar, type: [scalar.type, 'null'], ...rest } : value;
}

/**
 * Moves what TypeSpec can only write at an operation to its OpenAPI location. `x-links` become the links of its success, since the emitter
 * silently drops links of a response. An operation with `x-webhook` becomes a webhook, which the emitter does not have. Components that
 * only webhooks use are inlined there, because a Go generator drops components without a path and then does not compile. OpenAPI 3.0 has
 * no webhooks, so they are left out.
 * @throws SpecError for links of an operation without success
 */
function relocate(document: OpenApi): OpenApi {
  const moved = structuredClone(document);
  const webhooks: NonNullable<OpenApi['webhooks']> = {};
  operationsOf(moved).forEach(placeLinks);
  const paths = Object.entries(moved.paths).filter(([, { post }]) => {
    const { 'x-webhook': name, ...operation } = post ?? { responses: {} };
    if (name !== undefined) webhooks[name] = { post: operation };
    return name === undefined;
  });
  moved.paths = Object.fromEntries(paths);
  if (Object.keys(webhooks).length === 0) return moved;
  const { components } = moved;
  for (const kind of ['parameters', 'schemas']) {
    if (components[kind]) components[kind] = usedComponents(moved, kind);
  }
  if (!moved.openapi?.startsWith('3.0')) moved.webhooks = inline(webhooks, document, moved) as typeof webhooks;
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

/** Returns the components of a kind that paths, or other used components, refer to. */
function usedComponents({ paths, components }: OpenApi, kind: string): Record<string, object> {
  const all = Object.entries(components[kind] ?? {});
  let used: typeof all = [];
  for (;;) {
    const text = JSON.stringify([paths, { ...components, [kind]: used }]);
    const named = all.filter(([name]) => text.includes(`"#/components/${kind}/${name}"`));
    if (named.length === used.length) return Object.fromEntries(used);
    used = named;
  }
}

const REFERENCE = /^#\/components\/(\w+)\/([\w.-]+)$/;

/** Replaces each reference to a removed component with that component. */
function inline(value: object, before: OpenApi, after: OpenApi): unknown {
  return JSON.parse(JSON.stringify(value), (_, part: { readonly $ref?: string } | null) => {
    const [, kind = '', name = ''] = REFERENCE.exec(part?.$ref ?? '') ?? [];
    const component = before.components[kind]?.[name];
    return component && !after.components[kind]?.[name] ? inline(component, before, after) : part;
  });
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
function shareAnswers(document: OpenApi): OpenApi {
  const shared = structuredClone(document);
  const operations = operationsOf(shared);
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
      if (!isDeepStrictEqual({ ...component, required: true }, { ...header, required: true }))
        throw ambiguous(`header ${name}`);
      if (isDeepStrictEqual(component, header)) headers[name] = { $ref: `#/components/headers/${name}` };
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
      if (!isDeepStrictEqual(components[name], answer)) throw ambiguous(`answer ${name} (${operationId} ${status})`);
      responses[status] = { $ref: `#/components/responses/${name}` };
    }
  }
  return components;
}

function ambiguous(what: string): Error {
  return new SpecError(`the ${what} has two different descriptions: name each in src/build/finish-document.ts`);
}
