import type { SchemaNode, SchemaProperty, SchemaTerm } from '../../artifacts/structured-data.js';
import { EventLoopYielder } from '../../../net/event-loop.js';
import type { JsonObject, JsonValue } from '../json.js';
import { isArray, isObject } from '../json.js';
import type { ContextLayer } from './json-ld-context.js';
import { NO_CONTEXT, hasScope, meaningOf } from './json-ld-context.js';
import type { Member } from './json-ld-members.js';
import { contextOf, isWrapper, valueOfKeyword, visitMembers } from './json-ld-members.js';
import type { OpenArray } from './json-ld-values.js';
import { hasContent, readValues } from './json-ld-values.js';

/** A longer page address would be repeated in each of thousands of ids. */
export const BASE_CHARS_MAX = 1_000;

/** The block that is walked. */
interface Block {
  /** On the page, from 1. */
  readonly position: number;
  /** Where an object begins in its text, in characters from 0. */
  offsetOf(object: JsonObject): number;
}

interface BlockNodes {
  /** A parent before its children. */
  readonly nodes: readonly SchemaNode[];
  /** A part that is not read holds something: index maps, scoped contexts and the like. */
  readonly isPartlyUnread: boolean;
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
  types: readonly SchemaTerm[];
  properties: readonly SchemaProperty[];
  unreadProperties: readonly string[];
  isPartlyUnread: boolean;
}

/** Most nodes have one or the other, so they share it. */
const NONE: readonly never[] = [];

/**
 * The nodes of one parsed block: arrays, `@graph` and nesting are flattened. Uses a queue instead of recursion, and yields to
 * other work.
 */
export async function walkBlock(root: JsonValue, block: Block, url: URL): Promise<BlockNodes> {
  const walk = new BlockWalk(block, url);
  await walk.addRoots(root);
  return walk.readAll();
}

class BlockWalk {
  readonly #queue: Pending[] = [];
  readonly #yielder = new EventLoopYielder();
  /** The base URL of `@id`. */
  readonly #base: URL;
  #isPartlyUnread = false;

  constructor(
    readonly block: Block,
    url: URL,
  ) {
    this.#base = url.href.length > BASE_CHARS_MAX ? new URL('/', url) : url;
  }

  /** Finds the top-level nodes: the root, or the members of arrays and of `@graph`. */
  async addRoots(root: JsonValue): Promise<void> {
    const stack: (OpenArray & { readonly context: ContextLayer })[] = [{ items: [root], next: 0, context: NO_CONTEXT }];
    let index = 0;
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      if (this.#yielder.isDue) await this.#yielder.yieldNow();
      const member = nextContainer(top);
      if (member === undefined) stack.pop();
      else if (isArray(member)) stack.push({ items: member, next: 0, context: top.context });
      else {
        const inner = contextOf(member, top.context);
        const graph = valueOfKeyword(member, '@graph', inner);
        if (graph !== undefined) stack.push({ items: [graph], next: 0, context: inner });
        if (graph === undefined || !isWrapper(member, inner)) {
          this.#enqueue(member, inner, index, null, null);
          index += 1;
        }
      }
    }
  }

  /** Reads queued objects, and nodes found inside them, until none are left. */
  async readAll(): Promise<BlockNodes> {
    // A for…of over an array also visits elements pushed during the loop.
    for (const pending of this.#queue) {
      if (this.#yielder.isDue) await this.#yielder.yieldNow();
      this.#readNode(pending);
    }
    return { nodes: this.#queue.map(({ node }) => node), isPartlyUnread: this.#isPartlyUnread };
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
      types: NONE,
      properties: NONE,
      unreadProperties: NONE,
      isPartlyUnread: false,
    };
    this.#queue.push({ object, context, node });
    return node;
  }

  #readNode({ object, context, node }: Pending): void {
    const types: SchemaTerm[] = [];
    const properties: SchemaProperty[] = [];
    const unread: string[] = [];
    let childCount = 0;
    const addChild = (child: JsonObject, via: string | null): SchemaNode => {
      childCount += 1;
      return this.#enqueue(child, contextOf(child, context), childCount - 1, node, via);
    };
    const isScoped = context.hasScopes && hasScopedType(object, context);
    visitMembers(object, context, (member) => {
      const { position, value, meaning } = member;
      if (meaning.kind === 'keyword') {
        this.#readKeyword(member, { object, context, node, types }, addChild);
      } else if (isScoped) {
        // The context of its type gives the key its meaning, so it may be any property.
        node.isPartlyUnread ||= hasContent(value);
      } else if (meaning.kind !== 'dropped') {
        const via = meaning.kind === 'schema.org' ? meaning.term.name : null;
        const { values, isUnread } = readValues(value, meaning.reading, (child) => addChild(child, via));
        if (isUnread && via !== null) unread.push(via);
        if (meaning.kind === 'schema.org' && values.length > 0) properties.push({ ...meaning.term, position, values });
        this.#isPartlyUnread ||= isUnread;
      }
    });
    this.#isPartlyUnread ||= node.isPartlyUnread;
    // Copies: an array that grows member by member keeps room for sixteen more.
    if (types.length > 0) node.types = types.slice();
    if (properties.length > 0) node.properties = properties.slice();
    if (unread.length > 0) node.unreadProperties = unread.slice();
  }

  #readKeyword(
    { key, value, meaning }: Member,
    { object, context, node, types }: Pending & { types: SchemaTerm[] },
    addChild: (child: JsonObject, via: null) => SchemaNode,
  ): void {
    const keyword = meaning.kind === 'keyword' ? meaning.keyword : '';
    if (keyword === '@id') {
      node.id = this.#readId(value);
      node.isReference = object.size === 1 || (object.size === 2 && object.has('@context'));
    } else if (keyword === '@type') {
      for (const term of readTypes(value, context)) {
        // schema.org's context makes "type" an alias of @type, but its own examples also use it for other purposes.
        types.push(key === '@type' ? term : { ...term, isCertain: false });
      }
    } else if (keyword === '@included' || keyword === '@reverse') {
      for (const child of childrenOf(value, keyword)) readValues(child, 'plain', (inner) => addChild(inner, null));
    } else if (keyword === '@nest') {
      // One that its own context redefines: whatever is inside may be a property of the node.
      node.isPartlyUnread ||= hasContent(value);
    }
  }

  #readId(value: JsonValue): string | null {
    if (typeof value !== 'string' || value.trim() === '') return null;
    return value.startsWith('_:') ? value : (URL.parse(value, this.#base)?.href ?? value);
  }
}

/** Most types read per node; no honest node has this many. */
const TYPES_MAX = 50;

function readTypes(value: JsonValue, context: ContextLayer): SchemaTerm[] {
  const terms: SchemaTerm[] = [];
  for (const type of typesIn(value)) {
    const meaning = meaningOf(type, context);
    if (meaning.kind !== 'schema.org') continue;
    // Unlike a key, a type written as a full IRI in schema.org's namespace is unambiguous: it claims to be one of its terms.
    terms.push({ name: meaning.term.name, isCertain: meaning.term.isCertain || type.includes(':') });
  }
  return terms;
}

function typesIn(value: JsonValue): string[] {
  const types: string[] = [];
  for (const type of isArray(value) ? value.slice(0, TYPES_MAX) : [value]) {
    if (typeof type === 'string' && type.trim() !== '') types.push(type.trim());
  }
  return types;
}

function hasScopedType(object: JsonObject, context: ContextLayer): boolean {
  const types = valueOfKeyword(object, '@type', context);
  return types !== undefined && typesIn(types).some((type) => hasScope(type, context));
}

/** The next array or object among the members, past text, numbers and the like; undefined if there is none. */
function nextContainer(array: OpenArray): readonly JsonValue[] | JsonObject | undefined {
  while (array.next < array.items.length) {
    const member = array.items[array.next];
    array.next += 1;
    if (typeof member === 'object' && member !== null) return member;
  }
  return undefined;
}

function childrenOf(value: JsonValue, keyword: '@included' | '@reverse'): Iterable<JsonValue> {
  if (keyword === '@included') return [value];
  return isObject(value) ? value.values() : [];
}
