/** A date or dateTime of XML Schema 1.0 (part 2, §3.2.7 and §3.2.9), and the latter without its seconds, too. */
const SCHEMA_TIME =
  /^(?<year>-?(?!0000)(?:[1-9]\d{4}|\d{4}))-(?<month>\d\d)-(?<date>\d\d)(?:T(?<hour>\d\d):(?<minute>\d\d)(?::(?<second>\d\d)(?:\.(?<fraction>\d+))?)?)?(?<zone>Z|[+-]\d\d:\d\d)?$/;

const MINUTE_MS = 60_000;
/** The first place on earth where a day begins. */
const OFFSET_MINUTES_MAX = 14 * 60;

export interface Lastmod {
  /** Milliseconds since 1970, at the start of the period; without a zone, the earliest that it can be. */
  readonly earliestMs: number;
  /** It is a W3C datetime, as the text of sitemaps.org says that it should be. */
  readonly isW3c: boolean;
}

/**
 * Reads a lastmod: a W3C datetime, or what the schema of sitemaps.org takes besides (a day with a zone, a time without one, 24:00:00,
 * years of more than four digits or before the common era) and would take if seconds were added. Null for anything else.
 */
export function parseLastmod(value: string): Lastmod | null {
  const time = parseW3cDatetime(value);
  const hasZone = value.length > 'YYYY-MM-DD'.length;
  if (time !== null) return { earliestMs: hasZone ? time : time - OFFSET_MINUTES_MAX * MINUTE_MS, isW3c: true };
  const earliestMs = parseSchemaTime(value);
  return earliestMs === null ? null : { earliestMs, isW3c: false };
}

/** Where the zone is missing, as if it were the one in which the time comes first. */
function parseSchemaTime(value: string): number | null {
  const parts = SCHEMA_TIME.exec(value)?.groups;
  if (!parts) return null;
  const numberOf = (part: string): number => Number(parts[part] ?? 0);
  const day = startOfDay(numberOf('year'), numberOf('month'), numberOf('date'));
  const [hour, minute, second] = [numberOf('hour'), numberOf('minute'), numberOf('second')];
  const isMidnight = hour === 24 && minute === 0 && second === 0 && numberOf('fraction') === 0;
  const offsetMinutes = offsetOf(parts.zone ?? '+14:00');
  if (day === null || offsetMinutes === null) return null;
  if (!isMidnight && (hour > 23 || minute > 59 || second > 59)) return null;
  return day + (hour * 60 + minute - offsetMinutes) * MINUTE_MS + second * 1000;
}

/** In minutes, at most 14 hours; null beyond that. */
function offsetOf(zone: string): number | null {
  if (zone === 'Z') return 0;
  const [hours = 0, minutes = 0] = zone.slice(1).split(':').map(Number);
  if (minutes > 59 || hours * 60 + minutes > OFFSET_MINUTES_MAX) return null;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}

const DATE = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?$/;
const DATE_TIME = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?(?:[Zz]|([+-])(\d\d):?(\d\d))$/;

const OFFSET_HOURS_MAX = 14;

/**
 * Reads a W3C datetime (https://www.w3.org/TR/NOTE-datetime, the format that sitemaps.org requires for lastmod): a year, month or
 * day, or a time with its zone. Like crawlers, it also accepts a space for the T and an offset without its colon. Returns
 * milliseconds since 1970, at the start of the period; null for anything else, such as 30 February.
 */
function parseW3cDatetime(value: string): number | null {
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
function startOfDay(year: number, month: number, day: number): number | null {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  // A nonexistent day rolls over into the next month.
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() : null;
}
