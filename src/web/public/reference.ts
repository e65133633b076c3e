import { ADDRESSES } from '../server/paths.js';
import { formatTable, type PageText } from './long-page.js';

interface Ref {
  readonly $ref: string;
}

/** The parts of a JSON Schema that the reference shows. */
interface Schema extends Partial<Ref> {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
}

interface Described {
  readonly description?: string;
  readonly schema: Schema;
}

interface Parameter extends Described {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
}

interface Response {
  readonly description: string;
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly (Parameter | Ref)[];
  readonly responses: Readonly<Record<string, Response | Ref>>;
  readonly security?: readonly object[];
}

interface OpenApi {
  readonly info: { readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: Pick<Operation, 'summary' | 'description'> }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly headers: Readonly<Record<string, Described>>;
    readonly responses: Readonly<Record<string, Response>>;
  };
}

type PlacedOperation = ReturnType<typeof operationsOf>[number];

/** Formats the API reference from the document that the API serves. */
export function referenceText(document: object, publicUrl: string): PageText {
  const { info, paths, webhooks, components } = document as OpenApi;
  const messages = Object.entries(webhooks).map(([type, { post }]) => [
    `\`${type}\``,
    formatCell(`${post.summary}. ${post.description}`),
  ]);
  const headers = Object.entries(components.headers).map(([name, { schema, description }]) => [
    `\`${name}\``,
    typeOf(schema),
    formatCell(description),
  ]);
  return {
    heading: 'API reference',
    lead: 'Start runs of your sites, and read their findings.',
    body: [
      `All of this is in the [OpenAPI document](${ADDRESSES.openApi}), which also has examples. Open it in Swagger UI, Postman, Scalar or another tool of your choice.`,
      info.description,
      ...operationsOf(paths).map((operation) => formatOperation(operation, components, publicUrl)),
      `## Webhooks\n\n${formatTable(['Message', 'Meaning'], messages)}`,
      `## Response headers\n\n${formatTable(['Header', 'Type', 'Meaning'], headers)}`,
      '## Schemas',
      ...Object.entries(components.schemas).map(([name, schema]) => formatSchema(name, schema)),
    ].join('\n\n'),
  };
}

/** Returns the operations of the document; those that need a key come first. */
function operationsOf(paths: OpenApi['paths']) {
  return Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
    )
    .sort((one, other) => Number(needsKey(other)) - Number(needsKey(one)));
}

function needsKey({ security }: Operation): boolean {
  return security?.length !== 0;
}

function formatOperation(operation: PlacedOperation, components: OpenApi['components'], publicUrl: string): string {
  const { operationId, method, path, summary, description, parameters = [] } = operation;
  const parameterRows = parameters
    .map((one) => resolve(one, components.parameters))
    .map((one) => [
      `\`${one.name}\``,
      `${one.in}, ${typeOf(one.schema)}${one.required === true ? '' : ', optional'}`,
      formatCell(one.description),
    ]);
  const responseRows = Object.entries(operation.responses).map(([status, one]) => {
    const response = resolve(one, components.responses);
    return [`\`${status}\``, typeOf(response.content?.['application/json']?.schema), formatCell(response.description)];
  });
  return [
    `## ${summary}`,
    `\`${method} ${path}\`, operation \`${operationId}\`${needsKey(operation) ? '' : ', without a key'}`,
    `\`\`\`sh curl line of ${operationId}\n${curlLine(operation, publicUrl)}\n\`\`\``,
    description,
    ...(parameterRows.length > 0 ? [formatTable(['Parameter', 'Type', 'Meaning'], parameterRows)] : []),
    formatTable(['Status', 'Body', 'Meaning'], responseRows),
  ].join('\n\n');
}

/** Returns a shell command that calls the operation, with parameters from variables. */
function curlLine(operation: PlacedOperation, publicUrl: string): string {
  const { method, path } = operation;
  const address = path.replace(/\{(\w+)\}/g, (_, name: string) => `$${name.replace(/[A-Z]/g, '_$&').toUpperCase()}`);
  const verb = method !== 'GET' && `-X ${method}`;
  const key = needsKey(operation) && '-H "Authorization: Bearer $API_KEY"';
  return ['curl', verb, key, `"${publicUrl}${address}"`].filter(Boolean).join(' ');
}

function formatSchema(name: string, { description, properties, required = [], ...schema }: Schema): string {
  const rows = Object.entries(properties ?? {}).map(([property, value]) => [
    `\`${property}\``,
    `${typeOf(value)}${required.includes(property) ? '' : ', optional'}`,
    formatCell(value.description),
  ]);
  return [
    `### ${name}`,
    ...(properties ? [] : [`${typeOf(schema)}.`]),
    ...(description === undefined ? [] : [description]),
    ...(rows.length > 0 ? [formatTable(['Property', 'Type', 'Meaning'], rows)] : []),
  ].join('\n\n');
}

/** Returns a type in words, such as `integer or null, 0 to 100`; a named one as a link. */
function typeOf(schema: Schema | undefined): string {
  if (schema === undefined) return 'no body';
  const { type, items, anyOf, $ref, enum: values, format, minimum, maximum } = schema;
  if ($ref !== undefined) return `[${nameInRef($ref)}](#${nameInRef($ref).toLowerCase()})`;
  if (anyOf) return anyOf.map(typeOf).join(' or ');
  if (type === 'array') return `array of ${typeOf(items)}`;
  if (values) return `${values.length > 1 ? 'one of ' : ''}${values.map((value) => `\`${value}\``).join(', ')}`;
  return [
    [type ?? 'any value'].flat().join(' or '),
    ...(format === undefined ? [] : [format]),
    ...(minimum === undefined ? [] : [maximum === undefined ? `at least ${minimum}` : `${minimum} to ${maximum}`]),
  ].join(', ');
}

function resolve<T extends object>(one: T | Ref, named: Readonly<Record<string, T>>): T {
  if (!('$ref' in one)) return one;
  const found = named[nameInRef(one.$ref)];
  if (!found) throw new Error(`the document does not have ${one.$ref}`);
  return found;
}

function nameInRef($ref: string): string {
  return $ref.slice($ref.lastIndexOf('/') + 1);
}

function formatCell(text = ''): string {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.filter(Boolean).join(' ').replaceAll('|', '&#124;');
}
