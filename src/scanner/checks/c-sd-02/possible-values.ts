import type { SchemaValue } from '../../artifacts/structured-data.js';
import type { ValueKind } from '../../artifacts/schema-org.js';
import { schemaOrg } from '../../artifacts/schema-org.js';
import type { SafeText } from '../../artifacts/safe-text.js';
import { joinSafeText, term } from '../../artifacts/safe-text.js';
import { countDates, daysIn } from '../../parsers/structured-data/written-dates.js';

/** Any base will do: whether a reference can be resolved does not depend on its page. */
const ANY_PAGE = 'https://page.example/';

/** schema.org's range allows Text for prices, which is meant for numerals ("19.90"); here they are read as numbers. */
const PRICES = new Set(['price', 'lowPrice', 'highPrice']);

/**
 * Whether a value can be one of the kinds that the property's range allows. Judges only text and numbers, and only where the
 * range excludes text: an object, or text where an object is expected, is left alone (schema.org is loose about both), and so is
 * a template that the server did not fill in. C-SD-04 judges `sameAs`.
 * @param language the page's, in which its dates may be written
 */
export function isPossibleValue(property: string, value: SchemaValue, language: string | null): boolean {
  if (typeof value === 'object' || typeof value === 'boolean' || property === 'sameAs') return true;
  const kinds = kindsOf(property);
  if (kinds.some((kind) => kind === 'text' || kind === 'boolean')) return true;
  const text = String(value).trim();
  if (isTemplate(text)) return true;
  // As a reference, only text that starts as a URL with an impossible host fails: it cannot be meant as an object's name.
  if (kinds.includes('url')) return URL.parse(text, ANY_PAGE) !== null;
  return PRICES.has(property) ? isPossiblePrice(text) : kinds.some((kind) => isPossible(kind, text, language));
}

/** One numeral: digits with separators, whatever stands before and after them. */
const NUMERAL = /\p{Nd}(?:[\p{Nd}.,'’\u066b\u066c\u00a0\u202f ]*\p{Nd})?/gu;
const PRICE_CHARS_MAX = 200;

/** Whether some reading makes the text one number: "19.90", "1 299,00 €", "CHF 5'000.–"; not a range, nor a price with a phone number. */
function isPossiblePrice(text: string): boolean {
  return text.length > PRICE_CHARS_MAX || [...text.matchAll(NUMERAL)].length === 1;
}

/** Whether a price is more than the plain numeral that schema.org asks for: with a currency, or a comma for its point. */
export function isLoosePrice(property: string, value: SchemaValue): boolean {
  if (!PRICES.has(property) || typeof value !== 'string' || isTemplate(value)) return false;
  return !/^\p{Nd}+(?:\.\p{Nd}+)?$/u.test(value.trim());
}

/** Whether a date reads in one way only, but is not written as ISO 8601 has it: "7 January 2020", "13/04/2026". */
export function isLooseDate(property: string, value: SchemaValue, language: string | null): boolean {
  if (typeof value !== 'string' || isTemplate(value)) return false;
  const kinds = kindsOf(property);
  return kinds.includes('date') && !kinds.includes('text') && readDate(value.trim(), language) === 'loose';
}

/** "a date or a time": the kinds of text that a property accepts. */
export function describeKinds(property: string): SafeText {
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

/** `{{ product.price }}`, `{search_term_string}`, `%%title%%`, `<%= x %>`, `${x}`. */
export function isTemplate(text: string): boolean {
  return text.includes('{') || text.includes('%%') || text.includes('<%');
}

function isPossible(kind: ValueKind, text: string, language: string | null): boolean {
  if (kind === 'date') return readDate(text, language) !== null;
  if (kind === 'time') return /\d/.test(text) && !isImpossibleTime(text);
  if (kind === 'number') return /\p{Nd}/u.test(text) || /^[+-]?inf(inity)?$/i.test(text);
  return true;
}

/** Year, month and day as numbers, with the usual separators or none, and the rest. */
const NUMERIC_DATE = /^[+-]?(\d{4})(?:([-/.]?)(\d{2})(?:\2(\d{2}))?)?(?!\d)(?:[T ](.*))?/s;

/**
 * schema.org/Date is ISO 8601, of which the W3C's notation is a part: the year comes first. Past the year, only what is impossible is
 * charged. In another form a date must read in one way only: "05/03/2026" is another day in one country than in the next.
 */
function readDate(text: string, language: string | null): 'iso' | 'loose' | null {
  const numeric = NUMERIC_DATE.exec(text);
  const isYearAlone = numeric?.[3] === undefined;
  const dates = isYearAlone ? countDates(text, language) : null;
  if (dates !== null) return dates === 1 ? 'loose' : null;
  if (!numeric) return null;
  const [, year, , month = '01', day = '01', time = ''] = numeric;
  if (Number(month) < 1 || Number(month) > 12 || Number(day) < 1) return null;
  return Number(day) <= daysIn(Number(year), Number(month)) && !isImpossibleTime(time) ? 'iso' : null;
}

/** Hours and minutes past the end of a day. A year with its month is not a time ("1970-01-01T09:00" where a time is expected). */
function isImpossibleTime(text: string): boolean {
  const [, hours, minutes] = /^T?(\d{2}):?(\d{2})(?!\d|-\d{2}-)/.exec(text) ?? [];
  return Number(hours) > 24 || Number(minutes) > 59;
}
