import type { SchemaOrg } from '../../evidence/schema-org.js';
import type { Entity, PageEntities } from './entities.js';
import { hasProperty } from './entities.js';
import { findNearest } from './nearest.js';

/** What an entity of a type or its subtypes must have: one property of each group. */
export interface Requirement {
  readonly type: string;
  readonly groups: readonly (readonly string[])[];
}

/** The types that say who is behind a site, narrower ones first, and what makes each complete. */
const IDENTITY_REQUIREMENTS = [
  { type: 'LocalBusiness', groups: [['name'], ['address']] },
  { type: 'Organization', groups: [['name'], ['url'], ['logo', 'description', 'sameAs']] },
  { type: 'Person', groups: [['name']] },
  { type: 'WebSite', groups: [['name'], ['url']] },
] as const satisfies readonly Requirement[];

export interface IdentityEntity {
  readonly entity: Entity;
  readonly requirement: (typeof IDENTITY_REQUIREMENTS)[number];
  /** The groups from which the entity has no property. */
  readonly missing: readonly (readonly string[])[];
}

/** Properties that connect a top-level node to an identity node. */
const IDENTITY_PROPERTIES = new Set(['publisher', 'about', 'mainEntity']);

/** The identity nodes of a page: top level, or under publisher, about or mainEntity; in source order. */
export function findIdentities(entities: PageEntities, vocabulary: SchemaOrg): IdentityEntity[] {
  return entities.reachableBy(IDENTITY_PROPERTIES).flatMap((entity) => {
    const readings = [...entity.types].flatMap((type) => {
      const requirement = IDENTITY_REQUIREMENTS.find((candidate) => vocabulary.isA(type, candidate.type));
      return requirement ? [{ entity, requirement, missing: missingGroups(entity, requirement) }] : [];
    });
    // A node of several types is complete if it is complete as one of them.
    return readings.find(({ missing }) => missing.length === 0) ?? readings[0] ?? [];
  });
}

/** Whether {@link findIdentities} examined every possible position of an identity node. */
export function areAllIdentitiesSeen(entities: PageEntities): boolean {
  return entities.isReachWhole(IDENTITY_PROPERTIES);
}

/** Most unknown types of one page compared with the vocabulary, since each comparison scans all of it. */
const UNKNOWN_TYPES_MAX = 10;

/**
 * Whether an entity in the position of an identity node has a misspelt identity type ("Organisation"); if there are more unknown
 * types than are compared, any of them may be one.
 */
export function hasMisspeltIdentity(entities: PageEntities, vocabulary: SchemaOrg): boolean {
  const names = entities
    .reachableBy(IDENTITY_PROPERTIES)
    .flatMap(({ types, unknownNames }) => [...types].filter((type) => unknownNames.has(type)));
  const different = [...new Set(names)];
  if (different.length > UNKNOWN_TYPES_MAX) return true;
  return different.some((name) => {
    const nearest = findNearest(name, vocabulary.types);
    return nearest !== null && IDENTITY_REQUIREMENTS.some(({ type }) => vocabulary.isA(nearest, type));
  });
}

export function isOfType(entity: Entity, type: string, vocabulary: SchemaOrg): boolean {
  for (const name of entity.types) if (vocabulary.isA(name, type)) return true;
  return false;
}

export function missingGroups(entity: Entity, requirement: Requirement): readonly (readonly string[])[] {
  return requirement.groups.filter((group) => !group.some((property) => hasProperty(entity, property)));
}
