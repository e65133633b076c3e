import { yieldToEventLoop } from '../../platform/concurrency.js';
import { rankOf } from '../../scanner/report/failures.js';
import type { Database } from '../../store/database.js';
import { defineQuery } from '../../store/query.js';
import { LISTED_COLUMNS, type ListedSite, listedSiteOf, type SiteRow } from '../sites/site.js';
import { findChanges, findSince, hasScore } from './run-lines.js';
import { ExpiringCache } from './run-reads.js';
import { type CheckResult, readRanges, type RunSummary } from './run-rows.js';

/** A site in the list of an account's sites. */
export interface SiteOverview extends SiteStatus {
  readonly site: ListedSite;
}

/** A site's status, derived from its last {@link LAST_RUNS_MAX} runs. */
interface SiteStatus {
  /** When its latest run finished; ISO 8601, UTC. */
  readonly latestAt: string | null;
  /** How many of the latest runs in a row have no score. */
  readonly unscoredRuns: number;
  readonly lastScored: LastScored | null;
  /** Oldest first. */
  readonly trend: Trend;
  /** Since which run each check has had its result; one is missing if that may be before these runs. */
  readonly since: ReadonlyMap<string, number>;
}

interface LastScored {
  readonly score: number;
  readonly findings: readonly CheckResult[];
  readonly failures: readonly CheckResult[];
  /** The scored failures, the gravest first. */
  readonly toFix: readonly CheckResult[];
  /** What changed since the run with a score before it; null if there is none. */
  readonly change: OverviewChange | null;
}

interface OverviewChange {
  /** Gain of the score; negative if it fell. */
  readonly points: number;
  /** Number of checks. */
  readonly newFailures: number;
  readonly fixed: number;
}

export type Trend = readonly { readonly score: number | null }[];

const selectListed = defineQuery<SiteRow, { account_id: string }>((sql, { account_id }) =>
  sql('sites')
    .select([...LISTED_COLUMNS])
    .where({ account_id, is_deleting: 0 }),
);

/** An older score no longer describes the site. */
const LAST_RUNS_MAX = 10;

/** How many sites one statement reads, which blocks the event loop on SQLite. */
const SITES_AT_ONCE = 20;

const NO_RUN: SiteStatus = { latestAt: null, unscoredRuns: 0, lastScored: null, trend: [], since: new Map() };

export class Overviews {
  /** By site id, with the number of its latest run, since no run changes; some 1 kB each. */
  readonly #statuses = new ExpiringCache<{ readonly number: number; readonly status: SiteStatus }>(10_000);

  constructor(private readonly db: Database) {}

  /** Returns every site of the account, in no order. */
  async ofAccount(accountId: string): Promise<readonly SiteOverview[]> {
    const listed = (await this.db.run(selectListed({ account_id: accountId }))).map(listedSiteOf);
    const statuses = new Map<ListedSite, SiteStatus>();
    for (const site of listed) {
      const known = this.#statuses.get(site.id);
      if (known?.number === site.latestNumber) statuses.set(site, known.status);
    }
    const unknown = listed.filter((site) => site.latestNumber > 0 && !statuses.has(site));
    for (let from = 0; from < unknown.length; from += SITES_AT_ONCE) {
      const sites = unknown.slice(from, from + SITES_AT_ONCE);
      const runsBySite = await readRanges(
        this.db,
        sites.map(({ id, latestNumber: last }) => ({ site_id: id, first: last - LAST_RUNS_MAX + 1, last })),
      );
      for (const site of sites) {
        const status = statusOf(runsBySite.get(site.id) ?? []);
        statuses.set(site, status);
        this.#statuses.set(site.id, { number: site.latestNumber, status });
      }
      await yieldToEventLoop();
    }
    return listed.map((site) => ({ site, ...(statuses.get(site) ?? NO_RUN) }));
  }
}

/** @param runs newest first */
function statusOf(runs: readonly RunSummary[]): SiteStatus {
  const scoredAt = runs.findIndex(hasScore);
  return {
    latestAt: runs[0]?.finishedAt ?? null,
    unscoredRuns: scoredAt === -1 ? runs.length : scoredAt,
    lastScored: scoredAt === -1 ? null : lastScoredOf(runs.slice(scoredAt)),
    trend: runs.map(({ score }) => ({ score })).reverse(),
    since: findSince(runs),
  };
}

function lastScoredOf([run, ...earlier]: readonly RunSummary[]): LastScored | null {
  if (!run || !hasScore(run)) return null;
  const { score, findings } = run;
  const failures = findings.filter(({ result }) => result === 'FAIL');
  const toFix = failures.filter(({ scored }) => scored).sort((one, other) => rankOf(one) - rankOf(other));
  const changes = findChanges(earlier, run);
  const change = changes && {
    points: score - changes.from.score,
    newFailures: changes.comparison.newFailures.length,
    fixed: changes.comparison.fixed.length,
  };
  return { score, findings, failures, toFix, change };
}
