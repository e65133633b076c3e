import type { SchemaNode, SchemaValue } from '../../evidence/structured-data.js';
import type { SchemaOrg } from '../../evidence/schema-org.js';
import { schemaOrg } from '../../evidence/schema-org.js';
import type { SafeText } from '../../evidence/safe-text.js';
import { joinSafeText, listed, listSafeText, term, safeText } from '../../evidence/safe-text.js';
import type { Entity, PageEntities } from '../../parse/structured-data/entities.js';
import { hasProperty } from '../../parse/structured-data/entities.js';
import type { Requirement } from '../../parse/structured-data/identity.js';
import { isOfType, missingGroups } from '../../parse/structured-data/identity.js';

/** A main node that lacks something that Google requires of its type. */
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
      // A remote job has no place, but says that it is remote or where its applicants may live.
      ['jobLocation', 'jobLocationType', 'applicantLocationRequirements'],
    ],
  },
  { type: 'Recipe', groups: [['name'], ['image']] },
  { type: 'VideoObject', groups: [['name'], ['thumbnailUrl'], ['uploadDate']] },
  { type: 'BreadcrumbList', groups: [['itemListElement']] },
  { type: 'FAQPage', groups: [['mainEntity']] },
] as const satisfies readonly Requirement[];

/**
 * Subtypes with purposes other than the rich result of their supertype, whose requirements therefore do not apply: variants,
 * ranges and data sheets, broadcasts, deliveries and instances of a course.
 */
const OTHER_USES: ReadonlyMap<string, readonly string[]> = new Map([
  ['Product', ['ProductCollection', 'ProductGroup', 'ProductModel', 'Drug', 'DietarySupplement']],
  ['Event', ['PublicationEvent', 'DeliveryEvent', 'CourseInstance', 'EventSeries', 'UserInteraction']],
]);

/** Main nodes examined per page; no honest page has this many. */
const SUBJECTS_MAX = 500;

/** What the main nodes of a page lack. */
export function findGaps(entities: PageEntities, vocabulary: SchemaOrg): Gap[] {
  const { isPageWhole } = entities;
  // What a node with an @id lacks may be in a part of the page that could not be read.
  const subjects = entities
    .main()
    .slice(0, SUBJECTS_MAX)
    .filter(({ node }) => isPageWhole || node.id === null);
  return subjects.flatMap((entity) =>
    GOOGLE_REQUIREMENTS.filter(({ type }) => isMeant(entity, type, vocabulary)).flatMap((requirement) => {
      const missing = [
        ...missingGroups(entity, requirement).map(describeGroup),
        ...missingInside(entity, requirement.type, entities),
      ];
      if (missing.length === 0) return [];
      return [{ node: entity.node, type: term(requirement.type), missing: listSafeText(missing) }];
    }),
  );
}

function isMeant(entity: Entity, type: string, vocabulary: SchemaOrg): boolean {
  if (!isOfType(entity, type, vocabulary)) return false;
  return !(OTHER_USES.get(type) ?? []).some((other) => isOfType(entity, other, vocabulary));
}

/** "name", or "one of offers/review/aggregateRating". */
export function describeGroup(group: readonly string[]): SafeText {
  const names = group.flatMap((property) => listed(property, schemaOrg().properties) ?? []);
  return names.length > 1 ? safeText`one of ${joinSafeText(names, '/')}` : joinSafeText(names, '');
}

function missingInside(entity: Entity, type: string, entities: PageEntities): SafeText[] {
  if (type === 'BreadcrumbList') return missingOfBreadcrumbs(entity.properties.get('itemListElement') ?? [], entities);
  if (type === 'FAQPage') return missingOfQuestions(entity.properties.get('mainEntity') ?? [], entities);
  return [];
}

/** List items and questions examined per node; no honest page has this many. */
const ITEMS_MAX = 1_000;

/** Google: each ListItem has position, name (or a named item) and item; the last may lack the item. */
function missingOfBreadcrumbs(items: readonly SchemaValue[], entities: PageEntities): SafeText[] {
  const things = items.slice(0, ITEMS_MAX).map((value) => describedThing(value, entities));
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

/** The list item with the highest position, since items may come in any order; without positions, the last one in the source. */
function findLast(things: readonly Described[]): Described | undefined {
  const positions = things.map((thing) => Number(valuesOf(thing, 'position')[0] ?? NaN));
  const greatest = positions.reduce((most, position) => Math.max(most, position), 0);
  return Number.isNaN(greatest) ? things.at(-1) : things[positions.lastIndexOf(greatest)];
}

/** Google: each Question has a name and an accepted (or suggested) answer with text. */
function missingOfQuestions(questions: readonly SchemaValue[], entities: PageEntities): SafeText[] {
  return questions.slice(0, ITEMS_MAX).flatMap((value, index) => {
    const question = describedThing(value, entities);
    const answers = ANSWERS.flatMap((name) => valuesOf(question, name)).map((answer) =>
      describedThing(answer, entities),
    );
    const isAnswered =
      answers.length > 0
        ? answers.some((answer) => answer === null || has(answer, 'text') || has(answer, 'name'))
        : ANSWERS.some((name) => has(question, name));
    const missing = [
      has(question, 'name') || has(question, 'text') ? null : term('name'),
      isAnswered ? null : term('an acceptedAnswer with text'),
    ];
    return missing.flatMap((name) => (name ? [safeText`${name} in question ${index + 1}`] : []));
  });
}

const ANSWERS = ['acceptedAnswer', 'suggestedAnswer'] as const;

/** The entity of a value; null for text, `elsewhere` for a reference to something that this page does not describe. */
type Described = Entity | null | 'elsewhere';

function describedThing(value: SchemaValue, entities: PageEntities): Described {
  if (value === true) return 'elsewhere';
  if (typeof value !== 'object') return null;
  const entity = entities.entityOf(value);
  return entity.node.isReference ? 'elsewhere' : entity;
}

/** Whether a thing has a property; one described elsewhere counts as having it. */
function has(thing: Described, property: string): boolean {
  return thing === 'elsewhere' || (thing !== null && hasProperty(thing, property));
}

function valuesOf(thing: Described, property: string): readonly SchemaValue[] {
  return thing === null || thing === 'elsewhere' ? [] : (thing.properties.get(property) ?? []);
}
