import type { Knex } from 'knex';
import { defineQuery } from '../../store/query.js';
import type { EpochRow, RunColumns } from './run-columns.js';

/** The current epoch, and the last link of a site; without a link its parts are null. No row: there is no epoch. */
export const selectChainEnd = defineQuery<
  {
    readonly epoch: number;
    readonly epoch_id: string;
    readonly number: number | null;
    readonly digest: string | null;
  },
  { site_id: string }
>((sql, { site_id }) =>
  sql.raw(
    `SELECT e.number AS epoch, e.id AS epoch_id, c.number, c.digest FROM epochs e
      LEFT JOIN run_chain c ON c.site_id = ? AND c.number = (SELECT max(number) FROM run_chain WHERE site_id = ?)
      ORDER BY e.number DESC LIMIT 1`,
    [site_id, site_id],
  ),
);

export const insertLink = defineQuery<never, { site_id: string; number: number; epoch: number; digest: string }>(
  (sql, { site_id, number, epoch, digest }) => sql('run_chain').insert({ site_id, number, epoch, digest }),
);

/** Oldest first. */
export const selectEpochs = defineQuery<EpochRow>((sql) => sql('epochs').select('number', 'id').orderBy('number'));

/** A run with its link, where it has one. */
export interface LinkedRunRow extends RunColumns {
  readonly body: Uint8Array;
  readonly digest: string | null;
  /** That of the link. */
  readonly epoch: number | null;
  readonly epoch_id: string | null;
}

const LINKED_RUN = `r.number, r.reference, r.score, r."trigger", r.started_at, r.finished_at, r.results, r.etag, r.body,
        c.digest, c.epoch, e.id AS epoch_id`;

/** Some runs of a range of numbers, oldest first. */
export const selectLinkedRuns = defineQuery<
  LinkedRunRow,
  { site_id: string; after: number; upto: number; limit: number }
>((sql, { site_id, after, upto, limit }) =>
  sql.raw(
    `SELECT ${LINKED_RUN} FROM runs r
      LEFT JOIN run_chain c ON c.site_id = r.site_id AND c.number = r.number
      LEFT JOIN epochs e ON e.number = c.epoch
      WHERE r.site_id = ? AND r.number > ? AND r.number <= ? ORDER BY r.number LIMIT ?`,
    [site_id, after, upto, limit],
  ),
);

/** A run with what its link is compared with, in one statement: links may be added meanwhile. */
export const selectRunToProve = defineQuery<
  LinkedRunRow & { readonly prior_digest: string | null; readonly last_link: number | null },
  { site_id: string; number: number }
>((sql, { site_id, number }) =>
  sql.raw(
    `SELECT ${LINKED_RUN},
        (SELECT p.digest FROM run_chain p WHERE p.site_id = r.site_id AND p.number < r.number
          ORDER BY p.number DESC LIMIT 1) AS prior_digest,
        (SELECT max(l.number) FROM run_chain l WHERE l.site_id = r.site_id) AS last_link
      FROM runs r
      LEFT JOIN run_chain c ON c.site_id = r.site_id AND c.number = r.number
      LEFT JOIN epochs e ON e.number = c.epoch
      WHERE r.site_id = ? AND r.number = ?`,
    [site_id, number],
  ),
);

/** A site with how many runs it has, and the number of its last link. */
export interface ChainedSiteRow {
  readonly id: string;
  readonly run_counter: number;
  readonly linked: number | null;
}

const SITES_A_PAGE = 200;

/** The next sites by id; none: that was the last one. */
export const selectChainedSites = defineQuery<ChainedSiteRow, { after: string }>((sql, { after }) =>
  chainedSites(sql).where('s.id', '>', after).orderBy('s.id').limit(SITES_A_PAGE),
);

export const selectChainedSite = defineQuery<ChainedSiteRow, { id: string }>((sql, { id }) =>
  chainedSites(sql).where({ 's.id': id }),
);

function chainedSites(sql: Knex): Knex.QueryBuilder {
  const linked = sql('run_chain as c').max('c.number').where('c.site_id', sql.ref('s.id')).as('linked');
  return sql('sites as s').select('s.id', 's.run_counter', linked).whereRaw('s.is_deleting = 0');
}
