/** A JSON Schema of the document, as far as the reference shows it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

export interface Header {
  readonly description?: string;
  readonly schema: Schema;
}

export interface Answer {
  readonly status: string;
  readonly description: string;
  readonly headers: Readonly<Record<string, Header>>;
  /** Null for an answer without a body. */
  readonly body: Schema | null;
}

export interface Operation {
  readonly operationId: string;
  /** In capital letters. */
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly needsKey: boolean;
  readonly parameters: readonly Parameter[];
  readonly answers: readonly Answer[];
}

/** A message to webhooks. */
export interface Message {
  readonly type: string;
  /** A sentence or two. */
  readonly description: string;
}

/** What the reference shows of an OpenAPI document. */
export interface Reference {
  readonly title: string;
  readonly version: string;
  /** Markdown. */
  readonly description: string;
  readonly operations: readonly Operation[];
  readonly messages: readonly Message[];
  /** Every header of an answer, by name. */
  readonly headers: ReadonlyMap<string, Header>;
  readonly schemas: ReadonlyMap<string, Schema>;
  /** By the schema that it is an example of, the first one in the document: a body as JSON. */
  readonly examples: ReadonlyMap<string, unknown>;
}

interface Ref {
  readonly $ref: string;
}

interface Example {
  readonly value: unknown;
}

interface OpenApiResponse {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Header | Ref>>;
  readonly content?: Readonly<
    Record<string, { readonly schema: Schema; readonly examples?: Readonly<Record<string, Example | Ref>> }>
  >;
}

interface OpenApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly (Parameter | Ref)[];
  readonly responses: Readonly<Record<string, OpenApiResponse | Ref>>;
  readonly security?: readonly object[];
}

/** The shape of our own generated document, which other tests hold to its schema. */
interface OpenApi {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: Pick<OpenApiOperation, 'summary' | 'description'> }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly headers: Readonly<Record<string, Header>>;
    readonly responses: Readonly<Record<string, OpenApiResponse>>;
    readonly examples: Readonly<Record<string, Example>>;
  };
}

/** Reads the reference out of the document that the API serves. */
export function readReference(document: object): Reference {
  const { info, paths, webhooks, components } = document as OpenApi;
  const headers = new Map<string, Header>();
  const examples = new Map<string, unknown>();
  const operations: Operation[] = [];
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const responses = Object.entries(operation.responses).map(
        ([status, response]) => [status, resolve(response, components.responses)] as const,
      );
      operations.push({
        operationId: operation.operationId,
        method: method.toUpperCase(),
        path,
        summary: operation.summary,
        description: operation.description,
        needsKey: operation.security?.length !== 0,
        parameters: (operation.parameters ?? []).map((one) => resolve(one, components.parameters)),
        answers: responses.map(([status, response]) => ({
          status,
          description: response.description,
          headers: headersOf(response, components.headers),
          body: bodyOf(response)?.schema ?? null,
        })),
      });
      for (const [, response] of responses) {
        const ofResponse = headersOf(response, components.headers);
        for (const [name, header] of Object.entries(ofResponse)) headers.set(name, header);
        collectExample(response, components.examples, examples);
      }
    }
  }
  const messages = Object.entries(webhooks).map(([type, { post }]) => ({
    type,
    description: `${post.summary}. ${post.description}`,
  }));
  return { ...info, operations, messages, headers, schemas: new Map(Object.entries(components.schemas)), examples };
}

/** The name at the end of `#/components/…/<name>`. */
export function nameOfRef($ref: string): string {
  return $ref.slice($ref.lastIndexOf('/') + 1);
}

function headersOf({ headers = {} }: OpenApiResponse, named: Readonly<Record<string, Header>>) {
  return Object.fromEntries(Object.entries(headers).map(([name, header]) => [name, resolve(header, named)]));
}

function resolve<T extends object>(one: T | Ref, named: Readonly<Record<string, T>>): T {
  if (!('$ref' in one)) return one;
  const found = named[nameOfRef(one.$ref)];
  if (!found) throw new Error(`the document does not have ${one.$ref}`);
  return found;
}

function bodyOf(response: OpenApiResponse) {
  return response.content?.['application/json'];
}

function collectExample(
  response: OpenApiResponse,
  named: Readonly<Record<string, Example>>,
  examples: Map<string, unknown>,
): void {
  const body = bodyOf(response);
  const first = Object.values(body?.examples ?? {})[0];
  const name = body?.schema.$ref === undefined ? null : nameOfRef(body.schema.$ref);
  if (first && name !== null && !examples.has(name)) examples.set(name, resolve(first, named).value);
}
