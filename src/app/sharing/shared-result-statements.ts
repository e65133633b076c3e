import { defineCleanup } from '../../store/cleanup.js';
import { defineQuery } from '../../store/query.js';
import type { PictureRow } from './shared-report-statements.js';

/** A result that somebody shares. */
export interface SharedResultRow {
  readonly token: string;
  readonly hostname: string;
  readonly finished_at: string;
  readonly expires_at: string;
  /** JSON, gzip. */
  readonly body: Uint8Array;
}

/** A row where nobody has shared this result. */
export const insertSharedResult = defineQuery<{ token: string }, { [K in keyof SharedResultRow]: SharedResultRow[K] }>(
  (sql, { token, hostname, finished_at, expires_at, body }) =>
    sql('shared_results')
      .insert({ token, hostname, finished_at, expires_at, body })
      .onConflict(['hostname', 'finished_at'])
      .ignore()
      .returning('token'),
);

export const selectTokenOfResult = defineQuery<
  { token: string },
  { hostname: string; finished_at: string; now: string }
>((sql, { hostname, finished_at, now }) =>
  sql('shared_results').select('token').where({ hostname, finished_at }).where('expires_at', '>', now),
);

type Shown = Pick<SharedResultRow, 'expires_at' | 'body'> & Pick<PictureRow, 'picture_tag'>;

export const selectSharedResult = defineQuery<Shown, { token: string; now: string }>((sql, { token, now }) =>
  sql('shared_results').select('expires_at', 'body', 'picture_tag').where({ token }).where('expires_at', '>', now),
);

export const selectResultToDraw = defineQuery<Pick<SharedResultRow, 'body'>, { hostname: string; finished_at: string }>(
  (sql, { hostname, finished_at }) => sql('shared_results').select('body').where({ hostname, finished_at }),
);

export const selectResultPicture = defineQuery<PictureRow, { token: string; now: string }>((sql, { token, now }) =>
  sql('shared_results').select('picture', 'picture_tag').where({ token }).where('expires_at', '>', now),
);

export const updateResultPicture = defineQuery<
  never,
  { hostname: string; finished_at: string; picture: Uint8Array; picture_tag: string }
>(
  (sql, { hostname, finished_at, picture, picture_tag }) =>
    sql('shared_results').where({ hostname, finished_at }).update({ picture, picture_tag }),
  { durability: 'process' },
);

export const cleanUpSharedResults = defineCleanup<{ now: string }>(
  'shared_results',
  ['token'],
  (rows, { now }) => rows.where('expires_at', '<=', now),
  (time) => ({ now: time.toISOString() }),
);
