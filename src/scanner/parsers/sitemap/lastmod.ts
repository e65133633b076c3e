/** A date, perhaps with a time and a zone. Crawlers also accept a space for the T, and an offset without its colon. */
const DATE_TIME =
  /^(?<year>-?(?:\d{4}|[1-9]\d{4}))(?:-(?<month>\d\d)(?:-(?<day>\d\d)(?:(?<separator>[Tt ])(?<hour>\d\d):(?<minute>\d\d)(?::(?<second>\d\d)(?:\.(?<fraction>\d+))?)?)?(?<zone>[Zz]|[+-]\d\d:?\d\d)?)?)?$/;

const MINUTE_MS = 60_000;
/** The first place on earth where a day begins. */
const OFFSET_MINUTES_MAX = 14 * 60;

/**
 * Parses a lastmod: a W3C datetime (https://www.w3.org/TR/NOTE-datetime), or what the schema of sitemaps.org accepts besides (XML Schema 1.0,
 * part 2, §3.2.7 and §3.2.9: a day with a zone, a time without one, 24:00:00, other years) and would accept if seconds were added.
 * @returns milliseconds since 1970, at the start of the period; without a zone, the earliest that it can be. Null for anything else,
 * such as 30 February.
 */
export function parseLastmod(value: string): number | null {
  const parts = DATE_TIME.exec(value)?.groups;
  if (parts === undefined) return null;
  const { year = '', month, day, separator, zone } = parts;
  const [hour, minute, second] = [Number(parts.hour ?? 0), Number(parts.minute ?? 0), Number(parts.second ?? 0)];
  const startOfDay = startOf(Number(year), Number(month ?? 1), Number(day ?? 1));
  if (startOfDay === null || minute > 59) return null;
  const isW3cZone = zone === undefined || /^(?:z|[+-](?:0\d|1[0-4]):?[0-5]\d)$/i.test(zone);
  const hasTime = separator !== undefined;
  const isW3c = year.length === 4 && hasTime === (zone !== undefined) && hour < 24 && second <= 60;
  const isMidnight = hour === 24 && minute === 0 && second === 0 && Number(parts.fraction ?? 0) === 0;
  const isInSchema =
    day !== undefined &&
    !/^-?0000$/.test(year) &&
    (separator ?? 'T') === 'T' &&
    (zone === undefined || /^(?:Z|.*:..)$/.test(zone)) &&
    Math.abs(offsetOf(zone)) <= OFFSET_MINUTES_MAX &&
    (isMidnight || (hour < 24 && second < 60));
  if (!isW3cZone || !(isW3c || isInSchema)) return null;
  return startOfDay + (hour * 60 + minute - offsetOf(zone)) * MINUTE_MS + second * 1000;
}

/** In minutes. */
function offsetOf(zone: string | undefined): number {
  if (zone === undefined) return OFFSET_MINUTES_MAX;
  if (/^z$/i.test(zone)) return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2));
  return zone.startsWith('-') ? -minutes : minutes;
}

/** Milliseconds since 1970, in UTC; null for a day that does not exist. */
function startOf(year: number, month: number, day: number): number | null {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  // A nonexistent day rolls over into the next month.
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() : null;
}
