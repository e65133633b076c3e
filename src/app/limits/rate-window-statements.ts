import { laterThan } from '../../platform/clock.js';
import { defineCleanup } from '../../store/cleanup.js';
import { defineQuery, jsonRows } from '../../store/query.js';

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

/** A window, with how many are taken of it; `used` is a number as text. */
export interface GivenWindow {
  readonly scope: string;
  readonly subject: string;
  readonly window_start: string;
  readonly expires_at: string;
  readonly used: string;
}

export interface UsedWindow {
  readonly scope: string;
  readonly subject: string;
  readonly used: number;
}

const COLUMNS = ['scope', 'subject', 'window_start', 'expires_at', 'used'] as const satisfies (keyof GivenWindow)[];

/** How many are taken of these windows, given as JSON; no row for one of which nothing is. */
export const selectWindows = defineQuery<UsedWindow, { windows: string }>((sql, { windows }) =>
  sql(jsonRows(sql, windows, COLUMNS))
    .join('rate_windows', (on) => {
      for (const column of ['scope', 'subject', 'window_start']) on.on(`rate_windows.${column}`, `given.${column}`);
    })
    .select('rate_windows.scope', 'rate_windows.subject', 'rate_windows.used'),
);

/**
 * Takes of all these windows, whatever is left, and answers what is taken of each by then: for a transaction that looks at that, and undoes
 * it. The first window is locked first, so that two that share it take turns.
 */
export const takeOfWindows = defineQuery<UsedWindow, { windows: string }>((sql, { windows }) =>
  sql.raw(
    `INSERT INTO rate_windows (scope, subject, window_start, expires_at, used)
     SELECT scope, subject, window_start, expires_at, CAST(used AS integer) FROM ? WHERE true
     ON CONFLICT (scope, subject, window_start) DO UPDATE SET used = rate_windows.used + excluded.used
     RETURNING scope, subject, used`,
    [jsonRows(sql, windows, COLUMNS)],
  ),
);

/** Gives so many back to the window that they were taken from. */
export const returnToWindow = defineQuery<
  never,
  { scope: string; subject: string; window_start: string; count: number }
>(
  (sql, { scope, subject, window_start, count }) =>
    sql('rate_windows')
      .where({ scope, subject, window_start })
      .where('used', '>=', count)
      .update({ used: sql.raw('used - ?', [count]) }),
  { durability: 'process' },
);

/** How long a window is kept after its end: by the clock of another process it may still be open, and would start again. */
const ENDED_KEPT_MS = 60_000;

export const cleanUpWindows = defineCleanup<{ ended_before: string }>(
  'rate_windows',
  ['scope', 'subject', 'window_start'],
  (rows, { ended_before }) => rows.where('expires_at', '<=', ended_before),
  (now) => ({ ended_before: laterThan(now, -ENDED_KEPT_MS) }),
);
