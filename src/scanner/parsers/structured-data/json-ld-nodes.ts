import type { SchemaNode, SchemaProperty, SchemaTerm, SchemaValue } from '../../artifacts/structured-data.js';
import { JSON_LD_LIMITS } from '../../limits.js';
import { type JsonObject, type JsonValue, isArray, isObject } from '../json.js';
import { applyContext, type Context, keywordOf, NO_CONTEXT, termOf } from './json-ld-context.js';

/** The block that is walked. */
interface Block {
  /** On the page, from 1. */
  readonly position: number;
  /** Returns where an object begins in its text, in characters from 0. */
  offsetOf(object: JsonObject): number;
}

/** An object that is queued to be read as a node. */
interface Pending {
  readonly object: JsonObject;
  readonly context: Context;
  readonly node: OpenNode;
}

/** A node whose object is still being read. */
interface OpenNode extends SchemaNode {
  id: string | null;
  isReference: boolean;
  readonly types: SchemaTerm[];
  readonly properties: SchemaProperty[];
}

/**
 * Returns the nodes of a parsed block, each before its children, with arrays, `@graph` and nesting flattened. Returns null if the block
 * uses a form of JSON-LD that we do not read.
 */
export function walkBlock(root: JsonValue, block: Block, url: URL): readonly SchemaNode[] | null {
  return new BlockWalk(block, url).read(root);
}

class BlockWalk {
  readonly #queue: Pending[] = [];
  /** The base URL of `@id`. */
  readonly #base: URL;
  #hasOtherForm = false;

  constructor(
    readonly block: Block,
    url: URL,
  ) {
    this.#base = url.href.length > JSON_LD_LIMITS.baseCharsMax ? new URL('/', url) : url;
  }

  read(root: JsonValue): readonly SchemaNode[] | null {
    this.#addRoots(root, NO_CONTEXT);
    // A for…of over an array also visits elements pushed during the loop.
    for (const pending of this.#queue) {
      if (this.#hasOtherForm) return null;
      this.#readNode(pending);
    }
    return this.#hasOtherForm ? null : this.#queue.map(({ node }) => node);
  }

  /** Finds the top-level nodes: the root, or the members of arrays and of `@graph`. */
  #addRoots(value: JsonValue, context: Context): void {
    if (this.#hasOtherForm) return;
    if (isArray(value)) for (const member of value) this.#addRoots(member, context);
    if (!isObject(value)) return;
    const inner = this.#contextOf(value, context);
    const graph = value.get('@graph');
    // An object with a `@graph` and no other statements is not a node itself.
    const isWrapper = [...value.keys()].every((key) => !['@type', null].includes(keywordOf(key, inner)));
    if (graph === undefined || !isWrapper) this.#enqueue(value, inner, null, null);
    if (graph !== undefined) this.#addRoots(graph, inner);
  }

  #contextOf(object: JsonObject, inherited: Context): Context {
    const own = object.get('@context');
    const context = own === undefined ? inherited : applyContext(own, inherited);
    this.#hasOtherForm ||= context === null || object.has('@nest');
    return context ?? NO_CONTEXT;
  }

  #enqueue(object: JsonObject, context: Context, parent: SchemaNode | null, via: string | null): SchemaNode {
    const place = { block: this.block.position, offset: this.block.offsetOf(object), parent, via };
    const node: OpenNode = { ...place, id: null, isReference: false, types: [], properties: [] };
    this.#queue.push({ object, context, node });
    return node;
  }

  #readNode({ object, context, node }: Pending): void {
    const addChild = (child: JsonObject, via: string | null): SchemaNode => {
      this.#hasOtherForm ||= child.has('@graph');
      return this.#enqueue(child, this.#contextOf(child, context), node, via);
    };
    for (const [index, [key, value]] of [...object].entries()) {
      const keyword = keywordOf(key, context);
      if (keyword === '@id') {
        node.id = this.#readId(value);
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

  #readId(value: JsonValue): string | null {
    if (typeof value !== 'string' || value.trim() === '') return null;
    return value.startsWith('_:') ? value : (URL.parse(value, this.#base)?.href ?? value);
  }
}

/**
 * schema.org's context makes "type" an alias of @type, but its own examples also use it for other purposes. Unlike a key, a type written
 * as a full IRI in schema.org's namespace is unambiguous: it claims to be one of its terms.
 */
function readTypes(key: string, value: JsonValue, context: Context): SchemaTerm[] {
  const types = (isArray(value) ? value : [value]).filter((type) => typeof type === 'string');
  return types.flatMap((type) => {
    const term = type.trim() === '' ? null : termOf(type.trim(), context);
    return term ? [{ ...term, isCertain: key === '@type' && (term.isCertain || type.includes(':')) }] : [];
  });
}

/** The values of a property: arrays, `@list` and `@set` flattened, `@value` unwrapped, null and blank ones omitted. */
function readValues(value: JsonValue, addChild: (child: JsonObject) => SchemaNode): readonly SchemaValue[] {
  if (isArray(value)) return value.flatMap((member) => readValues(member, addChild));
  if (!isObject(value)) return isBlank(value) ? [] : [value];
  if (value.get('@type') === '@json') return [true];
  const wrapped = value.get('@list') ?? value.get('@set') ?? value.get('@value');
  if (wrapped !== undefined) return readValues(wrapped, addChild);
  return value.size > 0 && !value.has('@value') ? [addChild(value)] : [];
}

function isBlank(value: string | number | boolean | null): value is null {
  return value === null || (typeof value === 'string' && value.trim() === '');
}

/** The nodes that a keyword holds. */
function childrenOf(keyword: string, value: JsonValue): Iterable<JsonValue> {
  if (keyword === '@included') return [value];
  return keyword === '@reverse' && isObject(value) ? value.values() : [];
}
