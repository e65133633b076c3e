import type { SchemaNode, SchemaValue, StructuredPage } from '../../artifacts/structured-data.js';
import { schemaOrg } from '../../artifacts/schema-org.js';
import { JSON_LD_LIMITS } from '../../limits.js';
import { findNearest } from './nearest.js';
import { perObject, remember } from '../../../net/keyed.js';

/** One thing that a page describes: all nodes of the page with its `@id`, or a single node without one. */
export interface Entity {
  /** Its first description; a pure reference only if there is no other node. */
  readonly node: SchemaNode;
  readonly types: ReadonlySet<string>;
  readonly properties: ReadonlyMap<string, readonly SchemaValue[]>;
  /** The first names of its types and properties that can only be schema.org's but are not in the vocabulary. */
  readonly unknownNames: ReadonlySet<string>;
  readonly hasMoreUnknownNames: boolean;
}

/** The entities of one page, merged by `@id` across its blocks; each is built on first use. */
export class PageEntities {
  /** A page's entities are built once and shared. */
  static readonly of = perObject((page: StructuredPage) => new PageEntities(page));
  /** By `@id`, or by its only node. */
  readonly #entities = new Map<SchemaNode | string, Entity>();
  readonly #nodesById: ReadonlyMap<string | null, readonly SchemaNode[]>;

  private constructor(readonly page: StructuredPage) {
    this.#nodesById = Map.groupBy(page.nodes, ({ id }) => id);
  }

  /** True if all of the page's JSON-LD was read and is examined: only then is it certain what nodes lack, and how many there are. */
  get isPageWhole(): boolean {
    const { page, blocks, nodes } = this.page;
    if (nodes.length > JSON_LD_LIMITS.examinedNodesMax) return false;
    if (page.facts.isCut || page.facts.isMalformed || page.url.href.length > JSON_LD_LIMITS.baseCharsMax) return false;
    return blocks.every(({ kind }) => kind === 'read' || kind === 'empty');
  }

  entityOf(node: SchemaNode): Entity {
    const nodes = node.id === null ? null : this.#nodesById.get(node.id);
    return remember(this.#entities, node.id ?? node, () => merge(nodes ?? [node], node));
  }

  /** The distinct entities of the first of these nodes, in order. */
  entitiesOf(nodes: readonly SchemaNode[]): Entity[] {
    return [...new Set(nodes.slice(0, JSON_LD_LIMITS.examinedNodesMax).map((node) => this.entityOf(node)))];
  }

  /** Roots, or members of a `@graph`. */
  topLevel(): Entity[] {
    return this.entitiesOf(this.page.nodes.filter(({ parent }) => parent === null));
  }

  /** Top-level entities that no other node contains or references: what the page is about. Excludes pure references. */
  main(): Entity[] {
    const contained = new Set(
      this.page.nodes
        .filter(({ id, parent }) => parent !== null && id !== null && parent.id !== id)
        .map(({ id }) => id),
    );
    return this.topLevel().filter(({ node }) => !node.isReference && (node.id === null || !contained.has(node.id)));
  }

  /** The top-level entities, and those reachable from one through these properties alone. */
  reachableBy(properties: ReadonlySet<string>): Entity[] {
    const reached = new Set<SchemaNode>();
    // A parent comes before its children, so one pass is enough.
    for (const node of this.page.nodes) {
      const { parent, via } = node;
      if (parent === null || (reached.has(parent) && via !== null && properties.has(via))) reached.add(node);
    }
    return this.entitiesOf([...reached]);
  }
}

/** @param fallback if all of the nodes are references */
function merge(nodes: readonly SchemaNode[], fallback: SchemaNode): Entity {
  const vocabulary = schemaOrg();
  const isKnown = (name: string): boolean =>
    vocabulary.properties.has(name) || vocabulary.types.has(name) || vocabulary.members.has(name);
  const terms = nodes.flatMap((node) => [...node.types, ...node.properties]);
  const unknown = new Set(terms.filter(({ name, isCertain }) => isCertain && !isKnown(name)).map(({ name }) => name));
  const properties = new Map<string, SchemaValue[]>();
  for (const { name, values } of nodes.flatMap((node) => node.properties))
    for (const value of values) remember(properties, name, () => []).push(value);
  return {
    node: nodes.find(({ isReference }) => !isReference) ?? nodes[0] ?? fallback,
    types: new Set(nodes.flatMap((node) => node.types.map(({ name }) => name))),
    properties,
    unknownNames: new Set([...unknown].slice(0, JSON_LD_LIMITS.unknownNamesMax)),
    hasMoreUnknownNames: unknown.size > JSON_LD_LIMITS.unknownNamesMax,
  };
}

/**
 * True if an entity has a property, or a misspelling of it: that is a mismatch with the vocabulary (C-SD-02), which a missing property would
 * only echo. If there are more unknown names than are stored, any of them may be it.
 */
export function hasProperty({ properties, unknownNames, hasMoreUnknownNames }: Entity, property: string): boolean {
  if (properties.has(property) || hasMoreUnknownNames) return true;
  return [...unknownNames].some((name) => findNearest(name, [property]) !== null);
}

/** The text values of a property, in source order. */
export function textsOf(entity: Entity, property: string): string[] {
  return (entity.properties.get(property) ?? []).filter((value) => typeof value === 'string');
}
