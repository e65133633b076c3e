import { setSchedule } from '../../src/app/automation/schedules.js';
import type { Database } from '../../src/store/database.js';
import { defineQuery } from '../../src/store/query.js';
import { addAccount, addSite } from './accounts.js';

const LONG_AGO = '2020-01-01T00:00:00.000Z';
const updateNextRuns = defineQuery<never>((sql) => sql('schedules').update({ next_run_at: LONG_AGO }));
const updateLeases = defineQuery<never>((sql) => sql('jobs').whereNotNull('lease').update({ run_after: LONG_AGO }));

/** An account with a verified site for each origin, each with a weekly schedule. @returns the sites' ids */
export async function addScheduledSites(db: Database, origins: readonly string[]): Promise<string[]> {
  const clock = { now: () => new Date() };
  const { id: accountId } = await addAccount(db, 'MONITOR', clock);
  const siteIds: string[] = [];
  for (const hostname of origins) {
    const { id: siteId } = await addSite(db, accountId, { hostname });
    await setSchedule({ db, clock }, { accountId, siteId }, 'WEEKLY');
    siteIds.push(siteId);
  }
  return siteIds;
}

/** The time of every schedule has come. */
export async function makeSchedulesDue(db: Database): Promise<void> {
  await db.run(updateNextRuns({}));
}

/** The leases of all jobs have ended, as a minute after their workers died. */
export async function endLeases(db: Database): Promise<void> {
  await db.run(updateLeases({}));
}
