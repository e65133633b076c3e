import { joinSafeText, findTerm, listSafeText, safeText, term, type SafeText } from '../artifacts/safe-text.js';
import { schemaOrg } from '../artifacts/schema-org.js';
import { isSameSite } from '../../net/url-gate.js';
import type { SchemaValue, StructuredPage } from '../artifacts/structured-data.js';
import { hasProperty, isOfType, PageEntities, textsOf, type Entity } from '../parsers/structured-data/entities.js';
import {
  findIdentities,
  hasMisspeltIdentity,
  isComplete,
  missingGroups,
  type IdentityEntity,
  type Requirement,
} from '../parsers/structured-data/identity.js';
import { defineCheck } from '../verdict/check.js';
import { fail, notApplicable, pass, undetermined, type Verdict } from '../verdict/verdict.js';
import { IDENTITY } from './fixes.js';
import { describeOtherForms, describePlace, judgeWithoutNodes } from './json-ld-places.js';

/** Maximum number of incomplete entities that `detail` describes. It counts the others. */
const DESCRIBED_MAX = 3;

/**
 * Does the JSON-LD say who runs the site, and are its main nodes complete? Only properties that Google's structured data pages require
 * count, not recommended ones. If a block of the home page is broken or was not read, it may contain a complete identity node, so its
 * absence is not proven. The broken block is C-SD-01's defect, and a misspelt type or property is C-SD-02's.
 */
export const cSd03 = defineCheck({
  id: 'C-SD-03',
  revision: 3,
  pillar: 'C',
  title: 'JSON-LD entities',
  shortName: 'Entities',
  answer: 'The JSON-LD says who runs the site.',
  explanation:
    'Before an agent quotes or recommends you, it needs to know who you are. One complete identity node on the home page (an organization, a local business, a person or the web site itself) tells it. Products, events, jobs, recipes, videos and breadcrumbs need the properties that Google requires. Without them, they are left out of search results and answers. We read the home page and up to three other pages of the site, or up to five that its owner chose.',
  judgedBy: ['schema-org', 'google-structured-data'],
  unlocks: ['sameAs'],
  failures: {
    ENTITY_INCOMPLETE: {
      severity: 'MISSING',
      headline: 'JSON-LD does not fully say who runs the site, or what is on it',
      fix: `Add one complete node to the home page that says who you are. Add the missing properties named in the finding to the other nodes.

One of these is enough: an Organization with name, url and one of logo, description or sameAs; a LocalBusiness with name and address; a Person with name; a WebSite with name and url.

${IDENTITY}

Google lists the required properties of other types at https://developers.google.com/search/docs/appearance/structured-data/search-gallery`,
    },
  },
  needs: ['structuredData'],
  judge: ({ structuredData }) => {
    const withoutNodes = judgeWithoutNodes(structuredData);
    if (withoutNodes) return withoutNodes;
    const identity = judgeIdentity(structuredData.pages[0]);
    const incomplete = structuredData.pages.flatMap(describeIncomplete);
    if (incomplete.length === 0 && identity.result === 'PASS') {
      const otherForms = describeOtherForms(structuredData.pages);
      return otherForms ? undetermined(identity.detail, otherForms) : identity;
    }
    if (incomplete.length === 0) return identity;
    const rest = incomplete.length - DESCRIBED_MAX;
    return fail(
      'ENTITY_INCOMPLETE',
      identity.result === 'FAIL' ? identity.detail : null,
      ...incomplete.slice(0, DESCRIBED_MAX),
      rest > 0 ? safeText`And ${rest} more.` : null,
    );
  },
});

const INCOMPLETE = safeText`The part of the home page that we could read does not fully say who runs the site.`;

/** Judges whether the home page fully describes who is behind the site. */
function judgeIdentity(home: StructuredPage): Verdict<'ENTITY_INCOMPLETE'> {
  const entities = PageEntities.of(home);
  const identities = findIdentities(entities);
  const complete = identities.filter(isComplete);
  const best = complete.find(({ requirement }) => requirement.type !== 'WebSite') ?? complete[0];
  if (best) {
    return pass(
      safeText`${describePlace(home, best.entity.node)}: the ${term(best.requirement.type)} is complete and says who runs the site.`,
      describeDoubt(home, best),
    );
  }
  if (home.page.facts.isMalformed) {
    return undetermined(
      INCOMPLETE,
      safeText`The page is sent as XHTML, but is not well-formed XML, so parsers disagree about its content.`,
    );
  }
  if (home.blocks.some(({ kind }) => kind === 'broken'))
    return notApplicable(INCOMPLETE, safeText`One of its JSON-LD blocks is broken (see C-SD-01).`);
  const otherForms = describeOtherForms([home]);
  if (otherForms) return undetermined(INCOMPLETE, otherForms);
  if (!entities.isPageComplete)
    return undetermined(INCOMPLETE, safeText`The page, or its JSON-LD, is larger than this scanner reads.`);
  const [first] = identities;
  if (first) {
    const missing = listSafeText(first.missing.map(describeGroup));
    return fail(
      'ENTITY_INCOMPLETE',
      safeText`${describePlace(home, first.entity.node)}: ${term(first.requirement.type)} lacks ${missing}. No identity on the page is complete.`,
    );
  }
  if (hasMisspeltIdentity(entities)) {
    return notApplicable(
      safeText`The item that says who runs the site has a type that is not in schema.org (see C-SD-02).`,
    );
  }
  return fail(
    'ENTITY_INCOMPLETE',
    safeText`The home page does not say who runs the site. It has no Organization, LocalBusiness, Person or WebSite at the top level, or as the publisher or provider of an item there.`,
  );
}

/** Describes a remaining doubt about who is behind the site; null if there is none. */
function describeDoubt(home: StructuredPage, { entity, requirement }: IdentityEntity): SafeText | null {
  if (requirement.type === 'WebSite') {
    return safeText`It names no organization or person. Add one as its publisher.`;
  }
  const urls = textsOf(entity, 'url').flatMap((url) => URL.parse(url, home.page.url) ?? []);
  if (urls.length === 0 || urls.some((url) => isSameSite(url, home.page.url))) return null;
  return safeText`Its url is on another domain. Unless that is your parent company's, use the address of this site.`;
}

/** One property of each group is required (Google Search Central, "Structured data", each type's "Required properties"). */
const GOOGLE_REQUIREMENTS = [
  { type: 'Product', groups: [['name'], ['offers', 'review', 'aggregateRating']] },
  { type: 'Event', groups: [['name'], ['startDate'], ['location']] },
  {
    type: 'JobPosting',
    groups: [
      ['title'],
      ['description'],
      ['datePosted'],
      ['hiringOrganization'],
      // A remote job states that it is remote, or where applicants may live.
      ['jobLocation', 'jobLocationType', 'applicantLocationRequirements'],
    ],
  },
  { type: 'Recipe', groups: [['name'], ['image']] },
  { type: 'VideoObject', groups: [['name'], ['thumbnailUrl'], ['uploadDate']] },
  { type: 'BreadcrumbList', groups: [['itemListElement']] },
] as const satisfies readonly Requirement[];

/**
 * Subtypes that need not meet the requirements of their supertype, since they have other purposes: variants, ranges and data sheets;
 * broadcasts, deliveries and instances of a course.
 */
const EXEMPT_SUBTYPES: ReadonlyMap<string, readonly string[]> = new Map([
  ['Product', ['ProductCollection', 'ProductGroup', 'ProductModel', 'Drug', 'DietarySupplement']],
  ['Event', ['PublicationEvent', 'DeliveryEvent', 'CourseInstance', 'EventSeries', 'UserInteraction']],
]);

/** Maximum number of main nodes per page that are examined. No real page has as many. */
const SUBJECTS_MAX = 500;

/** Describes the main nodes of a page that lack properties that Google requires. */
function describeIncomplete(page: StructuredPage): SafeText[] {
  const entities = PageEntities.of(page);
  // A part of the page that could not be read may complete a node with an @id.
  const subjects = entities
    .main()
    .slice(0, SUBJECTS_MAX)
    .filter(({ node }) => entities.isPageComplete || node.id === null);
  return subjects.flatMap((entity) =>
    GOOGLE_REQUIREMENTS.filter(({ type }) => isInScope(entity, type)).flatMap((requirement) => {
      const missing = [
        ...missingGroups(entity, requirement).map(describeGroup),
        ...(requirement.type === 'BreadcrumbList' ? listMissingInItems(entity, entities) : []),
      ];
      if (missing.length === 0) return [];
      return safeText`${describePlace(page, entity.node)}: ${term(requirement.type)} lacks ${listSafeText(missing)}.`;
    }),
  );
}

function isInScope(entity: Entity, type: string): boolean {
  if (!isOfType(entity, type)) return false;
  return !(EXEMPT_SUBTYPES.get(type) ?? []).some((other) => isOfType(entity, other));
}

/** Names properties: "name", or "one of offers/review/aggregateRating". */
function describeGroup(group: readonly string[]): SafeText {
  const names = group.flatMap((property) => findTerm(property, schemaOrg().properties) ?? []);
  return names.length > 1 ? safeText`one of ${joinSafeText(names, '/')}` : joinSafeText(names, '');
}

/** Maximum number of list items per node that are examined. No real page has as many. */
const ITEMS_MAX = 1_000;

/** Lists what items lack. Google requires position, name (or a named item) and item; the last item needs no `item`. */
function listMissingInItems(entity: Entity, entities: PageEntities): SafeText[] {
  const things = (entity.properties.get('itemListElement') ?? [])
    .slice(0, ITEMS_MAX)
    .map((value) => toThing(value, entities));
  const last = findLast(things);
  return things.flatMap((thing, index) => {
    const target = valuesOf(thing, 'item').map((inner) => toThing(inner, entities));
    const missing = [
      mayHave(thing, 'position') ? null : term('position'),
      mayHave(thing, 'name') || target.some((inner) => mayHave(inner, 'name')) ? null : term('name'),
      thing === last || mayHave(thing, 'item') ? null : term('item'),
    ];
    return missing.flatMap((name) => (name ? [safeText`${name} in list item ${index + 1}`] : []));
  });
}

/** Returns the list item with the highest position, since items may be in any order; without positions, the last one. */
function findLast(things: readonly Thing[]): Thing | undefined {
  const positions = things.map((thing) => Number(valuesOf(thing, 'position')[0] ?? NaN));
  const highest = positions.reduce((max, position) => Math.max(max, position), 0);
  return Number.isNaN(highest) ? things.at(-1) : things[positions.lastIndexOf(highest)];
}

/** A list item or its target: null for text, `elsewhere` if this page only refers to it. */
type Thing = Entity | null | 'elsewhere';

function toThing(value: SchemaValue, entities: PageEntities): Thing {
  if (value === true) return 'elsewhere';
  if (typeof value !== 'object') return null;
  const entity = entities.entityOf(value);
  return entity.node.isReference ? 'elsewhere' : entity;
}

/** True if a thing has the property, or may have it elsewhere. */
function mayHave(thing: Thing, property: string): boolean {
  if (thing === null || thing === 'elsewhere') return thing === 'elsewhere';
  return hasProperty(thing, property);
}

function valuesOf(thing: Thing, property: string): readonly SchemaValue[] {
  return thing === null || thing === 'elsewhere' ? [] : (thing.properties.get(property) ?? []);
}
