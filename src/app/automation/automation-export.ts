import { type Database, runOne } from '../../store/database.js';
import { selectDeployHook } from './deploy-hook-statements.js';
import { selectSchedule } from './schedule-statements.js';

/** What an account's export says of the automation of a site: not the digest of the hook's address. */
export async function automationToExport(db: Database, site_id: string): Promise<Readonly<Record<string, unknown>>> {
  const schedule = await runOne(db, selectSchedule({ site_id }));
  const hook = await runOne(db, selectDeployHook({ site_id }));
  return {
    schedule: schedule ? { frequency: schedule.frequency, nextRunAt: schedule.next_run_at } : null,
    deployHook: hook ? { createdAt: hook.created_at, lastUsedAt: hook.last_used_at } : null,
  };
}
