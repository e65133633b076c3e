import { joinSafeText, term, type SafeText } from '../artifacts/safe-text.js';
import { schemaOrg, type ValueKind } from '../artifacts/schema-org.js';
import type { SchemaValue } from '../artifacts/structured-data.js';

/** Whether a reference can be resolved does not depend on its page. */
const ANY_PAGE = 'https://page.example/';

/** Read as numbers, although schema.org also allows Text for numerals such as "19.90". */
const PRICES = new Set(['price', 'lowPrice', 'highPrice']);

/**
 * True if a value can be of a kind that the property's range allows. Only text and numbers are judged, and only if the range excludes
 * text. Objects, text where an object is expected, and templates that the server did not fill in always pass. C-SD-04 judges `sameAs`.
 */
export function isPossibleValue(property: string, value: SchemaValue): boolean {
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

function isPossible(kind: ValueKind, text: string): boolean {
  if (kind === 'date') return isPossibleDate(text);
  if (kind === 'time') return /\d/.test(text) && !isImpossibleTime(text);
  if (kind === 'number') return /\p{Nd}/u.test(text) || /^[+-]?inf(inity)?$/i.test(text);
  return true;
}

/** Year, month and day as numbers, with the usual separators or none, and the rest. */
const NUMERIC_DATE = /^[+-]?(\d{4})(?:([-/.]?)(\d{2})(?:\2(\d{2}))?)?(?!\d)(?:[T ](.*))?/s;

const DATE_CHARS_MAX = 100;
/** ISO 8601's year alone, with its week, or with the day of the year. */
const WEEK_OR_YEAR = /^[+-]?\d{4}(?:-?W\d{2}(?:-?\d)?|-?\d{3})?$/;
/** In the digits of any script. */
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

/** True for hours or minutes past the end of a day. A year and month is not a time ("1970-01-01T09:00" where a time is expected). */
function isImpossibleTime(text: string): boolean {
  const [, hours, minutes] = /^T?(\d{2}):?(\d{2})(?!\d|-\d{2}-)/.exec(text) ?? [];
  return Number(hours) > 24 || Number(minutes) > 59;
}
