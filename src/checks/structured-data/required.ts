import type { SchemaNode, SchemaValue } from '../../domain/evidence/structured-data.js';
import type { SchemaOrg } from '../../domain/schema-org.js';
import { schemaOrg } from '../../domain/schema-org.js';
import type { Words } from '../../domain/words.js';
import { joinWords, listed, term, words } from '../../domain/words.js';
import type { Entity, PageEntities } from '../../parse/structured-data/entities.js';
import type { Requirement } from '../../parse/structured-data/identity.js';
import { isOfType, missingGroups } from '../../parse/structured-data/identity.js';

/** A main node that lacks something which Google requires of its type. */
interface Gap {
  readonly node: SchemaNode;
  readonly type: Words;
  readonly missing: Words;
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
      // A remote job names no place, but says that it is remote or where its applicants may live.
      ['jobLocation', 'jobLocationType', 'applicantLocationRequirements'],
    ],
  },
  { type: 'Recipe', groups: [['name'], ['image']] },
  { type: 'VideoObject', groups: [['name'], ['thumbnailUrl'], ['uploadDate']] },
  { type: 'BreadcrumbList', groups: [['itemListElement']] },
  { type: 'FAQPage', groups: [['mainEntity']] },
] as const satisfies readonly Requirement[];

/**
 * Subtypes that are used for something else than the rich result of their supertype, so that its requirements say
 * nothing about them: variants and data sheets, broadcasts, deliveries and runs of a course.
 */
const OTHER_USES: ReadonlyMap<string, readonly string[]> = new Map([
  ['Product', ['ProductGroup', 'ProductModel', 'Drug', 'DietarySupplement']],
  ['Event', ['PublicationEvent', 'DeliveryEvent', 'CourseInstance', 'EventSeries', 'UserInteraction']],
]);

/** What the main nodes of a page lack. */
export function findGaps(entities: PageEntities, vocabulary: SchemaOrg): Gap[] {
  return entities.main().flatMap((entity) =>
    GOOGLE_REQUIREMENTS.filter(({ type }) => isMeant(entity, type, vocabulary)).flatMap((requirement) => {
      const missing = [
        ...missingGroups(entity, requirement).map(describeGroup),
        ...missingInside(entity, requirement.type, entities),
      ];
      if (missing.length === 0) return [];
      return [{ node: entity.node, type: term(requirement.type), missing: joinWords(missing, ', ') }];
    }),
  );
}

function isMeant(entity: Entity, type: string, vocabulary: SchemaOrg): boolean {
  if (!isOfType(entity, type, vocabulary)) return false;
  return !(OTHER_USES.get(type) ?? []).some((other) => isOfType(entity, other, vocabulary));
}

/** "name", or "one of offers, review, aggregateRating". */
export function describeGroup(group: readonly string[]): Words {
  const names = group.flatMap((property) => listed(property, schemaOrg().properties) ?? []);
  const list = joinWords(names, ', ');
  return names.length > 1 ? words`one of ${list}` : list;
}

function missingInside(entity: Entity, type: string, entities: PageEntities): Words[] {
  if (type === 'BreadcrumbList') return missingOfBreadcrumbs(entity.properties.get('itemListElement') ?? [], entities);
  if (type === 'FAQPage') return missingOfQuestions(entity.properties.get('mainEntity') ?? [], entities);
  return [];
}

/** Google: each ListItem has position, name (or a named item) and item; the last may lack the item. */
function missingOfBreadcrumbs(items: readonly SchemaValue[], entities: PageEntities): Words[] {
  return items.flatMap((value, index) => {
    const item = describedThing(value, entities);
    if (item === 'elsewhere') return [];
    const target = (item?.properties.get('item') ?? []).map((inner) => describedThing(inner, entities));
    const isNamed = item?.properties.has('name') === true || target.some((thing) => isNamedThing(thing));
    const isLast = index === items.length - 1;
    const missing = [
      item?.properties.has('position') === true ? null : term('position'),
      isNamed ? null : term('name'),
      isLast || target.length > 0 ? null : term('item'),
    ];
    return missing.flatMap((name) => (name ? [words`${name} of list item ${index + 1}`] : []));
  });
}

function isNamedThing(thing: Described): boolean {
  return thing === 'elsewhere' || thing?.properties.has('name') === true;
}

/** Google: each Question has a name and an accepted (or suggested) answer with text. */
function missingOfQuestions(questions: readonly SchemaValue[], entities: PageEntities): Words[] {
  return questions.flatMap((value, index) => {
    const question = describedThing(value, entities);
    if (question === 'elsewhere') return [];
    const answers = ['acceptedAnswer', 'suggestedAnswer'].flatMap((name) => question?.properties.get(name) ?? []);
    const hasQuestion = question?.properties.has('name') === true || question?.properties.has('text') === true;
    const missing = [
      hasQuestion ? null : term('name'),
      answers.some((answer) => hasText(answer, entities)) ? null : term('acceptedAnswer with text'),
    ];
    return missing.flatMap((name) => (name ? [words`${name} of question ${index + 1}`] : []));
  });
}

function hasText(answer: SchemaValue, entities: PageEntities): boolean {
  const thing = describedThing(answer, entities);
  return thing === null || thing === 'elsewhere' || thing.properties.has('text') || thing.properties.has('name');
}

/** The entity that a value is; null for text, `elsewhere` for a reference to something that this page does not describe. */
type Described = Entity | null | 'elsewhere';

function describedThing(value: SchemaValue, entities: PageEntities): Described {
  if (value === true) return 'elsewhere';
  if (typeof value !== 'object') return null;
  const entity = entities.entityOf(value);
  return entity.node.isReference ? 'elsewhere' : entity;
}
