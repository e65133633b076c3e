import type { Clock } from '../scanner/scan/scan.js';

export type { Clock };

export const DAY_MS = 86_400_000;

export const systemClock: Clock = { now: () => new Date() };

/** Returns the UTC day, `YYYY-MM-DD`, by which the daily run budget counts. */
export function utcDay(date: Date): string {
  return date.toISOString().slice(0, 10);
}

/** Returns the UTC month, `YYYY-MM`, by which the monthly quota counts. */
export function utcMonth(date: Date): string {
  return date.toISOString().slice(0, 7);
}

/** Returns the start of the UTC day, or of a later one. */
export function utcDayStart(date: Date, daysLater = 0): Date {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() + daysLater));
}

/** Returns the start of the UTC month, or of a later one. */
export function utcMonthStart(date: Date, monthsLater = 0): Date {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + monthsLater, 1));
}

/** Returns whole seconds until `then`, at least 1, for Retry-After. */
export function secondsUntil(now: Date, then: Date): number {
  return Math.max(1, Math.ceil((then.getTime() - now.getTime()) / 1000));
}

export function secondsToNextUtcMonth(now: Date): number {
  return secondsUntil(now, utcMonthStart(now, 1));
}

/** @param ms may be negative */
export function timeAfter(now: Date, ms: number): Date {
  return new Date(now.getTime() + ms);
}

/** Returns {@link timeAfter} in the format of the database. */
export function isoTimeAfter(now: Date, ms: number): string {
  return timeAfter(now, ms).toISOString();
}

/** Calls `action` after `delayMs`; the returned function cancels it. Tests supply their own. */
export type StartTimer = (action: () => unknown, delayMs: number) => () => void;

/** A timer that does not keep the process alive. */
export function startNodeTimer(action: () => unknown, delayMs: number): () => void {
  const timer = setTimeout(action, delayMs).unref();
  return () => {
    clearTimeout(timer);
  };
}
