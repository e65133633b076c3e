import { defineQuery, jsonRows } from '../../store/query.js';

export interface ScoredRunRow {
  readonly site_id: string;
  readonly number: number;
  readonly score: number;
  readonly results: string;
  readonly pages: string | null;
}

/** The results of some sites' runs with a score from one number to another, newest first. `sites`: JSON of their ids and both numbers. */
export const selectScoredRuns = defineQuery<ScoredRunRow, { sites: string }>((sql, { sites }) =>
  sql
    .select('r.site_id', 'r.number', 'r.score', 'r.results', 'p.pages')
    .from(jsonRows(sql, sites, ['site_id', 'first', 'last']))
    .join('runs as r', (on) =>
      on
        .on('r.site_id', 'given.site_id')
        .andOn('r.number', '>=', sql.raw('CAST(given.first AS integer)'))
        .andOn('r.number', '<=', sql.raw('CAST(given.last AS integer)')),
    )
    .leftJoin('run_pages as p', { 'p.site_id': 'r.site_id', 'p.number': 'r.number' })
    .whereNotNull('r.score')
    .orderBy([{ column: 'r.site_id' }, { column: 'r.number', order: 'desc' }]),
);
