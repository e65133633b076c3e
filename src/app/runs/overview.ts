import { yieldToEventLoop } from '../../platform/concurrency.js';
import type { Database } from '../../store/database.js';
import { defineQuery } from '../../store/query.js';
import { LIST_COLUMNS, type SiteListItem, type SiteListRow, toListItem } from '../sites/site.js';
import { findChanges, findSince, hasScore, type RunChanges } from './run-lines.js';
import { ExpiringCache } from './run-reads.js';
import { type CheckResult, readRanges, type RunSummary, UNSCORED_RUNS_MAX } from './run-rows.js';

/** Scores of runs, oldest first. */
export type Trend = readonly { readonly score: number | null }[];

/** What the runs of a site say about it. */
interface SiteStatus {
  /** When its latest run finished; ISO 8601, UTC. */
  readonly latestAt: string | null;
  /** How many of the latest runs in a row have no score. */
  readonly unscoredRuns: number;
  /** The last run with a score; null if none of the last {@link UNSCORED_RUNS_MAX} has one. */
  readonly judged: JudgedRun | null;
  /** The last {@link TREND_RUNS_MAX} runs. */
  readonly trend: Trend;
}

/** A site in the list of an account's sites. */
export interface SiteOverview extends SiteStatus {
  readonly site: SiteListItem;
  /** Number of its latest run, 0 before the first. */
  readonly latestNumber: number;
  /** Entity tag of its latest run. */
  readonly etag: string | null;
}

export interface JudgedRun {
  readonly score: number;
  readonly findings: readonly CheckResult[];
  /** What changed since the run with a score before it; null if there is none. */
  readonly change: OverviewChange | null;
  /** Since which run each check has had its result; one is missing if that may be before the trend. */
  readonly since: ReadonlyMap<string, number>;
}

export interface OverviewChange {
  /** Gain of the score; negative if it fell. */
  readonly points: number;
  /** Number of checks. */
  readonly newFailures: number;
  readonly fixed: number;
}

type ListedRow = SiteListRow & { readonly run_counter: number; readonly etag: string | null };

/** Selects every site of an account, with the entity tag of its latest run. */
const selectListed = defineQuery<ListedRow, { account_id: string }>((sql, { account_id }) =>
  sql('sites')
    .leftJoin('runs', { 'runs.site_id': 'sites.id', 'runs.number': 'sites.run_counter' })
    .select([...LIST_COLUMNS.map((column) => `sites.${column}`), 'sites.run_counter', 'runs.etag'])
    .where({ account_id, is_deleting: 0 }),
);

/** An account's sites, and the rows that they were made of. */
interface CachedOverview {
  readonly rows: string;
  readonly sites: readonly SiteOverview[];
}

/** How many runs the trend of a site shows. */
const TREND_RUNS_MAX = 10;

/** Their runs are read in about 5 ms, for which SQLite keeps the event loop waiting. */
const SITES_AT_ONCE = 100;

const NO_RUN: SiteStatus = { latestAt: null, unscoredRuns: 0, judged: null, trend: [] };

/** Reads the lists of accounts' sites. */
export class Overviews {
  /** By account; the size is the number of sites, some 2 kB each. */
  readonly #ofAccounts = new ExpiringCache<CachedOverview>(20_000);

  constructor(private readonly db: Database) {}

  /** Returns every site of the account, in no order: the same array as long as nothing changes. */
  async ofAccount(accountId: string): Promise<readonly SiteOverview[]> {
    const listed = await this.db.run(selectListed({ account_id: accountId }));
    const rows = JSON.stringify(listed);
    const cached = this.#ofAccounts.get(accountId);
    if (cached?.rows === rows) return cached.sites;
    const sites = await this.#read(listed, cached?.sites ?? []);
    this.#ofAccounts.set(accountId, { rows, sites }, sites.length);
    return sites;
  }

  /** @param known overviews to reuse, for sites that had no run since */
  async #read(listed: readonly ListedRow[], known: readonly SiteOverview[]): Promise<readonly SiteOverview[]> {
    const statuses = new Map<string | null, SiteStatus>(known.map((overview) => [overview.etag, overview]));
    const unknown = listed.filter(({ etag }) => etag !== null && !statuses.has(etag));
    for (let from = 0; from < unknown.length; from += SITES_AT_ONCE) {
      if (from > 0) await yieldToEventLoop();
      const sites = unknown.slice(from, from + SITES_AT_ONCE);
      const unclear = await this.#readLast(sites, TREND_RUNS_MAX, statuses);
      await this.#readLast(unclear, UNSCORED_RUNS_MAX, statuses);
    }
    return listed.map((row) => {
      const { latestAt, unscoredRuns, judged, trend } = statuses.get(row.etag) ?? NO_RUN;
      const { etag, run_counter: latestNumber } = row;
      return { site: toListItem(row), latestNumber, etag, latestAt, unscoredRuns, judged, trend };
    });
  }

  /** Adds what the last `count` runs of each site say. @returns the sites about which earlier runs may say more */
  async #readLast(
    sites: readonly ListedRow[],
    count: number,
    statuses: Map<string | null, SiteStatus>,
  ): Promise<readonly ListedRow[]> {
    const ranges = sites.map(({ id, run_counter: last }) => ({ site_id: id, first: last - count + 1, last }));
    const runsBySite = await readRanges(this.db, ranges);
    return sites.filter(({ id, etag }) => {
      const runs = runsBySite.get(id) ?? [];
      const unscoredRuns = runs.findIndex(hasScore);
      const [judged, ...earlier] = unscoredRuns === -1 ? [] : runs.slice(unscoredRuns);
      const changes = findChanges(earlier, judged);
      const shown = runs.slice(0, TREND_RUNS_MAX);
      statuses.set(etag, {
        latestAt: runs[0]?.finishedAt ?? null,
        unscoredRuns: unscoredRuns === -1 ? runs.length : unscoredRuns,
        judged: judged ? toJudged(judged, changes, findSince(shown)) : null,
        trend: shown.map(({ score }) => ({ score })).reverse(),
      });
      // A check that was never judged in these runs may have been judged before.
      const isUnclear = !changes || changes.comparison.nowJudged.length + changes.comparison.changed.length > 0;
      return isUnclear && runs.length === count;
    });
  }
}

function toJudged({ score, findings }: RunSummary, changes: RunChanges | null, since: JudgedRun['since']): JudgedRun {
  const change = changes && {
    points: changes.to.score - changes.from.score,
    newFailures: changes.comparison.newFailures.length,
    fixed: changes.comparison.fixed.length,
  };
  return { score: score ?? 0, findings, change, since };
}
