import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

/**
 * The schema.org release in this version of @vocabulary/schema. The package does not state it; we compared its classes and
 * properties with schema.org's published releases.
 */
const PINNED = '1.1.0'; // schema.org 29.4

/**
 * Terms that schema.org published after the pinned release, up to {@link RELEASE}, so that no site fails for using them. Empty this list
 * when the package is updated.
 */
const NEWER = {
  types: {
    Credential: ['CreativeWork'],
    DENonprofitType: ['NonprofitType'],
    DeclarationOfConformity: ['Thing'],
    DigitalProductPassport: ['Thing'],
    EnvironmentalProductDeclaration: ['Thing'],
    ITNonprofitType: ['NonprofitType'],
  },
  properties: [
    'authorizedRepresentative',
    'consumerNotice',
    'hasDigitalProductPassport',
    'importer',
    'isOftenBoughtWith',
    'itemPopularity',
    'jobDuration',
    'minimumOrderValue',
    'recycledContentPercentage',
    'specification',
    'substanceOfConcern',
    'valueGroup',
  ],
};

/** Release of the pinned vocabulary with {@link NEWER}. */
const RELEASE = '30.1';

/** Terms that schema.org has withdrawn, which are no misspellings. */
const RETIRED = {
  types: ['Audiology', 'DeliveryTimeSettings', 'ProductReturnEnumeration', 'ProductReturnPolicy'],
  properties: [
    'hasProductReturnPolicy',
    'productReturnDays',
    'productReturnLink',
    'shippingLabel',
    'shippingSettingsLink',
    'transitTimeLabel',
    'variablesMeasured',
  ],
};

const TEXT_TYPES = ['Text', 'CssSelectorType', 'PronounceableText', 'XPathType'];
const KIND_OF_DATA_TYPE = new Map([
  ...TEXT_TYPES.map((name) => [name, 'text'] as const),
  ['Boolean', 'boolean'],
  ['Date', 'date'],
  ['DateTime', 'date'],
  ['Float', 'number'],
  ['Integer', 'number'],
  ['Number', 'number'],
  ['Time', 'time'],
  ['URL', 'url'],
]);

/**
 * Reduces the pinned schema.org release with its pending terms to what the checks need: types with their supertypes, enumeration members,
 * and properties with the kinds of value in their range (only "text" if text is allowed, since then any value is possible).
 * @throws Error if the installed package is not the pinned one
 */
export function buildSchemaOrg(): string {
  const quads = parseQuads(readPinnedVocabulary());
  const kinds = objectsBySubject(quads, 'type');
  const supertypes = objectsBySubject(quads, 'subClassOf');
  const ranges = objectsBySubject(quads, 'rangeIncludes');
  const isProperty = (name: string): boolean => kinds.get(name)?.includes('Property') === true;
  // Medical specialties are both enumeration members and types of businesses, but are declared only as members.
  const isType = (name: string): boolean => kinds.get(name)?.includes('Class') === true || supertypes.has(name);
  const names = [...new Set([...kinds.keys(), ...supertypes.keys()])].toSorted();
  const vocabulary = {
    release: RELEASE,
    types: sortEntries([
      ...names
        .filter((name) => isType(name) && !isProperty(name))
        .map((name) => [name, supertypes.get(name) ?? []] as const),
      ...Object.entries(NEWER.types),
      ...RETIRED.types.map((name) => [name, ['Thing']] as const),
    ]),
    members: names.filter((name) => !isType(name) && !isProperty(name)),
    properties: sortEntries([
      ...names.filter(isProperty).map((name) => [name, summarizeRange(ranges.get(name) ?? [])] as const),
      ...[...NEWER.properties, ...RETIRED.properties].map((name) => [name, 'text'] as const),
    ]),
  };
  // One entry per line, so that a new release gives a readable diff.
  return `${JSON.stringify(vocabulary).replaceAll(/(?<=["\]}]),(?=")/g, ',\n')}\n`;
}

function readPinnedVocabulary(): string {
  const root = pathToFileURL(createRequire(import.meta.url).resolve('@vocabulary/schema'));
  const { version } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as { version: string };
  if (version !== PINNED) {
    throw new Error(
      `@vocabulary/schema is ${version}: find out which release of schema.org it holds, then update PINNED`,
    );
  }
  return readFileSync(new URL('schema.nq', root), 'utf8');
}

interface Quad {
  readonly subject: string;
  readonly predicate: string;
  readonly object: string;
}

/** Returns the local names of quads whose subject is a schema.org term and whose object is an IRI. */
function parseQuads(text: string): Quad[] {
  const line = /^<http:\/\/schema\.org\/(\w+)> <[^>]*[/#](\w+)> <[^>]*[/#](\w+)> /gm;
  return Array.from(text.matchAll(line), ([, subject = '', predicate = '', object = '']) => ({
    subject,
    predicate,
    object,
  }));
}

function objectsBySubject(quads: readonly Quad[], predicate: string): ReadonlyMap<string, readonly string[]> {
  const bySubject = Map.groupBy(
    quads.filter((quad) => quad.predicate === predicate),
    ({ subject }) => subject,
  );
  return new Map([...bySubject].map(([subject, group]) => [subject, group.map(({ object }) => object).toSorted()]));
}

function summarizeRange(range: readonly string[]): string {
  const kinds = new Set(range.map((type) => KIND_OF_DATA_TYPE.get(type) ?? 'node'));
  return kinds.has('text') || kinds.size === 0 ? 'text' : [...kinds].toSorted().join(' ');
}

function sortEntries<T>(entries: readonly (readonly [string, T])[]): Record<string, T> {
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
