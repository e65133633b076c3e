import type { components } from '../../../generated/contract.js';
import { DAY_MS, secondsToNextUtcDay, timeAfter, utcDay, utcDayStart, utcNextDayStart } from '../../platform/clock.js';
import { type RateLimit, ServiceError } from '../../platform/errors.js';
import { hostOf } from '../../scanner/artifacts/site-address.js';
import { defineCleanup } from '../../store/cleanup.js';
import type { Sql, Tx } from '../../store/database.js';
import { defineQuery } from '../../store/query.js';
import { table } from '../../store/table.js';

type Trigger = components['schemas']['Trigger'];

/**
 * The runs of one site in one UTC day by trigger: createRun (contract, "Limits"), manual runs, and its deploy hook. The last has one for each
 * hour, more than most sites are deployed, which bounds a leaked address or a looping pipeline. Schedules have no budget: their period is one.
 */
export const DAILY_RUNS: Readonly<Partial<Record<Trigger, number>>> = { API: 5, MANUAL: 10, POST_DEPLOY: 24 };

/** A site, or what identifies its budget. Adding a removed site again does not reset its daily limit. */
export interface BudgetOwner {
  readonly accountId: string;
  readonly hostname: string;
}

const BUDGET_KEY = ['account_id', 'host', 'day', 'trigger'] as const;

type BudgetKey = Readonly<Record<(typeof BUDGET_KEY)[number], string>>;

const budgets = table<BudgetKey & { readonly used: number }>('run_budgets', BUDGET_KEY);

/**
 * Takes one of the day's runs, and returns a row if there was one left. One conditional statement, so that concurrent callers cannot take
 * more than `limit` between them.
 */
export const takeDailyRun = defineQuery<{ used: number }, BudgetKey & { limit: number }>(
  (sql, { account_id, host, day, trigger, limit }) =>
    sql('run_budgets')
      .insert({ account_id, host, day, trigger, used: 1 })
      .onConflict([...BUDGET_KEY])
      .merge({ used: sql.raw('run_budgets.used + 1') })
      .where('run_budgets.used', '<', limit)
      .returning('used'),
);

export const returnDailyRun = defineQuery<never, BudgetKey>((sql, { account_id, host, day, trigger }) =>
  sql('run_budgets').where({ account_id, host, day, trigger }).where('used', '>', 0).decrement('used', 1),
);

/** Retains yesterday's rows, since a run that was admitted then may still be refunded. */
export const cleanUpBudgets = defineCleanup<{ before_day: string }>(
  'run_budgets',
  BUDGET_KEY,
  (rows, { before_day }) => rows.where('day', '<', before_day),
  (now) => ({ before_day: utcDay(timeAfter(now, -DAY_MS)) }),
);

/** Charges one of the site's runs of the day. Returns null for a trigger without a budget. @throws ServiceError daily_runs_exceeded */
export async function chargeDailyRun(
  tx: Tx,
  site: BudgetOwner,
  trigger: Trigger,
  now: Date,
): Promise<RateLimit | null> {
  const limit = DAILY_RUNS[trigger];
  if (limit === undefined) return null;
  const taken = await tx.one(takeDailyRun({ ...ownerOf(site), day: utcDay(now), trigger, limit }));
  if (taken) return dailyLimit(limit, taken.used, now);
  const rateLimit = dailyLimit(limit, limit, now);
  throw new ServiceError('daily_runs_exceeded', { retryAfterS: secondsToNextUtcDay(now), rateLimit });
}

/** Returns a run to the day that it was charged to. */
export async function refundDailyRun(tx: Tx, site: BudgetOwner, trigger: Trigger, day: string): Promise<void> {
  await tx.run(returnDailyRun({ ...ownerOf(site), day, trigger }));
}

/** Returns what a site has left of the day; null for a trigger without a budget. */
export async function runsLeft(sql: Sql, site: BudgetOwner, trigger: Trigger, now: Date): Promise<RateLimit | null> {
  const limit = DAILY_RUNS[trigger];
  if (limit === undefined) return null;
  const row = await sql.one(budgets.find({ ...ownerOf(site), day: utcDay(now), trigger }, ['used']));
  return dailyLimit(limit, row?.used ?? 0, now);
}

function ownerOf({ accountId, hostname }: BudgetOwner) {
  return { account_id: accountId, host: hostOf(hostname) };
}

/** Returns what a site has left of the UTC day of `now`. */
export function dailyLimit(limit: number, used: number, now: Date): RateLimit {
  const remaining = Math.max(0, limit - used);
  return { policy: 'day', limit, remaining, startsAt: utcDayStart(now), endsAt: utcNextDayStart(now) };
}
