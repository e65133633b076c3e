import type { Clock } from '../../platform/clock.js';
import { ServiceError } from '../../platform/errors.js';
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
import { deleteSchedules, selectSchedule, selectSchedules, upsertSchedules } from './schedule-statements.js';
import { all, execute, type Transaction } from '../../store/transaction.js';
import type { Plan } from '../accounts/plan.js';
import { newEventId, recordEvents } from '../audit/audit.js';
import { changeEach, inPieces, type ManyOutcome } from '../sites/many.js';
import type { OwnSite } from '../sites/own-site.js';
import { holdSites } from '../sites/site.js';

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

/** Some sites of an account, by their ids. */
export interface SitesOfAccount {
  readonly accountId: string;
  readonly plan: Plan;
  readonly siteIds: readonly string[];
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
    const { leftOut } = await this.setMany({ ...site, siteIds: [site.id] }, frequency);
    if (leftOut.length > 0) throw new ServiceError('site_not_found');
    return this.get(site);
  }

  /**
   * The same for some of an account's sites. A site that is not verified runs once it is.
   * @throws InputError for a frequency that the plan does not have
   */
  async setMany(sites: SitesOfAccount, frequency: Frequency | null): Promise<ManyOutcome> {
    if (frequency !== null && !frequenciesOf(sites.plan).includes(frequency)) {
      throw new InputError(`A run ${FREQUENCIES[frequency].label} needs plan ${planWith(frequency)}.`, 'frequency');
    }
    const { db, clock } = this.deps;
    return inPieces(sites.siteIds, (siteIds) =>
      db.transaction(() => choose({ ...sites, siteIds }, frequency, clock.now())),
    );
  }

  /** What some sites have, by site id; a site without a schedule has none. The caller has checked whose they are. */
  async ofSites(
    plan: Plan,
    siteIds: readonly string[],
  ): Promise<ReadonlyMap<string, Pick<Schedule, 'effective' | 'nextRunAt'>>> {
    const sites = JSON.stringify(siteIds.map((site_id) => ({ site_id })));
    const rows = await this.deps.db.run(selectSchedules({ sites }));
    return new Map(
      rows.map(({ site_id, frequency, next_run_at: nextRunAt }) => [
        site_id,
        { effective: effectiveFrequency(frequency, plan), nextRunAt },
      ]),
    );
  }

  /** When some sites run next, by site id; a site without a schedule has none. The caller has checked whose they are. */
  async nextRuns(siteIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const sites = JSON.stringify(siteIds.map((site_id) => ({ site_id })));
    const rows = await this.deps.db.run(selectSchedules({ sites }));
    return new Map(rows.map(({ site_id, next_run_at }) => [site_id, next_run_at]));
  }
}

/** Records an event only where the choice differs from the one before. */
function* choose(
  { accountId, siteIds }: SitesOfAccount,
  frequency: Frequency | null,
  now: Date,
): Transaction<ManyOutcome> {
  const sites = yield* holdSites(accountId, siteIds);
  const ids = JSON.stringify(sites.map(({ id }) => ({ site_id: id })));
  const before = new Map((yield* all(selectSchedules({ sites: ids }))).map((row) => [row.site_id, row.frequency]));
  const changed = sites.filter(({ id }) => (before.get(id) ?? null) !== frequency);
  const isChanged = new Set<object>(changed);
  const of = frequency === null ? '' : `${frequency.toLowerCase()}, of `;
  const events = changed.map(({ hostname }) => ({ id: newEventId(), subject: `${of}${hostname}` }));
  if (frequency === null) yield* execute(deleteSchedules({ sites: ids }));
  else {
    const next = sites.map(({ id }) => ({
      site_id: id,
      next_run_at: nextScheduledTime(id, frequency, now).toISOString(),
    }));
    yield* execute(upsertSchedules({ frequency, schedules: JSON.stringify(next) }));
  }
  if (events.length > 0) {
    yield* recordEvents({ accountId, event: frequency === null ? 'schedule_removed' : 'schedule_set', now }, events);
  }
  return changeEach(siteIds, sites, (site) => isChanged.has(site));
}
