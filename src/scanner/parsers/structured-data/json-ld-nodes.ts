import type { SchemaNode, SchemaProperty, SchemaTerm, SchemaValue } from '../../artifacts/structured-data.js';
import { schemaOrg } from '../../artifacts/schema-org.js';
import { JSON_LD_LIMITS } from '../../limits.js';
import { limitBaseLength } from '../addresses.js';
import { type JsonObject, type JsonValue, isArray, isObject } from '../json.js';

/** Resolves the names in an object by its `@context` and the inherited ones. Supports schema.org's context, `@vocab` and prefixes. */
interface Context {
  /** True if `@vocab` is schema.org, so that any name without a prefix is one of its terms. */
  readonly isVocabSchemaOrg: boolean;
  /** True if schema.org's own context is in force, which defines its terms regardless of `@vocab`. */
  readonly definesTerms: boolean;
  /** True if a remote context other than schema.org's is in force, which may define any name. */
  readonly hasOtherContext: boolean;
  /** Prefixes for schema.org. */
  readonly prefixes: ReadonlySet<string>;
}

const NO_CONTEXT: Context = {
  isVocabSchemaOrg: false,
  definesTerms: false,
  hasOtherContext: false,
  prefixes: new Set(),
};
/** Thrown for JSON-LD that we do not support, such as custom terms. */
const UNSUPPORTED = new Error('unsupported JSON-LD');

/** The source of the nodes: one block of JSON-LD. */
interface Block {
  /** Position on the page, from 1. */
  readonly position: number;
  /** Returns the position of an object in the text, in characters from 0. */
  offsetOf(object: JsonObject): number;
}

/** A node whose object is still being read. */
interface MutableNode extends SchemaNode {
  id: string | null;
  isReference: boolean;
  readonly types: SchemaTerm[];
  readonly properties: SchemaProperty[];
}

/**
 * Returns the nodes of a parsed block, each before its children, with arrays, `@graph` and nesting flattened. Returns null if the block
 * uses JSON-LD that we do not support.
 */
export function readNodes(root: JsonValue, block: Block, url: URL): readonly SchemaNode[] | null {
  const base = limitBaseLength(url);
  const queue: { readonly object: JsonObject; readonly context: Context; readonly node: MutableNode }[] = [];

  function enqueue(object: JsonObject, context: Context, parent: SchemaNode | null, via: string | null): SchemaNode {
    const source = { block: block.position, offset: block.offsetOf(object), parent, via };
    const node: MutableNode = { ...source, id: null, isReference: false, types: [], properties: [] };
    queue.push({ object, context, node });
    return node;
  }

  /** Finds the top-level nodes: the root, or the members of arrays and of `@graph`. */
  function addRoots(value: JsonValue, context: Context): void {
    if (isArray(value)) for (const member of value) addRoots(member, context);
    if (!isObject(value)) return;
    const inner = contextOf(value, context);
    const graph = value.get('@graph');
    // An object with a `@graph` and no other statements is not a node itself.
    const isWrapper = [...value.keys()].every((key) => !['@type', null].includes(keywordOf(key, inner)));
    if (graph === undefined || !isWrapper) enqueue(value, inner, null, null);
    if (graph !== undefined) addRoots(graph, inner);
  }

  function readNode(object: JsonObject, context: Context, node: MutableNode): void {
    const addChild = (child: JsonObject, via: string | null): SchemaNode => {
      if (child.has('@graph')) throw UNSUPPORTED;
      return enqueue(child, contextOf(child, context), node, via);
    };
    for (const [index, [key, value]] of [...object].entries()) {
      const keyword = keywordOf(key, context);
      if (keyword === '@id') {
        node.id = readId(value, base);
        node.isReference = object.size === 1 || (object.size === 2 && object.has('@context'));
      } else if (keyword === '@type') {
        // Not push(...types): tens of thousands of arguments overflow the stack.
        for (const type of readTypes(key, value, context)) node.types.push(type);
      } else if (keyword === null) {
        const term = termOf(key, context);
        const values = readValues(value, (child) => addChild(child, term?.name ?? null));
        if (term && values.length > 0) node.properties.push({ ...term, position: index + 1, values });
      } else for (const child of childrenOf(keyword, value)) readValues(child, (inner) => addChild(inner, null));
    }
  }

  try {
    addRoots(root, NO_CONTEXT);
    // A for…of over an array also visits elements pushed during the loop.
    for (const { object, context, node } of queue) readNode(object, context, node);
    return queue.map(({ node }) => node);
  } catch (error) {
    if (error === UNSUPPORTED) return null;
    throw error;
  }
}

function readId(value: JsonValue, base: URL): string | null {
  if (typeof value !== 'string' || value.trim() === '') return null;
  return value.startsWith('_:') ? value : (URL.parse(value, base)?.href ?? value);
}

/**
 * Returns the types of a node. They are uncertain under `type`: schema.org's context makes it an alias of `@type`, but its own examples also
 * use it for other purposes. Under `@type`, a full IRI in schema.org's namespace is always certain.
 */
function readTypes(key: string, value: JsonValue, context: Context): SchemaTerm[] {
  const types = (isArray(value) ? value : [value]).filter((type) => typeof type === 'string');
  return types.flatMap((type) => {
    const term = type.trim() === '' ? null : termOf(type.trim(), context);
    return term ? [{ ...term, isCertain: key === '@type' && (term.isCertain || type.includes(':')) }] : [];
  });
}

/** Returns the values of a property: arrays, `@list` and `@set` flattened, `@value` unwrapped, null and blank ones omitted. */
function readValues(value: JsonValue, addChild: (child: JsonObject) => SchemaNode): readonly SchemaValue[] {
  if (isArray(value)) return value.flatMap((member) => readValues(member, addChild));
  if (!isObject(value)) return value === null || (typeof value === 'string' && value.trim() === '') ? [] : [value];
  if (value.get('@type') === '@json') return [true];
  const wrapped = value.get('@list') ?? value.get('@set') ?? value.get('@value');
  if (wrapped !== undefined) return readValues(wrapped, addChild);
  return value.size > 0 && !value.has('@value') ? [addChild(value)] : [];
}

/** Returns the values inside a keyword that may contain nodes. */
function childrenOf(keyword: string, value: JsonValue): Iterable<JsonValue> {
  if (keyword === '@included') return [value];
  return keyword === '@reverse' && isObject(value) ? value.values() : [];
}

/**
 * Matches schema.org as a context: http or https, with or without slash, www or the name of one of its extensions ("auto.schema.org"), or
 * the document itself; a bare "schema.org" counts too.
 */
const SCHEMA_ORG_CONTEXT =
  /^\s*(?:(?:https?:)?\/\/)?(?:[a-z-]+\.)?schema\.org(?:\/(?:docs\/jsonldcontext\.jsonl?d?)?)?#?\s*$/i;
const SCHEMA_ORG_NAMESPACE = /^https?:\/\/(?:[a-z-]+\.)?schema\.org\//i;
/** An absolute IRI to which names can be appended. */
const NAMESPACE = /^[a-z][a-z\d+.-]*:.*[#/?:]$/i;
const ABSOLUTE = /^[a-z][a-z\d+.-]*:\/\//i;

/** Returns the context inside an object: its own on top of the inherited one. @throws UNSUPPORTED for custom terms */
function contextOf(object: JsonObject, inherited: Context): Context {
  const own = object.has('@context') ? (object.get('@context') ?? null) : [];
  const parts = isArray(own) ? own : [own];
  if (object.has('@nest') || parts.length > JSON_LD_LIMITS.contextsMax) throw UNSUPPORTED;
  return parts.reduce(addPart, inherited);
}

function addPart(inherited: Context, part: JsonValue): Context {
  if (part === null) return NO_CONTEXT;
  if (isObject(part)) return addObject(part, inherited);
  if (typeof part !== 'string') return inherited;
  if (!SCHEMA_ORG_CONTEXT.test(part)) return { ...inherited, hasOtherContext: true };
  return {
    ...inherited,
    isVocabSchemaOrg: true,
    definesTerms: true,
    prefixes: new Set([...inherited.prefixes, 'schema']),
  };
}

function addObject(part: JsonObject, inherited: Context): Context {
  let { isVocabSchemaOrg } = inherited;
  const prefixes = new Set(inherited.prefixes);
  for (const [name, value] of part) {
    const iri = typeof value === 'string' ? value : '';
    const isSchema = SCHEMA_ORG_CONTEXT.test(iri);
    if (name === '@import') throw UNSUPPORTED;
    if (name === '@vocab') {
      if (typeof value === 'string' && !isSchema && !ABSOLUTE.test(iri)) throw UNSUPPORTED;
      isVocabSchemaOrg = isSchema;
      if (isSchema) prefixes.add('schema');
    } else if (!name.startsWith('@')) {
      if (!NAMESPACE.test(iri) || isSchemaOrgName(name)) throw UNSUPPORTED;
      if (isSchema) prefixes.add(name);
      else if (SCHEMA_ORG_NAMESPACE.test(iri)) throw UNSUPPORTED;
      else prefixes.delete(name);
    }
    // Every object inside would store its own copy of the prefixes.
    if (prefixes.size > JSON_LD_LIMITS.prefixesMax) throw UNSUPPORTED;
  }
  return { ...inherited, isVocabSchemaOrg, prefixes };
}

/** Returns the keyword for a key, including the aliases `id` and `type` of schema.org's context; null for other keys. */
function keywordOf(key: string, { isVocabSchemaOrg, definesTerms }: Context): string | null {
  if (key.startsWith('@')) return key;
  return (isVocabSchemaOrg || definesTerms) && (key === 'id' || key === 'type') ? `@${key}` : null;
}

/** Returns the schema.org term for a key or a value of `@type`; null for a name of another vocabulary. */
function termOf(
  name: string,
  { isVocabSchemaOrg, definesTerms, hasOtherContext, prefixes }: Context,
): SchemaTerm | null {
  const colon = name.indexOf(':');
  const isTerm = !name.startsWith('@') && (isVocabSchemaOrg || (definesTerms && isSchemaOrgName(name)));
  if (colon < 0) return isTerm ? { name, isCertain: !hasOtherContext } : null;
  const term = prefixes.has(name.slice(0, colon)) ? name.slice(colon + 1) : name.replace(SCHEMA_ORG_NAMESPACE, '');
  return term === name ? null : { name: term, isCertain: false };
}

function isSchemaOrgName(name: string): boolean {
  const { types, properties, members } = schemaOrg();
  return properties.has(name) || types.has(name) || members.has(name);
}
