import type { components } from '../../../generated/contract.js';
import { secondsToNextUtcDay, utcDay } from '../../platform/clock.js';
import { type RateLimit, ServiceError } from '../../platform/errors.js';
import { all, execute, one, type Transaction } from '../../store/transaction.js';
import { dailyLimit } from './rate-limit.js';
import {
  dropKeptBudgets,
  keepBudgets,
  restoreBudgets,
  returnDailyRun,
  selectDailyRuns,
  selectRunsOfDay,
  takeDailyRun,
} from './run-budget-statements.js';

type Trigger = components['schemas']['Trigger'];

/**
 * Runs of one site in one UTC day by what starts them: by createRun (contract, "Limits"), by a person, by its deploy hook. As
 * many of the last as the day has hours: more than most sites are deployed, and an address that got into the wrong hands, or a
 * pipeline that goes round in circles, has the site scanned no more than that. Schedules have no budget: their period is one.
 */
export const DAILY_RUNS: Readonly<Partial<Record<Trigger, number>>> = { API: 5, MANUAL: 10, POST_DEPLOY: 24 };

/** Takes a run from what the site has left of the day; null for a trigger without a budget. @throws ServiceError daily_runs_exceeded */
export function* takeRunOfDay(siteId: string, trigger: Trigger, now: Date): Transaction<RateLimit | null> {
  const limit = DAILY_RUNS[trigger];
  if (limit === undefined) return null;
  const taken = yield* one(takeDailyRun({ site_id: siteId, day: utcDay(now), trigger, limit }));
  if (taken) return dailyLimit(limit, taken.used, now);
  const rateLimit = dailyLimit(limit, limit, now);
  throw new ServiceError('daily_runs_exceeded', { retryAfterS: secondsToNextUtcDay(now), rateLimit });
}

/** Gives a run back to the day that it was taken from. */
export function giveBackRun(siteId: string, trigger: Trigger, day: string): Transaction<void> {
  return execute(returnDailyRun({ site_id: siteId, day, trigger }));
}

/** What a site has left of the day; null for a trigger without a budget. */
export function* runsLeft(siteId: string, trigger: Trigger, now: Date): Transaction<RateLimit | null> {
  const limit = DAILY_RUNS[trigger];
  if (limit === undefined) return null;
  const row = yield* one(selectDailyRuns({ site_id: siteId, day: utcDay(now), trigger }));
  return dailyLimit(limit, row?.used ?? 0, now);
}

/** What is taken of a day's runs that one kind of start has. */
export interface RunsOfDay {
  readonly trigger: Trigger;
  readonly used: number;
  readonly limit: number;
}

/** The same for each trigger that has a budget. */
export function* runsOfDay(siteId: string, now: Date): Transaction<readonly RunsOfDay[]> {
  const rows = yield* all(selectRunsOfDay({ site_id: siteId, day: utcDay(now) }));
  const used = new Map(rows.map((row) => [row.trigger, row.used]));
  return (Object.entries(DAILY_RUNS) as [Trigger, number][]).map(([trigger, limit]) => ({
    ...{ trigger, limit, used: used.get(trigger) ?? 0 },
  }));
}

/** A new site, and its host as one site names it. */
export interface SiteOfHost {
  readonly site_id: string;
  readonly host: string;
}

/** Gives new sites what earlier ones of the account's on their hosts have taken of their days. */
export function* takeOverRuns(account_id: string, added: readonly SiteOfHost[]): Transaction<void> {
  const sites = JSON.stringify(added);
  yield* execute(restoreBudgets({ account_id, sites }));
  yield* execute(dropKeptBudgets({ account_id, sites }));
}

/** Keeps what a site that goes has taken of its days, for one that the account adds on this host. */
export function keepRuns(siteId: string, account_id: string, host: string): Transaction<void> {
  return execute(keepBudgets({ site_id: siteId, account_id, host }));
}
