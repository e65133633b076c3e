import { type SafeText, listed, safeText, vocabularyOf } from '../../artifacts/safe-text.js';
import { Addresses } from '../addresses.js';
import { MANIFEST_LIMITS } from '../../limits.js';
import type { JsonObject, JsonValue } from '../json.js';
import {
  type ManifestReading,
  type NamedPart,
  type Problems,
  httpUrlOf,
  isArray,
  isObject,
  isTemplated,
  partOf,
  readManifest,
  textOf,
} from './shape.js';

/** A description or documentation that the catalog links to. */
export interface CatalogTarget {
  readonly name: SafeText;
  readonly url: URL;
}

export interface ApiCatalog {
  /** The first of `service-desc` and `service-doc`, in source order: more than are followed. */
  readonly targets: readonly CatalogTarget[];
  /** Every address that the catalog links to, without fragment. */
  readonly hrefs: ReadonlySet<string>;
  /** It lists APIs or further catalogs, and leaves the descriptions to them. */
  readonly hasItems: boolean;
  /** It has more addresses than were read. */
  readonly isCut: boolean;
}

const SERVICE_RELATIONS = vocabularyOf('service-desc', 'service-doc');
const ITEM_RELATIONS = new Set(['item', 'api-catalog']);
/** Relations that say something about a service, so that their anchor is its endpoint. */
const METADATA_RELATIONS = new Set(['service-meta', 'status']);
const CATALOG_PATH = '/.well-known/api-catalog';

/**
 * Reads an API catalog: a linkset (RFC 9264 §4.2) whose contexts link to APIs (RFC 9727 §4.1). Each relation is an array of targets with
 * `href`. RFC 9727 requires the links to APIs only, so an anchor that has metadata alone is one. The context of links without `anchor` is
 * the catalog itself (RFC 9264 §4.2.2), which fits `item` alone.
 */
export function readApiCatalog(text: string, url: URL): ManifestReading<ApiCatalog> {
  return readManifest(text, url, (document, problems) => {
    const reader = new CatalogReader(url, problems);
    reader.read(document);
    return reader;
  });
}

class CatalogReader implements ApiCatalog {
  readonly targets: CatalogTarget[] = [];
  readonly hrefs = new Set<string>();
  hasItems = false;
  readonly #addresses: Addresses;
  #hasApiRelation = false;

  constructor(
    readonly base: URL,
    readonly problems: Problems,
  ) {
    this.#addresses = new Addresses(base);
  }

  get isCut(): boolean {
    return this.#addresses.isCut;
  }

  read(document: JsonObject): void {
    const linkset = document.get('linkset');
    if (!isArray(linkset)) {
      this.problems.add(safeText`has no "linkset" array`);
      return;
    }
    for (const [index, context] of linkset.entries()) {
      if (this.problems.isFull) break;
      const where = partOf(this.problems.root, safeText`linkset entry ${index + 1}`, 'linkset', index);
      if (isObject(context)) this.#readContext(context, where);
      else this.problems.add(safeText`${where.name} is not an object`, where);
    }
    if (!this.#hasApiRelation) {
      this.problems.add(safeText`links to no API: no linkset entry has "item", "service-desc" or "service-doc"`);
    }
  }

  #readContext(context: JsonObject, where: NamedPart): void {
    const { name } = where;
    const relations = [...context].filter(([relation]) => relation !== 'anchor');
    const names = relations.map(([relation]) => relation);
    const isAboutService = names.some((name) => SERVICE_RELATIONS.has(name));
    const hasItems = names.some((name) => ITEM_RELATIONS.has(name));
    const anchor = context.get('anchor');
    const isEndpoint = names.some((name) => METADATA_RELATIONS.has(name)) && this.#isElsewhere(anchor);
    this.#hasApiRelation ||= isAboutService || hasItems || isEndpoint;
    this.hasItems ||= hasItems;
    if (anchor === undefined && isAboutService) this.problems.add(safeText`${name} lacks "anchor"`, where);
    if (anchor !== undefined && textOf(anchor) === null)
      this.problems.add(safeText`${name} has an invalid "anchor"`, partOf(where, name, 'anchor'));
    const lists = relations.flatMap(([relation, targets]) => (isArray(targets) ? [{ relation, targets }] : []));
    if (lists.length < relations.length)
      this.problems.add(safeText`${name} has a relation that is not an array of links`, where);
    const hasHrefs = lists.map(({ relation, targets }) => this.#keepTargets(relation, targets, where));
    if (hasHrefs.includes(false)) this.problems.add(safeText`${name} has a link without "href"`, where);
  }

  /** True if an anchor is something other than the catalog itself. */
  #isElsewhere(anchor: JsonValue | undefined): boolean {
    const url = httpUrlOf(anchor, this.base);
    return url !== null && url.pathname !== CATALOG_PATH && url.pathname !== this.base.pathname;
  }

  /** True if all of them have an address. */
  #keepTargets(relation: string, targets: readonly JsonValue[], where: NamedPart): boolean {
    const hrefs = targets.map((target) => (isObject(target) ? textOf(target.get('href')) : null));
    for (const [index, href] of hrefs.entries()) if (href !== null) this.#keep(relation, href, index, where);
    return !hrefs.includes(null);
  }

  #keep(relation: string, href: string, position: number, where: NamedPart): void {
    const url = isTemplated(href) ? null : this.#addresses.resolve(href);
    if (url === null) return;
    url.hash = '';
    const isKnown = this.hrefs.has(url.href);
    this.hrefs.add(url.href);
    if (isKnown) return;
    const kind = listed(relation, SERVICE_RELATIONS);
    if (kind === null || this.targets.length >= MANIFEST_LIMITS.targetsMax) return;
    const { name, pointer } = partOf(where, safeText`${kind} ${position + 1}`, relation, position, 'href');
    this.targets.push({ name: this.problems.locate(name, pointer), url });
  }
}
