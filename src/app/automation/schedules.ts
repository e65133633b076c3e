import type { Clock } from '../../platform/clock.js';
import { InputError } from '../../platform/input-error.js';
import {
  effectiveFrequency,
  FREQUENCIES,
  type Frequency,
  frequenciesOf,
  nextScheduledTime,
  planWith,
} from './schedule.js';
import { type Database, runOne } from '../../store/database.js';
import { deleteSchedule, selectNextRuns, selectSchedule, upsertSchedule } from './schedule-statements.js';
import { execute, one, type Transaction } from '../../store/transaction.js';
import { recordEvent } from '../audit/audit.js';
import { holdOwnSite, type OwnSite } from '../sites/own-site.js';

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

export class Schedules {
  constructor(private readonly deps: { readonly db: Database; readonly clock: Clock }) {}

  async get({ id, plan }: OwnSite): Promise<Schedule> {
    const row = await runOne(this.deps.db, selectSchedule({ site_id: id }));
    const choices = frequenciesOf(plan);
    if (!row) return { frequency: null, effective: null, nextRunAt: null, choices };
    const { frequency, next_run_at: nextRunAt } = row;
    return { frequency, effective: effectiveFrequency(frequency, plan), nextRunAt, choices };
  }

  /** @throws InputError for a frequency that the plan does not have; ServiceError site_not_found for a site that was removed */
  async set(site: OwnSite, frequency: Frequency | null): Promise<Schedule> {
    if (frequency !== null && !frequenciesOf(site.plan).includes(frequency)) {
      throw new InputError(`A run ${FREQUENCIES[frequency].label} needs plan ${planWith(frequency)}.`, 'frequency');
    }
    const { db, clock } = this.deps;
    await db.transaction(() => choose(site, frequency, clock.now()));
    return this.get(site);
  }

  /** When some sites run next, by site id; a site without a schedule has none. The caller has checked whose they are. */
  async nextRuns(siteIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const sites = JSON.stringify(siteIds.map((site_id) => ({ site_id })));
    const rows = await this.deps.db.run(selectNextRuns({ sites }));
    return new Map(rows.map(({ site_id, next_run_at }) => [site_id, next_run_at]));
  }
}

/** Records an event only where the choice differs from the one before. */
function* choose({ id, accountId }: OwnSite, frequency: Frequency | null, now: Date): Transaction<void> {
  const { hostname } = yield* holdOwnSite({ siteId: id, accountId });
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
