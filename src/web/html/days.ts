import { DAY_MS } from '../../platform/clock.js';

const DAY_CHARS = '2026-11-24'.length;

/** The entries of one day, UTC. */
export interface Day<T> {
  /** `2026-11-24`. */
  readonly day: string;
  /** `Today`, `Yesterday` or a date. */
  readonly name: string;
  readonly entries: readonly T[];
}

/** Groups entries by day, in their order. @param atOf returns the time of an entry: ISO 8601, UTC */
export function groupByDay<T>(entries: readonly T[], atOf: (entry: T) => string, now: Date): readonly Day<T>[] {
  const dayOf = (at: string): string => at.slice(0, DAY_CHARS);
  const today = dayOf(now.toISOString());
  const yesterday = dayOf(new Date(now.getTime() - DAY_MS).toISOString());
  const nameOf = (day: string): string => (day === today ? 'Today' : day === yesterday ? 'Yesterday' : day);
  return [...Map.groupBy(entries, (entry) => dayOf(atOf(entry)))].map(([day, ofDay]) => ({
    ...{ day, name: nameOf(day) },
    entries: ofDay,
  }));
}
