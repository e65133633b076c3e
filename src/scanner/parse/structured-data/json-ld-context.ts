import type { SchemaTerm } from '../../evidence/structured-data.js';
import type { JsonObject, JsonValue } from '../json.js';

/**
 * The part of a JSON-LD 1.1 context (§4.1) that decides which names are schema.org's. One layer holds one `@context` value;
 * inherited layers are linked rather than merged, so that a hostile page cannot make us copy them.
 */
export interface ContextLayer {
  readonly inherited: ContextLayer | null;
  readonly vocabulary: 'schema.org' | 'other' | 'none';
  /** A remote context other than schema.org's is in force: it may define any name. */
  readonly isOpen: boolean;
  readonly definitions: ReadonlyMap<string, TermDefinition>;
}

interface TermDefinition {
  /** What the name means; null if it is set to null, undefined if the definition does not say. */
  readonly iri: string | null | undefined;
  /** Its values are not plain JSON-LD: an index or language map, `@json`, a reverse property, or a scoped context. */
  readonly isOpaque: boolean;
}

export const NO_CONTEXT: ContextLayer = {
  inherited: null,
  vocabulary: 'none',
  isOpen: false,
  definitions: new Map(),
};

/** What a name in a JSON-LD object means. */
export type Meaning =
  | { readonly kind: 'keyword'; readonly keyword: string }
  | { readonly kind: 'schema.org'; readonly term: SchemaTerm; readonly isOpaque: boolean }
  | { readonly kind: 'other' };

const OTHER: Meaning = { kind: 'other' };

/** Most contexts of one array that are read; the rest count as one that may define any name. */
const CONTEXTS_MAX = 20;
/** Most terms that one context value may define; beyond that, the same applies. */
const DEFINITIONS_MAX = 5_000;

/**
 * schema.org as a context: http or https, with or without slash, www or the name of one of its extensions ("auto.schema.org"), or
 * the document itself; a bare "schema.org" counts too.
 */
const SCHEMA_ORG_CONTEXT =
  /^(?:(?:https?:)?\/\/)?(?:[a-z-]+\.)?schema\.org(?:\/(?:docs\/jsonldcontext\.jsonl?d?)?)?#?$/i;
const SCHEMA_ORG_NAMESPACE = /^https?:\/\/(?:[a-z-]+\.)?schema\.org\//i;
const KEYWORD_ALIASES = new Map([
  ['id', '@id'],
  ['type', '@type'],
]);

/** The context in force inside an object with this `@context`, on top of the inherited one. */
export function applyContext(context: JsonValue, inherited: ContextLayer): ContextLayer {
  const parts = Array.isArray(context) ? (context as readonly JsonValue[]) : [context];
  const definitions = new Map<string, TermDefinition>();
  let layer: ContextLayer = { ...inherited, inherited, definitions };
  for (const part of parts.slice(0, CONTEXTS_MAX)) layer = addPart(part, layer, definitions);
  return parts.length > CONTEXTS_MAX ? { ...layer, isOpen: true } : layer;
}

/** @param definitions the layer's map, to which all its parts add */
function addPart(part: JsonValue, layer: ContextLayer, definitions: Map<string, TermDefinition>): ContextLayer {
  if (part === null) {
    definitions.clear();
    return { ...NO_CONTEXT, definitions };
  }
  if (typeof part === 'string') {
    return isSchemaOrg(part) ? { ...layer, vocabulary: 'schema.org' } : { ...layer, isOpen: true };
  }
  if (!(part instanceof Map)) return layer;
  const object = part as JsonObject;
  const isImporting = object.has('@import');
  const vocabulary = object.has('@vocab') ? vocabularyOf(object.get('@vocab')) : layer.vocabulary;
  for (const [name, value] of object) {
    if (definitions.size >= DEFINITIONS_MAX) return { ...layer, vocabulary, isOpen: true };
    if (!name.startsWith('@')) definitions.set(name, readDefinition(value));
  }
  return { ...layer, vocabulary, isOpen: layer.isOpen || isImporting };
}

function isSchemaOrg(context: string): boolean {
  return SCHEMA_ORG_CONTEXT.test(context.trim());
}

function vocabularyOf(value: JsonValue | undefined): ContextLayer['vocabulary'] {
  if (typeof value !== 'string') return 'none';
  return isSchemaOrg(value) ? 'schema.org' : 'other';
}

function readDefinition(value: JsonValue): TermDefinition {
  if (value === null || typeof value === 'string') return { iri: value, isOpaque: false };
  if (!(value instanceof Map)) return { iri: null, isOpaque: true };
  const definition = value as JsonObject;
  const iri = definition.get('@id');
  const container = definition.get('@container') ?? '@set';
  const isOpaque =
    definition.has('@context') ||
    definition.has('@reverse') ||
    definition.get('@type') === '@json' ||
    !(container === '@set' || container === '@list');
  return { iri: typeof iri === 'string' || iri === null ? iri : undefined, isOpaque };
}

/** What `name` (a key, or a value of `@type`) means in this context. */
export function meaningOf(name: string, context: ContextLayer): Meaning {
  if (name.startsWith('@')) return { kind: 'keyword', keyword: name };
  const definition = findDefinition(name, context);
  if (definition?.iri !== undefined) return meaningOfDefinition(definition, definition.iri, context);
  if (name.includes(':')) return meaningOfIri(expandPrefix(name, context), false);
  if (context.vocabulary !== 'schema.org') return OTHER;
  const keyword = KEYWORD_ALIASES.get(name);
  if (keyword !== undefined) return { kind: 'keyword', keyword };
  return {
    kind: 'schema.org',
    term: { name, isCertain: !context.isOpen },
    isOpaque: definition?.isOpaque ?? false,
  };
}

function findDefinition(name: string, context: ContextLayer): TermDefinition | undefined {
  for (let layer: ContextLayer | null = context; layer; layer = layer.inherited) {
    const definition = layer.definitions.get(name);
    if (definition) return definition;
  }
  return undefined;
}

function meaningOfDefinition(definition: TermDefinition, iri: string | null, context: ContextLayer): Meaning {
  if (iri === null) return OTHER;
  if (iri.startsWith('@')) return { kind: 'keyword', keyword: iri };
  if (iri.includes(':')) return meaningOfIri(expandPrefix(iri, context), definition.isOpaque);
  if (context.vocabulary !== 'schema.org') return OTHER;
  return { kind: 'schema.org', term: { name: iri, isCertain: false }, isOpaque: definition.isOpaque };
}

/** `schema:name` as an IRI, if the prefix is defined; schema.org's own context defines `schema`. */
function expandPrefix(name: string, context: ContextLayer): string {
  const colon = name.indexOf(':');
  const prefix = name.slice(0, colon);
  const namespace = findDefinition(prefix, context)?.iri;
  if (typeof namespace === 'string') return namespace + name.slice(colon + 1);
  if (prefix === 'schema' && context.vocabulary === 'schema.org') return `https://schema.org/${name.slice(colon + 1)}`;
  return name;
}

function meaningOfIri(iri: string, isOpaque: boolean): Meaning {
  const namespace = SCHEMA_ORG_NAMESPACE.exec(iri)?.[0];
  if (namespace === undefined) return OTHER;
  return { kind: 'schema.org', term: { name: iri.slice(namespace.length), isCertain: false }, isOpaque };
}
