import type { Plan } from '../accounts/plan.js';
import { effectiveFrequency, nextScheduledTime } from './schedule.js';
import { selectSchedulesOfAccount, updateNextRun } from './schedule-statements.js';
import { all, execute, type Transaction } from '../../store/transaction.js';

/**
 * Gives the account's schedules the next time that its new plan brings them where that is sooner: one that was chosen on a higher plan would
 * otherwise wait for the time that the lower one has set.
 */
export function* bringForward(account_id: string, plan: Plan, now: Date): Transaction<void> {
  for (const { site_id, frequency, next_run_at } of yield* all(selectSchedulesOfAccount({ account_id }))) {
    const next = nextScheduledTime(site_id, effectiveFrequency(frequency, plan), now).toISOString();
    if (next < next_run_at) yield* execute(updateNextRun({ site_id, next_run_at: next }));
  }
}
