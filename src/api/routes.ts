import type { IncomingHttpHeaders } from 'node:http';
import type { Ajv, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { type Document, OpenAPIBackend, type Operation } from 'openapi-backend';

/** Formats that {@link readInteger} checks. Ajv warns about formats that it does not know. */
const FORMATS = { int32: true, int64: true } as const;

/**
 * Compiles the operations of an OpenAPI 3.1 document, in order of precedence: exact paths before templated ones, then paths with more
 * literal text. openapi-backend resolves the document and compiles the validators. Its router and parser would double the time of a read.
 */
export async function compileRoutes(document: Document): Promise<readonly Route[]> {
  // OpenAPI 3.1 needs draft 2020-12: draft 7, the default, would silently ignore keywords. The option's type names draft 7's class.
  const ajv: unknown = new Ajv2020({ strict: false, formats: FORMATS });
  const backend = new OpenAPIBackend({
    definition: structuredClone(document),
    strict: true,
    // Skips the check of the document, which supports only OpenAPI 3.0. The build has checked it.
    quick: true,
    ignoreTrailingSlashes: false,
    customizeAjv: () => ajv as Ajv,
  });
  await backend.init();
  const { router, validator } = backend;
  return router
    .getOperations()
    .map((operation) => new Route(operation, validator.getRequestValidatorsForOperation(operation.operationId ?? '')))
    .sort((a, b) => b.precedence - a.precedence);
}

/** A compiled operation. */
export class Route {
  readonly id: string;
  readonly method: string;
  /** The template of the path. */
  readonly path: string;
  readonly needsKey: boolean;
  readonly precedence: number;
  readonly #segments: readonly string[];
  /** Names of the path's parameters that are integers. */
  readonly #integers: ReadonlySet<string>;

  constructor(
    operation: Operation,
    private readonly validators: readonly ValidateFunction[],
  ) {
    const { operationId = '', method, path, parameters = [], security = [] } = operation;
    this.id = operationId;
    this.method = method.toUpperCase();
    this.path = path;
    this.needsKey = security.length > 0;
    this.#segments = path.split('/');
    // openapi-backend has resolved references to parameters.
    const resolved = parameters as readonly { readonly name: string; readonly schema?: { readonly type?: unknown } }[];
    this.#integers = new Set(resolved.filter(({ schema }) => schema?.type === 'integer').map(({ name }) => name));
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

  /** Returns the request's parameters and headers; null if the document does not allow them. */
  read(segments: readonly string[], headers: IncomingHttpHeaders) {
    const params: Record<string, string | number> = {};
    for (const [index, template] of this.#segments.entries()) {
      if (!isTemplate(template)) continue;
      const name = template.slice(1, -1);
      const text = segments[index] ?? '';
      params[name] = this.#integers.has(name) ? readInteger(text) : text;
    }
    const parts = { path: params, query: {}, header: headers, cookie: {} };
    return this.validators.every((validate) => validate(parts)) ? { params, headers } : null;
  }
}

function isTemplate(segment: string): boolean {
  return segment.startsWith('{');
}

/**
 * Splits a path into segments, percent-decoded for comparison (RFC 3986 §6.2.2). Returns no segments, which match no
 * route, if the encoding is malformed. A trailing slash adds an empty segment.
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

/** Matches integers without a plus sign or leading zero. Ajv's own coercion would accept `1e1`, `0x10`, `+7`, `007`. */
const INTEGER = /^(?:0|-?[1-9][0-9]*)$/;

/** Clamps integers to the safe range. Returns other text unchanged, so that validation refuses it. */
function readInteger(text: string): string | number {
  if (!INTEGER.test(text)) return text;
  return Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Number(text), Number.MAX_SAFE_INTEGER));
}
