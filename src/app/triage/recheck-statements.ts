import { defineQuery } from '../../store/query.js';

/** The last time that a check of a site was made again. */
export interface RecheckRow {
  readonly check_id: string;
  readonly run_number: number;
  readonly started_at: string;
  /** Null while it runs. */
  readonly finished_at: string | null;
  /** Null while it runs, and where it came to nothing by a fault of ours. */
  readonly result: string | null;
  readonly error_type: string | null;
  readonly detail: string | null;
}

const COLUMNS = ['check_id', 'run_number', 'started_at', 'finished_at', 'result', 'error_type', 'detail'];

/**
 * Takes the check for a beginning now: a row unless it was begun after `begun_before`, or is running since after
 * `abandoned_before`. One conditional statement, so that of all who ask at the same time one gets it.
 */
export const claimRecheck = defineQuery<
  { started_at: string },
  {
    site_id: string;
    check_id: string;
    run_number: number;
    started_at: string;
    begun_before: string;
    abandoned_before: string;
  }
>((sql, { site_id, check_id, run_number, started_at, begun_before, abandoned_before }) =>
  sql('rechecks')
    .insert({ site_id, check_id, run_number, started_at })
    .onConflict(['site_id', 'check_id'])
    .merge({
      ...{ run_number, started_at },
      ...Object.fromEntries(['finished_at', 'result', 'error_type', 'detail'].map((name) => [name, sql.raw('NULL')])),
    })
    .where('rechecks.started_at', '<=', begun_before)
    .andWhere((over) =>
      over.whereNotNull('rechecks.finished_at').orWhere('rechecks.started_at', '<=', abandoned_before),
    )
    .returning('started_at'),
);

/** What came of the one that began then. */
export interface FinishedRecheck {
  readonly site_id: string;
  readonly check_id: string;
  readonly started_at: string;
  readonly finished_at: string;
  readonly result: string | null;
  readonly error_type: string | null;
  readonly detail: string | null;
}

/** A row when it was kept: none if another one has begun since. */
export const finishRecheck = defineQuery<Pick<RecheckRow, 'run_number'>, FinishedRecheck>(
  (sql, { site_id, check_id, started_at, finished_at, result, error_type, detail }) =>
    sql('rechecks')
      .where({ site_id, check_id, started_at })
      .update({ finished_at, result, error_type, detail })
      .returning('run_number'),
);

export const selectRechecks = defineQuery<RecheckRow, { site_id: string }>((sql, { site_id }) =>
  sql('rechecks').select(COLUMNS).where({ site_id }).orderBy('check_id'),
);
