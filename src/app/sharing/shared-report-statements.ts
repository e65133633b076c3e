import type { Knex } from 'knex';
import { defineQuery } from '../../store/query.js';
import { lastScored, UNSCORED_RUNS_MAX } from '../runs/last-scored.js';

/** The number of a report that follows the site's runs. */
export const LATEST = 0;

interface ReportKey {
  readonly site_id: string;
  readonly number: number;
}

/** Publishes the report, or gives it a new address. What was drawn stays: it shows the same. */
export const upsertSharedReport = defineQuery<never, ReportKey & { token: string; created_at: string }>(
  (sql, { site_id, number, token, created_at }) =>
    sql('shared_reports')
      .insert({ site_id, number, token, created_at })
      .onConflict(['site_id', 'number'])
      .merge(['token', 'created_at']),
);

export const deleteSharedReport = defineQuery<never, ReportKey>((sql, { site_id, number }) =>
  sql('shared_reports').where({ site_id, number }).del(),
);

export const deleteSharedReports = defineQuery<never, { site_id: string }>((sql, { site_id }) =>
  sql('shared_reports').where({ site_id }).del(),
);

export interface SharedReportRow {
  readonly number: number;
  readonly token: string;
  readonly created_at: string;
  readonly picture_tag: string | null;
}

/** The latest first. */
export const selectSharedReports = defineQuery<SharedReportRow, { site_id: string }>((sql, { site_id }) =>
  sql('shared_reports').select('number', 'token', 'created_at', 'picture_tag').where({ site_id }).orderBy('number'),
);

export const selectSharedReport = defineQuery<SharedReportRow, ReportKey>((sql, { site_id, number }) =>
  sql('shared_reports').select('number', 'token', 'created_at', 'picture_tag').where({ site_id, number }),
);

/** A run to show; its columns are null before the first. */
export interface ShownRow {
  readonly hostname: string;
  readonly origin: string;
  readonly run_counter: number;
  readonly body: Uint8Array | null;
  readonly gains: string | null;
  readonly picture_tag: string | null;
}

const SHOWN = ['s.hostname', 's.origin', 's.run_counter', 'r.body', 'g.gains', 'p.picture_tag'];

/** The run that an address leads to: of the latest ones the last that has a score, as on the badge. */
export const selectShown = defineQuery<ShownRow, { token: string }>((sql, { token }) =>
  shown(sql).where({ 'p.token': token }),
);

/** The same, to draw it. */
export const selectShownOf = defineQuery<ShownRow, ReportKey>((sql, { site_id, number }) =>
  shown(sql).where({ 'p.site_id': site_id, 'p.number': number }),
);

/** No row while the site is being removed or its ownership is not proven, even if an earlier version left the report behind. */
function shown(sql: Knex): Knex.QueryBuilder {
  const latest = sql.raw(
    `CASE WHEN p.number > ${LATEST} THEN p.number ELSE COALESCE(${lastScored('s')}, s.run_counter) END`,
    [UNSCORED_RUNS_MAX],
  );
  return published(sql)
    .leftJoin('runs as r', (on) => on.on('r.site_id', 's.id').andOn('r.number', latest))
    .leftJoin('run_gains as g', (on) => on.on('g.site_id', 'r.site_id').andOn('g.number', 'r.number'))
    .select(SHOWN);
}

function published(sql: Knex): Knex.QueryBuilder {
  return sql('shared_reports as p')
    .join('sites as s', 's.id', 'p.site_id')
    .where({ 's.is_deleting': 0 })
    .whereNotNull('s.verified_at');
}

export interface PictureRow {
  readonly picture: Uint8Array | null;
  readonly picture_tag: string | null;
}

export const selectPicture = defineQuery<PictureRow, { token: string }>((sql, { token }) =>
  published(sql).select('p.picture', 'p.picture_tag').where({ 'p.token': token }),
);

export const updatePicture = defineQuery<never, ReportKey & { picture: Uint8Array; picture_tag: string }>(
  (sql, { site_id, number, picture, picture_tag }) =>
    sql('shared_reports').where({ site_id, number }).update({ picture, picture_tag }),
  { durability: 'process' },
);
