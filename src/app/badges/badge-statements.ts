import { defineQuery } from '../../store/query.js';

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

/** Where a site was out of reach for so many runs, its last score says nothing any more. */
const RUNS_MAX = 50;

/** The score of the last run that has one; null where there is none. */
export const selectBadge = defineQuery<{ score: number | null }, { token: string }>((sql, { token }) =>
  sql('badges as b')
    .join('sites as s', 's.id', 'b.site_id')
    .select({
      score: sql('runs as r')
        .select('r.score')
        .where('r.site_id', sql.ref('s.id'))
        .where('r.number', '>', sql.raw('s.run_counter - ?', [RUNS_MAX]))
        .whereNotNull('r.score')
        .orderBy('r.number', 'desc')
        .limit(1),
    })
    .where({ 'b.token': token, 's.is_deleting': 0 }),
);
