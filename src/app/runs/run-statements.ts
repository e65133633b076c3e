import type { Knex } from 'knex';
import type { Trigger } from './run.js';
import type { RunLabelRow } from './run-label-statements.js';
import { defineQuery, isPostgres, jsonRows, type Placeholders } from '../../store/query.js';

interface RunRow {
  readonly site_id: string;
  readonly number: number;
  readonly reference: string;
  readonly score: number | null;
  readonly trigger: Trigger;
  readonly started_at: string;
  readonly finished_at: string;
  /** See run-results.ts. */
  readonly results: string;
  /** See run-texts.ts. */
  readonly body: Uint8Array;
  readonly etag: string;
  /** Which judged it: version and commit. Null for a run of a version that did not say so. */
  readonly release: string | null;
}

export const insertRun = defineQuery<never, { [K in keyof RunRow]: RunRow[K] }>(
  (sql, { site_id, number, reference, score, trigger, started_at, finished_at, results, body, etag, release }) =>
    sql('runs').insert({
      ...{ site_id, number, reference, score, trigger, started_at, finished_at, results, body, etag, release },
    }),
);

export const insertRunNotes = defineQuery<never, { site_id: string; number: number; notes: string }>(
  (sql, { site_id, number, notes }) => sql('run_notes').insert({ site_id, number, notes }),
);

/** See run-pages.ts. */
export const insertRunPages = defineQuery<never, { site_id: string; number: number; pages: string }>(
  (sql, { site_id, number, pages }) => sql('run_pages').insert({ site_id, number, pages }),
);

export const selectRunPages = defineQuery<{ pages: string }, { site_id: string; number: number }>(
  (sql, { site_id, number }) => sql('run_pages').select('pages').where({ site_id, number }),
);

export const insertRunGains = defineQuery<never, { site_id: string; number: number; gains: string }>(
  (sql, { site_id, number, gains }) => sql('run_gains').insert({ site_id, number, gains }),
);

/** What is kept alongside a run, as it is stored; null where there is none. */
export interface Supplement {
  readonly release: string | null;
  /** JSON arrays. */
  readonly notes: string | null;
  readonly gains: string | null;
  /** See run-pages.ts. */
  readonly pages: string | null;
}

/** What people are shown of a run; no body where its entity tag is the one that is held. */
export type RunToShowRow = Supplement & RunLabelRow & Pick<RunRow, 'etag'> & { readonly body: Uint8Array | null };

export const selectRunToShow = defineQuery<RunToShowRow, { site_id: string; number: number; held: string }>(
  (sql, { site_id, number, held }) =>
    sql('runs')
      .select('runs.etag', 'runs.release', 'run_notes.notes', 'run_gains.gains', 'p.pages', 'l.label', 'l.commit_id')
      .select({ body: sql.raw('CASE WHEN runs.etag <> ? THEN runs.body END', [held]) })
      .leftJoin('run_notes', { 'run_notes.site_id': 'runs.site_id', 'run_notes.number': 'runs.number' })
      .leftJoin('run_gains', { 'run_gains.site_id': 'runs.site_id', 'run_gains.number': 'runs.number' })
      .leftJoin('run_pages as p', { 'p.site_id': 'runs.site_id', 'p.number': 'runs.number' })
      .leftJoin('run_labels as l', { 'l.site_id': 'runs.site_id', 'l.number': 'runs.number' })
      .where({ 'runs.site_id': site_id, 'runs.number': number }),
);

/** A site's owner, and the run of it that was asked for; null where there is none. */
export interface FoundRun {
  /** The place in the list. */
  readonly asked: number;
  readonly owner_id: string;
  readonly number: number | null;
  readonly etag: string | null;
  /** Null where its entity tag is the one that is held. */
  readonly body: Uint8Array | null;
}

/**
 * Finds runs given as JSON: by `place`, `site_id`, `number` (empty for the latest) and `held`, the entity tag of the body that is there already.
 * A row for each site that exists. The counter is the number of the latest run, since both change in one transaction.
 */
export const findRuns = defineQuery<FoundRun, { runs: string }>((sql, { runs }) => {
  const number = `COALESCE(CAST(NULLIF(given.number, '') AS bigint), s.run_counter)`;
  const isAsked = `runs.site_id = s.id AND runs.number = ${number}`;
  const run = isPostgres(sql)
    ? `LATERAL (SELECT number, etag, body FROM runs WHERE ${isAsked} LIMIT 1) AS r ON true`
    : `runs AS r ON ${isAsked.replaceAll('runs.', 'r.')}`;
  return sql.raw(
    `SELECT CAST(given.place AS integer) AS asked, s.account_id AS owner_id, r.number, r.etag,
            CASE WHEN r.etag <> given.held THEN r.body END AS body
       FROM ? JOIN sites AS s ON s.id = given.site_id AND s.is_deleting = 0 LEFT JOIN ${run}`,
    [jsonRows(sql, runs, ['place', 'site_id', 'number', 'held'])],
  );
});

/** What tells a stored run from any other that could have its number. */
export const selectEntityTag = defineQuery<{ etag: string }, { site_id: string; number: number }>(
  (sql, { site_id, number }) => sql('runs').select('etag').where({ site_id, number }),
);

/** What is known of a run without its body. */
export type RunSummaryRow = Omit<RunRow, 'results' | 'body' | 'etag' | 'release'> & RunLabelRow;

const SUMMARY = ['site_id', 'number', 'reference', 'score', 'trigger', 'started_at', 'finished_at'];

type RunRange = Readonly<Record<'site_id', string> & Record<'first' | 'last', number>>;

/** The runs of a range of numbers, newest first: a page of the history, since the numbers have no gap. */
function runsOfRange(sql: Knex, { site_id, first, last }: Placeholders<RunRange>): Knex.QueryBuilder {
  return sql('runs as r')
    .select([...SUMMARY.map((column) => `r.${column}`), 'l.label', 'l.commit_id'])
    .leftJoin('run_labels as l', { 'l.site_id': 'r.site_id', 'l.number': 'r.number' })
    .where({ 'r.site_id': site_id })
    .where('r.number', '>=', first)
    .where('r.number', '<=', last)
    .orderBy('r.number', 'desc');
}

export const selectRunSummaries = defineQuery<RunSummaryRow, RunRange>((sql, range) => runsOfRange(sql, range));

export type RunResultsRow = RunSummaryRow & Pick<RunRow, 'results'> & { readonly pages?: string | null };

function resultsOfRange(sql: Knex, range: Placeholders<RunRange>): Knex.QueryBuilder {
  return runsOfRange(sql, range)
    .select('r.results', 'p.pages')
    .leftJoin('run_pages as p', { 'p.site_id': 'r.site_id', 'p.number': 'r.number' });
}

/** The runs of a range of numbers with their results, newest first. */
export const selectRunResults = defineQuery<RunResultsRow, RunRange>((sql, range) => resultsOfRange(sql, range));

/** What a run's verdicts are compared with. */
export type JudgedRunRow = Pick<RunRow, 'trigger' | 'results' | 'release'> & Pick<Supplement, 'pages'>;

/** The runs of a range of numbers that finished since then, newest first. */
export const selectJudgedRuns = defineQuery<
  JudgedRunRow,
  { site_id: string; first: number; last: number; since: string }
>((sql, { site_id, first, last, since }) =>
  sql('runs as r')
    .select('r.trigger', 'r.results', 'r.release', 'p.pages')
    .leftJoin('run_pages as p', { 'p.site_id': 'r.site_id', 'p.number': 'r.number' })
    .where({ 'r.site_id': site_id })
    .where('r.number', '>=', first)
    .where('r.number', '<=', last)
    .where('r.finished_at', '>=', since)
    .orderBy('r.number', 'desc'),
);

/** The same, and of each run without a score its body, since only that says why. */
export const selectRunSheet = defineQuery<RunResultsRow & { readonly unscored_body: Uint8Array | null }, RunRange>(
  (sql, range) =>
    resultsOfRange(sql, range).select({ unscored_body: sql.raw('CASE WHEN r.score IS NULL THEN r.body END') }),
);

/** Passes the guards only for a site that is marked; on PostgreSQL the role that serves may delete runs in this way alone. */
export const deleteRunsOfRange = defineQuery<object, { site_id: string; after: number; upto: number }>(
  (sql, { site_id, after, upto }) =>
    isPostgres(sql)
      ? sql.raw('SELECT erase_runs(?, ?, ?)', [site_id, after, upto])
      : sql('runs').where({ site_id }).where('number', '>', after).where('number', '<=', upto).delete(),
);
