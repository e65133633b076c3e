import { laterThan } from '../../platform/clock.js';
import { defineCleanup } from '../../store/cleanup.js';
import { defineQuery } from '../../store/query.js';

/**
 * Takes one of a window: a row when there was one left. One conditional statement, so that callers at the same time cannot
 * take more than `limit` between them; the first of a window is always taken.
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

/** How long a window is kept after its end: by the clock of another process it may still be open, and would start anew. */
const ENDED_KEPT_MS = 60_000;

export const cleanUpWindows = defineCleanup<{ ended_before: string }>(
  'rate_windows',
  ['scope', 'subject', 'window_start'],
  (rows, { ended_before }) => rows.where('expires_at', '<=', ended_before),
  (now) => ({ ended_before: laterThan(now, -ENDED_KEPT_MS) }),
);
