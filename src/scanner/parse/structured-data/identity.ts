import type { SchemaOrg } from '../../evidence/schema-org.js';
import type { Entity, PageEntities } from './entities.js';
import { hasProperty } from './entities.js';
import { findNearest } from './nearest.js';

/** What an entity of a type and its subtypes must have: one property of each group. */
export interface Requirement {
  readonly type: string;
  readonly groups: readonly (readonly string[])[];
}

/** The types that say who stands behind a site, the narrower before the wider, and what makes each complete. */
const IDENTITY_REQUIREMENTS = [
  { type: 'LocalBusiness', groups: [['name'], ['address']] },
  { type: 'Organization', groups: [['name'], ['url'], ['logo', 'description', 'sameAs']] },
  { type: 'Person', groups: [['name']] },
  { type: 'WebSite', groups: [['name'], ['url']] },
] as const satisfies readonly Requirement[];

export interface IdentityEntity {
  readonly entity: Entity;
  readonly requirement: (typeof IDENTITY_REQUIREMENTS)[number];
  /** The groups of which the entity has no property. */
  readonly missing: readonly (readonly string[])[];
}

/** How an identity node hangs on a top-level one. */
const IDENTITY_PROPERTIES = new Set(['publisher', 'about', 'mainEntity']);

/** The identity nodes of a page: top level, or under publisher, about or mainEntity; in source order. */
export function findIdentities(entities: PageEntities, vocabulary: SchemaOrg): IdentityEntity[] {
  return entities.reachableBy(IDENTITY_PROPERTIES).flatMap((entity) => {
    const readings = [...entity.types].flatMap((type) => {
      const requirement = IDENTITY_REQUIREMENTS.find((candidate) => vocabulary.isA(type, candidate.type));
      return requirement ? [{ entity, requirement, missing: missingGroups(entity, requirement) }] : [];
    });
    // A node of several types is complete when it is complete as one of them.
    return readings.find(({ missing }) => missing.length === 0) ?? readings[0] ?? [];
  });
}

/** Whether {@link findIdentities} looked at every node where an identity node may stand. */
export function areAllIdentitiesSeen(entities: PageEntities): boolean {
  return entities.isReachWhole(IDENTITY_PROPERTIES);
}

/** Unknown types of one page that are compared with the vocabulary, for which each takes a look at all of it. */
const UNKNOWN_TYPES_MAX = 10;

/** Whether an entity where identity nodes stand has the type of one, misspelt ("Organisation"); of more unknown types any may be it. */
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
