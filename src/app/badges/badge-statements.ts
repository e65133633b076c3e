import type { Knex } from 'knex';
import { defineQuery } from '../../store/query.js';
import { lastScored, UNSCORED_RUNS_MAX } from '../runs/last-scored.js';

/** Gives the site a badge, or a new address for it. */
export const upsertBadge = defineQuery<never, { site_id: string; token: string; created_at: string }>(
  (sql, { site_id, token, created_at }) =>
    sql('badges').insert({ site_id, token, created_at }).onConflict('site_id').merge(['token', 'created_at']),
);

export const deleteBadge = defineQuery<never, { site_id: string }>((sql, { site_id }) =>
  sql('badges').where({ site_id }).del(),
);

export const selectBadgeOfSite = defineQuery<{ token: string; created_at: string }, { site_id: string }>(
  (sql, { site_id }) => sql('badges').select('token', 'created_at').where({ site_id }),
);

/** The last run that has a score, by its results; both null where there is none. */
export interface ShownRow {
  readonly score: number | null;
  readonly results: string | null;
}

export const selectBadge = defineQuery<ShownRow, { token: string }>((sql, { token }) =>
  shownOf(sql).join('badges as b', 'b.site_id', 's.id').where({ 'b.token': token, 's.is_deleting': 0 }),
);

/** What the badge of a site shows, or would. */
export const selectShownOfSite = defineQuery<ShownRow, { site_id: string }>((sql, { site_id }) =>
  shownOf(sql).where({ 's.id': site_id }),
);

function shownOf(sql: Knex): Knex.QueryBuilder {
  return sql('sites as s')
    .leftJoin('runs as r', (on) =>
      on.on('r.site_id', 's.id').andOn('r.number', sql.raw(lastScored('s'), [UNSCORED_RUNS_MAX])),
    )
    .select('r.score', 'r.results');
}
