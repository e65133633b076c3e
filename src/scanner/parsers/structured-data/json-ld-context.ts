import type { SchemaTerm } from '../../artifacts/structured-data.js';
import { schemaOrg } from '../../artifacts/schema-org.js';
import type { JsonObject, JsonValue } from '../json.js';
import type { TermDefinition, ValueReading } from './json-ld-definition.js';
import { readDefinition } from './json-ld-definition.js';

/**
 * The part of a JSON-LD 1.1 context (§4.1) that decides which names are schema.org's. One layer holds one `@context` value;
 * inherited layers are linked rather than merged, so that a hostile page cannot make us copy them.
 */
export interface ContextLayer {
  readonly inherited: ContextLayer | null;
  readonly vocabulary: 'schema.org' | 'other' | 'none';
  /** schema.org's own context is in force: it defines each of its terms, whatever `@vocab` then says. */
  readonly definesTerms: boolean;
  /** A remote context other than schema.org's is in force: it may define any name. */
  readonly isOpen: boolean;
  /** A type defined in it, or in an inherited layer, may have a context of its own. */
  readonly hasScopes: boolean;
  readonly definitions: ReadonlyMap<string, TermDefinition>;
}

export const NO_CONTEXT: ContextLayer = {
  inherited: null,
  vocabulary: 'none',
  definesTerms: false,
  isOpen: false,
  hasScopes: false,
  definitions: new Map(),
};

/** What a name in a JSON-LD object means. */
export type Meaning =
  | { readonly kind: 'keyword'; readonly keyword: string; readonly reading: ValueReading }
  | { readonly kind: 'schema.org'; readonly term: SchemaTerm; readonly reading: ValueReading }
  /** A property of another vocabulary, or one that leads the other way: what is inside may be described in schema.org's terms. */
  | { readonly kind: 'other'; readonly reading: ValueReading }
  /** Mapped to null: dropped with all that is inside (JSON-LD 1.1 API §5.1.2, step 13.3). */
  | { readonly kind: 'dropped' };

const OTHER: Meaning = { kind: 'other', reading: 'plain' };

/** Most contexts of one array that are read; the rest count as one that may define any name. */
const CONTEXTS_MAX = 20;
/** Most terms that one context value may define; beyond that, the same applies. */
const DEFINITIONS_MAX = 5_000;
/** Most definitions that are followed from one name to another: no honest context needs three, and circles have no end. */
const STEPS_MAX = 5;

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
    return isSchemaOrg(part) ? { ...layer, vocabulary: 'schema.org', definesTerms: true } : { ...layer, isOpen: true };
  }
  if (!(part instanceof Map)) return layer;
  const object = part as JsonObject;
  const isImporting = object.has('@import');
  // @vocab is read before the terms alongside it (JSON-LD 1.1 API §4.1.2, step 5.8), so it cannot be written with their help.
  const vocabulary = object.has('@vocab') ? vocabularyOf(object.get('@vocab'), layer) : layer.vocabulary;
  let { hasScopes } = layer;
  for (const [name, value] of object) {
    if (definitions.size >= DEFINITIONS_MAX) return { ...layer, vocabulary, hasScopes, isOpen: true };
    if (name.startsWith('@')) continue;
    const definition = readDefinition(name, value);
    definitions.set(name, definition);
    hasScopes ||= definition.hasContext;
  }
  return { ...layer, vocabulary, hasScopes, isOpen: layer.isOpen || isImporting };
}

function isSchemaOrg(context: string): boolean {
  return SCHEMA_ORG_CONTEXT.test(context.trim());
}

/** `@vocab` is an IRI, a compact IRI or a term (JSON-LD 1.1 §4.1.2). */
function vocabularyOf(value: JsonValue | undefined, context: ContextLayer): ContextLayer['vocabulary'] {
  if (typeof value !== 'string') return 'none';
  if (isSchemaOrg(value)) return 'schema.org';
  const expanded = expand(value, context, 0);
  return expanded.kind === 'iri' && isSchemaOrg(expanded.iri) ? 'schema.org' : 'other';
}

/** What `name` (a key, or a value of `@type`) means in this context. */
export function meaningOf(name: string, context: ContextLayer): Meaning {
  const found = findDefinition(name, context);
  if (found?.definition.isReverse === true) return OTHER;
  const reading = found?.definition.reading ?? 'plain';
  const expanded = expandBy(found, name, context, 0);
  if (expanded.kind === 'keyword') return { ...expanded, reading };
  if (expanded.kind === 'dropped') return expanded;
  if (expanded.kind === 'term') {
    return { kind: 'schema.org', term: { name: expanded.name, isCertain: expanded.isCertain }, reading };
  }
  const namespace = expanded.kind === 'iri' ? SCHEMA_ORG_NAMESPACE.exec(expanded.iri)?.[0] : undefined;
  if (expanded.kind !== 'iri' || namespace === undefined) return { kind: 'other', reading };
  return { kind: 'schema.org', term: { name: expanded.iri.slice(namespace.length), isCertain: false }, reading };
}

/** Whether a value of `@type` has a context of its own, which gives the keys of its node their meaning. */
export function hasScope(type: string, context: ContextLayer): boolean {
  return context.hasScopes && findDefinition(type, context)?.definition.hasContext === true;
}

type Expanded =
  | { readonly kind: 'keyword'; readonly keyword: string }
  | { readonly kind: 'iri'; readonly iri: string }
  | { readonly kind: 'term'; readonly name: string; readonly isCertain: boolean }
  | { readonly kind: 'dropped' }
  | { readonly kind: 'unknown' };

/** A name as JSON-LD expands it (JSON-LD 1.1 API §5.2.2): by its definition, by its prefix, or by the vocabulary. */
function expand(name: string, context: ContextLayer, steps: number): Expanded {
  return expandBy(findDefinition(name, context), name, context, steps);
}

function expandBy(found: FoundDefinition | undefined, name: string, context: ContextLayer, steps: number): Expanded {
  if (name.startsWith('@')) return { kind: 'keyword', keyword: name };
  if (found?.definition.iri === null) return { kind: 'dropped' };
  if (found?.definition.iri !== undefined) {
    if (steps >= STEPS_MAX) return { kind: 'unknown' };
    const meant = expand(found.definition.iri, found.layer, steps + 1);
    return meant.kind === 'term' ? { ...meant, isCertain: false } : meant;
  }
  if (name.includes(':')) return { kind: 'iri', iri: expandPrefix(name, context, steps) };
  const isSchemaOrgIn = context.definesTerms || context.vocabulary === 'schema.org';
  const keyword = isSchemaOrgIn ? KEYWORD_ALIASES.get(name) : undefined;
  if (keyword !== undefined) return { kind: 'keyword', keyword };
  const isTerm = context.vocabulary === 'schema.org' || (context.definesTerms && isDefined(name));
  return isTerm ? { kind: 'term', name, isCertain: !context.isOpen } : { kind: 'unknown' };
}

/** `schema:name` as an IRI, if the prefix is defined; schema.org's own context defines `schema`. */
function expandPrefix(name: string, context: ContextLayer, steps: number): string {
  const colon = name.indexOf(':');
  const [prefix, rest] = [name.slice(0, colon), name.slice(colon + 1)];
  if (rest.startsWith('//') || prefix === '_' || steps >= STEPS_MAX) return name;
  if (findDefinition(prefix, context)) {
    const namespace = expand(prefix, context, steps + 1);
    return namespace.kind === 'iri' ? namespace.iri + rest : name;
  }
  const isSchemaOrgIn = context.definesTerms || context.vocabulary === 'schema.org';
  return prefix === 'schema' && isSchemaOrgIn ? `https://schema.org/${rest}` : name;
}

function isDefined(name: string): boolean {
  const { types, properties, members } = schemaOrg();
  return properties.has(name) || types.has(name) || members.has(name);
}

/** A name's definition, and the layer that holds it: what the definition says is read in that layer. */
interface FoundDefinition {
  readonly definition: TermDefinition;
  readonly layer: ContextLayer;
}

function findDefinition(name: string, context: ContextLayer): FoundDefinition | undefined {
  for (let layer: ContextLayer | null = context; layer; layer = layer.inherited) {
    const definition = layer.definitions.get(name);
    if (definition) return { definition, layer };
  }
  return undefined;
}
