import type { SchemaNode, SchemaValue, StructuredPage } from '../../artifacts/structured-data.js';
import { schemaOrg } from '../../artifacts/schema-org.js';
import { JSON_LD_LIMITS } from '../../limits.js';
import { limitBaseLength } from '../addresses.js';
import { memoizePerObject, getOrCreate } from '../../../net/keyed.js';

/** One thing that a page describes: all nodes of the page with its `@id`, or a single node without one. */
export interface Entity {
  /** Its first node that is not a pure reference, or else the first. */
  readonly node: SchemaNode;
  readonly types: ReadonlySet<string>;
  readonly properties: ReadonlyMap<string, readonly SchemaValue[]>;
  /** Names of its types and properties that can only be schema.org's but are not in the vocabulary. */
  readonly unknownNames: ReadonlySet<string>;
}

/** The entities of one page, merged by `@id` across its blocks; each is built on first use. */
export class PageEntities {
  /** Returns the same instance for the same page. */
  static readonly of = memoizePerObject((page: StructuredPage) => new PageEntities(page));
  /** Entities by `@id`, or by their only node. */
  readonly #entities = new Map<SchemaNode | string, Entity>();
  readonly #nodesById: ReadonlyMap<string | null, readonly SchemaNode[]>;

  private constructor(readonly page: StructuredPage) {
    this.#nodesById = Map.groupBy(page.nodes, ({ id }) => id);
  }

  /** True if all JSON-LD of the page was read and is examined. Only then are counts and missing properties certain. */
  get isPageComplete(): boolean {
    const { page, blocks, nodes } = this.page;
    if (nodes.length > JSON_LD_LIMITS.examinedNodesMax) return false;
    if (page.facts.isCut || page.facts.isMalformed || limitBaseLength(page.url) !== page.url) return false;
    return blocks.every(({ kind }) => kind === 'read' || kind === 'empty');
  }

  entityOf(node: SchemaNode): Entity {
    const nodes = node.id === null ? null : this.#nodesById.get(node.id);
    return getOrCreate(this.#entities, node.id ?? node, () => merge(nodes ?? [node], node));
  }

  /** Returns the distinct entities of these nodes, up to `examinedNodesMax`, in order. */
  entitiesOf(nodes: readonly SchemaNode[]): Entity[] {
    return [...new Set(nodes.slice(0, JSON_LD_LIMITS.examinedNodesMax).map((node) => this.entityOf(node)))];
  }

  /** Returns the entities of roots and of members of a `@graph`. */
  topLevel(): Entity[] {
    return this.entitiesOf(this.page.nodes.filter(({ parent }) => parent === null));
  }

  /** Returns what the page is about: top-level entities that no other node contains or references. Excludes pure references. */
  main(): Entity[] {
    const contained = new Set(
      this.page.nodes
        .filter(({ id, parent }) => parent !== null && id !== null && parent.id !== id)
        .map(({ id }) => id),
    );
    return this.topLevel().filter(({ node }) => !node.isReference && (node.id === null || !contained.has(node.id)));
  }

  /** Returns the top-level entities, and those reachable from one through these properties alone. */
  reachableBy(properties: ReadonlySet<string>): Entity[] {
    const reached = new Set<SchemaNode>();
    // Parents come before their children, so one pass is enough.
    for (const node of this.page.nodes) {
      const { parent, via } = node;
      if (parent === null || (reached.has(parent) && via !== null && properties.has(via))) reached.add(node);
    }
    return this.entitiesOf([...reached]);
  }
}

/** @param fallback node of the entity if `nodes` is empty */
function merge(nodes: readonly SchemaNode[], fallback: SchemaNode): Entity {
  const vocabulary = schemaOrg();
  const isKnown = (name: string): boolean =>
    vocabulary.properties.has(name) || vocabulary.types.has(name) || vocabulary.members.has(name);
  const terms = nodes.flatMap((node) => [...node.types, ...node.properties]);
  const unknown = new Set(terms.filter(({ name, isCertain }) => isCertain && !isKnown(name)).map(({ name }) => name));
  const properties = new Map<string, SchemaValue[]>();
  for (const { name, values } of nodes.flatMap((node) => node.properties))
    for (const value of values) getOrCreate(properties, name, () => []).push(value);
  return {
    node: nodes.find(({ isReference }) => !isReference) ?? nodes[0] ?? fallback,
    types: new Set(nodes.flatMap((node) => node.types.map(({ name }) => name))),
    properties,
    unknownNames: unknown,
  };
}

/**
 * True if an entity has a property, or a misspelling of it, which C-SD-02 already reports. Also true if there are too many unknown
 * names to compare.
 */
export function hasProperty({ properties, unknownNames }: Entity, property: string): boolean {
  if (properties.has(property) || unknownNames.size > JSON_LD_LIMITS.unknownNamesMax) return true;
  return [...unknownNames].some((name) => findNearest(name, [property]) !== null);
}

/** Returns the text values of a property, in source order. */
export function textsOf(entity: Entity, property: string): string[] {
  return (entity.properties.get(property) ?? []).filter((value) => typeof value === 'string');
}

export function isOfType(entity: Entity, type: string): boolean {
  return [...entity.types].some((name) => schemaOrg().isA(name, type));
}

/** Longer names never count as misspellings, which also bounds the time. */
const NAME_CHARS_MAX = 60;
/** Most edits between a name and the intended term: one in three characters, at most 2. */
const EDITS_MAX = 2;

/** Returns the vocabulary term nearest to `name` by edit distance, ignoring case; null if none is near. */
export function findNearest(name: string, vocabulary: Iterable<string>): string | null {
  if (name.length > NAME_CHARS_MAX) return null;
  const lower = name.toLowerCase();
  let nearest: string | null = null;
  let editsMax = Math.min(EDITS_MAX, Math.floor(name.length / 3));
  for (const term of vocabulary) {
    const edits = countEdits(lower, term.toLowerCase(), editsMax);
    if (edits > editsMax) continue;
    nearest = term;
    if (edits === 0) break;
    editsMax = edits - 1;
  }
  return nearest;
}

/**
 * Counts insertions, deletions, substitutions and swaps of neighbours between two short names (optimal string alignment). Returns a number
 * above `editsMax` as soon as the limit is certain to be exceeded.
 */
function countEdits(a: string, b: string, editsMax: number): number {
  if (Math.abs(a.length - b.length) > editsMax) return editsMax + 1;
  let before: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const edits = Math.min((row[j - 1] ?? 0) + (isSame ? 0 : 1), (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1);
      next.push(isSwap ? Math.min(edits, (before[j - 2] ?? 0) + 1) : edits);
    }
    if (Math.min(...next) > editsMax) return editsMax + 1;
    before = row;
    row = next;
  }
  return row[b.length] ?? 0;
}
