import type { SchemaTerm } from '../../artifacts/structured-data.js';
import { schemaOrg } from '../../artifacts/schema-org.js';
import type { JsonObject, JsonValue } from '../json.js';
import { isArray, isObject } from '../json.js';

/** What an object's `@context`, on top of the inherited ones, says of names: schema.org's context, `@vocab` and prefixes are read. */
export interface ContextLayer {
  /** `@vocab` is schema.org: any name without a prefix is one of its terms. */
  readonly isVocabulary: boolean;
  /** schema.org's own context is in force: it defines each of its terms, whatever `@vocab` then says. */
  readonly definesTerms: boolean;
  /** A remote context other than schema.org's is in force: it may define any name. */
  readonly isOpen: boolean;
  /** Prefixes that stand for schema.org. */
  readonly prefixes: readonly string[];
  /** It defines names of its own, which this scanner does not follow: what the names mean is not known. */
  readonly hasOwnNames: boolean;
}

export const NO_CONTEXT: ContextLayer = {
  isVocabulary: false,
  definesTerms: false,
  isOpen: false,
  prefixes: [],
  hasOwnNames: false,
};

/** What a name in a JSON-LD object means. */
export type Meaning =
  | { readonly kind: 'keyword'; readonly keyword: string }
  | { readonly kind: 'schema.org'; readonly term: SchemaTerm }
  /** A property of another vocabulary: what is inside may be described in schema.org's terms. */
  | { readonly kind: 'other' };

/** Most contexts of one array, and most prefixes for schema.org, that are read. */
const CONTEXTS_MAX = 20;
const PREFIXES_MAX = 20;

/**
 * schema.org as a context: http or https, with or without slash, www or the name of one of its extensions ("auto.schema.org"), or
 * the document itself; a bare "schema.org" counts too.
 */
const SCHEMA_ORG_CONTEXT =
  /^(?:(?:https?:)?\/\/)?(?:[a-z-]+\.)?schema\.org(?:\/(?:docs\/jsonldcontext\.jsonl?d?)?)?#?$/i;
const SCHEMA_ORG_NAMESPACE = /^https?:\/\/(?:[a-z-]+\.)?schema\.org\//i;
/** An absolute IRI that names follow. */
const NAMESPACE = /^[a-z][a-z\d+.-]*:.*[#/?:]$/i;
const ABSOLUTE = /^[a-z][a-z\d+.-]*:\/\//i;
const KEYWORD_ALIASES = new Map([
  ['id', '@id'],
  ['type', '@type'],
]);

/** The context in force inside an object with this `@context`, on top of the inherited one. */
export function applyContext(context: JsonValue, inherited: ContextLayer): ContextLayer {
  const parts = isArray(context) ? context : [context];
  let layer = inherited;
  for (const part of parts.slice(0, CONTEXTS_MAX)) layer = addPart(part, layer);
  return parts.length > CONTEXTS_MAX ? { ...layer, hasOwnNames: true } : layer;
}

function addPart(part: JsonValue, layer: ContextLayer): ContextLayer {
  if (part === null) return NO_CONTEXT;
  if (typeof part === 'string') {
    if (!isSchemaOrg(part)) return { ...layer, isOpen: true };
    return { ...layer, isVocabulary: true, definesTerms: true, prefixes: withPrefix(layer, 'schema') };
  }
  return isObject(part) ? addObject(part, layer) : layer;
}

function addObject(part: JsonObject, inherited: ContextLayer): ContextLayer {
  let layer = inherited;
  for (const [name, value] of part) {
    if (name === '@vocab') layer = addVocabulary(value, layer);
    else if (name === '@import') layer = { ...layer, hasOwnNames: true };
    else if (!name.startsWith('@')) layer = addPrefix(name, value, layer);
    if (layer.hasOwnNames || layer.prefixes.length > PREFIXES_MAX) return { ...layer, hasOwnNames: true };
  }
  return layer;
}

function addVocabulary(value: JsonValue, layer: ContextLayer): ContextLayer {
  if (typeof value !== 'string') return { ...layer, isVocabulary: false };
  if (isSchemaOrg(value)) return { ...layer, isVocabulary: true, prefixes: withPrefix(layer, 'schema') };
  return { ...layer, isVocabulary: false, hasOwnNames: !ABSOLUTE.test(value) };
}

function addPrefix(name: string, value: JsonValue, layer: ContextLayer): ContextLayer {
  if (typeof value !== 'string' || !NAMESPACE.test(value) || isDefined(name)) return { ...layer, hasOwnNames: true };
  if (SCHEMA_ORG_NAMESPACE.test(value)) {
    return isSchemaOrg(value) ? { ...layer, prefixes: withPrefix(layer, name) } : { ...layer, hasOwnNames: true };
  }
  return { ...layer, prefixes: layer.prefixes.filter((prefix) => prefix !== name) };
}

function withPrefix({ prefixes }: ContextLayer, name: string): readonly string[] {
  return prefixes.includes(name) ? prefixes : [...prefixes, name];
}

function isSchemaOrg(context: string): boolean {
  return SCHEMA_ORG_CONTEXT.test(context.trim());
}

/** What `name` (a key, or a value of `@type`) means in this context. */
export function meaningOf(name: string, { isVocabulary, definesTerms, isOpen, prefixes }: ContextLayer): Meaning {
  if (name.startsWith('@')) return { kind: 'keyword', keyword: name };
  const keyword = isVocabulary || definesTerms ? KEYWORD_ALIASES.get(name) : undefined;
  if (keyword !== undefined) return { kind: 'keyword', keyword };
  const colon = name.indexOf(':');
  if (colon >= 0) {
    const term = prefixes.includes(name.slice(0, colon))
      ? name.slice(colon + 1)
      : name.replace(SCHEMA_ORG_NAMESPACE, '');
    return term === name ? { kind: 'other' } : { kind: 'schema.org', term: { name: term, isCertain: false } };
  }
  const isTerm = isVocabulary || (definesTerms && isDefined(name));
  return isTerm ? { kind: 'schema.org', term: { name, isCertain: !isOpen } } : { kind: 'other' };
}

function isDefined(name: string): boolean {
  const { types, properties, members } = schemaOrg();
  return properties.has(name) || types.has(name) || members.has(name);
}
