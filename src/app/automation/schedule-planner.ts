import { type Clock, laterThan } from '../../platform/clock.js';
import type { NewJob } from '../../queue/job.js';
import { addJobs, countJobs } from '../../queue/jobs.js';
import type { Steps } from '../../queue/steps.js';
import type { Database } from '../../store/database.js';
import { all, execute, type Transaction } from '../../store/transaction.js';
import { effectiveFrequency, FREQUENCIES, nextScheduledTime } from './schedule.js';
import {
  type DueScheduleRow,
  PLANNED_AT_ONCE,
  selectDueSchedules,
  selectSchedulesAfter,
  updateNextRuns,
} from './schedule-statements.js';

export interface PlannerDeps {
  readonly db: Database;
  readonly clock: Clock;
  /** For tests. */
  readonly queuedMax?: number;
}

export const PLAN_EVERY_MS = 10_000;

/**
 * Beyond so many queued runs, what is due stays due: far more than all workers finish until the next plan is made, yet few enough that
 * the indexes of the queue stay small. A million jobs at once made SQLite write 24 kB for each, most of it pages that one job had changed.
 */
const QUEUED_MAX = 20_000;

/** No schedule looks further ahead than a week; the day more is for clocks that differ. */
const AHEAD_MS_MAX = FREQUENCIES.WEEKLY.periodMs + 24 * 3_600_000;

/** Queues one run of each site whose time has come, however often it was missed, the longest due first. */
export async function* planSchedules({ db, clock, queuedMax = QUEUED_MAX }: PlannerDeps): Steps {
  await db.transaction(() => bringBackStray(clock.now()));
  let queued = await countJobs(db, 'SCHEDULED', queuedMax);
  while (queued < queuedMax) {
    const count = await db.transaction(() => planSome(clock.now()));
    if (count < PLANNED_AT_ONCE) return;
    queued += count;
    yield;
  }
}

/** One transaction: either a run is queued and its schedule moves to its next time, or neither. @returns how many were due */
function* planSome(now: Date): Transaction<number> {
  const rows = yield* all(selectDueSchedules({ now: now.toISOString() }));
  const verified = rows.filter(({ verified_at }) => verified_at !== null);
  yield* addJobs(
    verified.map((row) => runOf(row, now)),
    now,
  );
  yield* setNextTimes(rows, now);
  return rows.length;
}

/** What a clock that was far ahead for a while has planned would not run for as long. */
function* bringBackStray(now: Date): Transaction<void> {
  yield* setNextTimes(yield* all(selectSchedulesAfter({ after: laterThan(now, AHEAD_MS_MAX) })), now);
}

/** From now, not from the time that has come: what was missed while no worker planned is made up for by one run. */
function* setNextTimes(rows: readonly DueScheduleRow[], now: Date): Transaction<void> {
  if (rows.length === 0) return;
  const next = rows.map(({ site_id, frequency, plan }) => ({
    site_id,
    next_run_at: nextScheduledTime(site_id, effectiveFrequency(frequency, plan), now).toISOString(),
  }));
  yield* execute(updateNextRuns({ schedules: JSON.stringify(next) }));
}

function runOf({ site_id, account_id }: DueScheduleRow, now: Date): NewJob {
  return { queue: 'runs', kind: 'SCHEDULED', key: site_id, accountId: account_id, siteId: site_id, runAfter: now };
}
