import type { SchemaNode, SchemaProperty, SchemaTerm, SchemaValue } from '../../evidence/structured-data.js';
import { resolveUrl } from '../../evidence/site-address.js';
import { EventLoopYielder } from '../../evidence/event-loop.js';
import type { JsonObject, JsonValue } from '../json.js';
import type { ContextLayer } from './json-ld-context.js';
import { NO_CONTEXT, applyContext, meaningOf } from './json-ld-context.js';

/** A longer page address would be repeated in each of thousands of ids. */
export const BASE_CHARS_MAX = 1_000;

/** The block that is walked. */
interface Block {
  /** On the page, from 1. */
  readonly position: number;
  /** Where an object begins in its text, in characters from 0. */
  offsetOf(object: JsonObject): number;
}

/** An object that is queued to be read as a node. */
interface Pending {
  readonly object: JsonObject;
  readonly context: ContextLayer;
  readonly node: NodeUnderWay;
}

/** A node whose object is still being read. */
interface NodeUnderWay extends SchemaNode {
  id: string | null;
  isReference: boolean;
  readonly types: SchemaTerm[];
  readonly properties: SchemaProperty[];
}

/**
 * The nodes of one parsed block, a parent before its children: arrays, `@graph` and nesting are flattened. Uses a queue instead
 * of recursion, and yields to other work.
 */
export async function walkBlock(root: JsonValue, block: Block, url: URL): Promise<SchemaNode[]> {
  const walk = new BlockWalk(block, url);
  await walk.addRoots(root);
  return walk.readAll();
}

class BlockWalk {
  readonly #queue: Pending[] = [];
  readonly #yielder = new EventLoopYielder();
  /** The base URL of `@id`. */
  readonly #base: URL;

  constructor(
    readonly block: Block,
    url: URL,
  ) {
    this.#base = url.href.length > BASE_CHARS_MAX ? new URL('/', url) : url;
  }

  /** Finds the top-level nodes: the root, or the members of arrays and of `@graph`. */
  async addRoots(root: JsonValue): Promise<void> {
    const stack: { value: JsonValue; context: ContextLayer }[] = [{ value: root, context: NO_CONTEXT }];
    let index = 0;
    for (let next = stack.pop(); next; next = stack.pop()) {
      if (this.#yielder.isDue) await this.#yielder.yieldNow();
      const { value, context } = next;
      if (isArray(value)) {
        for (const item of value.toReversed()) stack.push({ value: item, context });
      } else if (isObject(value)) {
        const inner = contextOf(value, context);
        const graph = valueOfKeyword(value, '@graph', inner);
        if (graph !== undefined) stack.push({ value: graph, context: inner });
        if (graph === undefined || !isWrapper(value, inner)) {
          this.#enqueue(value, inner, index, null, null);
          index += 1;
        }
      }
    }
  }

  /** Reads queued objects, and nodes found inside them, until none are left. */
  async readAll(): Promise<SchemaNode[]> {
    // A for…of over an array also visits elements pushed during the loop.
    for (const pending of this.#queue) {
      if (this.#yielder.isDue) await this.#yielder.yieldNow();
      this.#readNode(pending);
    }
    return this.#queue.map(({ node }) => node);
  }

  #enqueue(
    object: JsonObject,
    context: ContextLayer,
    index: number,
    parent: SchemaNode | null,
    via: string | null,
  ): SchemaNode {
    const node: NodeUnderWay = {
      block: this.block.position,
      offset: this.block.offsetOf(object),
      index,
      parent,
      via,
      id: null,
      isReference: false,
      types: [],
      properties: [],
    };
    this.#queue.push({ object, context, node });
    return node;
  }

  #readNode({ object, context, node }: Pending): void {
    let childCount = 0;
    let position = 0;
    const addChild = (child: JsonObject, via: string | null): SchemaNode => {
      childCount += 1;
      return this.#enqueue(child, contextOf(child, context), childCount - 1, node, via);
    };
    for (const [key, value] of object) {
      position += 1;
      const meaning = meaningOf(key, context);
      if (meaning.kind === 'schema.org') {
        const values = meaning.isOpaque
          ? opaque(value)
          : readValues(value, (child) => addChild(child, meaning.term.name));
        if (values.length > 0) node.properties.push({ ...meaning.term, position, values });
      } else if (meaning.kind === 'other') {
        readValues(value, (child) => addChild(child, null));
      } else if (meaning.keyword === '@id') {
        node.id = this.#readId(value);
        node.isReference = object.size === 1 || (object.size === 2 && object.has('@context'));
      } else if (meaning.keyword === '@type') {
        for (const term of readTypes(value, context)) {
          // schema.org's context makes "type" an alias of @type, but its own examples also use it for other purposes.
          node.types.push(key === '@type' ? term : { ...term, isCertain: false });
        }
      } else if (meaning.keyword === '@included' || meaning.keyword === '@reverse') {
        for (const child of childrenOf(value, meaning.keyword)) readValues(child, (inner) => addChild(inner, null));
      }
    }
  }

  #readId(value: JsonValue): string | null {
    if (typeof value !== 'string' || value.trim() === '') return null;
    return value.startsWith('_:') ? value : (resolveUrl(value, this.#base)?.href ?? value);
  }
}

/** Most types read per node; no honest node has this many. */
const TYPES_MAX = 50;

function readTypes(value: JsonValue, context: ContextLayer): SchemaTerm[] {
  const terms: SchemaTerm[] = [];
  for (const type of (isArray(value) ? value : [value]).slice(0, TYPES_MAX)) {
    if (typeof type !== 'string' || type.trim() === '') continue;
    const meaning = meaningOf(type.trim(), context);
    if (meaning.kind !== 'schema.org') continue;
    // Unlike a key, a type written as a full IRI in schema.org's namespace is unambiguous: it claims to be one of its terms.
    terms.push({ name: meaning.term.name, isCertain: meaning.term.isCertain || type.includes(':') });
  }
  return terms;
}

/** The values of a property: arrays, `@list` and `@set` flattened, `@value` unwrapped, null and blank ones omitted. */
function readValues(value: JsonValue, addChild: (child: JsonObject) => SchemaNode): SchemaValue[] {
  const values: SchemaValue[] = [];
  const stack = [value];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (isArray(next)) {
      for (const item of next.toReversed()) stack.push(item);
    } else if (isObject(next)) {
      const wrapped = next.get('@list') ?? next.get('@set') ?? next.get('@value');
      if (next.get('@type') === '@json') values.push(true);
      else if (wrapped !== undefined) stack.push(wrapped);
      else if (next.size > 0 && !next.has('@value')) values.push(addChild(next));
    } else if (next !== null && !(typeof next === 'string' && next.trim() === '')) {
      values.push(next);
    }
  }
  return values;
}

/** A value that exists, but whose content we do not read. */
function opaque(value: JsonValue): SchemaValue[] {
  return value === null || value === '' ? [] : [true];
}

function childrenOf(value: JsonValue, keyword: '@included' | '@reverse'): Iterable<JsonValue> {
  if (keyword === '@included') return [value];
  return isObject(value) ? value.values() : [];
}

/** Whether an object with `@graph` is not a node itself: it has no other statements. */
function isWrapper(object: JsonObject, context: ContextLayer): boolean {
  for (const key of object.keys()) {
    const meaning = meaningOf(key, context);
    if (meaning.kind !== 'keyword' || meaning.keyword === '@type') return false;
  }
  return true;
}

function valueOfKeyword(object: JsonObject, keyword: string, context: ContextLayer): JsonValue | undefined {
  if (object.has(keyword)) return object.get(keyword);
  for (const [key, value] of object) {
    const meaning = meaningOf(key, context);
    if (meaning.kind === 'keyword' && meaning.keyword === keyword) return value;
  }
  return undefined;
}

function contextOf(object: JsonObject, inherited: ContextLayer): ContextLayer {
  const context = object.get('@context');
  return context === undefined ? inherited : applyContext(context, inherited);
}

function isArray(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

function isObject(value: JsonValue): value is JsonObject {
  return value instanceof Map;
}
