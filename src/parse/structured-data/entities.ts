import type { SchemaNode, SchemaValue, StructuredPage } from '../../domain/evidence/structured-data.js';
import { schemaOrg } from '../../domain/schema-org.js';
import { findNearest } from './nearest.js';

/** Unknown names of one entity that are kept; no honest entity has as many. */
const UNKNOWN_NAMES_MAX = 20;

/** One thing that a page describes: every node of the page with its `@id`, or a single node without one. */
export interface Entity {
  /** Where it is described first; a pure reference only when nothing else is there. */
  readonly node: SchemaNode;
  readonly types: ReadonlySet<string>;
  readonly properties: ReadonlyMap<string, readonly SchemaValue[]>;
  /** Names of its types and properties that can only be schema.org's, which does not know them. */
  readonly unknownNames: ReadonlySet<string>;
}

/** The entities of one page, merged by `@id` across its blocks. */
export class PageEntities {
  readonly #byNode = new Map<SchemaNode, Entity>();

  constructor(readonly page: StructuredPage) {
    const nodesById = new Map<string, SchemaNode[]>();
    for (const node of page.nodes) {
      if (node.id === null) continue;
      const nodes = nodesById.get(node.id);
      if (nodes) nodes.push(node);
      else nodesById.set(node.id, [node]);
    }
    for (const nodes of nodesById.values()) {
      const entity = merge(nodes);
      for (const node of nodes) this.#byNode.set(node, entity);
    }
  }

  entityOf(node: SchemaNode): Entity {
    let entity = this.#byNode.get(node);
    if (!entity) this.#byNode.set(node, (entity = merge([node])));
    return entity;
  }

  /** The entities of these nodes, each once, in their order. */
  entitiesOf(nodes: readonly SchemaNode[]): Entity[] {
    return [...new Set(nodes.map((node) => this.entityOf(node)))];
  }

  /** Root or member of a `@graph`. */
  topLevel(): Entity[] {
    return this.entitiesOf(this.page.nodes.filter(({ parent }) => parent === null));
  }

  /** Top-level entities that no other node contains or references: what the page is about. Pure references are none. */
  main(): Entity[] {
    const contained = new Set(
      this.page.nodes
        .filter(({ id, parent }) => parent !== null && id !== null && parent.id !== id)
        .map(({ id }) => id),
    );
    return this.topLevel().filter(({ node }) => !node.isReference && (node.id === null || !contained.has(node.id)));
  }

  /** The top-level entities, and those that hang on one by these properties alone. */
  reachableBy(properties: ReadonlySet<string>): Entity[] {
    const reached = new Set<SchemaNode>();
    // A parent stands before its children, so one pass is enough.
    for (const node of this.page.nodes) {
      const { parent, via } = node;
      if (parent === null || (reached.has(parent) && via !== null && properties.has(via))) reached.add(node);
    }
    return this.entitiesOf([...reached]);
  }
}

function merge(nodes: readonly SchemaNode[]): Entity {
  const [first] = nodes;
  if (!first) throw new Error('an entity has at least one node');
  const types = new Set<string>();
  const properties = new Map<string, SchemaValue[]>();
  const unknownNames = new Set<string>();
  const vocabulary = schemaOrg();
  for (const node of nodes) {
    for (const { name, isCertain } of [...node.types, ...node.properties]) {
      const isKnown = vocabulary.properties.has(name) || vocabulary.types.has(name) || vocabulary.members.has(name);
      if (isCertain && !isKnown && unknownNames.size < UNKNOWN_NAMES_MAX) unknownNames.add(name);
    }
    for (const { name } of node.types) types.add(name);
    for (const { name, values } of node.properties) {
      let all = properties.get(name);
      if (!all) properties.set(name, (all = []));
      for (const value of values) all.push(value);
    }
  }
  return { node: nodes.find((node) => !node.isReference) ?? first, types, properties, unknownNames };
}

/**
 * Whether an entity has a property, or one that is this property misspelt: that is a mismatch with the vocabulary (C-SD-02),
 * of which a missing property would only be the echo.
 */
export function hasProperty({ properties, unknownNames }: Entity, property: string): boolean {
  if (properties.has(property)) return true;
  for (const name of unknownNames) if (findNearest(name, [property]) !== null) return true;
  return false;
}

/** The values of a property that are text, in source order. */
export function textsOf(entity: Entity, property: string): string[] {
  return (entity.properties.get(property) ?? []).filter((value) => typeof value === 'string');
}
