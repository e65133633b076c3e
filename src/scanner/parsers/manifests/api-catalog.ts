import { type SafeText, findTerm, safeText, vocabularyOf } from '../../artifacts/safe-text.js';
import { MANIFEST_LIMITS } from '../../limits.js';
import { limitBaseLength, parseHttpUrl, isTemplated } from '../addresses.js';
import { isArray, isObject } from '../json.js';
import { type ManifestReading, OVER_LIMIT, type JsonNode, readManifest } from './document.js';

export interface ApiCatalog {
  /** The first links to descriptions and documentation (`service-desc`, `service-doc`), in source order. */
  readonly targets: readonly { readonly name: SafeText; readonly url: URL }[];
  /** The first addresses that the catalog links to, without fragment. */
  readonly hrefs: ReadonlySet<string>;
}

const SERVICE_RELATIONS = vocabularyOf('service-desc', 'service-doc');
const ITEM_RELATIONS = new Set(['item', 'api-catalog']);
/** Relations about a service, whose endpoint is their anchor. */
const METADATA_RELATIONS = new Set(['service-meta', 'status']);
const CATALOG_PATH = '/.well-known/api-catalog';
const NO_API = safeText`links to no API: no linkset entry has "item", "service-desc" or "service-doc"`;

/**
 * Reads an API catalog: a linkset (RFC 9264 §4.2) whose contexts link to APIs (RFC 9727 §4.1). Each relation is an array of targets with
 * `href`. RFC 9727 requires only the links to APIs, so an anchor with only metadata counts as one. Without `anchor`, the links are
 * about the catalog itself (RFC 9264 §4.2.2), which makes sense only for `item`.
 */
export function readApiCatalog(text: string, url: URL): ManifestReading<ApiCatalog> {
  return readManifest<ApiCatalog>(text, url, (document) => {
    const linkset = document.at('linkset').value;
    const contexts = document.items('linkset', safeText`linkset entry`);
    const relations = contexts.flatMap(relationsOf);
    const isAboutApi = ({ name }: Relation): boolean => ITEM_RELATIONS.has(name) || SERVICE_RELATIONS.has(name);
    const hasApi = relations.some(isAboutApi) || contexts.some(isEndpoint);
    if (!hasApi && isArray(linkset) && linkset.length > contexts.length) return OVER_LIMIT;
    const problems = contexts.flatMap(findProblems);
    if (!isArray(linkset)) problems.push(document.fault(safeText`has no "linkset" array`));
    else if (!hasApi) problems.push(document.fault(NO_API));
    return {
      kind: 'read',
      problems: problems.slice(0, MANIFEST_LIMITS.problemsMax),
      value: readLinks(relations, limitBaseLength(url)),
    };
  });
}

interface Relation {
  readonly name: string;
  readonly part: JsonNode;
}

function relationsOf(context: JsonNode): Relation[] {
  const names = context.steps.map(String).filter((name) => name !== 'anchor');
  return names.map((name) => ({ name, part: context.at(name) }));
}

/** True if the context has metadata, and its anchor is not the catalog itself. */
function isEndpoint(context: JsonNode): boolean {
  const url = parseHttpUrl(context.at('anchor').value, context.file);
  const isAboutItself = url === null || url.pathname === CATALOG_PATH || url.pathname === context.file.pathname;
  return !isAboutItself && relationsOf(context).some(({ name }) => METADATA_RELATIONS.has(name));
}

function findProblems(context: JsonNode): SafeText[] {
  if (!isObject(context.value)) return [context.fault(safeText`is not an object`)];
  const anchor = context.at('anchor');
  const relations = relationsOf(context);
  const isAboutService = relations.some(({ name }) => SERVICE_RELATIONS.has(name));
  const lists = relations.filter(({ part }) => isArray(part.value));
  const hasAllHrefs = lists.flatMap(({ part }) => hrefsOf(part)).every(({ text }) => text !== null);
  return [
    ...(anchor.value === undefined && isAboutService ? [context.fault(safeText`lacks "anchor"`)] : []),
    ...(anchor.value !== undefined && anchor.text === null ? [anchor.fault(safeText`has an invalid "anchor"`)] : []),
    ...(lists.length < relations.length ? [context.fault(safeText`has a relation that is not an array of links`)] : []),
    ...(hasAllHrefs ? [] : [context.fault(safeText`has a link without "href"`)]),
  ];
}

/** @param kind names the links for findings */
function hrefsOf(list: JsonNode, kind: SafeText | null = null): JsonNode[] {
  const links = isArray(list.value) ? list.value : [];
  return links.map((_, index) => list.at(index, kind && safeText`${kind} ${index + 1}`).at('href'));
}

function readLinks(relations: readonly Relation[], base: URL): ApiCatalog {
  const targets: { readonly name: SafeText; readonly url: URL }[] = [];
  const hrefs = new Set<string>();
  for (const { name, part } of relations) {
    const kind = findTerm(name, SERVICE_RELATIONS);
    for (const href of hrefsOf(part, kind)) {
      const url = isTemplated(href.text) ? null : parseHttpUrl(href.text, base);
      if (url === null || hrefs.size >= MANIFEST_LIMITS.itemsMax) continue;
      url.hash = '';
      const isNew = !hrefs.has(url.href);
      hrefs.add(url.href);
      if (isNew && kind !== null && targets.length < MANIFEST_LIMITS.targetsMax)
        targets.push({ name: href.addPointer(href.name ?? kind), url });
    }
  }
  return { targets, hrefs };
}
