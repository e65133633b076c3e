import type { Clock } from '../../platform/clock.js';
import { InputError } from '../../platform/input-error.js';
import type { Plan } from '../accounts/plan.js';
import type { QueuedTrigger } from '../runs/run.js';
import { effectiveFrequency, type Frequency, frequenciesOf, nextScheduledTime } from './schedule.js';
import { findAccount } from '../accounts/accounts.js';
import { type Database, runOne } from '../../store/database.js';
import { selectJobsOfSite } from '../../queue/job-statements.js';
import { deleteSchedule, selectSchedule, selectSchedulesOfAccount, upsertSchedule } from './schedule-statements.js';
import { execute, one, type Transaction } from '../../store/transaction.js';
import { recordEvent } from '../audit/audit.js';
import type { SiteOfAccount } from '../sites/site.js';
import { findOwnSite, holdOwnSite } from '../sites/sites.js';

/** When a site runs automatically. */
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

/** An automatic run: by schedule, or after a deploy. */
export interface QueuedRun {
  readonly trigger: QueuedTrigger;
  /** When it begins at the earliest. ISO 8601, UTC. */
  readonly runAfter: string;
  /** Whether it is running. */
  readonly isInHand: boolean;
}

/** Every method but `nextRuns` rejects with ServiceError site_not_found, for another account's site too. */
export interface Schedules {
  get(request: SiteOfAccount): Promise<Schedule>;
  /** @throws InputError for a frequency that the plan does not have */
  set(request: SiteOfAccount & { readonly frequency: Frequency | null }): Promise<Schedule>;
  /** When the account's sites run next, by site id; a site without a schedule has none. */
  nextRuns(accountId: string): Promise<ReadonlyMap<string, string>>;
  /** The first queued or running automatic run of the site; null without one. */
  queued(request: SiteOfAccount): Promise<QueuedRun | null>;
}

export function createSchedules({ db, clock }: { readonly db: Database; readonly clock: Clock }): Schedules {
  const planOf = async (accountId: string): Promise<Plan> => (await findAccount(db, accountId)).plan;

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
      const { account_id } = await findOwnSite(db, request);
      if (frequency !== null && !frequenciesOf(await planOf(account_id)).includes(frequency)) {
        throw new InputError('The plan of the account has no schedule as frequent as this.', 'frequency');
      }
      await db.transaction(() => choose(request, frequency, clock.now()));
      return get(request);
    },
    async nextRuns(accountId) {
      const rows = await db.run(selectSchedulesOfAccount({ account_id: accountId }));
      return new Map(rows.map(({ site_id, next_run_at }) => [site_id, next_run_at]));
    },
    async queued(request) {
      const { id } = await findOwnSite(db, request);
      const jobs = await db.run(selectJobsOfSite({ site_id: id, queue: 'runs' }));
      const queued = jobs.filter(({ kind }) => kind !== 'MANUAL');
      const first = queued.find(({ lease }) => lease !== null) ?? queued[0];
      if (!first) return null;
      return { trigger: first.kind as QueuedTrigger, runAfter: first.run_after, isInHand: first.lease !== null };
    },
  };
}

/** What is chosen again is no event. */
function* choose(request: SiteOfAccount, frequency: Frequency | null, now: Date): Transaction<void> {
  const { id, accountId, hostname } = yield* holdOwnSite(request);
  const before = (yield* one(selectSchedule({ site_id: id })))?.frequency ?? null;
  if (frequency !== before) {
    yield* recordEvent({
      ...{ accountId, now },
      ...(frequency === null
        ? { event: 'schedule_removed', subject: hostname }
        : { event: 'schedule_set', subject: `${frequency.toLowerCase()}, of ${hostname}` }),
    });
  }
  if (frequency === null) {
    yield* execute(deleteSchedule({ site_id: id }));
    return;
  }
  const next_run_at = nextScheduledTime(id, frequency, now).toISOString();
  yield* execute(upsertSchedule({ site_id: id, frequency, next_run_at }));
}
