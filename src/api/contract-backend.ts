import type { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { OpenAPIBackend, type Document, type Operation, type Request } from 'openapi-backend';
import { ContractRouter } from './contract-router.js';

/** What the document names of a request. */
export type ReadRequest = Readonly<Record<'params' | 'query' | 'headers' | 'requestBody', unknown>>;

/**
 * openapi-backend for an OpenAPI 3.1 document that the build has checked: its router, with what depends on the document alone compiled
 * once, and one Ajv of draft 2020-12 instead of the default's draft 7, which ignores keywords of 3.1 silently. Router and
 * validator are asked one after the other: `handleRequest` does the same around its own handlers, and parses each request three
 * times, which is a fifth of what a read costs.
 *
 * `quick` leaves out openapi-backend's own check of the document, which knows 3.0 only (the build lints it by the rules of 3.1),
 * and leaves the validators of responses uncompiled, since the service sends what it stored.
 */
export class ContractBackend extends OpenAPIBackend {
  #routes: ContractRouter | undefined;

  constructor(document: Document) {
    // openapi-backend's type names the class of draft 7; both are the same core.
    const ajv: unknown = new Ajv2020({ strict: false });
    super({
      definition: structuredClone(document),
      strict: true,
      quick: true,
      ignoreTrailingSlashes: false,
      customizeAjv: () => ajv as Ajv,
    });
  }

  /** @throws Error for a document that asks for what nothing here reads */
  override async init(): Promise<this> {
    await super.init();
    this.#routes = new ContractRouter(this.definition);
    this.router = this.#routes;
    this.validator.router = this.#routes;
    this.validator.preCompileRequestValidators();
    return this;
  }

  /** The operation that answers a request; none where its path or method is unknown. */
  operationOf(request: Request): Operation | undefined {
    return this.#routes?.operationOf(request);
  }

  /** The methods that operations have at this path; none for an unknown path. */
  methodsAt(path: string): string[] {
    return this.#routes?.methodsAt(path) ?? [];
  }

  /** The parts of a request as the document says; null for one that it does not allow. */
  read(request: Request, operation: Operation): ReadRequest | null {
    return this.validator.validateRequest(request, operation).valid
      ? this.router.parseRequest(request, operation)
      : null;
  }
}
