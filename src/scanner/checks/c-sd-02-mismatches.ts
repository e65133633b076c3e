import { parse } from 'tldts';
import { remember } from '../../net/keyed.js';
import { listed, safeText, term, type SafeText, type Vocabulary } from '../artifacts/safe-text.js';
import { schemaOrg } from '../artifacts/schema-org.js';
import { isSameSite } from '../artifacts/site-address.js';
import type { SchemaNode, StructuredPage } from '../artifacts/structured-data.js';
import { PageEntities, textsOf } from '../parsers/structured-data/entities.js';
import { isOfType } from '../parsers/structured-data/identity.js';
import { findNearest } from '../parsers/structured-data/nearest.js';
import { decodeMarkup, SHOWN_PROPERTIES, splitWords } from '../parsers/structured-data/words.js';
import { describeKinds, isLooseDate, isLoosePrice, isPossibleValue, isTemplate } from './c-sd-02-values.js';
import { describePlace, describeType } from './json-ld-places.js';

/** Describes one place where the markup contradicts the vocabulary or the page. Called only for those that are shown. */
type Mismatch = () => SafeText;

/** Counts of what is odd in a page's markup, but no proven mistake. */
export interface Remarks {
  /** Names that are similar to no term of schema.org: perhaps intended. */
  strangeNames: number;
  /** Terms that schema.org has withdrawn. */
  retiredTerms: number;
  /** Prices with a currency, or a comma for the point. */
  loosePrices: number;
  /** Unambiguous dates that are not in ISO 8601. */
  looseDates: number;
}

interface ComparedMarkup {
  readonly mismatches: readonly Mismatch[];
  readonly remarks: Readonly<Remarks>;
}

/** Compares a page's markup with the vocabulary, then with what the page shows. */
export function compareMarkup(page: StructuredPage): ComparedMarkup {
  const entities = PageEntities.of(page);
  const { found, remarks } = new VocabularyReader(page).read();
  return { mismatches: [...found, ...findUrlsElsewhere(entities), ...findUnshownTitles(entities)], remarks };
}

/** Types and values of a page that are compared with the vocabulary at most. No honest page has as many. */
const COMPARED_MAX = 15_000;
/** Unknown names of a page that are compared with the whole vocabulary at most. */
const UNKNOWN_NAMES_MAX = 100;

class VocabularyReader {
  readonly found: Mismatch[] = [];
  readonly remarks: Remarks = { strangeNames: 0, retiredTerms: 0, loosePrices: 0, looseDates: 0 };
  readonly #nearest = new Map<string, SafeText | null>();

  constructor(private readonly page: StructuredPage) {}

  read(): this {
    let left = COMPARED_MAX;
    for (const node of this.page.nodes) {
      left -= node.properties.reduce((sum, { values }) => sum + values.length, node.types.length);
      if (left < 0) break;
      this.#readTypes(node);
      this.#readProperties(node);
    }
    return this;
  }

  #readTypes(node: SchemaNode): void {
    const { types, members, retired } = schemaOrg();
    for (const { name, isCertain } of node.types) {
      if (retired.has(name)) this.remarks.retiredTerms += 1;
      // Enumeration members may also be used as types (schema.org, "Data model", on enumerations).
      if (isCertain && !types.has(name) && !members.has(name))
        this.#reportIfMisspelt(node, term('a type'), name, types);
    }
  }

  #readProperties(node: SchemaNode): void {
    const { properties, retired } = schemaOrg();
    for (const { name, isCertain, position, values } of node.properties) {
      if (retired.has(name)) this.remarks.retiredTerms += 1;
      if (!properties.has(name)) {
        if (isCertain && !isActionAnnotation(name)) {
          this.#reportIfMisspelt(node, ofNode(safeText`property ${position}`, node), name, properties);
        }
      } else if (!values.every((value) => isPossibleValue(name, value))) {
        const property = listed(name, properties) ?? term('');
        this.#add(node, () => safeText`${ofNode(property, node)} is not ${describeKinds(name)}`);
      } else if (values.some((value) => isLoosePrice(name, value))) this.remarks.loosePrices += 1;
      else if (values.some((value) => isLooseDate(name, value))) this.remarks.looseDates += 1;
    }
  }

  /** A name that is similar to no term may be the site's own, or newer than our copy of schema.org. */
  #reportIfMisspelt(node: SchemaNode, what: SafeText, name: string, vocabulary: Vocabulary): void {
    const nearest = this.#nearestOf(name, vocabulary);
    if (nearest === null) this.remarks.strangeNames += 1;
    else this.#add(node, () => safeText`${what} is not in schema.org, whose nearest name is ${nearest}`);
  }

  #add(node: SchemaNode, describe: () => SafeText): void {
    this.found.push(() => safeText`${describePlace(this.page, node)}: ${describe()}`);
  }

  #nearestOf(name: string, vocabulary: Vocabulary): SafeText | null {
    if (this.#nearest.size >= UNKNOWN_NAMES_MAX && !this.#nearest.has(name)) return null;
    return remember(this.#nearest, name, () => {
      const nearest = findNearest(name, vocabulary);
      return nearest === null ? null : listed(nearest, vocabulary);
    });
  }
}

/** "price of the Offer". */
function ofNode(what: SafeText, node: SchemaNode): SafeText {
  const type = describeType(node);
  return type === null ? what : safeText`${what} of ${type}`;
}

/** `query-input`, `url-output`: how actions state which properties of an object are expected (schema.org, "Actions"). */
function isActionAnnotation(name: string): boolean {
  return name.endsWith('-input') || name.endsWith('-output');
}

/** Types whose `url` is the address of the page or its site. */
const ADDRESSED_TYPES = ['WebSite', 'WebPage', 'Article'] as const;

/**
 * Finds a url on another registrable domain than the page and its canonical link. Applies only to a node that is the only one of its type
 * with a url, since several are a list of things elsewhere, such as a portfolio or a press review. A scholarly article's url is where it
 * was published, such as its DOI.
 */
function findUrlsElsewhere(entities: PageEntities): Mismatch[] {
  const { page } = entities;
  const { url: pageUrl, facts } = page.page;
  // In a part that was not read, there may be a second node or a canonical link.
  if (facts.areLinksCut || !entities.isPageWhole || isLocalAddress(pageUrl)) return [];
  const addressed = entities
    .topLevel()
    .filter((entity) => entity.properties.has('url') && !isOfType(entity, 'ScholarlyArticle'));
  return ADDRESSED_TYPES.flatMap((type) => {
    const [entity, ...others] = addressed.filter((candidate) => isOfType(candidate, type));
    if (!entity || others.length > 0) return [];
    const urls = textsOf(entity, 'url').filter((url) => !isTemplate(url));
    if (urls.length === 0 || !urls.every((url) => isElsewhere(url, page))) return [];
    return [
      () =>
        safeText`${describePlace(page, entity.node)}: url of the ${term(type)} is on another domain than the page and its canonical link`,
    ];
  });
}

/** True for a copy under an IP address or localhost, whose markup rightly names the public address. */
function isLocalAddress({ hostname }: URL): boolean {
  const { isIp } = parse(hostname);
  return isIp === true || hostname === 'localhost' || hostname.endsWith('.localhost');
}

function isElsewhere(reference: string, { page }: StructuredPage): boolean {
  const url = URL.parse(reference.trim(), page.url);
  if (!url || !/^https?:$/.test(url.protocol)) return false;
  const { canonical } = page.facts;
  return !isSameSite(url, page.url) && !(canonical && isSameSite(url, canonical));
}

/**
 * Entities of a page that are compared with it at most. Entities with more names than this, or a longer name, are skipped.
 */
const ENTITIES_MAX = 100;
const NAMES_MAX = 20;
const COMPARED_CHARS_MAX = 1000;

const MAIN_ENTITY = new Set(['mainEntity']);

/** Finds headlines and product names that share less than half of their words with the title and visible text of the page. */
function findUnshownTitles(entities: PageEntities): Mismatch[] {
  const { page } = entities;
  const { shownWords } = page;
  if (shownWords === null) return [];
  const isShown = (value: string): boolean => {
    if (value.length > COMPARED_CHARS_MAX) return true;
    const own = splitWords(decodeMarkup(value));
    const shared = [...own].filter((word) => shownWords.has(word)).length;
    return shared * 2 >= own.size;
  };
  const subjects = entities.reachableBy(MAIN_ENTITY).slice(0, ENTITIES_MAX);
  return SHOWN_PROPERTIES.flatMap(({ type, property }) =>
    subjects
      .filter((entity) => isOfType(entity, type) && (entity.properties.get(property)?.length ?? 0) <= NAMES_MAX)
      .filter((entity) => {
        const values = textsOf(entity, property).filter((value) => !isTemplate(value));
        return values.length > 0 && !values.some(isShown);
      })
      .map(
        ({ node }) =>
          () =>
            safeText`${describePlace(page, node)}: title and visible text of the page have fewer than half of the words in ${term(property)} of the ${term(type)}`,
      ),
  );
}
