import type { SchemaValue } from '../../evidence/structured-data.js';
import type { ValueKind } from '../../evidence/schema-org.js';
import { schemaOrg } from '../../evidence/schema-org.js';
import type { SafeText } from '../../evidence/safe-text.js';
import { joinSafeText, term } from '../../evidence/safe-text.js';
import { parseUrl } from '../../evidence/url.js';

/** Whether a reference can be resolved does not depend on the page that it stands in. */
const ANY_PAGE = 'https://page.example/';

/**
 * Prices may be Text by schema.org's range, which is meant for numerals ("19.90"); they are read as numbers here.
 * Everything with a digit passes.
 */
const PRICES = new Set(['price', 'lowPrice', 'highPrice']);

/**
 * Whether a value can be one of the kinds that the property's range allows. Only text and numbers are judged, and only
 * where the range excludes text: an object, or text where an object is expected, is left alone (schema.org is loose
 * about both), and so is a template that was not filled in on the server. `sameAs` is C-SD-04's to judge.
 */
export function isPossibleValue(property: string, value: SchemaValue): boolean {
  if (typeof value === 'object' || typeof value === 'boolean' || property === 'sameAs') return true;
  const kinds = kindsOf(property);
  if (kinds.some((kind) => kind === 'text' || kind === 'boolean')) return true;
  const text = String(value).trim();
  if (isTemplate(text)) return true;
  // No text fails as a reference but one that starts as a URL with a host that cannot be: it was not meant as an object's name.
  if (kinds.includes('url')) return parseUrl(text, ANY_PAGE) !== null;
  return kinds.some((kind) => isPossible(kind, text));
}

/** "a date or a time": which kinds of text a property takes. */
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

/** Year, month and day as numbers, the usual separators or none, and what follows. */
const NUMERIC_DATE = /^[+-]?(\d{4})(?:([-/.]?)(\d{2})(?:\2(\d{2}))?)?(?![\d])(?:[T ](.*))?/s;
const WRITTEN_YEAR = /(?<!\d)[12]\d{3}(?!\d)/;

/**
 * schema.org/Date is ISO 8601. A date in another notation ("5 March 2026", "05/03/2026") departs from it, yet can be
 * read; it passes as long as it names a year. Impossible is what has none, or months and days that no calendar has.
 */
function isPossibleDate(text: string): boolean {
  const numeric = NUMERIC_DATE.exec(text);
  if (!numeric) return WRITTEN_YEAR.test(text);
  const [, year, , month = '01', day = '01', time = ''] = numeric;
  if (Number(month) < 1 || Number(month) > 12 || Number(day) < 1) return false;
  const lastDay = new Date(Date.UTC(2000 + (Number(year) % 400), Number(month), 0)).getUTCDate();
  return Number(day) <= lastDay && !isImpossibleTime(time);
}

/** Hours and minutes past the end of a day. A year with its month is none ("1970-01-01T09:00", for a time). */
function isImpossibleTime(text: string): boolean {
  const [, hours, minutes] = /^T?(\d{2}):?(\d{2})(?!\d|-\d{2}-)/.exec(text) ?? [];
  return hours !== undefined && (Number(hours) > 24 || Number(minutes) > 59);
}
