import { joinSafeText, listed, listSafeText, safeText, term, type SafeText } from '../artifacts/safe-text.js';
import { schemaOrg } from '../artifacts/schema-org.js';
import type { SchemaNode, SchemaValue } from '../artifacts/structured-data.js';
import { hasProperty, isOfType, type Entity, type PageEntities } from '../parsers/structured-data/entities.js';
import { missingGroups, type Requirement } from '../parsers/structured-data/identity.js';

/** A main node without a property that Google requires of its type. */
interface Gap {
  readonly node: SchemaNode;
  readonly type: SafeText;
  readonly missing: SafeText;
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
      // A remote job says that it is remote, or where its applicants may live.
      ['jobLocation', 'jobLocationType', 'applicantLocationRequirements'],
    ],
  },
  { type: 'Recipe', groups: [['name'], ['image']] },
  { type: 'VideoObject', groups: [['name'], ['thumbnailUrl'], ['uploadDate']] },
  { type: 'BreadcrumbList', groups: [['itemListElement']] },
] as const satisfies readonly Requirement[];

/**
 * Subtypes to which the requirements of their supertype do not apply, since they have other purposes: variants, ranges and data sheets,
 * broadcasts, deliveries and instances of a course.
 */
const OTHER_USES: ReadonlyMap<string, readonly string[]> = new Map([
  ['Product', ['ProductCollection', 'ProductGroup', 'ProductModel', 'Drug', 'DietarySupplement']],
  ['Event', ['PublicationEvent', 'DeliveryEvent', 'CourseInstance', 'EventSeries', 'UserInteraction']],
]);

/** Main nodes of a page that are examined at most. No honest page has as many. */
const SUBJECTS_MAX = 500;

/** Finds the main nodes of a page that lack required properties. */
export function findGaps(entities: PageEntities): Gap[] {
  // A part of the page that could not be read may complete a node with an @id.
  const subjects = entities
    .main()
    .slice(0, SUBJECTS_MAX)
    .filter(({ node }) => entities.isPageWhole || node.id === null);
  return subjects.flatMap((entity) =>
    GOOGLE_REQUIREMENTS.filter(({ type }) => isInScope(entity, type)).flatMap((requirement) => {
      const missing = [
        ...missingGroups(entity, requirement).map(describeGroup),
        ...(requirement.type === 'BreadcrumbList' ? missingInItems(entity, entities) : []),
      ];
      if (missing.length === 0) return [];
      return [{ node: entity.node, type: term(requirement.type), missing: listSafeText(missing) }];
    }),
  );
}

function isInScope(entity: Entity, type: string): boolean {
  if (!isOfType(entity, type)) return false;
  return !(OTHER_USES.get(type) ?? []).some((other) => isOfType(entity, other));
}

/** "name", or "one of offers/review/aggregateRating". */
export function describeGroup(group: readonly string[]): SafeText {
  const names = group.flatMap((property) => listed(property, schemaOrg().properties) ?? []);
  return names.length > 1 ? safeText`one of ${joinSafeText(names, '/')}` : joinSafeText(names, '');
}

/** List items of a node that are examined at most. No honest page has as many. */
const ITEMS_MAX = 1_000;

/** Google: each ListItem has position, name (or a named item) and item; the last may lack the item. */
function missingInItems(entity: Entity, entities: PageEntities): SafeText[] {
  const things = (entity.properties.get('itemListElement') ?? [])
    .slice(0, ITEMS_MAX)
    .map((value) => describedThing(value, entities));
  const last = findLast(things);
  return things.flatMap((thing, index) => {
    const target = valuesOf(thing, 'item').map((inner) => describedThing(inner, entities));
    const missing = [
      has(thing, 'position') ? null : term('position'),
      has(thing, 'name') || target.some((inner) => has(inner, 'name')) ? null : term('name'),
      thing === last || has(thing, 'item') ? null : term('item'),
    ];
    return missing.flatMap((name) => (name ? [safeText`${name} in list item ${index + 1}`] : []));
  });
}

/** Returns the list item with the highest position, since items may be in any order; without positions, the last one. */
function findLast(things: readonly Described[]): Described | undefined {
  const positions = things.map((thing) => Number(valuesOf(thing, 'position')[0] ?? NaN));
  const greatest = positions.reduce((most, position) => Math.max(most, position), 0);
  return Number.isNaN(greatest) ? things.at(-1) : things[positions.lastIndexOf(greatest)];
}

/** The entity of a value; null for text, `elsewhere` for a reference that this page does not describe. */
type Described = Entity | null | 'elsewhere';

function describedThing(value: SchemaValue, entities: PageEntities): Described {
  if (value === true) return 'elsewhere';
  if (typeof value !== 'object') return null;
  const entity = entities.entityOf(value);
  return entity.node.isReference ? 'elsewhere' : entity;
}

/** True if a thing has a property, or is described elsewhere. */
function has(thing: Described, property: string): boolean {
  if (thing === null || thing === 'elsewhere') return thing === 'elsewhere';
  return hasProperty(thing, property);
}

function valuesOf(thing: Described, property: string): readonly SchemaValue[] {
  return thing === null || thing === 'elsewhere' ? [] : (thing.properties.get(property) ?? []);
}
