import { parse } from 'tldts';
import { getOrCreate } from '../../net/keyed.js';
import { joinSafeText, findTerm, safeText, term, type SafeText, type Vocabulary } from '../artifacts/safe-text.js';
import { schemaOrg, type ValueKind } from '../artifacts/schema-org.js';
import { isSameSite } from '../../net/url-gate.js';
import type { SchemaNode, SchemaValue, StructuredPage } from '../artifacts/structured-data.js';
import { findNearest, isOfType, PageEntities, textsOf } from '../parsers/structured-data/entities.js';
import { decodeMarkup, SHOWN_PROPERTIES, splitWords } from '../parsers/structured-data/words.js';
import { describePlace, describeType } from './json-ld-places.js';

interface ComparedMarkup {
  /** One for each place where the markup does not match the vocabulary or the page. */
  readonly mismatches: readonly SafeText[];
  /** Number of names that resemble no term of schema.org. They may be intended. */
  readonly unmatchedNameCount: number;
}

/** Compares a page's markup with the vocabulary, then with what the page shows. */
export function compareMarkup(page: StructuredPage): ComparedMarkup {
  const entities = PageEntities.of(page);
  const { mismatches, unmatchedNameCount } = compareWithVocabulary(page);
  return {
    mismatches: [...mismatches, ...findOffSiteUrls(entities), ...findUnshownTitles(entities)],
    unmatchedNameCount,
  };
}

/** Maximum number of types and values per page that are compared with the vocabulary. No real page has as many. */
const COMPARED_MAX = 15_000;
/** Maximum number of unknown names per page that are compared with the whole vocabulary. */
const UNKNOWN_NAMES_MAX = 100;

function compareWithVocabulary(page: StructuredPage): ComparedMarkup {
  const { types, members, properties } = schemaOrg();
  const mismatches: SafeText[] = [];
  let unmatchedNameCount = 0;
  const nearestNames = new Map<string, SafeText | null>();
  /** A name that resembles no term may be the site's own, or newer than our copy of schema.org. */
  const reportIfMisspelt = (node: SchemaNode, what: SafeText, name: string, vocabulary: Vocabulary): void => {
    if (nearestNames.size < UNKNOWN_NAMES_MAX)
      getOrCreate(nearestNames, name, () => findTerm(findNearest(name, vocabulary) ?? '', vocabulary));
    const nearest = nearestNames.get(name) ?? null;
    if (nearest === null) unmatchedNameCount += 1;
    else
      mismatches.push(safeText`${describePlace(page, node)}: ${what} is not in schema.org (closest name: ${nearest})`);
  };
  let valuesLeft = COMPARED_MAX;
  for (const node of page.nodes) {
    valuesLeft -= node.properties.reduce((sum, { values }) => sum + values.length, node.types.length);
    if (valuesLeft < 0) break;
    for (const { name, isCertain } of node.types) {
      // Enumeration members may also be used as types (schema.org, "Data model", on enumerations).
      if (isCertain && !types.has(name) && !members.has(name)) reportIfMisspelt(node, term('a type'), name, types);
    }
    for (const { name, isCertain, position, values } of node.properties) {
      const property = findTerm(name, properties);
      if (property === null) {
        if (isCertain && !isActionAnnotation(name))
          reportIfMisspelt(node, addType(safeText`property ${position}`, node), name, properties);
      } else if (!values.every((value) => isPossibleValue(name, value))) {
        const what = addType(property, node);
        mismatches.push(safeText`${describePlace(page, node)}: ${what} is not ${describeKinds(name)}`);
      }
    }
  }
  return { mismatches, unmatchedNameCount };
}

/** Adds the type of the node: "price of the Offer". */
function addType(what: SafeText, node: SchemaNode): SafeText {
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
function findOffSiteUrls(entities: PageEntities): SafeText[] {
  const { page } = entities;
  const { url: pageUrl, facts } = page.page;
  // In a part that was not read, there may be a second node or a canonical link.
  if (facts.areLinksCut || !entities.isPageComplete || isLocalAddress(pageUrl)) return [];
  const addressed = entities
    .topLevel()
    .filter((entity) => entity.properties.has('url') && !isOfType(entity, 'ScholarlyArticle'));
  return ADDRESSED_TYPES.flatMap((type) => {
    const [entity, ...others] = addressed.filter((candidate) => isOfType(candidate, type));
    if (!entity || others.length > 0) return [];
    const urls = textsOf(entity, 'url').filter((url) => !isTemplate(url));
    if (urls.length === 0 || !urls.every((url) => isOffSite(url, page))) return [];
    return safeText`${describePlace(page, entity.node)}: the url of the ${term(type)} is not on the domain of the page or its canonical link`;
  });
}

/** True for a copy of a site at an IP address or localhost, whose markup rightly names the public address. */
function isLocalAddress({ hostname }: URL): boolean {
  return parse(hostname).isIp === true || hostname === 'localhost' || hostname.endsWith('.localhost');
}

function isOffSite(reference: string, { page }: StructuredPage): boolean {
  const url = URL.parse(reference.trim(), page.url);
  if (!url || !/^https?:$/.test(url.protocol)) return false;
  const { canonical } = page.facts;
  return !isSameSite(url, page.url) && !(canonical && isSameSite(url, canonical));
}

/** Maximum number of entities that are compared with their page. Entities with more names, or a longer name, are skipped. */
const ENTITIES_MAX = 100;
const NAMES_MAX = 20;
const COMPARED_CHARS_MAX = 1000;

const MAIN_ENTITY = new Set(['mainEntity']);

/** Finds headlines and product names that share less than half of their words with the title and visible text of the page. */
function findUnshownTitles(entities: PageEntities): SafeText[] {
  const { page } = entities;
  const { shownWords } = page;
  if (shownWords === null) return [];
  const isShown = (value: string): boolean => {
    if (value.length > COMPARED_CHARS_MAX) return true;
    const own = splitWords(decodeMarkup(value));
    return [...own].filter((word) => shownWords.has(word)).length * 2 >= own.size;
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
          safeText`${describePlace(page, node)}: the page shows fewer than half of the words in the ${term(property)} of the ${term(type)}`,
      ),
  );
}

/** Any base works: whether a reference can be resolved does not depend on its page. */
const ANY_PAGE = 'https://page.example/';

/** Properties read as numbers, although schema.org also allows Text for numerals such as "19.90". */
const PRICES = new Set(['price', 'lowPrice', 'highPrice']);

/**
 * True if a value can be of a kind that the property's range allows. Only text and numbers are judged, and only if the range excludes
 * text. Objects, text where an object is expected, and templates that the server did not fill in always pass. C-SD-04 judges `sameAs`.
 */
function isPossibleValue(property: string, value: SchemaValue): boolean {
  if (typeof value === 'object' || typeof value === 'boolean' || property === 'sameAs') return true;
  const kinds = kindsOf(property);
  if (kinds.some((kind) => kind === 'text' || kind === 'boolean')) return true;
  const text = String(value).trim();
  if (isTemplate(text)) return true;
  // Almost any text is a reference. Only one that starts as a URL with an impossible host fails.
  if (kinds.includes('url')) return URL.parse(text, ANY_PAGE) !== null;
  return PRICES.has(property) ? isPossiblePrice(text) : kinds.some((kind) => isPossible(kind, text));
}

/** Digits with separators. */
const NUMERAL = /\p{Nd}(?:[\p{Nd}.,'’\u066b\u066c\u00a0\u202f ]*\p{Nd})?/gu;
const PRICE_CHARS_MAX = 200;

/** True for one number, such as "19.90", "1 299,00 €" or "CHF 5'000.–"; false for a range. */
function isPossiblePrice(text: string): boolean {
  return text.length > PRICE_CHARS_MAX || [...text.matchAll(NUMERAL)].length === 1;
}

/** Names the kinds of value that a property accepts: "a date or a time". */
function describeKinds(property: string): SafeText {
  const named = kindsOf(property).flatMap((kind) =>
    kind in KIND_NAMES ? KIND_NAMES[kind as keyof typeof KIND_NAMES] : [],
  );
  return joinSafeText(named, ' or ');
}

const KIND_NAMES = {
  date: term('a date'),
  number: term('a number'),
  time: term('a time'),
  url: term('a URL'),
} as const;

function kindsOf(property: string): readonly ValueKind[] {
  return PRICES.has(property) ? ['number'] : schemaOrg().kindsOf(property);
}

/** True for `{{ product.price }}`, `{search_term_string}`, `%%title%%`, `<%= x %>` or `${x}`. */
function isTemplate(text: string): boolean {
  return text.includes('{') || text.includes('%%') || text.includes('<%');
}

function isPossible(kind: ValueKind, text: string): boolean {
  if (kind === 'date') return isPossibleDate(text);
  if (kind === 'time') return /\d/.test(text) && !isImpossibleTime(text);
  if (kind === 'number') return /\p{Nd}/u.test(text) || /^[+-]?inf(inity)?$/i.test(text);
  return true;
}

/** Year, month and day as numbers, with the usual separators or none, then a time. */
const NUMERIC_DATE = /^[+-]?(\d{4})(?:([-/.]?)(\d{2})(?:\2(\d{2}))?)?(?!\d)(?:[T ](.*))?/s;

const DATE_CHARS_MAX = 100;
/** An ISO 8601 year alone, with a week, or with the day of the year. */
const WEEK_OR_YEAR = /^[+-]?\d{4}(?:-?W\d{2}(?:-?\d)?|-?\d{3})?$/;
/** Four digits of any script. */
const YEAR = /(?<!\p{Nd})\p{Nd}{4}(?!\p{Nd})/u;
const YEAR_LAST = /^(\d{1,2}) ?([./-]) ?(\d{1,2}) ?\2 ?(\d{4})\.?$/;

/**
 * True for a date in ISO 8601 (schema.org/Date), where the year comes first, or any other text with a year. Numbers with the year last must
 * have one meaning: "05/03/2026" is in March or in May, depending on the country.
 */
function isPossibleDate(text: string): boolean {
  const numeric = NUMERIC_DATE.exec(text);
  if (numeric?.[3] !== undefined) {
    const [, year, , month, day = '01', time = ''] = numeric;
    return isDay(year, month, day) && !isImpossibleTime(time);
  }
  const [, first, , second, year] = YEAR_LAST.exec(text) ?? [];
  if (year === undefined) return WEEK_OR_YEAR.test(text) || (text.length <= DATE_CHARS_MAX && YEAR.test(text));
  return isDay(year, first, second) ? first === second || !isDay(year, second, first) : isDay(year, second, first);
}

/** True for a day of the proleptic Gregorian calendar. */
function isDay(year: string | undefined, month: string | undefined, day: string | undefined): boolean {
  const [y, m, d] = [Number(year), Number(month), Number(day)];
  return m >= 1 && m <= 12 && d >= 1 && d <= new Date(Date.UTC(2000 + (y % 400), m, 0)).getUTCDate();
}

/** True for an hour above 24 or a minute above 59. A year is not read as a time ("1970-01-01T09:00" where a time is expected). */
function isImpossibleTime(text: string): boolean {
  const [, hours, minutes] = /^T?(\d{2}):?(\d{2})(?!\d|-\d{2}-)/.exec(text) ?? [];
  return Number(hours) > 24 || Number(minutes) > 59;
}
