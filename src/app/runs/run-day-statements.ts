import { defineQuery } from '../../store/query.js';

export interface RunDayRow {
  /** `YYYY-MM-DD`, UTC */
  readonly day: string;
  readonly finished: number;
  readonly scored: number;
}

/** Reads an index alone, one entry a run: {@link RunDays} asks seldom. */
export const countRunsByDay = defineQuery<RunDayRow, { since: string }>((sql, { since }) =>
  sql('runs')
    .select(
      sql.raw('substr(finished_at, 1, 10) AS day'),
      sql.raw('CAST(count(*) AS integer) AS finished'),
      sql.raw('CAST(count(score) AS integer) AS scored'),
    )
    .where('finished_at', '>=', since)
    .groupByRaw('substr(finished_at, 1, 10)'),
);
