import { yieldToEventLoop } from '../../platform/concurrency.js';
import { rankOf } from '../../scanner/report/failures.js';
import type { Database } from '../../store/database.js';
import { defineQuery, type Row } from '../../store/query.js';
import { listSites, type Site } from '../sites/site.js';
import { findChanges, findResultStarts, hasScore } from './run-lines.js';
import { ExpiringCache } from './run-reads.js';
import { type CheckResult, readRanges, type RunSummary } from './run-rows.js';

/** A site in the list of an account's sites. */
export interface SiteOverview extends SiteStatus {
  readonly site: Site;
}

/** Status of a site, derived from its last {@link LAST_RUNS_MAX} runs. */
type SiteStatus = Readonly<ReturnType<typeof deriveStatus>>;

export type Trend = readonly { readonly score: number | null }[];

type AcceptedRow = Pick<Row<'accepted_failures'>, 'site_id' | 'check_id' | 'error_type'>;

const selectAccepted = defineQuery<AcceptedRow, { account_id: string }>((sql, { account_id }) =>
  sql('accepted_failures')
    .join('sites', 'sites.id', 'accepted_failures.site_id')
    .select(['site_id', 'check_id', 'error_type'])
    .where({ account_id }),
);

/** Older scores no longer describe the site. */
const LAST_RUNS_MAX = 10;

/** Number of sites that one statement reads. It blocks the event loop on SQLite. */
const SITES_AT_ONCE = 20;

const NO_RUN = deriveStatus([]);

export class Overviews {
  /** Statuses by site id, about 1 kB each. A status is valid while `number` is the number of the latest run. */
  readonly #statuses = new ExpiringCache<{ readonly number: number; readonly status: SiteStatus }>(10_000);

  constructor(private readonly db: Database) {}

  /** Returns every site of the account, in no order. */
  async list(account_id: string): Promise<readonly SiteOverview[]> {
    const listed = await listSites(this.db, account_id);
    const statuses = new Map<Site, SiteStatus>();
    const remember = (site: Site, status: SiteStatus): void => {
      statuses.set(site, status);
      this.#statuses.set(site.id, { number: site.latestNumber, status });
    };
    for (const site of listed) {
      const cached = this.#statuses.get(site.id);
      if (cached?.number === site.latestNumber) remember(site, cached.status);
    }
    const uncached = listed.filter((site) => site.latestNumber > 0 && !statuses.has(site));
    for (let from = 0; from < uncached.length; from += SITES_AT_ONCE) {
      const sites = uncached.slice(from, from + SITES_AT_ONCE);
      const runsBySite = await readRanges(
        this.db,
        sites.map(({ id, latestNumber: last }) => ({ site_id: id, first: last - LAST_RUNS_MAX + 1, last })),
      );
      for (const site of sites) remember(site, deriveStatus(runsBySite.get(site.id) ?? []));
      await yieldToEventLoop();
    }
    const accepted = Map.groupBy(await this.db.run(selectAccepted({ account_id })), (row) => row.site_id);
    return listed.map((site) => ({
      site,
      ...removeAccepted(statuses.get(site) ?? NO_RUN, accepted.get(site.id) ?? []),
    }));
  }
}

/** Removes accepted failures, which need no attention. The cached status includes them, because acceptance changes between runs. */
function removeAccepted(status: SiteStatus, accepted: readonly AcceptedRow[]): SiteStatus {
  const { lastScored } = status;
  if (lastScored === null || accepted.length === 0) return status;
  const isNotAccepted = ({ checkId, errorType }: CheckResult): boolean =>
    !accepted.some(({ check_id, error_type }) => check_id === checkId && error_type === errorType);
  const failures = lastScored.failures.filter(isNotAccepted);
  const failing = new Set(failures.map(({ checkId }) => checkId));
  const change = lastScored.change && {
    ...lastScored.change,
    newFailures: lastScored.change.newFailures.filter((id) => failing.has(id)),
  };
  return { ...status, lastScored: { ...lastScored, failures, toFix: lastScored.toFix.filter(isNotAccepted), change } };
}

/** @param runs newest first */
function deriveStatus(runs: readonly RunSummary[]) {
  const scoredAt = runs.findIndex(hasScore);
  const trend: Trend = runs.map(({ score }) => ({ score })).reverse();
  return {
    /** Time when the latest run finished, ISO 8601, UTC; null before the first run. */
    latestAt: runs[0]?.finishedAt ?? null,
    /** Number of latest runs in a row without a score. */
    unscoredRuns: scoredAt === -1 ? runs.length : scoredAt,
    /** True if the site did not answer in the latest run. */
    isSilent: runs[0]?.answer?.assistants.some(({ reason }) => reason === 'silent') ?? false,
    lastScored: scoredAt === -1 ? null : describeScored(runs.slice(scoredAt)),
    /** Oldest first. */
    trend,
    /** The run since which a check has had its result, by check id. Omits a check whose result may be older. */
    since: findResultStarts(runs),
  };
}

function describeScored([run, ...earlier]: readonly RunSummary[]) {
  if (!run || !hasScore(run)) return null;
  const { score, findings } = run;
  const failures = findings.filter(({ result }) => result === 'FAIL');
  const toFix = failures.filter(({ scored }) => scored).sort((one, other) => rankOf(one) - rankOf(other));
  const changes = findChanges(earlier, run);
  const change = changes && {
    points: score - changes.from.score,
    newFailures: changes.comparison.newFailures.map(({ checkId }) => checkId),
    fixed: changes.comparison.fixed.length,
  };
  return {
    score,
    findings,
    /** Includes accepted failures until {@link removeAccepted} removes them. */
    failures,
    /** Scored failures, most important first. */
    toFix,
    /** Changes since the previous run with a score; null if there is none. `points` is negative if the score fell. */
    change,
  };
}
