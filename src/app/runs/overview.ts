import { compareFindings, readAlone } from '../../scanner/report/comparison.js';
import type { Database } from '../../store/database.js';
import { defineQuery, isPostgres, jsonRows } from '../../store/query.js';
import { LIST_COLUMNS, toListItem, type SiteListRow, type SiteListItem } from '../sites/site.js';
import { ExpiringCache } from './run-reads.js';
import { hasScore } from './run-lines.js';
import {
  type CheckResult,
  createRunReader,
  lastScored,
  readRanges,
  type RunSummary,
  UNSCORED_RUNS_MAX,
} from './run-rows.js';

/** What the runs of a site say about it. */
interface SiteStatus {
  /** Entity tag of its latest run; empty before the first. */
  readonly etag: string;
  /** Number of its latest run, 0 before the first. */
  readonly latestNumber: number;
  /** When that run finished; ISO 8601, UTC. */
  readonly latestAt: string | null;
  /** How many of the latest runs in a row have no score. */
  readonly unscoredRuns: number;
  /** The last run with a score; null if none of the last {@link UNSCORED_RUNS_MAX} has one. */
  readonly judged: JudgedRun | null;
}

/** A site in the list of an account's sites. */
export interface SiteOverview extends SiteStatus {
  readonly site: SiteListItem;
}

export interface JudgedRun {
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

type ListedRow = SiteListRow & { readonly etag: string | null };

const LISTED_COLUMNS = [...LIST_COLUMNS.map((column) => `sites.${column}`), 'runs.etag'];

/**
 * Selects every site of an account as one text, the JSON of its columns, in no order. It is cheaper than rows, and cheap to compare with the
 * text of the last time.
 */
const selectListItems = defineQuery<{ items: string }, { account_id: string }>((sql, { account_id }) => {
  const columns = LISTED_COLUMNS.join(', ');
  const items = isPostgres(sql)
    ? `CAST(COALESCE(json_agg(json_build_array(${columns})), '[]') AS text)`
    : `json_group_array(json_array(${columns}))`;
  return sql('sites')
    .leftJoin('runs', { 'runs.site_id': 'sites.id', 'runs.number': 'sites.run_counter' })
    .select({ items: sql.raw(items) })
    .where({ account_id, is_deleting: 0 });
});

function parseListItems(items: string): readonly ListedRow[] {
  const columns = [...LIST_COLUMNS, 'etag'];
  return (JSON.parse(items) as readonly (readonly (string | number | null)[])[]).map(
    (values) => Object.fromEntries(columns.map((name, index) => [name, values[index]])) as unknown as ListedRow,
  );
}

/** What the last runs of a site found. */
interface LastRunsRow {
  readonly id: string;
  readonly run_counter: number;
  readonly etag: string;
  readonly latest_at: string;
  /** The last run with a score. */
  readonly now_number: number | null;
  readonly now_score: number | null;
  readonly now_results: string | null;
  readonly now_pages: string | null;
  /** The run with a score before it; no results if they are the same. */
  readonly before_number: number | null;
  readonly before_score: number | null;
  readonly before_results: string | null;
  readonly before_pages: string | null;
}

/**
 * Selects at most three runs of each site by their keys, however many it has. The last two usually have a score, which needs no search.
 * @param sites JSON of their ids
 */
const selectLastRuns = defineQuery<LastRunsRow, { sites: string; count: number }>((sql, { sites, count }) =>
  sql('sites')
    .join(jsonRows(sql, sites, ['site_id']), 'given.site_id', 'sites.id')
    .join('runs as latest', { 'latest.site_id': 'sites.id', 'latest.number': 'sites.run_counter' })
    .leftJoin('runs as now', (on) =>
      on
        .on('now.site_id', 'sites.id')
        .andOn(
          'now.number',
          sql.raw(`CASE WHEN latest.score IS NULL THEN ${lastScored('sites')} ELSE sites.run_counter END`, [count]),
        ),
    )
    .leftJoin('runs as before', (on) =>
      on
        .on('before.site_id', 'sites.id')
        .andOn('before.number', sql.raw(lastScored('sites', 'now.number - 1'), [count])),
    )
    .select('sites.id', 'run_counter', 'latest.etag', {
      latest_at: 'latest.finished_at',
      now_number: 'now.number',
      now_score: 'now.score',
      now_results: 'now.results',
      now_pages: 'now.pages',
      before_number: 'before.number',
      before_score: 'before.score',
      before_pages: 'before.pages',
      before_results: sql.raw('CASE WHEN before.results <> now.results THEN before.results END'),
    }),
);

const NOT_RUN: SiteStatus = { etag: '', latestNumber: 0, latestAt: null, unscoredRuns: 0, judged: null };

/** An account's sites, and the text that they were made of. */
interface CachedOverview {
  readonly items: string;
  readonly sites: readonly SiteOverview[];
}

/** Reads the lists of accounts' sites. */
export class Overviews {
  /** By account; the size is the number of sites, some 500 bytes each. */
  readonly #ofAccounts = new ExpiringCache<CachedOverview>(50_000);

  constructor(private readonly db: Database) {}

  /** Returns every site of the account, in no order: the same array as long as nothing changes. */
  async ofAccount(accountId: string): Promise<readonly SiteOverview[]> {
    const { items = '[]' } = (await this.db.one(selectListItems({ account_id: accountId }))) ?? {};
    const cached = this.#ofAccounts.get(accountId);
    if (cached?.items === items) return cached.sites;
    const sites = await readOverviews(this.db, parseListItems(items), cached?.sites);
    this.#ofAccounts.set(accountId, { items, sites }, sites.length);
    return sites;
  }
}

/** @param known overviews to reuse, for sites that had no run since */
async function readOverviews(
  db: Database,
  rows: readonly ListedRow[],
  known: readonly SiteOverview[] = [],
): Promise<readonly SiteOverview[]> {
  const statuses = new Map<string, SiteStatus>(known.map((overview) => [overview.etag, overview]));
  const unknown = rows.filter(({ etag }) => etag !== null && !statuses.has(etag));
  const read = await readStatuses(db, unknown);
  return rows.map((row) => {
    const status = row.etag === null ? NOT_RUN : (statuses.get(row.etag) ?? read.get(row.id) ?? NOT_RUN);
    return { ...status, site: toListItem(row) };
  });
}

/** Compares the last runs of each site. @returns by site id */
async function readStatuses(db: Database, sites: readonly ListedRow[]): Promise<ReadonlyMap<string, SiteStatus>> {
  const statuses = new Map<string, SiteStatus>();
  if (sites.length === 0) return statuses;
  const ids = JSON.stringify(sites.map(({ id }) => ({ site_id: id })));
  const rows = await db.run(selectLastRuns({ sites: ids, count: UNSCORED_RUNS_MAX }));
  const read = createRunReader();
  const ranges = rows
    .filter((row) => dependsOnEarlier(row, read))
    .map(({ id, now_number, before_number }) => ({
      site_id: id,
      first: (now_number ?? 0) - UNSCORED_RUNS_MAX + 1,
      last: (before_number ?? 0) - 1,
    }));
  const earlier = await readRanges(db, ranges);
  for (const row of rows) {
    const { id, etag, run_counter: latestNumber, latest_at: latestAt, now_number } = row;
    const unscoredRuns = latestNumber - Math.max(now_number ?? 0, latestNumber - UNSCORED_RUNS_MAX);
    statuses.set(id, {
      etag,
      latestNumber,
      latestAt,
      unscoredRuns,
      judged: compareLastRuns(row, earlier.get(id) ?? [], read),
    });
  }
  return statuses;
}

type ReadRun = ReturnType<typeof createRunReader>;

/** @param earlier runs before the two of the row, newest first */
function compareLastRuns(row: LastRunsRow, earlier: readonly RunSummary[], read: ReadRun): JudgedRun | null {
  const { now_score: score, now_results, before_score, before_results } = row;
  if (score === null || now_results === null) return null;
  const now = read({ results: now_results, pages: row.now_pages });
  const { findings } = now;
  if (before_score === null) return { score, findings, change: null };
  const points = score - before_score;
  // The same results change nothing, whatever earlier runs found.
  if (before_results === null) return { score, findings, change: { points, newFailures: 0, fixed: 0 } };
  const before = read({ results: before_results, pages: row.before_pages });
  const { newFailures, fixed } = compareFindings([before, ...earlier.filter(hasScore)], now);
  return { score, findings, change: { points, newFailures: newFailures.length, fixed: fixed.length } };
}

/**
 * True if earlier runs affect the comparison of the two: a check passes or fails that the first of them could not judge, or the second read
 * chosen pages that earlier runs may have read.
 */
function dependsOnEarlier(
  { now_results, now_pages, before_results, before_pages }: LastRunsRow,
  read: ReadRun,
): boolean {
  if (now_results === null || before_results === null) return false;
  const now = read({ results: now_results, pages: now_pages });
  const before = read({ results: before_results, pages: before_pages });
  if (readAlone(now.pages, before.pages).length > 0) return true;
  const isJudged = ({ result }: CheckResult): boolean => result === 'PASS' || result === 'FAIL';
  const open = new Set(before.findings.filter((finding) => !isJudged(finding)).map(({ checkId }) => checkId));
  return now.findings.some((finding) => isJudged(finding) && open.has(finding.checkId));
}
