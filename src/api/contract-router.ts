import { OpenAPIRouter, type Document, type Operation, type ParsedRequest, type Request } from 'openapi-backend';
import { assertReadable, type Readers, readersOf } from './parameters.js';

interface Route {
  readonly method: string;
  readonly segments: readonly string[];
  readonly operation: Operation;
  readonly params: Readers;
  readonly query: Readers;
}

/** A path's segments, percent-decoded; null where the encoding is malformed. */
type Segments = readonly string[] | null;

/**
 * openapi-backend's router with what depends on the document alone compiled from it once: its own rebuilds the list of operations and
 * their regular expressions at every request, a third of the time of a read. Query and body are parsed by openapi-backend, for the
 * operations that have them.
 *
 * It keeps the order of the original (exact paths before templated ones, those with more literal text first; 405 where only
 * the method is wrong), and differs in three things. Segments are compared after percent-decoding, as RFC 3986 §6.2.2
 * asks; malformed encoding matches nothing. Trailing slashes count. Parameters that the document does not name are ignored.
 */
export class ContractRouter extends OpenAPIRouter {
  /** Each request is asked about several times. */
  readonly #segments = new WeakMap<Request, Segments>();
  readonly #operations: Operation[];
  readonly #routes: readonly Route[];

  /** @throws Error for a document that asks for what nothing here reads */
  constructor(definition: Document) {
    super({ definition, ignoreTrailingSlashes: false });
    this.#operations = super.getOperations();
    for (const operation of this.#operations) assertReadable(operation);
    this.#routes = this.#operations.map(routeOf).sort((a, b) => precedence(b) - precedence(a));
  }

  override getOperations(): Operation[] {
    return this.#operations;
  }

  /** The operation that answers a request; none where its path or method is unknown. */
  operationOf(request: Request): Operation | undefined {
    const method = request.method.toLowerCase();
    return this.#candidates(this.#segmentsOf(request)).find((route) => route.method === method)?.operation;
  }

  /** The methods that operations have at this path, in upper case; none for an unknown path. */
  methodsAt(path: string): string[] {
    return [...new Set(this.#candidates(segmentsOf(path)).map((route) => route.method.toUpperCase()))];
  }

  /** What the document names of a request's path, query and body, read as it says. */
  override parseRequest(request: Request, operation?: Operation): ParsedRequest {
    const route = operation && this.#routes.find((candidate) => candidate.operation === operation);
    const { method, path, headers } = request;
    if (!route) return { method, path, headers, params: {}, query: {}, cookies: {}, requestBody: undefined };
    const hasMore = route.query.size > 0 || request.body !== undefined;
    const parsed = hasMore ? super.parseRequest(request, operation) : null;
    const params = paramsOf(route, this.#segmentsOf(request) ?? []);
    const query = parsed ? this.#queryOf(route, request, parsed) : {};
    return { method, path, headers, params, query, cookies: {}, requestBody: parsed?.requestBody as unknown };
  }

  /** openapi-backend takes lists apart as the document says; single values too, where it says `explode: false`, so these are read again. */
  #queryOf(route: Route, request: Request, parsed: ParsedRequest): Record<string, string | string[]> {
    const single = this.parseRequestQuery(request);
    const query: Record<string, unknown> = {};
    for (const [name, { isList, read }] of route.query) {
      const given = (isList ? parsed.query : single) as Readonly<Record<string, unknown>>;
      if (Object.hasOwn(given, name)) query[name] = read(given[name]);
    }
    // openapi-backend's type knows texts only; its validator takes any value.
    return query as Record<string, string | string[]>;
  }

  #segmentsOf(request: Request): Segments {
    let segments = this.#segments.get(request);
    if (segments === undefined) this.#segments.set(request, (segments = segmentsOf(request.path)));
    return segments;
  }

  #candidates(segments: Segments): Route[] {
    return segments === null ? [] : this.#routes.filter((route) => matches(route, segments));
  }
}

function routeOf(operation: Operation): Route {
  return {
    method: operation.method,
    segments: operation.path.split('/'),
    operation,
    params: readersOf(operation, 'path'),
    query: readersOf(operation, 'query'),
  };
}

function precedence(route: Route): number {
  if (!route.segments.some(isTemplate)) return Infinity;
  return route.segments.filter((segment) => !isTemplate(segment)).join('/').length;
}

function isTemplate(segment: string): boolean {
  return segment.startsWith('{');
}

function matches(route: Route, segments: readonly string[]): boolean {
  return (
    route.segments.length === segments.length &&
    route.segments.every((expected, index) =>
      isTemplate(expected) ? segments[index] !== '' : segments[index] === expected,
    )
  );
}

function paramsOf(route: Route, segments: readonly string[]): Record<string, unknown> {
  const params: Record<string, unknown> = {};
  for (const [index, template] of route.segments.entries()) {
    if (!isTemplate(template)) continue;
    const name = template.slice(1, -1);
    params[name] = route.params.get(name)?.read(segments[index]);
  }
  return params;
}

function segmentsOf(path: string): Segments {
  const segments = path.split('/');
  if (!path.includes('%')) return segments;
  try {
    return segments.map(decodeURIComponent);
  } catch {
    return null;
  }
}
