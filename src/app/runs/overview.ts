import { yieldToEventLoop } from '../../platform/concurrency.js';
import type { Comparison } from '../../scanner/report/comparison.js';
import type { Database } from '../../store/database.js';
import { defineQuery, isPostgres } from '../../store/query.js';
import { TABLES } from '../../store/tables.js';
import { type Site, siteOf, type SiteRow } from '../sites/site.js';
import { findChanges, findSince, hasScore } from './run-lines.js';
import { ExpiringCache } from './run-reads.js';
import { type CheckResult, readRanges, type RunSummary, UNSCORED_RUNS_MAX } from './run-rows.js';

/** A site's status, derived from its runs. */
interface SiteStatus {
  /** When its latest run finished; ISO 8601, UTC. */
  readonly latestAt: string | null;
  /** How many of the latest runs in a row have no score. */
  readonly unscoredRuns: number;
  /** The last run with a score; null if none of the last {@link UNSCORED_RUNS_MAX} has one. */
  readonly judged: LastScored | null;
}

/** A site in the list of an account's sites. */
export interface SiteOverview extends SiteStatus {
  readonly site: Site;
  /** Entity tag of its latest run. */
  readonly etag: string | null;
}

export interface LastScored {
  readonly score: number;
  readonly findings: readonly CheckResult[];
  /** What changed since the run with a score before it; null if there is none. */
  readonly change: OverviewChange | null;
}

export interface OverviewChange {
  /** Gain of the score; negative if it fell. */
  readonly points: number;
  /** Number of checks. */
  readonly newFailures: number;
  readonly fixed: number;
}

type ListedRow = SiteRow & { readonly etag: string | null };

/** Without the constraint, whose name is in capitals. */
const LISTED_COLUMNS = [...Object.keys(TABLES.sites ?? {}).filter((name) => name !== 'UNIQUE'), 'etag'];

/**
 * Selects every site of an account, with the entity tag of its latest run, as one text: the JSON of its columns, in no order. It is cheaper
 * than rows, and cheap to compare with the text of the last time.
 */
const selectListed = defineQuery<{ listed: string }, { account_id: string }>((sql, { account_id }) => {
  const columns = LISTED_COLUMNS.join(', ');
  const listed = isPostgres(sql)
    ? `CAST(COALESCE(json_agg(json_build_array(${columns})), '[]') AS text)`
    : `json_group_array(json_array(${columns}))`;
  return sql('sites')
    .leftJoin('runs', { 'runs.site_id': 'sites.id', 'runs.number': 'sites.run_counter' })
    .select({ listed: sql.raw(listed) })
    .where({ account_id, is_deleting: 0 });
});

function parseListed(listed: string): readonly ListedRow[] {
  const rows = JSON.parse(listed) as readonly (readonly unknown[])[];
  return rows.map(
    (values) => Object.fromEntries(LISTED_COLUMNS.map((name, at) => [name, values[at]])) as unknown as ListedRow,
  );
}

/** An account's sites, and the text that they were made of. */
interface CachedOverview {
  readonly listed: string;
  readonly sites: readonly SiteOverview[];
}

/** How many sites one statement reads, which blocks the event loop on SQLite: of two runs, and of up to {@link UNSCORED_RUNS_MAX}. */
const SITES_AT_ONCE = 100;
const SITES_WITH_OLDER_RUNS_AT_ONCE = 20;

const NO_RUN: SiteStatus = { latestAt: null, unscoredRuns: 0, judged: null };

/** Reads the lists of accounts' sites. */
export class Overviews {
  /** By account; the size is the number of sites, some 700 bytes each. */
  readonly #ofAccounts = new ExpiringCache<CachedOverview>(50_000);

  constructor(private readonly db: Database) {}

  /** Returns every site of the account, in no order: the same array as long as nothing changes. */
  async ofAccount(accountId: string): Promise<readonly SiteOverview[]> {
    const { listed = '[]' } = (await this.db.one(selectListed({ account_id: accountId }))) ?? {};
    const cached = this.#ofAccounts.get(accountId);
    if (cached?.listed === listed) return cached.sites;
    const sites = await this.#read(parseListed(listed), cached?.sites ?? []);
    this.#ofAccounts.set(accountId, { listed, sites }, sites.length);
    return sites;
  }

  /** @param known overviews to reuse, for sites that had no run since */
  async #read(listed: readonly ListedRow[], known: readonly SiteOverview[]): Promise<readonly SiteOverview[]> {
    const statuses = new Map<string | null, SiteStatus>(known.map((overview) => [overview.etag, overview]));
    const unknown = listed.filter(({ etag }) => etag !== null && !statuses.has(etag));
    const readLast = async (sites: readonly ListedRow[], count: number, atOnce: number): Promise<ListedRow[]> => {
      const unclear: ListedRow[] = [];
      for (let from = 0; from < sites.length; from += atOnce) {
        unclear.push(...(await this.#readLast(sites.slice(from, from + atOnce), count, statuses)));
        await yieldToEventLoop();
      }
      return unclear;
    };
    // The last two runs usually have a score and judge the same checks.
    const unclear = await readLast(unknown, 2, SITES_AT_ONCE);
    await readLast(unclear, UNSCORED_RUNS_MAX, SITES_WITH_OLDER_RUNS_AT_ONCE);
    return listed.map((row) => {
      const { latestAt, unscoredRuns, judged } = statuses.get(row.etag) ?? NO_RUN;
      return { site: siteOf(row), etag: row.etag, latestAt, unscoredRuns, judged };
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
      const before = earlier.find(hasScore);
      // The same results change nothing, whatever earlier runs found.
      const isSame = judged !== undefined && judged.findings === before?.findings && judged.pages === before.pages;
      const comparison = isSame ? null : (findChanges(earlier, judged)?.comparison ?? null);
      statuses.set(etag, {
        latestAt: runs[0]?.finishedAt ?? null,
        unscoredRuns: unscoredRuns === -1 ? runs.length : unscoredRuns,
        judged: judged ? toLastScored(judged, before, comparison) : null,
      });
      // A check that was never judged in these runs may have been judged before.
      const needsOlderRuns = !before || (comparison && comparison.nowJudged.length + comparison.changed.length > 0);
      return needsOlderRuns && runs.length === count;
    });
  }
}

function toLastScored(run: RunSummary, before: RunSummary | undefined, comparison: Comparison | null): LastScored {
  const score = run.score ?? 0;
  const { newFailures = [], fixed = [] } = comparison ?? {};
  const points = score - (before?.score ?? 0);
  const change = before ? { points, newFailures: newFailures.length, fixed: fixed.length } : null;
  return { score, findings: run.findings, change };
}

/** Scores of runs, oldest first. */
export type Trend = readonly { readonly score: number | null }[];

/** The last {@link TREND_RUNS_MAX} runs of a site in the list. */
export interface SiteTrend {
  readonly runs: Trend;
  /** Since which run each check has had its result; one is missing if that may be before these runs. */
  readonly since: ReadonlyMap<string, number>;
}

const TREND_RUNS_MAX = 10;

/** Reads the last runs of the sites on a page of the list. */
export class Trends {
  /** By the entity tag of a site's latest run, since no run changes; some 2 kB each. */
  readonly #trends = new ExpiringCache<SiteTrend>(2000);

  constructor(private readonly db: Database) {}

  /** Returns the trends by site id; none for a site without a run. */
  async read(sites: readonly Pick<SiteOverview, 'site' | 'etag'>[]): Promise<ReadonlyMap<string, SiteTrend>> {
    const trends = new Map<string, SiteTrend>();
    for (const { site, etag } of sites) {
      const known = this.#trends.get(etag ?? '');
      if (known) trends.set(site.id, known);
    }
    const unknown = sites.filter(({ site, etag }) => etag !== null && !trends.has(site.id));
    const ranges = unknown.map(({ site: { id: site_id, latestNumber: last } }) => {
      return { site_id, first: last - TREND_RUNS_MAX + 1, last };
    });
    const runsBySite = await readRanges(this.db, ranges);
    for (const { site, etag } of unknown) {
      const runs = runsBySite.get(site.id) ?? [];
      const trend = { runs: runs.map(({ score }) => ({ score })).reverse(), since: findSince(runs) };
      trends.set(site.id, trend);
      this.#trends.set(etag ?? '', trend);
    }
    return trends;
  }
}
