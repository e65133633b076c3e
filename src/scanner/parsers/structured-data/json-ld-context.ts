import type { SchemaTerm } from '../../artifacts/structured-data.js';
import { schemaOrg } from '../../artifacts/schema-org.js';
import { JSON_LD_LIMITS } from '../../limits.js';
import { type JsonObject, type JsonValue, isArray, isObject } from '../json.js';

/** The meaning of names inside an object, by its `@context` and the inherited ones. schema.org's context, `@vocab` and prefixes are read. */
export interface Context {
  /** `@vocab` is schema.org: any name without a prefix is one of its terms. */
  readonly isVocabulary: boolean;
  /** schema.org's own context is in force: it defines each of its terms, whatever `@vocab` then says. */
  readonly definesTerms: boolean;
  /** A remote context other than schema.org's is in force: it may define any name. */
  readonly isOpen: boolean;
  /** Prefixes for schema.org. */
  readonly prefixes: ReadonlySet<string>;
}

export const NO_CONTEXT: Context = { isVocabulary: false, definesTerms: false, isOpen: false, prefixes: new Set() };

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

/**
 * Returns the context in force inside an object with this `@context`, on top of the inherited one; null if it defines names of its own, so
 * that what the names mean is not known.
 */
export function applyContext(context: JsonValue, inherited: Context): Context | null {
  const parts = isArray(context) ? context : [context];
  if (parts.length > JSON_LD_LIMITS.contextsMax) return null;
  return parts.reduce<Context | null>((layer, part) => layer && addPart(part, layer), inherited);
}

function addPart(part: JsonValue, layer: Context): Context | null {
  if (part === null) return NO_CONTEXT;
  if (isObject(part)) return addObject(part, layer);
  if (typeof part !== 'string') return layer;
  if (!isSchemaOrg(part)) return { ...layer, isOpen: true };
  return { ...layer, isVocabulary: true, definesTerms: true, prefixes: new Set([...layer.prefixes, 'schema']) };
}

function addObject(part: JsonObject, inherited: Context): Context | null {
  let { isVocabulary } = inherited;
  const prefixes = new Set(inherited.prefixes);
  for (const [name, value] of part) {
    const isSchema = typeof value === 'string' && isSchemaOrg(value);
    if (name === '@import') return null;
    if (name === '@vocab') {
      if (!isSchema && typeof value === 'string' && !ABSOLUTE.test(value)) return null;
      isVocabulary = isSchema;
      if (isSchema) prefixes.add('schema');
    } else if (!name.startsWith('@')) {
      if (typeof value !== 'string' || !NAMESPACE.test(value) || isDefined(name)) return null;
      if (isSchema) prefixes.add(name);
      else if (SCHEMA_ORG_NAMESPACE.test(value)) return null;
      else prefixes.delete(name);
    }
    // Every object inside would store its own copy of the prefixes.
    if (prefixes.size > JSON_LD_LIMITS.prefixesMax) return null;
  }
  return { ...inherited, isVocabulary, prefixes };
}

function isSchemaOrg(context: string): boolean {
  return SCHEMA_ORG_CONTEXT.test(context.trim());
}

/** Returns the keyword that a key is, or an alias of: schema.org's context defines `id` and `type`. */
export function keywordOf(key: string, { isVocabulary, definesTerms }: Context): string | null {
  if (key.startsWith('@')) return key;
  return (isVocabulary || definesTerms) && (key === 'id' || key === 'type') ? `@${key}` : null;
}

/** Returns the term of schema.org that a key, or a value of `@type`, is; null for a name of another vocabulary. */
export function termOf(name: string, { isVocabulary, definesTerms, isOpen, prefixes }: Context): SchemaTerm | null {
  const colon = name.indexOf(':');
  const isTerm = !name.startsWith('@') && (isVocabulary || (definesTerms && isDefined(name)));
  if (colon < 0) return isTerm ? { name, isCertain: !isOpen } : null;
  const term = prefixes.has(name.slice(0, colon)) ? name.slice(colon + 1) : name.replace(SCHEMA_ORG_NAMESPACE, '');
  return term === name ? null : { name: term, isCertain: false };
}

function isDefined(name: string): boolean {
  const { types, properties, members } = schemaOrg();
  return properties.has(name) || types.has(name) || members.has(name);
}
