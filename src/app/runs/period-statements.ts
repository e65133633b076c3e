import { defineQuery, jsonRows } from '../../store/query.js';
import { lastScored } from './last-scored.js';

/** Where a site of an account stands, and where it stood at some time: what the columns of runs say is null before the first. */
export interface PeriodRow {
  readonly id: string;
  readonly hostname: string;
  /** Of the latest run. */
  readonly latest_number: number | null;
  readonly latest_at: string | null;
  /** Of the last one with a score. */
  readonly now_number: number | null;
  readonly now_score: number | null;
  /** Of the last one before that time, with a score, and with or without one. */
  readonly before_number: number | null;
  readonly then_number: number | null;
}

/** SQL of the number of a site's last run that finished before a time, which it binds. Runs of a site finish in their order. */
const lastBefore = (condition = ''): string =>
  `(SELECT r.number FROM runs AS r WHERE r.site_id = sites.id AND r.finished_at < ?${condition} ORDER BY r.number DESC LIMIT 1)`;

/**
 * Some sites of the account; of runs those alone that finished before `until`. The last scored one is looked for among the last `count`.
 * `sites`: JSON of their ids.
 */
export const selectPeriod = defineQuery<
  PeriodRow,
  { account_id: string; sites: string; since: string; until: string; count: number }
>((sql, { account_id, sites, since, until, count }) =>
  sql('sites')
    .join(jsonRows(sql, sites, ['site_id']), 'given.site_id', 'sites.id')
    .leftJoin('runs as latest', (on) =>
      on.on('latest.site_id', 'sites.id').andOn('latest.number', sql.raw(lastBefore(), [until])),
    )
    .leftJoin('runs as now', (on) =>
      on
        .on('now.site_id', 'sites.id')
        .andOn('now.number', sql.raw(lastScored('sites', 'latest.number', 'latest.number'), [count])),
    )
    .select('sites.id', 'sites.hostname', {
      latest_number: 'latest.number',
      latest_at: 'latest.finished_at',
      now_number: 'now.number',
      now_score: 'now.score',
      before_number: sql.raw(lastBefore(' AND r.score IS NOT NULL'), [since]),
      then_number: sql.raw(lastBefore(), [since]),
    })
    .where({ account_id, is_deleting: 0 }),
);
