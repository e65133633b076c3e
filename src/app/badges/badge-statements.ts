import { defineQuery } from '../../store/query.js';

/** Gives the site a badge, or a new address for it. */
export const upsertBadge = defineQuery<never, { site_id: string; token: string; created_at: string }>(
  (sql, { site_id, token, created_at }) =>
    sql('badges').insert({ site_id, token, created_at }).onConflict('site_id').merge(['token', 'created_at']),
);

export const deleteBadge = defineQuery<never, { site_id: string }>((sql, { site_id }) =>
  sql('badges').where({ site_id }).del(),
);

export const selectBadgeToken = defineQuery<{ token: string }, { site_id: string }>((sql, { site_id }) =>
  sql('badges').select('token').where({ site_id }),
);

/** What the badge shows; the score is null before the first run, too. */
export const selectBadge = defineQuery<{ score: number | null }, { token: string }>((sql, { token }) =>
  sql('badges as b')
    .join('sites as s', 's.id', 'b.site_id')
    .leftJoin('runs as r', (on) => on.on('r.site_id', 's.id').andOn('r.number', 's.run_counter'))
    .select('r.score')
    .where({ 'b.token': token, 's.is_deleting': 0 }),
);
