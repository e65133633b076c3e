import { schemaOrg } from '../../artifacts/schema-org.js';
import { JSON_LD_LIMITS } from '../../limits.js';
import { type Entity, type PageEntities, hasProperty, textsOf } from './entities.js';
import { isSameSite } from '../../artifacts/site-address.js';
import { findNearest } from './nearest.js';

/** An entity of this type, or of a subtype, must have one property of each group. */
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

/** Properties that lead from what the page describes to the party behind it. */
const IDENTITY_PROPERTIES = new Set([
  'publisher',
  'about',
  'mainEntity',
  'provider',
  'creator',
  'copyrightHolder',
  'isPartOf',
  'sourceOrganization',
]);

/**
 * The identity nodes of a page, in source order: at the top level, led to by one of {@link IDENTITY_PROPERTIES}, the author of the site's
 * own blog or web site, or anywhere in the graph where they are the site's own. Another brand or author may be a different party.
 */
export function findIdentities(entities: PageEntities): IdentityEntity[] {
  const isOwn = createOwnershipTest(entities);
  const led = new Set(entities.reachableBy(IDENTITY_PROPERTIES));
  for (const author of findAuthors([...led], entities)) led.add(author);
  const candidates = entities.entitiesOf(entities.page.nodes).filter((entity) => led.has(entity) || isOwn(entity));
  return [...new Set([...led, ...candidates])].flatMap((entity) => {
    const readings = [...entity.types].flatMap((type) => {
      const requirement = IDENTITY_REQUIREMENTS.find((candidate) => schemaOrg().isA(type, candidate.type));
      if (!requirement) return [];
      return [{ entity, requirement, missing: missingGroups(entity, requirement) }];
    });
    // A node of several types is complete if it is complete as one of them.
    return readings.find(isComplete) ?? readings[0] ?? [];
  });
}

export function isComplete({ missing }: IdentityEntity): boolean {
  return missing.length === 0;
}

/** Finds the authors of the site's own blog or web site, who are behind the site. */
function findAuthors(entitiesLedTo: readonly Entity[], entities: PageEntities): Entity[] {
  const home = entities.page.page.url;
  const authors = entitiesLedTo
    .filter((entity) => isOfType(entity, 'Blog') || isOfType(entity, 'WebSite'))
    .filter((entity) => isOnSite(entity.properties.has('url') ? textsOf(entity, 'url') : idOf(entity), home))
    .flatMap(({ properties }) => properties.get('author') ?? [])
    .filter((value) => typeof value === 'object');
  return entities.entitiesOf(authors).filter((author) => isOnSite(textsOf(author, 'url'), home));
}

function idOf({ node: { id } }: Entity): string[] {
  return id === null || id.startsWith('_:') ? [] : [id];
}

/** True if one of these addresses is on the site, or there is none. */
function isOnSite(addresses: readonly string[], home: URL): boolean {
  const urls = addresses.map((address) => URL.parse(address, home));
  return urls.length === 0 || urls.some((url) => url !== null && isSameSite(url, home));
}

/** Fragments that name the site's own organisation or person, such as `#organization`. */
const OWN_FRAGMENT = /organi[sz]ation|publisher|person|company|business|identity|website|^#(?:org|site|me|self)$/i;

/** Characters of a title that may name the site. */
const TITLE_CHARS_MAX = 10_000;

/** Returns a test for entities that are the site's own, by their url, their `@id` or their name. */
function createOwnershipTest(entities: PageEntities): (entity: Entity) => boolean {
  const { url: home, facts } = entities.page.page;
  const titleParts = (facts.title ?? '').slice(0, TITLE_CHARS_MAX).split(/\s[-–—·•]\s|:\s|\|/);
  const siteNames = entities
    .topLevel()
    .flatMap((entity) => (entity.types.has('WebSite') ? textsOf(entity, 'name') : []));
  const ownNames = [...titleParts, ...siteNames, ...(facts.metas.get('og:site_name') ?? [])].map(foldName);
  const names = new Set(ownNames.filter((name) => name !== ''));
  // The root of the site, or its home page. An `@id` with a fragment may be anything on the page.
  const isOwnAddress = (reference: string, isId: boolean): boolean => {
    const url = URL.parse(reference, home);
    if (!url || !isSameSite(url, home) || (url.pathname !== '/' && url.pathname !== home.pathname)) return false;
    return url.hash === '' || !isId || OWN_FRAGMENT.test(url.hash);
  };
  return (entity) =>
    (entity.node.id !== null && isOwnAddress(entity.node.id, true)) ||
    textsOf(entity, 'url').some((url) => isOwnAddress(url, false)) ||
    textsOf(entity, 'name').some((name) => names.has(foldName(name)));
}

function foldName(name: string): string {
  return name.normalize('NFKC').trim().toLowerCase();
}

/**
 * True if an entity in the position of an identity node has a misspelt identity type ("Organisation"); if there are more unknown
 * types than are compared, any of them may be one.
 */
export function hasMisspeltIdentity(entities: PageEntities): boolean {
  const candidates = entities.reachableBy(IDENTITY_PROPERTIES);
  const names = new Set(
    candidates.flatMap(({ types, unknownNames }) => [...types].filter((type) => unknownNames.has(type))),
  );
  if (names.size > JSON_LD_LIMITS.unknownTypesMax) return true;
  return [...names].some((name) => {
    const nearest = findNearest(name, schemaOrg().types);
    return nearest !== null && IDENTITY_REQUIREMENTS.some(({ type }) => schemaOrg().isA(nearest, type));
  });
}

export function isOfType(entity: Entity, type: string): boolean {
  return [...entity.types].some((name) => schemaOrg().isA(name, type));
}

/** The groups from which the entity certainly has no property. */
export function missingGroups(entity: Entity, requirement: Requirement): readonly (readonly string[])[] {
  return requirement.groups.filter((group) => !group.some((property) => hasProperty(entity, property)));
}
