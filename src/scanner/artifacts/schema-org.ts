import { readFileSync } from 'node:fs';
import { getOrCreate } from '../../net/keyed.js';
import { generatedVocabulary, type Vocabulary } from './safe-text.js';

/** The kinds of value that a property's range allows. If it allows text, only text is listed, since any value is valid. */
export type ValueKind = 'boolean' | 'date' | 'node' | 'number' | 'text' | 'time' | 'url';

/** A schema.org release, including pending and withdrawn terms, since those are not misspellings. */
export interface SchemaOrg {
  readonly types: Vocabulary;
  readonly members: ReadonlySet<string>;
  readonly properties: Vocabulary;
  readonly isA: (type: string, ancestor: string) => boolean;
  /** Returns the kinds of value of a property; text for an unknown property. */
  readonly kindsOf: (property: string) => readonly ValueKind[];
}

interface ReducedSchemaOrg {
  readonly types: Readonly<Record<string, readonly string[]>>;
  readonly members: readonly string[];
  readonly properties: Readonly<Record<string, string>>;
}

let loaded: SchemaOrg | null = null;

/** Returns the vocabulary, read on first use. Its source is spec/schema-org.json. */
export function schemaOrg(): SchemaOrg {
  loaded ??= load(new URL('../../../generated/schema-org.json', import.meta.url));
  return loaded;
}

function load(file: URL): SchemaOrg {
  const reduced = JSON.parse(readFileSync(file, 'utf8')) as ReducedSchemaOrg;
  const supertypes = new Map(Object.entries(reduced.types));
  const kinds = new Map(
    Object.entries(reduced.properties).map(([name, range]) => [name, range.split(' ') as ValueKind[]]),
  );
  const ancestorsByType = new Map<string, ReadonlySet<string>>();
  return {
    types: generatedVocabulary(supertypes.keys()),
    members: new Set(reduced.members),
    properties: generatedVocabulary(kinds.keys()),
    isA: (type, ancestor) =>
      type === ancestor ||
      (supertypes.has(type) &&
        getOrCreate(ancestorsByType, type, () => collectAncestors(type, supertypes)).has(ancestor)),
    kindsOf: (property) => kinds.get(property) ?? ['text'],
  };
}

function collectAncestors(type: string, supertypes: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const ancestors = new Set([type]);
  // A Set's iteration also visits members added during the loop.
  for (const name of ancestors) for (const supertype of supertypes.get(name) ?? []) ancestors.add(supertype);
  return ancestors;
}
