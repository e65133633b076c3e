import type { Ajv, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { type Document, OpenAPIBackend, type Operation } from 'openapi-backend';

/** The parts of a request that the document names. */
export type ReadRequest = Readonly<Record<'params' | 'query' | 'headers' | 'body', unknown>>;

/** A request as it was sent, without its path. */
export interface SentRequest {
  /** With its `?`; empty if there is none. */
  readonly query: string;
  readonly headers: Readonly<Record<string, unknown>>;
  /** Undefined for an operation without a body, and for an empty one. */
  readonly body?: string | undefined;
}

/** Formats of parameters, which {@link readerOf} checks; Ajv warns of each that it does not know. */
const FORMATS = { int32: true, int64: true } as const;

/**
 * Compiles the operations of an OpenAPI 3.1 document that the build has checked, in the order of precedence: exact paths before templated
 * ones, those with more literal text first. openapi-backend resolves the document and compiles the validators, with an Ajv of draft 2020-12
 * instead of its default, draft 7, which ignores keywords of 3.1 silently. We do not use its router and parser, which would double the
 * time of a read. `quick` leaves out its check of the document, which knows 3.0 only.
 * @throws Error for a document with features that are not supported here
 */
export async function compileRoutes(document: Document): Promise<readonly Route[]> {
  // openapi-backend's type names the class of draft 7; both have the same core.
  const ajv: unknown = new Ajv2020({ strict: false, formats: FORMATS });
  const backend = new OpenAPIBackend({
    definition: structuredClone(document),
    strict: true,
    quick: true,
    ignoreTrailingSlashes: false,
    customizeAjv: () => ajv as Ajv,
  });
  await backend.init();
  const { router, validator } = backend;
  return router
    .getOperations()
    .map((operation) => {
      assertReadable(operation);
      return new Route(operation, validator.getRequestValidatorsForOperation(operation.operationId ?? ''));
    })
    .sort((a, b) => b.precedence - a.precedence);
}

/** A compiled operation. */
export class Route {
  readonly id: string;
  readonly method: string;
  /** The template of the path. */
  readonly path: string;
  readonly hasBody: boolean;
  readonly needsKey: boolean;
  readonly precedence: number;
  readonly #segments: readonly string[];
  readonly #params: Readers;
  readonly #query: Readers;

  constructor(
    operation: Operation,
    private readonly validators: readonly ValidateFunction[],
  ) {
    const { operationId = '', method, path, requestBody, security = [] } = operation;
    this.id = operationId;
    this.method = method.toUpperCase();
    this.path = path;
    this.hasBody = requestBody !== undefined;
    this.needsKey = security.length > 0;
    this.#segments = path.split('/');
    this.#params = readersOf(operation, 'path');
    this.#query = readersOf(operation, 'query');
    const literal = this.#segments.filter((segment) => !isTemplate(segment));
    this.precedence = literal.length === this.#segments.length ? Infinity : literal.join('/').length;
  }

  matches(segments: readonly string[]): boolean {
    return (
      this.#segments.length === segments.length &&
      this.#segments.every((expected, index) =>
        isTemplate(expected) ? segments[index] !== '' : segments[index] === expected,
      )
    );
  }

  /** Returns the parts of a request that the document names; null if it does not allow the request. */
  read(segments: readonly string[], { query: sent, headers, body }: SentRequest): ReadRequest | null {
    const params: Record<string, unknown> = {};
    for (const [index, template] of this.#segments.entries()) {
      if (!isTemplate(template)) continue;
      const name = template.slice(1, -1);
      params[name] = this.#params.get(name)?.([segments[index] ?? '']);
    }
    const query: Record<string, unknown> = {};
    const given = new URLSearchParams(this.#query.size > 0 ? sent : '');
    for (const [name, read] of this.#query) if (given.has(name)) query[name] = read(given.getAll(name));
    const parsed = body === undefined ? {} : parseBody(body);
    const parts = parsed && { path: params, query, header: headers, cookie: {}, ...parsed };
    if (!parts || !this.validators.every((validate) => validate(parts))) return null;
    return { params, query, headers, body: parsed.requestBody };
  }
}

function parseBody(body: string): { readonly requestBody?: unknown } | null {
  try {
    return { requestBody: JSON.parse(body) as unknown };
  } catch {
    return null;
  }
}

function isTemplate(segment: string): boolean {
  return segment.startsWith('{');
}

/**
 * Splits a path into segments, percent-decoded for comparison (RFC 3986 §6.2.2). Returns none if the encoding is malformed, which matches
 * nothing. Trailing slashes count.
 */
export function segmentsOf(path: string): readonly string[] {
  const segments = path.split('/');
  if (!path.includes('%')) return segments;
  try {
    return segments.map(decodeURIComponent);
  } catch {
    return [];
  }
}

/** An integer as the API reads it: decimal digits without plus sign or leading zero. */
const INTEGER = /^(?:0|-?[1-9][0-9]*)$/;

/** Readers of texts, by the type of the schema. Ajv's own coercion would accept `1e1`, `0x10`, `+7` and `007`. */
const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  string: (text) => text,
  integer: (text) => (INTEGER.test(text) ? safeInteger(text) : text),
  boolean: (text) => (text === 'true' || text === 'false' ? text === 'true' : text),
};

/** Parses an integer; one that a double cannot hold becomes the largest that it can. */
function safeInteger(digits: string): number {
  return Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Number(digits), Number.MAX_SAFE_INTEGER));
}

/**
 * Readers of parameters, by name. Each gets the texts of a parameter, one for each time that it was sent, and returns its value. Text that
 * is not such a value stays text, which validation refuses.
 */
type Readers = ReadonlyMap<string, (texts: readonly string[]) => unknown>;

/** @throws Error for a parameter that is not supported */
function readersOf(operation: Operation, part: 'path' | 'query'): Readers {
  const parameters = (operation.parameters ?? []).flatMap((parameter) => ('$ref' in parameter ? [] : [parameter]));
  return new Map(
    parameters
      .filter((parameter) => parameter.in === part)
      .map((parameter) => [parameter.name, readerOf(operation, parameter)]),
  );
}

interface Schema {
  readonly type?: unknown;
  readonly items?: Schema;
}

interface Parameter {
  readonly name: string;
  readonly schema?: unknown;
  readonly explode?: boolean;
}

/** A list is sent as one parameter many times, or with `explode: false` as one text with commas. */
function readerOf(operation: Operation, { name, schema, explode }: Parameter): (texts: readonly string[]) => unknown {
  const { type, items } = (schema ?? {}) as Schema;
  const read = READERS[String(type === 'array' ? items?.type : type)];
  if (!read) throw unsupported(operation, `the parameter ${name} is of the type ${String(items?.type ?? type)}`);
  const split = (texts: readonly string[]) => (explode === false ? texts.flatMap((text) => text.split(',')) : texts);
  if (type === 'array') return (texts) => split(texts).map(read);
  return (texts) => (texts.length === 1 ? read(texts[0] ?? '') : texts);
}

/** @throws Error for an operation with features that are not supported, at the start rather than at a request */
function assertReadable(operation: Operation): void {
  const { operationId, parameters = [], requestBody, security = [] } = operation;
  if (operationId === undefined) throw unsupported(operation, 'it has no operationId');
  for (const parameter of parameters) {
    if ('$ref' in parameter) throw unsupported(operation, `the parameter ${parameter.$ref} is not resolved`);
    if (parameter.in === 'cookie') throw unsupported(operation, `the parameter ${parameter.name} is a cookie`);
    if (parameter.style !== undefined) throw unsupported(operation, `the parameter ${parameter.name} has a style`);
    if ('content' in parameter) throw unsupported(operation, `the parameter ${parameter.name} has a media type`);
  }
  if (requestBody) {
    const types = 'content' in requestBody ? Object.keys(requestBody.content) : [];
    if (types.join() !== 'application/json') throw unsupported(operation, `its body is ${types.join()}`);
  }
  for (const requirement of security) {
    const schemes = Object.keys(requirement).join();
    if (schemes !== 'ApiKey') throw unsupported(operation, `it asks for ${schemes}`);
  }
}

function unsupported({ operationId, method, path }: Operation, why: string): Error {
  return new Error(`unsupported in the document: ${operationId ?? `${method} ${path}`}: ${why}`);
}
