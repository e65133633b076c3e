import type { SchemaTerm } from '../../artifacts/structured-data.js';
import { schemaOrg } from '../../artifacts/schema-org.js';
import { JSON_LD_LIMITS } from '../../limits.js';
import { type JsonObject, type JsonValue, isArray, isObject } from '../json.js';

/** The meaning of names inside an object, by its `@context` and the inherited ones. schema.org's context, `@vocab` and prefixes are read. */
export interface ContextLayer {
  /** `@vocab` is schema.org: any name without a prefix is one of its terms. */
  readonly isVocabulary: boolean;
  /** schema.org's own context is in force: it defines each of its terms, whatever `@vocab` then says. */
  readonly definesTerms: boolean;
  /** A remote context other than schema.org's is in force: it may define any name. */
  readonly isOpen: boolean;
  /** Prefixes for schema.org. */
  readonly prefixes: ReadonlySet<string>;
  /** It defines names of its own, which this scanner does not follow: what the names mean is not known. */
  readonly hasOwnNames: boolean;
}

export const NO_CONTEXT: ContextLayer = {
  isVocabulary: false,
  definesTerms: false,
  isOpen: false,
  prefixes: new Set(),
  hasOwnNames: false,
};

/** The meaning of a name in a JSON-LD object. */
export type Meaning =
  | { readonly kind: 'keyword'; readonly keyword: string }
  | { readonly kind: 'schema.org'; readonly term: SchemaTerm }
  /** A property of another vocabulary: what is inside may be described in schema.org's terms. */
  | { readonly kind: 'other' };

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
  if (parts.length > JSON_LD_LIMITS.contextsMax) return { ...inherited, hasOwnNames: true };
  return parts.reduce<ContextLayer>((layer, part) => addPart(part, layer), inherited);
}

function addPart(part: JsonValue, layer: ContextLayer): ContextLayer {
  if (part === null) return NO_CONTEXT;
  if (isObject(part)) return addObject(part, layer);
  if (typeof part !== 'string') return layer;
  if (!isSchemaOrg(part)) return { ...layer, isOpen: true };
  return { ...layer, isVocabulary: true, definesTerms: true, prefixes: new Set([...layer.prefixes, 'schema']) };
}

function addObject(part: JsonObject, inherited: ContextLayer): ContextLayer {
  let { isVocabulary, hasOwnNames } = inherited;
  const prefixes = new Set(inherited.prefixes);
  for (const [name, value] of part) {
    if (name === '@import') hasOwnNames = true;
    else if (name === '@vocab') {
      isVocabulary = typeof value === 'string' && isSchemaOrg(value);
      if (isVocabulary) prefixes.add('schema');
      else if (typeof value === 'string' && !ABSOLUTE.test(value)) hasOwnNames = true;
    } else if (!name.startsWith('@')) {
      if (typeof value !== 'string' || !NAMESPACE.test(value) || isDefined(name)) hasOwnNames = true;
      else if (isSchemaOrg(value)) prefixes.add(name);
      else if (SCHEMA_ORG_NAMESPACE.test(value)) hasOwnNames = true;
      else prefixes.delete(name);
    }
    // The block stays unread. Every object inside would store its own copy of the prefixes.
    if (hasOwnNames || prefixes.size > JSON_LD_LIMITS.prefixesMax) return { ...NO_CONTEXT, hasOwnNames: true };
  }
  return { ...inherited, isVocabulary, prefixes };
}

function isSchemaOrg(context: string): boolean {
  return SCHEMA_ORG_CONTEXT.test(context.trim());
}

/** Returns the meaning of `name`, a key or a value of `@type`. */
export function meaningOf(name: string, { isVocabulary, definesTerms, isOpen, prefixes }: ContextLayer): Meaning {
  if (name.startsWith('@')) return { kind: 'keyword', keyword: name };
  const keyword = isVocabulary || definesTerms ? KEYWORD_ALIASES.get(name) : undefined;
  if (keyword !== undefined) return { kind: 'keyword', keyword };
  const colon = name.indexOf(':');
  if (colon >= 0) {
    const term = prefixes.has(name.slice(0, colon)) ? name.slice(colon + 1) : name.replace(SCHEMA_ORG_NAMESPACE, '');
    return term === name ? { kind: 'other' } : { kind: 'schema.org', term: { name: term, isCertain: false } };
  }
  const isTerm = isVocabulary || (definesTerms && isDefined(name));
  return isTerm ? { kind: 'schema.org', term: { name, isCertain: !isOpen } } : { kind: 'other' };
}

function isDefined(name: string): boolean {
  const { types, properties, members } = schemaOrg();
  return properties.has(name) || types.has(name) || members.has(name);
}
