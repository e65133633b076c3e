import { SpecError } from './compile-spec.js';

interface Placed {
  readonly operationId: string;
  readonly responses: Record<string, object>;
  'x-links'?: object;
  'x-webhook'?: string;
}

type Methods = Record<string, Placed>;

/** What it reads of a document. */
export interface Relocatable {
  readonly openapi: string;
  paths: Record<string, Methods>;
  webhooks?: Record<string, Methods>;
  readonly components: Record<string, object>;
}

/**
 * Moves what TypeSpec can only write at an operation to where OpenAPI has it: `x-links` to the links of its success, since the emitter
 * drops those of an answer in silence, and an operation with `x-webhook` to the webhooks, of which the emitter has none. What webhooks
 * alone use stands within them: a generator for Go drops components that no path uses, and then does not compile. OpenAPI 3.0 has no
 * webhooks: there they go.
 * @throws SpecError for links of an operation without success
 */
export function relocate<Document extends Relocatable>(document: Document): Document {
  const moved = structuredClone(document);
  const webhooks: Record<string, Methods> = {};
  const paths = Object.entries(moved.paths).filter(([, methods]) => {
    for (const operation of Object.values(methods)) placeLinks(operation);
    const { 'x-webhook': name, ...rest } = methods.post ?? {};
    if (name !== undefined) webhooks[name] = { post: rest as Placed };
    return name === undefined;
  });
  moved.paths = Object.fromEntries(paths);
  if (Object.keys(webhooks).length === 0) return moved;
  const all = structuredClone(moved.components);
  dropUnused(moved);
  if (!moved.openapi.startsWith('3.0')) moved.webhooks = inline(webhooks, all, moved.components) as typeof webhooks;
  return moved;
}

function placeLinks(operation: Placed): void {
  const { 'x-links': links, responses, operationId } = operation;
  if (links === undefined) return;
  const success = Object.keys(responses).find((status) => status.startsWith('2'));
  if (success === undefined) throw new SpecError(`${operationId} has links, and no success to link from`);
  responses[success] = { ...responses[success], links };
  delete operation['x-links'];
}

/** Removes components, until every one that is left is referred to. */
function dropUnused(document: Relocatable): void {
  for (const kind of ['parameters', 'schemas']) {
    const isUsed = ([name]: [string, unknown]): boolean => {
      const others = { ...document.components[kind], [name]: undefined };
      const text = JSON.stringify([document.paths, { ...document.components, [kind]: others }]);
      return text.includes(`"#/components/${kind}/${name}"`);
    };
    let unused = true;
    while (unused) {
      const all = Object.entries(document.components[kind] ?? {});
      const used = all.filter(isUsed);
      unused = used.length < all.length;
      if (unused) document.components[kind] = Object.fromEntries(used);
    }
  }
}

type Components = Relocatable['components'];

/** The value, with each component that is not left in place of the reference to it. */
function inline(value: unknown, all: Components, left: Components): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => inline(item, all, left));
  const entries = Object.entries(value);
  const [, kind = '', name = ''] = /^#\/components\/(\w+)\/([\w.-]+)$/.exec(String(new Map(entries).get('$ref'))) ?? [];
  const component = new Map(Object.entries(all[kind] ?? {})).get(name) as unknown;
  if (component !== undefined && !(name in (left[kind] ?? {}))) return inline(component, all, left);
  return Object.fromEntries(entries.map(([key, field]) => [key, inline(field, all, left)]));
}
