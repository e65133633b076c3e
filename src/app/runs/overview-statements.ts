import type { Knex } from 'knex';
import { defineQuery, isPostgres, jsonRows } from '../../store/query.js';
import { lastScored } from './last-scored.js';
import { GLANCE, type GlanceRow } from '../sites/site-glance.js';

/** What the list says of a site, and which run is its latest: null before the first. */
export type GlancedRow = GlanceRow & { readonly etag: string | null };

const GLANCED = { ...GLANCE.columns, etag: 'runs.etag' };

/**
 * Every site of an account, as one text: JSON of its columns, in no order. It is cheaper to make than rows and to compare with what it was the time
 * before.
 */
export const selectGlances = defineQuery<{ glances: string }, { account_id: string }>((sql, { account_id }) => {
  const columns = Object.values(GLANCED).join(', ');
  const glances = isPostgres(sql)
    ? `CAST(COALESCE(json_agg(json_build_array(${columns})), '[]') AS text)`
    : `json_group_array(json_array(${columns}))`;
  return sql('sites')
    .leftJoin(GLANCE.proofs, sql.raw(GLANCE.isProof))
    .leftJoin('runs', { 'runs.site_id': 'sites.id', 'runs.number': 'sites.run_counter' })
    .select({ glances: sql.raw(glances) })
    .where({ account_id, is_deleting: 0 });
});

export function parseGlances(glances: string): readonly GlancedRow[] {
  const names = Object.keys(GLANCED);
  return (JSON.parse(glances) as readonly (readonly (string | number | null)[])[]).map(
    (values) => Object.fromEntries(names.map((name, index) => [name, values[index]])) as GlancedRow,
  );
}

/** What the last runs of a site came to. */
export interface LastRunsRow {
  readonly id: string;
  /** Of the latest. */
  readonly run_counter: number;
  readonly etag: string;
  readonly latest_at: string;
  /** Of the last run with a score. */
  readonly now_number: number | null;
  readonly now_score: number | null;
  readonly now_results: string | null;
  readonly now_pages: string | null;
  /** Of the one before it with a score; the results where they differ. */
  readonly before_number: number | null;
  readonly before_score: number | null;
  readonly before_results: string | null;
  readonly before_pages: string | null;
}

/**
 * Some sites in one look, however many runs they have: of each no more than three are read, by their keys. The scored ones are looked for
 * among the last `count` runs. Mostly they are the last two, which need no search. `sites`: JSON of their ids.
 */
export const selectLastRuns = defineQuery<LastRunsRow, { sites: string; count: number }>((sql, { sites, count }) =>
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
    .leftJoin('run_pages as now_p', { 'now_p.site_id': 'sites.id', 'now_p.number': 'now.number' })
    .leftJoin('run_pages as before_p', { 'before_p.site_id': 'sites.id', 'before_p.number': 'before.number' })
    .select('sites.id', 'run_counter', 'latest.etag', {
      latest_at: 'latest.finished_at',
      now_number: 'now.number',
      now_score: 'now.score',
      now_results: 'now.results',
      now_pages: 'now_p.pages',
      before_number: 'before.number',
      before_score: 'before.score',
      before_pages: 'before_p.pages',
      before_results: sql.raw('CASE WHEN before.results <> now.results THEN before.results END'),
    }),
);

/** One of the last runs of a site. */
export interface TrendRow {
  readonly site_id: string;
  readonly number: number;
  readonly score: number | null;
  /** How the check that was asked about came out: 2 failed, 1 could not be determined, 0 anything else. */
  readonly failing: number;
}

/** Texts that results have where a check failed, or was left open: by the form that they are stored in. */
const TREND_TEXTS = ['failed_1', 'failed_2', 'open_1', 'open_2'] as const;
export type TrendText = (typeof TREND_TEXTS)[number];

/** Whether the results of a run have one of these texts in them, none of which is a pattern. */
const have = (sql: Knex, ...columns: readonly TrendText[]): string =>
  columns.map((column) => `${isPostgres(sql) ? 'strpos' : 'instr'}(r.results, given.${column}) > 0`).join(' OR ');

/**
 * The last `count` runs of some sites, oldest first. `sites`: JSON of their ids and latest numbers, each with {@link TREND_TEXTS};
 * where nothing is asked, texts that no run has.
 */
export const selectTrends = defineQuery<TrendRow, { sites: string; count: number }>((sql, { sites, count }) =>
  sql
    .select('r.site_id', 'r.number', 'r.score', {
      failing: sql.raw(
        `CASE WHEN ${have(sql, 'failed_1', 'failed_2')} THEN 2 WHEN ${have(sql, 'open_1', 'open_2')} THEN 1 ELSE 0 END`,
      ),
    })
    .from(jsonRows(sql, sites, ['site_id', 'latest', ...TREND_TEXTS]))
    .join('runs as r', (on) =>
      on.on('r.site_id', 'given.site_id').andOn('r.number', '>', sql.raw('CAST(given.latest AS integer) - ?', [count])),
    )
    .orderBy(['r.site_id', 'r.number']),
);
