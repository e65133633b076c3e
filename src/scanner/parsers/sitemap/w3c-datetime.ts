const DATE = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?$/;
const DATE_TIME = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?(?:[Zz]|([+-])(\d\d):?(\d\d))$/;

const MINUTE_MS = 60_000;
const OFFSET_HOURS_MAX = 14;

/**
 * Reads a W3C datetime (https://www.w3.org/TR/NOTE-datetime, the format that sitemaps.org requires for lastmod): a year, month or
 * day, or a time with its zone. Like crawlers, it also accepts a space for the T and an offset without its colon. Returns
 * milliseconds since 1970, at the start of the period; null for anything else, such as 30 February.
 */
export function parseW3cDatetime(value: string): number | null {
  const date = DATE.exec(value);
  if (date) return startOfDay(Number(date[1]), Number(date[2] ?? 1), Number(date[3] ?? 1));
  const match = DATE_TIME.exec(value);
  if (!match) return null;
  const day = startOfDay(Number(match[1]), Number(match[2]), Number(match[3]));
  const [hour, minute, second] = [Number(match[4]), Number(match[5]), Number(match[6] ?? 0)];
  const [offsetHour, offsetMinute] = [Number(match[8] ?? 0), Number(match[9] ?? 0)];
  const isInRange = hour < 24 && minute < 60 && second <= 60 && offsetHour <= OFFSET_HOURS_MAX && offsetMinute < 60;
  if (day === null || !isInRange) return null;
  const offsetMinutes = (match[7] === '-' ? -1 : 1) * (offsetHour * 60 + offsetMinute);
  return day + (hour * 60 + minute - offsetMinutes) * MINUTE_MS + second * 1000;
}

/** Milliseconds since 1970, in UTC; null for a day that does not exist. */
export function startOfDay(year: number, month: number, day: number): number | null {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  // A nonexistent day rolls over into the next month.
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() : null;
}
