import { isDeepStrictEqual } from 'node:util';
import type { Check } from '../scanner/verdict/check.js';
import { type Header, type OpenApi, type Operation, operationsOf, type Response, SpecError } from './compile-spec.js';
import { addRegistry } from './registry.js';

/**
 * Completes the emitter's document with everything that TypeSpec cannot express.
 * @throws SpecError
 */
export function finishDocument(compiled: string, checks: readonly Check[]): string {
  return `${JSON.stringify(shareComponents(addRegistry(relocate(parseAndTidy(compiled)), checks)), null, 2)}\n`;
}

/** A line break within a paragraph or a list item. */
const LINE_BREAK = /(?<!\n|^#.*)\n(?!\n|- )/gm;

/**
 * Parses the output of TypeSpec's emitter, and rewrites what is valid but awkward for other tools:
 *
 * - a nullable scalar becomes `type: [T, "null"]` (generators turn an `anyOf` into a union of objects); a nullable enum keeps
 * `anyOf` with a `$ref`;
 * - the HTTP authentication scheme is in lower case, as in its registry;
 * - an operation that needs no key has `security: []` rather than `[{}]`;
 * - a server without variables omits `variables`;
 * - a paragraph of a description is one line: the emitter keeps the line breaks of the specification, and many viewers show them.
 */
function parseAndTidy(compiled: string): OpenApi {
  return JSON.parse(compiled, (key: string, value: unknown) => {
    if (key === 'scheme' && typeof value === 'string') return value.toLowerCase();
    if (key === 'description' && typeof value === 'string') return value.replaceAll(LINE_BREAK, ' ');
    if (key === 'security' && JSON.stringify(value) === '[{}]') return [];
    if (key === 'variables' && JSON.stringify(value) === '{}') return undefined;
    return mergeNullable(value);
  }) as OpenApi;
}

/** `{anyOf: [{type: T, …}, {type: "null"}], …}` → `{type: [T, "null"], …, …}`. */
function mergeNullable(value: unknown): unknown {
  const { anyOf, ...rest } = (value ?? {}) as { readonly anyOf?: readonly { readonly type?: unknown }[] };
  const [scalar, nullType] = anyOf ?? [];
  const isNullable = anyOf?.length === 2 && JSON.stringify(nullType) === '{"type":"null"}';
  return isNullable && typeof scalar?.type === 'string' ? { ...scalar, type: [scalar.type, 'null'], ...rest } : value;
}

/**
 * Moves what TypeSpec can only attach to an operation to its OpenAPI location. `x-links` become links of the 2xx response, since the emitter
 * silently drops links of a response. An operation with `x-webhook` becomes a webhook, which the emitter does not support. Components that
 * only webhooks use are inlined there, because a Go generator drops components that no path uses, and its code then does not compile.
 * OpenAPI 3.0 has no webhooks, so they are left out.
 * @throws SpecError for an operation with links but without a 2xx response
 */
function relocate(document: OpenApi): OpenApi {
  const moved = structuredClone(document);
  const webhooks: NonNullable<OpenApi['webhooks']> = {};
  operationsOf(moved).forEach(moveLinks);
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

function moveLinks(operation: Operation): void {
  const { 'x-links': links, responses, operationId } = operation;
  if (links === undefined) return;
  const success = Object.keys(responses).find((status) => status.startsWith('2'));
  if (success === undefined) throw new SpecError(`${operationId} has links, but no 2xx response for them`);
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

/** Component names of responses other than 2xx, by status, or by operation and status. */
const RESPONSE_NAMES: Readonly<Record<string, string>> = {
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
 * Moves headers and responses other than 2xx to the components, which TypeSpec's emitter never does. Each is then described once, and Go
 * clients get types with the names of these responses, instead of types that clash over their headers. An optional header stays inside its
 * response if it is required in others, or if no other response has it.
 * @throws SpecError for a response without a name, or two different responses with one name
 */
function shareComponents(document: OpenApi): OpenApi {
  const shared = structuredClone(document);
  const operations = operationsOf(shared);
  const headers = shareHeaders(operations.flatMap(({ responses }) => Object.values(responses)));
  const responses = shareResponses(operations);
  return { ...shared, components: { ...shared.components, headers, responses } };
}

function shareHeaders(responses: readonly Response[]): Record<string, Header> {
  const components: Record<string, Header> = {};
  const all = responses.flatMap(({ headers = {} }) => Object.entries(headers));
  for (const [name, header] of all) if (header.required) components[name] ??= header;
  for (const [name, header] of all) {
    if (all.filter(([other]) => other === name).length > 1) components[name] ??= header;
  }
  for (const { headers = {} } of responses) {
    for (const [name, header] of Object.entries(headers)) {
      const component = components[name];
      if (!component) continue;
      if (!isDeepStrictEqual({ ...component, required: true }, { ...header, required: true }))
        throw conflict(`header ${name}`);
      if (isDeepStrictEqual(component, header)) headers[name] = { $ref: `#/components/headers/${name}` };
    }
  }
  return components;
}

function shareResponses(operations: readonly Operation[]): Record<string, Response> {
  const components: Record<string, Response> = {};
  for (const { operationId, responses } of operations) {
    for (const [status, response] of Object.entries(responses)) {
      if (status.startsWith('2')) continue;
      const name = RESPONSE_NAMES[`${operationId} ${status}`] ?? RESPONSE_NAMES[status];
      if (name === undefined)
        throw new SpecError(`${operationId} ${status} needs a name in src/build/finish-document.ts`);
      components[name] ??= response;
      if (!isDeepStrictEqual(components[name], response)) throw conflict(`response ${name} (${operationId} ${status})`);
      responses[status] = { $ref: `#/components/responses/${name}` };
    }
  }
  return components;
}

function conflict(what: string): Error {
  return new SpecError(`the ${what} has two different descriptions: name each in src/build/finish-document.ts`);
}
