import { utcDay, utcMonth } from '../../platform/clock.js';
import type { Database } from '../../store/database.js';
import {
  type DeleteSome,
  deleteOldBudgets,
  deleteOldDeliveries,
  deleteOldKeyUsage,
  deleteSomeEndedSessions,
  deleteSomeEndedWindows,
  deleteSomeOldFreeScans,
  deleteSpentLinks,
} from './housekeeping-statements.js';
import type { Steps } from '../../queue/steps.js';
import { oldTimesOf } from '../free-scan/free-scan-cache.js';
import { ENDED_KEPT_MS } from '../limits/rate-limits.js';
import { SESSION_IDLE_MS } from '../accounts/sessions.js';

const DAY_MS = 86_400_000;

/** How long the log keeps messages to webhooks and mailboxes. */
export const DELIVERIES_KEPT_DAYS = 30;

/** How long it is kept how many requests a key made in a month: the month and a year before it, to compare. */
export const KEY_USAGE_KEPT_MONTHS = 13;

export const CLEAN_UP_EVERY_MS = 3_600_000;

/** Deletes what nobody needs any more. */
export async function* cleanUp(db: Database, now: Date): Steps {
  const before = (ms: number): Date => new Date(now.getTime() - ms);
  const nowText = now.toISOString();
  // A run that was admitted yesterday may still give its place of the day back.
  yield* deleteAll(db, deleteOldBudgets, { before_day: utcDay(before(DAY_MS)) });
  yield* deleteAll(db, deleteOldKeyUsage, { before_month: monthBefore(now, KEY_USAGE_KEPT_MONTHS - 1) });
  const idle_before = before(SESSION_IDLE_MS).toISOString();
  yield* deleteAll(db, deleteSomeEndedSessions, { now: nowText, idle_before });
  yield* deleteAll(db, deleteSpentLinks, { now: nowText });
  yield* deleteAll(db, deleteSomeEndedWindows, { now: before(ENDED_KEPT_MS).toISOString() });
  yield* deleteAll(db, deleteOldDeliveries, { before: before(DELIVERIES_KEPT_DAYS * DAY_MS).toISOString() });
  yield* deleteAll(db, deleteSomeOldFreeScans, oldTimesOf(now));
}

async function* deleteAll<P>(db: Database, deleteSome: DeleteSome<P>, params: P): Steps {
  while ((await db.run(deleteSome(params))).length > 0) yield;
}

function monthBefore(now: Date, months: number): string {
  return utcMonth(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1)));
}
