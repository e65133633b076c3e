import { countOf } from '../../scanner/artifacts/counts.js';

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;
const RELATIVE_DAYS_MAX = 45;

/** `2 hours`, in the largest unit that it fills; null below a minute. */
export function formatDistance(seconds: number): string | null {
  const [unit, unitS] = UNITS.find(([, unitS]) => seconds >= unitS) ?? [];
  return unit === undefined ? null : countOf(Math.floor(seconds / unitS), unit);
}

/** `5 minutes ago`, `in 2 hours`; the date if long ago. */
export function formatRelative(at: Date, now: Date): string {
  const seconds = Math.round((now.getTime() - at.getTime()) / 1000);
  const distance = Math.abs(seconds);
  const words = formatDistance(distance);
  if (words === null) return seconds >= 0 ? 'just now' : 'in less than a minute';
  if (distance > RELATIVE_DAYS_MAX * 86_400) return `on ${formatDay(at.toISOString(), now.toISOString())}`;
  return seconds > 0 ? `${words} ago` : `in ${words}`;
}

/** `2026-11-21 14:37 UTC`. */
export function formatUtc(at: string): string {
  return `${at.slice(0, 10)} ${formatTime(at)} UTC`;
}

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** `9 Sep`, with the year if `other` has another; UTC. */
export function formatDay(at: string, other: string): string {
  const [year = '', month = '', day = ''] = at.slice(0, 10).split('-');
  const words = `${Number(day)} ${MONTHS[Number(month) - 1] ?? ''}`;
  return other.startsWith(year) ? words : `${words} ${year}`;
}

/** `24 Nov, 14:39`, with the year if `other` has another; UTC. */
export function formatMoment(at: string, other: string): string {
  return `${formatDay(at, other)}, ${formatTime(at)}`;
}

export function formatTime(at: string): string {
  return at.slice(11, 16);
}

export function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
