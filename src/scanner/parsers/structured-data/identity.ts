import { getDomain } from 'tldts';
import { schemaOrg } from '../../artifacts/schema-org.js';
import { isSameSite } from '../../../net/url-gate.js';
import type { SchemaValue } from '../../artifacts/structured-data.js';
import { JSON_LD_LIMITS } from '../../limits.js';
import { type Entity, findNearest, hasProperty, isOfType, type PageEntities, textsOf } from './entities.js';

/** An entity of this type, or of a subtype, must have one property of each group. */
export interface Requirement {
  readonly type: string;
  readonly groups: readonly (readonly string[])[];
}

/** Types that identify who is behind a site, narrower ones first, with the properties that each needs. */
const IDENTITY_REQUIREMENTS = [
  { type: 'LocalBusiness', groups: [['name'], ['address']] },
  { type: 'Organization', groups: [['name'], ['url'], ['logo', 'description', 'sameAs']] },
  { type: 'Person', groups: [['name']] },
  { type: 'WebSite', groups: [['name'], ['url']] },
] as const satisfies readonly Requirement[];

export interface IdentityEntity {
  readonly entity: Entity;
  readonly requirement: (typeof IDENTITY_REQUIREMENTS)[number];
  /** Groups of which the entity has no property. */
  readonly missing: readonly (readonly string[])[];
}

/** Properties that lead from what the page describes to the party behind it. */
const IDENTITY_PROPERTIES = new Set(
  'publisher about mainEntity provider creator copyrightHolder isPartOf sourceOrganization'.split(' '),
);

/**
 * Finds the identity nodes of a page: top-level ones and those reached through {@link IDENTITY_PROPERTIES}, authors of the site's own
 * blog or web site, then other nodes that are the site's own. Another brand or author may be a different party.
 */
export function findIdentities(entities: PageEntities): IdentityEntity[] {
  const isOwn = createOwnershipTest(entities);
  const reached = new Set(entities.reachableBy(IDENTITY_PROPERTIES));
  for (const author of findAuthors([...reached], entities)) reached.add(author);
  const candidates = entities.entitiesOf(entities.page.nodes).filter((entity) => reached.has(entity) || isOwn(entity));
  return [...new Set([...reached, ...candidates])].flatMap((entity) => {
    const readings = [...entity.types].flatMap((type) => {
      const requirement = IDENTITY_REQUIREMENTS.find((candidate) => schemaOrg().isA(type, candidate.type));
      return requirement ? [{ entity, requirement, missing: missingGroups(entity, requirement) }] : [];
    });
    // A node of several types is complete if it is complete as one of them.
    return readings.find(isComplete) ?? readings[0] ?? [];
  });
}

export function isComplete({ missing }: IdentityEntity): boolean {
  return missing.length === 0;
}

/** Finds the authors of the site's own blog or web site, who are behind the site. */
function findAuthors(reached: readonly Entity[], entities: PageEntities): Entity[] {
  const home = entities.page.page.url;
  const authors = reached
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
/** Maximum length of a title that is searched for the site's name. */
const TITLE_CHARS_MAX = 10_000;

/** Returns a function that tests whether an entity is the site's own, by its url, `@id` or name. */
function createOwnershipTest(entities: PageEntities): (entity: Entity) => boolean {
  const { url: home, facts } = entities.page.page;
  const titleParts = (facts.title ?? '').slice(0, TITLE_CHARS_MAX).split(/\s[-–—·•]\s|:\s|\|/);
  const siteNames = entities
    .topLevel()
    .flatMap((entity) => (entity.types.has('WebSite') ? textsOf(entity, 'name') : []));
  const ownNames = [...titleParts, ...siteNames, ...(facts.metas.get('og:site_name') ?? [])].map(foldName);
  const names = new Set(ownNames.filter((name) => name !== ''));
  // True for the site's root or home page. An `@id` with another fragment may name anything on the page.
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

/** True if an entity in the position of an identity node has a misspelt identity type ("Organisation"). */
export function hasMisspeltIdentity(entities: PageEntities): boolean {
  const candidates = entities.reachableBy(IDENTITY_PROPERTIES);
  const names = candidates.flatMap(({ types, unknownNames }) => [...types].filter((type) => unknownNames.has(type)));
  return [...new Set(names)].slice(0, JSON_LD_LIMITS.unknownTypesMax).some((name) => {
    const nearest = findNearest(name, schemaOrg().types);
    return nearest !== null && IDENTITY_REQUIREMENTS.some(({ type }) => schemaOrg().isA(nearest, type));
  });
}

/** Returns the groups of which the entity certainly has no property. */
export function missingGroups(entity: Entity, requirement: Requirement): readonly (readonly string[])[] {
  return requirement.groups.filter((group) => !group.some((property) => hasProperty(entity, property)));
}

/** One sameAs value of the identity node. */
export interface SameAsValue {
  /** Position in the list, from 1. */
  readonly position: number;
  /** Null if it is not an absolute http(s) URL. */
  readonly url: URL | null;
  /** True if its host is one of {@link BLOCKING_DOMAINS}. */
  readonly blocksBots: boolean;
}

/** Registrable domains of LinkedIn, X, Instagram, Facebook and TikTok: their responses to bots are meaningless. */
const BLOCKING_DOMAINS = new Set(
  'linkedin.com lnkd.in x.com twitter.com instagram.com instagr.am facebook.com fb.com fb.me tiktok.com'.split(' '),
);

export function blocksBots(url: URL): boolean {
  return BLOCKING_DOMAINS.has(getDomain(url.hostname) ?? '');
}

/** Returns the sameAs values of the first identity node that has any. */
export function readSameAs(identities: readonly IdentityEntity[]): SameAsValue[] {
  const lists = identities.map(({ entity }) => (entity.properties.get('sameAs') ?? []).flatMap(linksIn));
  const links = lists.find((list) => list.length > 0) ?? [];
  return links.slice(0, JSON_LD_LIMITS.sameAsMax).map((link, index) => {
    const url = /^https?:\/\//i.test(link) ? URL.parse(link) : null;
    return { position: index + 1, url, blocksBots: url !== null && blocksBots(url) };
  });
}

/** Returns the links in a value: itself, or a node's `@id`, or else its url. */
function linksIn(value: SchemaValue): string[] {
  if (typeof value === 'string' || typeof value === 'number') return [String(value).trim()];
  if (typeof value === 'boolean') return [];
  if (value.id !== null) return [value.id];
  const urls = value.properties.find(({ name }) => name === 'url')?.values ?? [];
  return urls.filter((url) => typeof url === 'string');
}
