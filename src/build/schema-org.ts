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
  const classes = subjectsOf(quads, 'type', 'Class');
  const properties = subjectsOf(quads, 'type', 'Property');
  const supertypes = objectsBySubject(quads, 'subClassOf');
  const ranges = objectsBySubject(quads, 'rangeIncludes');
  // Medical specialties are both enumeration members and types of businesses, but are declared only as members.
  const typed = new Set([...classes, ...[...supertypes.keys()].filter((name) => !properties.has(name))]);
  const isTerm = (name: string): boolean => typed.has(name) || properties.has(name);
  const members = quads.filter(({ subject, predicate }) => predicate === 'type' && !isTerm(subject));
  return formatJson({
    release: RELEASE,
    types: sortEntries([
      ...[...typed].map((name) => [name, (supertypes.get(name) ?? []).toSorted()] as const),
      ...Object.entries(NEWER.types),
      ...RETIRED.types.map((name): [string, string[]] => [name, ['Thing']]),
    ]),
    members: [...new Set(members.map(({ subject }) => subject))].toSorted(),
    properties: sortEntries([
      ...[...properties].map((name) => [name, summarizeRange(ranges.get(name) ?? [])] as const),
      ...[...NEWER.properties, ...RETIRED.properties].map((name) => [name, 'text'] as const),
    ]),
    retired: [...RETIRED.types, ...RETIRED.properties].toSorted(),
  });
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

function subjectsOf(quads: readonly Quad[], predicate: string, object: string): Set<string> {
  return new Set(
    quads.filter((quad) => quad.predicate === predicate && quad.object === object).map((quad) => quad.subject),
  );
}

function objectsBySubject(quads: readonly Quad[], predicate: string): Map<string, string[]> {
  const bySubject = new Map<string, string[]>();
  for (const quad of quads) {
    if (quad.predicate !== predicate) continue;
    const objects = bySubject.get(quad.subject);
    if (objects) objects.push(quad.object);
    else bySubject.set(quad.subject, [quad.object]);
  }
  return bySubject;
}

function summarizeRange(range: readonly string[]): string {
  const kinds = new Set(range.map((type) => KIND_OF_DATA_TYPE.get(type) ?? 'node'));
  return kinds.has('text') || kinds.size === 0 ? 'text' : [...kinds].toSorted().join(' ');
}

function sortEntries<T>(entries: readonly (readonly [string, T])[]): Record<string, T> {
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Formats one entry per line, so that a new release gives a readable diff. */
function formatJson(document: Record<string, string | readonly string[] | Record<string, unknown>>): string {
  const fields = Object.entries(document).map(([name, value]) => {
    if (typeof value === 'string') return `  ${JSON.stringify(name)}: ${JSON.stringify(value)}`;
    const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
    const entries = Object.entries(value).map(([key, entry]) =>
      Array.isArray(value) ? JSON.stringify(entry) : `${JSON.stringify(key)}: ${JSON.stringify(entry)}`,
    );
    return `  ${JSON.stringify(name)}: ${open}\n    ${entries.join(',\n    ')}\n  ${close}`;
  });
  return `{\n${fields.join(',\n')}\n}\n`;
}
