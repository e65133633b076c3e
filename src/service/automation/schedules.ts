import type { Clock } from '../../domain/clock.js';
import { InputError } from '../../domain/input-error.js';
import type { Plan } from '../../domain/plan.js';
import { effectiveFrequency, type Frequency, frequenciesOf, nextScheduledTime } from '../../domain/schedule.js';
import { selectAccount } from '../../store/accounts.js';
import { type Database, runOne } from '../../store/database.js';
import {
  deleteSchedule,
  type DueScheduleRow,
  PLANNED_AT_ONCE,
  selectDueSchedules,
  selectSchedule,
  selectSchedulesOfAccount,
  updateNextRun,
  upsertSchedule,
} from '../../store/schedules.js';
import { all, execute, type Transaction } from '../../store/transaction.js';
import { findOwnSite, type SiteOfAccount } from '../sites.js';
import type { Work } from '../work.js';
import { queueOnce } from './queueing.js';

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

/** Every method but the last rejects with ServiceError site_not_found, for another account's site too. */
export interface Schedules {
  get(request: SiteOfAccount): Promise<Schedule>;
  /** @throws InputError for a frequency that the plan does not have */
  set(request: SiteOfAccount & { readonly frequency: Frequency | null }): Promise<Schedule>;
  /** When the account's sites run next, by site id; a site without a schedule has none. */
  nextRuns(accountId: string): Promise<ReadonlyMap<string, string>>;
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
      await db.run(upsertSchedule({ site_id: id, frequency, next_run_at }));
      return get(request);
    },
    async nextRuns(accountId) {
      const rows = await db.run(selectSchedulesOfAccount({ account_id: accountId }));
      return new Map(rows.map(({ site_id, next_run_at }) => [site_id, next_run_at]));
    },
    async planDue() {
      const work: Work[] = [];
      for (;;) {
        const planned = await db.transaction(() => planSome(clock.now()));
        work.push(...planned.work);
        if (planned.count < PLANNED_AT_ONCE) return work;
      }
    },
  };
}

/** One transaction: either a run is queued and its schedule goes on to the next time, or neither. */
function* planSome(now: Date): Transaction<{ readonly count: number; readonly work: Work[] }> {
  const due = yield* all(selectDueSchedules({ now: now.toISOString() }));
  const work: Work[] = [];
  for (const row of due) {
    const queued = yield* planOne(row, now);
    if (queued) work.push(queued);
  }
  return { count: due.length, work };
}

function* planOne(row: DueScheduleRow, now: Date): Transaction<Work | null> {
  const { site_id, account_id, plan, frequency, verified_at } = row;
  // From now, not from the time that has come: what was missed while nobody planned is made up for by this one run.
  const next = nextScheduledTime(site_id, effectiveFrequency(frequency, plan), now);
  yield* execute(updateNextRun({ site_id, next_run_at: next.toISOString() }));
  if (verified_at === null) return null;
  return yield* queueOnce({ siteId: site_id, accountId: account_id, trigger: 'SCHEDULED', runAfter: now, now });
}
