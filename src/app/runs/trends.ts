import type { Database } from '../../store/database.js';
import type { SiteOverview } from './overview.js';
import { ExpiringCache } from './run-reads.js';
import { type CheckResult, readRanges, type RunSummary } from './run-rows.js';

/** Scores of runs, oldest first. */
export type Trend = readonly { readonly score: number | null }[];

/** The last runs of a site in the list. */
export interface SiteTrend {
  /** The last {@link TREND_RUNS_MAX} runs, oldest first. */
  readonly runs: Trend;
  /** Since when its worst failing check fails; null if it does not fail. */
  readonly failingSince: FailingSince | null;
}

export interface FailingSince {
  /** Number of the first run of the unbroken row that failed. Runs that could not determine the check do not break it. */
  readonly number: number;
  /** True if it may have failed for longer. */
  readonly isLowerBound: boolean;
}

/** A site, and a check that fails on it. */
export interface TrendRequest extends Pick<SiteOverview, 'site' | 'latestNumber' | 'etag'> {
  readonly worstFailure: CheckResult | null;
}

/** How many runs the trend of a site shows. */
const TREND_RUNS_MAX = 10;

/** Reads the last runs of sites in the list. */
export class Trends {
  /** By the entity tag of a site's latest run, since no run changes; some 1.5 kB each. */
  readonly #trends = new ExpiringCache<SiteTrend>(2000);

  constructor(private readonly db: Database) {}

  /** Returns the trends by site id; none for a site without a run. */
  async read(requests: readonly TrendRequest[]): Promise<ReadonlyMap<string, SiteTrend>> {
    const trends = new Map<string, SiteTrend>();
    for (const { site, etag } of requests) {
      const known = this.#trends.get(etag);
      if (known) trends.set(site.id, known);
    }
    const unknown = requests.filter(({ site, latestNumber }) => latestNumber > 0 && !trends.has(site.id));
    const ranges = unknown.map(({ site, latestNumber: last }) => {
      return { site_id: site.id, first: last - TREND_RUNS_MAX + 1, last };
    });
    const runsBySite = await readRanges(this.db, ranges);
    for (const { site, etag, worstFailure } of unknown) {
      const runs = runsBySite.get(site.id)?.reverse();
      if (!runs) continue;
      const trend = {
        runs: runs.map(({ score }) => ({ score })),
        failingSince: worstFailure && failingSince(worstFailure, runs),
      };
      trends.set(site.id, trend);
      this.#trends.set(etag, trend);
    }
    return trends;
  }
}

/** @param runs oldest first */
function failingSince({ checkId }: CheckResult, runs: readonly RunSummary[]): FailingSince | null {
  const scored = runs.filter(({ score }) => score !== null);
  const results = scored.map(({ findings }) => findings.find((finding) => finding.checkId === checkId)?.result);
  const passed = results.findLastIndex((result) => result !== 'FAIL' && result !== 'UNDETERMINED');
  const first = scored[results.indexOf('FAIL', passed + 1)];
  return first ? { number: first.number, isLowerBound: passed === -1 && (runs[0]?.number ?? 1) > 1 } : null;
}
