import { SpecError } from './compile-spec.js';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema?: Readonly<Record<string, unknown>>;
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly required?: boolean };
  readonly responses: Readonly<Record<string, unknown>>;
}

/** What it reads of a document. */
export interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly parameters?: Readonly<Record<string, Parameter>> };
}

/** What a schema says besides its constraints. */
const ANNOTATIONS: readonly string[] = ['type', 'description', 'title', 'default', 'example', 'examples', 'deprecated'];

/**
 * Refuses an operation that can be called wrongly and declares no 400: one with a required query, header, cookie or body, or with a
 * parameter that not every text satisfies. A plain string in the path is neither, since the route would not match without it.
 * @throws SpecError that names every such operation and its first input
 */
export function assertRefusals({ paths, components: { parameters: shared = {} } }: Described): void {
  const faults: string[] = [];
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  for (const { operationId, parameters = [], requestBody, responses } of operations) {
    if ('400' in responses) continue;
    const all = parameters.map((parameter) =>
      '$ref' in parameter ? shared[parameter.$ref.replace('#/components/parameters/', '')] : parameter,
    );
    const refused = all.find((parameter) => parameter && canBeWrong(parameter));
    const input = refused ? `the ${refused.in} parameter ${refused.name}` : requestBody?.required && 'a required body';
    if (input) faults.push(`${operationId} has ${input}, so it needs an answer for 400 (spec/operations.tsp).`);
  }
  if (faults.length > 0) throw new SpecError(faults.join('\n'));
}

function canBeWrong({ in: place, required, schema = {} }: Parameter): boolean {
  const isText = schema.type === 'string' && Object.keys(schema).every((key) => ANNOTATIONS.includes(key));
  return !isText || (required === true && place !== 'path');
}
