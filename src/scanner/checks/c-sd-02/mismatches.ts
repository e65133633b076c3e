import type { SchemaNode, StructuredPage } from '../../artifacts/structured-data.js';
import { schemaOrg } from '../../artifacts/schema-org.js';
import type { Vocabulary, SafeText } from '../../artifacts/safe-text.js';
import { listed, term, safeText } from '../../artifacts/safe-text.js';
import { PageEntities } from '../../parsers/structured-data/entities.js';
import { findNearest } from '../../parsers/structured-data/nearest.js';
import { findForeignUrls, findUnshownTitles } from './page-agreement.js';
import type { Mismatch } from './mismatch.js';
import { describeType } from '../structured-data/positions.js';
import { describeKinds, isLooseDate, isLoosePrice, isPossibleValue } from './possible-values.js';
import { remember } from '../../../net/keyed.js';

/** What a page's markup does with the vocabulary that is not a proven mistake: how often. */
export interface Remarks {
  /** Names that schema.org does not have, and that are like none of its own: perhaps meant so. */
  strangeNames: number;
  /** Terms that schema.org has withdrawn. */
  retiredTerms: number;
  /** Prices with a currency, or a comma for the point. */
  loosePrices: number;
  /** Dates in another form than ISO 8601, which read in one way only. */
  looseDates: number;
}

interface ComparedMarkup {
  readonly mismatches: readonly Mismatch[];
  readonly remarks: Readonly<Remarks>;
}

const comparedPages = new WeakMap<StructuredPage, ComparedMarkup>();

/** All mismatches of a page, first with the vocabulary, then with what the page shows; and remarks. A page is compared once. */
export function compareMarkup(page: StructuredPage): ComparedMarkup {
  return remember(comparedPages, page, () => {
    const entities = PageEntities.of(page);
    const { found, remarks } = new VocabularyReader(page).read();
    return { mismatches: [...found, ...findForeignUrls(entities), ...findUnshownTitles(entities)], remarks };
  });
}

/** Types and values of one page that are compared with the vocabulary; no honest page has this many. */
const COMPARED_MAX = 15_000;
/** Unknown names of one page for which a near term is looked for, since each is compared with the whole vocabulary. */
const UNKNOWN_NAMES_MAX = 100;

class VocabularyReader {
  readonly found: Mismatch[] = [];
  readonly remarks: Remarks = { strangeNames: 0, retiredTerms: 0, loosePrices: 0, looseDates: 0 };
  readonly #nearest = new Map<string, SafeText | null>();

  readonly #language: string | null;

  constructor(private readonly page: StructuredPage) {
    this.#language = page.page.facts.language;
  }

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
        this.#chargeIfMisspelt(node, term('a type'), name, types);
    }
  }

  #readProperties(node: SchemaNode): void {
    const { properties, retired } = schemaOrg();
    for (const { name, isCertain, position, values } of node.properties) {
      if (retired.has(name)) this.remarks.retiredTerms += 1;
      if (!properties.has(name)) {
        if (isCertain && !isActionAnnotation(name)) {
          this.#chargeIfMisspelt(node, ofNode(safeText`property ${position}`, node), name, properties);
        }
      } else if (!values.every((value) => isPossibleValue(name, value, this.#language))) {
        const describe = () =>
          safeText`${ofNode(listed(name, properties) ?? term(''), node)} is not ${describeKinds(name)}`;
        this.found.push({ page: this.page, node, isMisspelling: false, describe });
      } else if (values.some((value) => isLoosePrice(name, value))) this.remarks.loosePrices += 1;
      else if (values.some((value) => isLooseDate(name, value, this.#language))) this.remarks.looseDates += 1;
    }
  }

  /** A name that is like none of schema.org's may be the site's own, or newer than our copy. */
  #chargeIfMisspelt(node: SchemaNode, what: SafeText, name: string, vocabulary: Vocabulary): void {
    const nearest = this.#nearestOf(name, vocabulary);
    if (nearest === null) this.remarks.strangeNames += 1;
    else {
      const describe = () => safeText`${what} is not in schema.org, whose nearest name is ${nearest}`;
      this.found.push({ page: this.page, node, isMisspelling: true, describe });
    }
  }

  #nearestOf(name: string, vocabulary: Vocabulary): SafeText | null {
    const known = this.#nearest.get(name);
    if (known !== undefined) return known;
    if (this.#nearest.size >= UNKNOWN_NAMES_MAX) return null;
    const nearest = findNearest(name, vocabulary);
    const text = nearest === null ? null : listed(nearest, vocabulary);
    this.#nearest.set(name, text);
    return text;
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
