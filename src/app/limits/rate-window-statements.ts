import { defineQuery } from '../../store/query.js';

/**
 * Takes one of a window: a row when there was one left. One conditional statement, so that callers at the same time cannot
 * take more than `limit` between them; the first of a window is taken whatever the limit.
 */
export const takeOfWindow = defineQuery<
  { used: number },
  { scope: string; subject: string; window_start: string; expires_at: string; limit: number }
>(
  (sql, { scope, subject, window_start, expires_at, limit }) =>
    sql('rate_windows')
      .insert({ scope, subject, window_start, expires_at, used: 1 })
      .onConflict(['scope', 'subject', 'window_start'])
      .merge({ used: sql.raw('rate_windows.used + 1') })
      .where('rate_windows.used', '<', limit)
      .returning('used'),
  { durability: 'process' },
);

/** Gives one back to the window that it was taken from. */
export const returnToWindow = defineQuery<never, { scope: string; subject: string; window_start: string }>(
  (sql, { scope, subject, window_start }) =>
    sql('rate_windows').where({ scope, subject, window_start }).where('used', '>', 0).decrement('used', 1),
  { durability: 'process' },
);

export const deleteEndedWindows = defineQuery<never, { now: string }>(
  (sql, { now }) => sql('rate_windows').where('expires_at', '<=', now).del(),
  { durability: 'process' },
);
