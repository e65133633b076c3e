import { defineQuery } from '../../store/query.js';
import { lastScored } from './last-scored.js';
import { type LastRunsRow, selectBoth } from './overview-statements.js';

/** Where a site of an account stands, and where it stood at some time: what the columns of runs say is null before the first. */
export interface PeriodRow extends Omit<LastRunsRow, 'etag' | 'latest_at' | 'run_counter'> {
  readonly hostname: string;
  readonly latest_number: number | null;
  readonly latest_at: string | null;
  /** Of the last run before that time, with or without a score. */
  readonly then_number: number | null;
}

/** SQL of the number of a site's last run that finished before a time, which it binds. Runs of a site finish in their order. */
const lastBefore = (condition: string): string =>
  `(SELECT r.number FROM runs AS r WHERE r.site_id = sites.id AND r.finished_at < ?${condition} ORDER BY r.number DESC LIMIT 1)`;

/** Every site of the account; of runs those alone that finished before `until`. The last scored one is looked for among the last `count`. */
export const selectPeriod = defineQuery<PeriodRow, { account_id: string; since: string; until: string; count: number }>(
  (sql, { account_id, since, until, count }) =>
    sql('sites')
      .leftJoin('runs as latest', (on) =>
        on.on('latest.site_id', 'sites.id').andOn('latest.number', sql.raw(lastBefore(''), [until])),
      )
      .leftJoin('runs as now', (on) =>
        on.on('now.site_id', 'sites.id').andOn('now.number', sql.raw(lastScored('sites', 'latest.number'), [count])),
      )
      .leftJoin('runs as before', (on) =>
        on
          .on('before.site_id', 'sites.id')
          .andOn('before.number', sql.raw(lastBefore(' AND r.score IS NOT NULL'), [since])),
      )
      .modify(selectBoth, sql)
      .select('sites.id', 'sites.hostname', {
        latest_number: 'latest.number',
        latest_at: 'latest.finished_at',
        then_number: sql.raw(lastBefore(''), [since]),
      })
      .where({ account_id, is_deleting: 0 }),
);
