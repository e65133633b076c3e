import { setImmediate as letOthersRun } from 'node:timers/promises';
import type { Clock } from '../../platform/clock.js';
import { InputError } from '../../platform/input-error.js';
import type { Plan } from '../accounts/plan.js';
import type { Trigger } from '../runs/run.js';
import { effectiveFrequency, FREQUENCIES, type Frequency, frequenciesOf, nextScheduledTime } from './schedule.js';
import { selectAccount } from '../accounts/account-statements.js';
import { type Database, runOne } from '../../store/database.js';
import { selectQueuedRunsOfSite } from '../../queue/queued-run-statements.js';
import {
  deleteSchedule,
  type DueScheduleRow,
  PLANNED_AT_ONCE,
  selectDueSchedules,
  selectSchedule,
  selectSchedulesAfter,
  selectSchedulesOfAccount,
  updateNextRun,
  upsertSchedule,
} from './schedule-statements.js';
import { all, execute, type Transaction } from '../../store/transaction.js';
import { laterThan } from '../../platform/later-than.js';
import { findOwnSite, holdOwnSite, type SiteOfAccount } from '../sites/sites.js';
import type { Work } from '../../queue/work.js';
import { nextPlace, queueAt } from './queueing.js';

/** When a site runs by itself. */
export interface Schedule {
  /** What was chosen; null: off. */
  readonly frequency: Frequency | null;
  /** What the plan makes of it: rarer than what was chosen where the plan was lowered since. */
  readonly effective: Frequency | null;
  /** ISO 8601, UTC; null: never. */
  readonly nextRunAt: string | null;
  /** What the plan lets one choose, the rarest first. */
  readonly choices: readonly Frequency[];
}

/** A run that nobody watches: by the schedule, or after a deploy. */
export interface QueuedRun {
  readonly trigger: Trigger;
  /** When it begins at the earliest. ISO 8601, UTC. */
  readonly runAfter: string;
  /** Whether it goes on just now. */
  readonly isInHand: boolean;
}

/** Every method but the last rejects with ServiceError site_not_found, for another account's site too. */
export interface Schedules {
  get(request: SiteOfAccount): Promise<Schedule>;
  /** @throws InputError for a frequency that the plan does not have */
  set(request: SiteOfAccount & { readonly frequency: Frequency | null }): Promise<Schedule>;
  /** When the account's sites run next, by site id; a site without a schedule has none. */
  nextRuns(accountId: string): Promise<ReadonlyMap<string, string>>;
  /** The run of the site that waits or goes on, the first of them; null when there is none, or only one by hand. */
  queued(request: SiteOfAccount): Promise<QueuedRun | null>;
  /** Queues one run of each site whose time has come, however often it was missed. */
  planDue(): Promise<readonly Work[]>;
}

export function createSchedules({ db, clock }: { readonly db: Database; readonly clock: Clock }): Schedules {
  const planOf = async (accountId: string): Promise<Plan> =>
    (await runOne(db, selectAccount({ id: accountId })))?.plan ?? 'FREE';

  const get = async (request: SiteOfAccount): Promise<Schedule> => {
    const { id, account_id } = await findOwnSite(db, request);
    const [plan, row] = await Promise.all([planOf(account_id), runOne(db, selectSchedule({ site_id: id }))]);
    const choices = frequenciesOf(plan);
    if (!row) return { frequency: null, effective: null, nextRunAt: null, choices };
    const { frequency, next_run_at: nextRunAt } = row;
    return { frequency, effective: effectiveFrequency(frequency, plan), nextRunAt, choices };
  };

  return {
    get,
    async set({ frequency, ...request }) {
      const { id, account_id } = await findOwnSite(db, request);
      if (frequency === null) {
        await db.run(deleteSchedule({ site_id: id }));
        return get(request);
      }
      if (!frequenciesOf(await planOf(account_id)).includes(frequency)) {
        throw new InputError('The plan of the account has no schedule as frequent as this.', 'frequency');
      }
      const next_run_at = nextScheduledTime(id, frequency, clock.now()).toISOString();
      await db.transaction(function* () {
        yield* holdOwnSite(request);
        yield* execute(upsertSchedule({ site_id: id, frequency, next_run_at }));
      });
      return get(request);
    },
    async nextRuns(accountId) {
      const rows = await db.run(selectSchedulesOfAccount({ account_id: accountId }));
      return new Map(rows.map(({ site_id, next_run_at }) => [site_id, next_run_at]));
    },
    async queued(request) {
      const { id } = await findOwnSite(db, request);
      const rows = (await db.run(selectQueuedRunsOfSite({ site_id: id }))).filter(
        ({ trigger }) => trigger !== 'MANUAL',
      );
      const first =
        rows.find(({ lease }) => lease !== null) ?? rows.sort((a, b) => (a.run_after < b.run_after ? -1 : 1))[0];
      return first ? { trigger: first.trigger, runAfter: first.run_after, isInHand: first.lease !== null } : null;
    },
    async planDue() {
      await db.transaction(() => bringBackStray(clock.now()));
      const work: Work[] = [];
      for (;;) {
        const planned = await db.transaction(() => planSome(clock.now()));
        for (const piece of planned.work) work.push(piece);
        if (planned.count < PLANNED_AT_ONCE) return work;
        // SQLite's statements do not wait for anything, so that nobody else would get a turn.
        await letOthersRun();
      }
    },
  };
}

/** One transaction: either a run is queued and its schedule goes on to the next time, or neither. */
function* planSome(now: Date): Transaction<{ readonly count: number; readonly work: Work[] }> {
  const due = yield* all(selectDueSchedules({ now: now.toISOString() }));
  const work: Work[] = [];
  // Counted once for each account: for one that has thousands of sites due, every count takes longer than the one before.
  const places = new Map<string, number>();
  for (const row of due) {
    // From now, not from the time that has come: what was missed while nobody planned is made up for by this one run.
    yield* setNextTime(row, now);
    if (row.verified_at === null) continue;
    const { site_id: siteId, account_id: accountId } = row;
    const place = places.get(accountId) ?? (yield* nextPlace(accountId));
    const queued = yield* queueAt({ siteId, accountId, trigger: 'SCHEDULED', runAfter: now, now }, place);
    places.set(accountId, queued ? place + 1 : place);
    if (queued) work.push(queued);
  }
  return { count: due.length, work };
}

/** No schedule looks further ahead than a week; the day more is for clocks that differ. */
const AHEAD_MS_MAX = FREQUENCIES.WEEKLY.periodMs + 24 * 3_600_000;

/** What a clock that was far ahead for a while has planned would not run for as long. */
function* bringBackStray(now: Date): Transaction<void> {
  const stray = yield* all(selectSchedulesAfter({ after: laterThan(now, AHEAD_MS_MAX) }));
  for (const row of stray) yield* setNextTime(row, now);
}

function* setNextTime(
  { site_id, frequency, plan }: Pick<DueScheduleRow, 'site_id' | 'frequency' | 'plan'>,
  now: Date,
): Transaction<void> {
  const next = nextScheduledTime(site_id, effectiveFrequency(frequency, plan), now);
  yield* execute(updateNextRun({ site_id, next_run_at: next.toISOString() }));
}
