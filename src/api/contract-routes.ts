import type { Ajv, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { OpenAPIBackend, type Document, type Operation } from 'openapi-backend';
import { assertReadable, type Readers, readersOf } from './parameters.js';

/** What the document names of a request. */
export type ReadRequest = Readonly<Record<'params' | 'query' | 'headers' | 'requestBody', unknown>>;

/** A request as it was sent, its path apart. */
export interface SentRequest {
  /** With its `?`; empty if there is none. */
  readonly query: string;
  readonly headers: Readonly<Record<string, unknown>>;
  /** Undefined for an operation without a body, and for an empty one. */
  readonly body?: string | undefined;
}

/** What parameters have: which integers are read, parameters.ts says; without them here Ajv warns of each. */
const FORMATS = { int32: true, int64: true } as const;

/**
 * The operations of an OpenAPI 3.1 document that the build has checked, in the order of precedence: exact paths before templated ones, those
 * with more literal text first. openapi-backend resolves the document and compiles the validators, with one Ajv of draft 2020-12 instead
 * of the default's draft 7, which ignores keywords of 3.1 silently; its own router and parser do at every request what depends on the
 * document alone, half of what a read costs. `quick` leaves out its check of the document, which knows 3.0 only.
 * @throws Error for a document that asks for what nothing here reads
 */
export async function compileRoutes(document: Document): Promise<readonly Route[]> {
  // openapi-backend's type names the class of draft 7; both are the same core.
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

/** An operation, with what depends on the document alone compiled from it. */
export class Route {
  readonly method: string;
  readonly precedence: number;
  readonly #segments: readonly string[];
  readonly #params: Readers;
  readonly #query: Readers;

  constructor(
    readonly operation: Operation,
    private readonly validators: readonly ValidateFunction[],
  ) {
    this.method = operation.method.toUpperCase();
    this.#segments = operation.path.split('/');
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

  /** The parts of a request as the document says, and no others; null for one that it does not allow. */
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
    return { params, query, headers, requestBody: parsed.requestBody };
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
 * A path's segments, compared after percent-decoding, as RFC 3986 §6.2.2 asks; none where the encoding is malformed, which matches nothing.
 * Trailing slashes count.
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
