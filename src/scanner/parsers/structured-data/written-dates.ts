import { foldCase } from './fold-case.js';
import { DATE_NAMES } from './month-names.js';
import { remember } from '../../../net/keyed.js';

/** A longer text is not a date. */
const CHARS_MAX = 100;

/** "Tue, 07 Jan 2020 10:00:00 GMT (midday)": the comment of RFC 5322 §3.2.2, and of JavaScript's `Date.toString`. */
const COMMENT = / ?\([^()]*\)$/;
/** The zones of RFC 5322 §4.3, and others that mail and news name. */
const ZONE =
  '(?:(?:gmt|utc)? ?[+-]\\d{2}:?\\d{2}|gmt|utc?|z|[ecmp][sd]t|wes?t|cest|cet|eest|eet|msk|bst|ist|jst|kst|aest|aedt|nzst|nzdt)';
const TIME = new RegExp(
  `(?:^|[ t,])(\\d{1,2})[:h](\\d{2})(?::(\\d{2})(?:[.,]\\d+)?)?(?: ?([ap])\\.?m\\.?)?(?: ?${ZONE})?(?=$|[ ,])`,
);
const FULL_HOUR = new RegExp(`(?:^|[ ,])(\\d{1,2}) ?([ap])\\.?m\\.?(?: ?${ZONE})?(?=$|[ ,])`);

const YEAR_LAST = /^(\d{1,2}) ?([./-]) ?(\d{1,2}) ?\2 ?(\d{4})\.?$/;
const MONTH_AND_YEAR = /^(\d{1,2})[./-](\d{4})$/;
/** With the signs for year, month and day of Chinese, Japanese and Korean, too. */
const YEAR_FIRST = /^(\d{4}) ?[./\-年년] ?(\d{1,2})(?: ?[./\-月월] ?(\d{1,2}))? ?[.月월日일]?$/;

const YEAR = /^\d{4}$/;
/** In the digits of any script. */
const YEAR_ANYWHERE = /\p{Nd}{4}/u;
/** "7", "7th", "1er", "1º" (which folds to "1o"). */
const DAY = /^(\d{1,2})(?:st|nd|rd|th|er|re|e|o|a)?$/;
/** What stands between the parts of a date, or before it. */
const FILLERS = new Set(
  foldCase(
    `of the at on de del di d der den am um uhr om kl klo le el il la las les a as dia г года год р року рік років в у о năm`,
  ).split(' '),
);

/**
 * How many dates a text can mean that has a form other than ISO 8601's: a day or none, a month by its name in English or in the language
 * of the page, and a year of four digits, or the three as numbers, with a weekday and a time if it likes. Null if it is nothing of the
 * kind; 0 if it is, but means a day or a time that there is not ("30 February 2026").
 * @param language the primary subtag of the page's language; null if it declares none, so that it may be any
 */
export function countDates(text: string, language: string | null): number | null {
  if (text.length > CHARS_MAX) return null;
  const folded = foldCase(text).replaceAll(/\s+/g, ' ').trim().replace(COMMENT, '');
  const { rest, isPossible } = withoutTime(folded);
  const dates = datesIn(rest.replace(/^[ ,]+|[ ,]+$/g, ''), language);
  if (dates === null) return null;
  return isPossible ? new Set(dates.filter(isDay).map((date) => date.join('-'))).size : 0;
}

type WrittenDate = readonly [year: number, month: number, day: number];

/** The dates that a text may mean, whether there is such a day or not. */
function datesIn(text: string, language: string | null): WrittenDate[] | null {
  const last = YEAR_LAST.exec(text);
  if (last) {
    const [first, second, year] = [Number(last[1]), Number(last[3]), Number(last[4])];
    return [
      [year, first, second],
      [year, second, first],
    ];
  }
  const short = MONTH_AND_YEAR.exec(text);
  if (short) return [[Number(short[2]), Number(short[1]), 1]];
  const ordered = YEAR_FIRST.exec(text);
  if (ordered) return [[Number(ordered[1]), Number(ordered[2]), Number(ordered[3] ?? 1)]];
  return readNamed(text, language);
}

function readNamed(text: string, language: string | null): WrittenDate[] | null {
  const names = namesIn(language);
  const words = text.split(/[\s,./'’-]+/).filter((word) => word !== '' && !FILLERS.has(word));
  // The weekday comes first: a short one may be a month in another place ("mar 7 janvier").
  while (words.slice(1).some((word) => names.months.has(word)) && names.weekdays.has(words[0] ?? '')) words.shift();
  const [year, ...otherYears] = words.filter((word) => YEAR.test(word));
  const [day = '1', ...otherDays] = words.flatMap((word) => DAY.exec(word)?.[1] ?? []);
  const [month, ...otherMonths] = words.flatMap((word) => names.months.get(word) ?? []);
  if (!isReadable(language) && YEAR_ANYWHERE.test(text) && /\p{L}/u.test(text)) return [[1970, 1, 1]];
  const isWhole = words.every((word) => YEAR.test(word) || DAY.test(word) || names.months.has(word));
  if (!isWhole || year === undefined || month === undefined) return null;
  if (otherYears.length + otherDays.length + otherMonths.length > 0) return null;
  return [...month].map((one) => [Number(year), one, Number(day)]);
}

function withoutTime(text: string): { readonly rest: string; readonly isPossible: boolean } {
  const time = TIME.exec(text);
  if (time) {
    const [found, hour, minute, second = '0', half] = time;
    const isPossible = isHour(Number(hour), half) && Number(minute) < 60 && Number(second) <= 60;
    return { rest: text.replace(found, ' '), isPossible };
  }
  const fullHour = FULL_HOUR.exec(text);
  if (!fullHour) return { rest: text, isPossible: true };
  return { rest: text.replace(fullHour[0], ' '), isPossible: isHour(Number(fullHour[1]), fullHour[2]) };
}

function isHour(hour: number, half: string | undefined): boolean {
  return half === undefined ? hour <= 24 : hour >= 1 && hour <= 12;
}

function isDay([year, month, day]: WrittenDate): boolean {
  return month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
}

/** How many days a month has; by the Gregorian calendar, also before it was introduced. */
export function daysIn(year: number, month: number): number {
  return new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
}

interface Names {
  /** A name in several languages may be several months. */
  readonly months: ReadonlyMap<string, ReadonlySet<number>>;
  readonly weekdays: ReadonlySet<string>;
}

/** Languages whose names of months are another's. */
const SAME_NAMES: Readonly<Record<string, string>> = { no: 'nb', nn: 'nb', bs: 'hr' };

/** The language whose names a page's dates have; null: any. */
function codeOf(language: string | null): string | null {
  return language === null ? null : (SAME_NAMES[language] ?? language);
}

/** Whether the names of the page's language are known. Where they are not, words next to a year are taken for one date. */
function isReadable(language: string | null): boolean {
  const code = codeOf(language);
  return code === null || Object.hasOwn(DATE_NAMES, code);
}

const namesByLanguage = new Map<string, Names>();

function namesIn(language: string | null): Names {
  const code = isReadable(language) ? codeOf(language) : 'en';
  return remember(namesByLanguage, code ?? '*', () =>
    collectNames(code === null ? Object.keys(DATE_NAMES) : ['en', code]),
  );
}

function collectNames(languages: readonly string[]): Names {
  const months = new Map<string, Set<number>>();
  const weekdays = new Set<string>();
  for (const language of languages) {
    const names = DATE_NAMES[language];
    for (const [index, forms] of (names?.months.split(' ') ?? []).entries()) {
      for (const form of foldCase(forms).split('/')) remember(months, form, () => new Set()).add(index + 1);
    }
    for (const weekday of foldCase(names?.weekdays ?? '').split(' ')) weekdays.add(weekday);
  }
  return { months, weekdays };
}
