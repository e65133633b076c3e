import { hash } from 'node:crypto';
import type { Database } from '../../src/store/database.js';
import { defineQuery, type Row } from '../../src/store/query.js';

const SCOPE = 'daily-runs-';

const selectWindows = defineQuery<Row<'rate_windows'>>((sql) =>
  sql('rate_windows').whereLike('scope', `${SCOPE}%`).orderBy('window_start'),
);

function subjectOf(accountId: string, host: string): string {
  return hash('sha256', `${accountId} ${host}`, 'hex');
}

/** Returns the used daily runs by trigger and day. @param site by default, all sites */
export async function usedRuns(db: Database, site?: { readonly account_id: string; readonly hostname: string }) {
  const rows = await db.run(selectWindows({}));
  return rows
    .filter(({ subject }) => !site || subject === subjectOf(site.account_id, site.hostname))
    .map(({ scope, window_start, used }) => ({
      trigger: scope.slice(SCOPE.length),
      day: window_start.slice(0, 10),
      used,
    }));
}

/** Returns a row of `rate_windows` with this many runs on 15 March 2026. */
export function dailyRunsRow(accountId: string, host: string, trigger: string, used: number) {
  return {
    scope: SCOPE + trigger,
    subject: subjectOf(accountId, host),
    window_start: '2026-03-15T00:00:00.000Z',
    expires_at: '2026-03-16T00:00:00.000Z',
    used,
  };
}
