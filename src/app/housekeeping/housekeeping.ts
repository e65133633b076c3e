import { type Clock, utcDay, utcMonth } from '../../platform/clock.js';
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
import { eraseLeftovers, type Steps, workOff } from './erasure.js';
import { oldTimesOf } from '../free-scan/free-scan-shelf.js';
import { ENDED_KEPT_MS } from '../limits/rate-limits.js';
import { SESSION_IDLE_MS } from '../accounts/sessions.js';
import type { WorkSource } from '../../queue/work.js';

const DAY_MS = 86_400_000;

/** How long the log keeps messages to webhooks and mailboxes. */
export const DELIVERIES_KEPT_DAYS = 30;

/** How long it is kept how many requests a key made in a month: the month and a year before it, to compare. */
export const KEY_USAGE_KEPT_MONTHS = 13;

const EVERY_MS = 3_600_000;

/** How long one sweep may take over each part of it. What is left then, the next one goes on with. */
const AT_ONCE_MS = 1000;

/**
 * Does what belongs to the upkeep of the database: erases what removals left behind, and about once an hour deletes what nobody
 * needs any more. Meant to be called with every sweep; several processes may do it at the same time.
 * @throws ServiceError overloaded when the database is away
 */
export type Housekeep = () => Promise<void>;

export interface HousekeepingDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly atOnceMs?: number;
}

export function createHousekeeping({ db, clock, atOnceMs = AT_ONCE_MS }: HousekeepingDeps): Housekeep {
  let dueMs = -Infinity;
  return async () => {
    const nowMs = clock.now().getTime();
    if (!(await workOff(eraseLeftovers(db), atOnceMs)) || nowMs < dueMs) return;
    if (await workOff(deleteOld(db, clock.now()), atOnceMs)) dueMs = nowMs + EVERY_MS;
  };
}

/** The same source of work, whose sweep does the upkeep too, after what cannot wait. If that fails, nothing else does. */
export function withHousekeeping(
  source: WorkSource,
  housekeep: Housekeep,
  onFailure: (cause: unknown) => void,
): WorkSource {
  return {
    ...source,
    async sweep() {
      const work = await source.sweep();
      await housekeep().catch(onFailure);
      return work;
    },
  };
}

async function* deleteOld(db: Database, now: Date): Steps {
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
