import type { Clock } from '../scanner/scan/clock.js';

export type { Clock };

/** 24 hours. */
export const DAY_MS = 86_400_000;

/** The UTC day, `YYYY-MM-DD`: the boundary of the daily run budget. */
export function utcDay(date: Date): string {
  return date.toISOString().slice(0, 10);
}

/** The UTC month, `YYYY-MM`: the boundary of the monthly quota. */
export function utcMonth(date: Date): string {
  return `${date.getUTCFullYear()}-${String(date.getUTCMonth() + 1).padStart(2, '0')}`;
}

/** The first instant of the UTC day. */
export function utcDayStart(date: Date): Date {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()));
}

/** The first instant of the next UTC day: when the daily run budget renews. */
export function utcNextDayStart(date: Date): Date {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() + 1));
}

/** The first instant of the UTC month. */
export function utcMonthStart(date: Date): Date {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1));
}

/** The first instant of the next UTC month: when the monthly quota renews. */
export function utcNextMonthStart(date: Date): Date {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1));
}

/** Whole seconds until the next UTC day, at least 1 (for Retry-After). */
export function secondsToNextUtcDay(now: Date): number {
  return secondsUntil(now, utcNextDayStart(now));
}

/** Whole seconds until the next UTC month, at least 1 (for Retry-After). */
export function secondsToNextUtcMonth(now: Date): number {
  return secondsUntil(now, utcNextMonthStart(now));
}

/** Whole seconds from `now` to a later time, at least 1 (for Retry-After). */
export function secondsUntil(now: Date, then: Date): number {
  return Math.max(1, Math.ceil((then.getTime() - now.getTime()) / 1000));
}

/** The system clock. */
export const systemClock: Clock = { now: () => new Date() };

/** `now` plus `ms`, which may be negative. */
export function timeAfter(now: Date, ms: number): Date {
  return new Date(now.getTime() + ms);
}

/** {@link timeAfter} in the format of the database. */
export function laterThan(now: Date, ms: number): string {
  return timeAfter(now, ms).toISOString();
}
