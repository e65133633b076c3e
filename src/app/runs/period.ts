import { yieldToEventLoop } from '../../net/event-loop.js';
import { type Database, runApart } from '../../store/database.js';
import { siteIdsOf } from '../sites/site.js';
import { UNSCORED_RUNS_MAX } from './last-scored.js';
import { type PeriodRow, selectPeriod } from './period-statements.js';

/** What became of a site in some time. */
export interface SitePeriod {
  readonly id: string;
  readonly hostname: string;
  /** Whether it has run in it. */
  readonly hasRun: boolean;
  /** How many runs in a row have no score, the latest among them. */
  readonly unscoredRuns: number;
  /** Whether the last run before had no score. */
  readonly wasUnscored: boolean;
  /** The last run with a score; null where none of the last {@link UNSCORED_RUNS_MAX} has one. */
  readonly scored: { readonly number: number; readonly score: number } | null;
  /** The number of the last one before that time that has a score; null: there is none. */
  readonly scoredBefore: number | null;
}

/** From a time on, up to another that is not in it. ISO 8601, UTC. */
export interface Period {
  readonly since: string;
  readonly until: string;
}

/** Of each site the runs of the whole time are passed over, in about a millisecond a week of hourly ones. */
const SITES_AT_ONCE = 10;

/** Every site of the account, in no order. */
export async function readPeriod(
  db: Database,
  accountId: string,
  { since, until }: Period,
): Promise<readonly SitePeriod[]> {
  const ids = await runApart(db, siteIdsOf(accountId));
  const periods: SitePeriod[] = [];
  for (let from = 0; from < ids.length; from += SITES_AT_ONCE) {
    // SQLite answers at once, so that nothing else would have its turn.
    if (from > 0) await yieldToEventLoop();
    const some = ids.slice(from, from + SITES_AT_ONCE).map((id) => ({ site_id: id }));
    const asked = { account_id: accountId, sites: JSON.stringify(some), since, until, count: UNSCORED_RUNS_MAX };
    periods.push(...(await db.run(selectPeriod(asked))).map((row) => periodOf(row, since)));
  }
  return periods;
}

function periodOf(row: PeriodRow, since: string): SitePeriod {
  const { id, hostname, latest_number, latest_at, now_number, now_score, before_number, then_number } = row;
  const latest = latest_number ?? 0;
  return {
    ...{ id, hostname },
    hasRun: latest_at !== null && latest_at >= since,
    unscoredRuns: latest - (now_number ?? Math.max(0, latest - UNSCORED_RUNS_MAX)),
    wasUnscored: then_number !== null && then_number !== before_number,
    scored: now_number === null || now_score === null ? null : { number: now_number, score: now_score },
    scoredBefore: before_number,
  };
}
