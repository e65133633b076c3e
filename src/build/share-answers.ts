import { SpecError } from './compile-spec.js';

interface Header {
  readonly required?: boolean;
  readonly $ref?: string;
}

interface Answer {
  headers?: Record<string, Header>;
  readonly $ref?: string;
}

interface Operation {
  readonly operationId: string;
  readonly responses: Record<string, Answer>;
}

/** What it reads of a document. */
export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly headers?: Readonly<Record<string, Header>>;
    readonly responses?: Readonly<Record<string, Answer>>;
  };
}

/** What answers without a run are called, by status, or by operation and status where one has an answer of its own. */
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
 * Moves headers and refusals of answers to the components, which TypeSpec's emitter never does: each is said once, and clients in Go
 * get types with the names of refusals instead of types that clash over their headers. A header that an answer may lack stays inside
 * that answer where others always have it, or none other has it.
 * @throws Error for a refusal without a name, and for two of one name that differ
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
        throw new SpecError(`${operationId} ${status} needs a name in src/build/share-answers.ts`);
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

/** With the fields of the outermost object in one order. */
function sorted(value: unknown): unknown {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
    : value;
}

function described(what: string): Error {
  return new SpecError(`the ${what} is described twice, and not alike: name each in src/build/share-answers.ts`);
}
