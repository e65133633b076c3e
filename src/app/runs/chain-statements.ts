import type { Knex } from 'knex';
import { defineQuery, type Query } from '../../store/query.js';
import type { EpochRow, RunColumns } from './run-columns.js';
import type { RunLabelRow } from './run-label-statements.js';
import type { Supplement } from './run-statements.js';

/** Oldest first. */
export const selectEpochs = defineQuery<EpochRow>((sql) => sql('epochs').select('number', 'id').orderBy('number'));

/** The current epoch, and the last link of a site; without a link its parts are null. */
export interface ChainEndRow {
  readonly epoch: number;
  readonly epoch_id: string;
  readonly number: number | null;
  /** Null also for the row after which a chain begins. */
  readonly digest: string | null;
}

/** A run with its link, where it has one. */
export interface LinkedRow {
  readonly number: number;
  readonly reference: string;
  readonly digest: string | null;
  /** That of the link. */
  readonly epoch: number | null;
  readonly epoch_id: string | null;
}

/** What the link of a run is compared with. */
export interface LinkSurroundingsRow {
  readonly prior_digest: string | null;
  readonly last_link: number | null;
  /** The number of the last run that the chain leaves out; null: none. */
  readonly uncovered: number | null;
}

/** The statements of one chain: `Row` is a run with what its link holds. */
export interface ChainStatements<Row extends LinkedRow> {
  /** No row: there is no epoch. */
  readonly selectEnd: (params: { site_id: string }) => Query<ChainEndRow>;
  readonly insertLink: (params: { site_id: string; number: number; epoch: number; digest: string }) => Query<never>;
  /** Some runs of a range of numbers, oldest first. */
  readonly selectLinked: (params: { site_id: string; after: number; upto: number; limit: number }) => Query<Row>;
  /** In one statement: links may be added meanwhile. */
  readonly selectToProve: (params: { site_id: string; number: number }) => Query<Row & LinkSurroundingsRow>;
}

/** A chain begins after its first row where that has no digest: the runs up to there were stored before there was the chain. */
const uncovered = (table: string, site: string): string =>
  `(SELECT CASE WHEN f.digest IS NULL THEN f.number END FROM ${table} f WHERE f.site_id = ${site}
    ORDER BY f.number LIMIT 1)`;

/** @param content the columns of what a link holds, of `runs` as `r` and of what `joins` adds */
function chainStatements<Row extends LinkedRow>(table: string, content: string, joins = ''): ChainStatements<Row> {
  const columns = `r.number, r.reference, c.digest, c.epoch, e.id AS epoch_id, ${content}`;
  const from = `FROM runs r
      LEFT JOIN ${table} c ON c.site_id = r.site_id AND c.number = r.number
      LEFT JOIN epochs e ON e.number = c.epoch ${joins}`;
  return {
    selectEnd: defineQuery((sql, { site_id }) =>
      sql.raw(
        `SELECT e.number AS epoch, e.id AS epoch_id, c.number, c.digest FROM epochs e
          LEFT JOIN ${table} c ON c.site_id = ? AND c.number = (SELECT max(number) FROM ${table} WHERE site_id = ?)
          ORDER BY e.number DESC LIMIT 1`,
        [site_id, site_id],
      ),
    ),
    insertLink: defineQuery((sql, { site_id, number, epoch, digest }) =>
      sql(table).insert({ site_id, number, epoch, digest }),
    ),
    selectLinked: defineQuery((sql, { site_id, after, upto, limit }) =>
      sql.raw(
        `SELECT ${columns} ${from} WHERE r.site_id = ? AND r.number > ? AND r.number <= ? ORDER BY r.number LIMIT ?`,
        [site_id, after, upto, limit],
      ),
    ),
    selectToProve: defineQuery((sql, { site_id, number }) =>
      sql.raw(
        `SELECT ${columns}, ${uncovered(table, 'r.site_id')} AS uncovered,
            (SELECT p.digest FROM ${table} p WHERE p.site_id = r.site_id AND p.number < r.number
              ORDER BY p.number DESC LIMIT 1) AS prior_digest,
            (SELECT max(l.number) FROM ${table} l WHERE l.site_id = r.site_id) AS last_link
          ${from} WHERE r.site_id = ? AND r.number = ?`,
        [site_id, number],
      ),
    ),
  };
}

export interface LinkedBodyRow extends LinkedRow, RunColumns {
  readonly body: Uint8Array;
}

export const BODY_LINKS = chainStatements<LinkedBodyRow>(
  'run_chain',
  'r.score, r."trigger", r.started_at, r.finished_at, r.results, r.etag, r.body',
);

export type LinkedSupplementRow = LinkedRow & Supplement & RunLabelRow;

export const SUPPLEMENT_LINKS = chainStatements<LinkedSupplementRow>(
  'supplement_chain',
  'r.release, n.notes, g.gains, p.pages, l.label, l.commit_id',
  `LEFT JOIN run_notes n ON n.site_id = r.site_id AND n.number = r.number
      LEFT JOIN run_gains g ON g.site_id = r.site_id AND g.number = r.number
      LEFT JOIN run_pages p ON p.site_id = r.site_id AND p.number = r.number
      LEFT JOIN run_labels l ON l.site_id = r.site_id AND l.number = r.number`,
);

/** A site with how many runs it has, and the number of its last link in each chain. */
export interface ChainedSiteRow {
  readonly id: string;
  readonly run_counter: number;
  readonly linked: number | null;
  readonly supplemented: number | null;
  /** See {@link LinkSurroundingsRow}: of the chain of supplements. */
  readonly uncovered: number | null;
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
  const lastOf = (table: string, name: string) =>
    sql({ c: table }).max('c.number').where('c.site_id', sql.ref('s.id')).as(name);
  return sql('sites as s')
    .select('s.id', 's.run_counter', lastOf('run_chain', 'linked'), lastOf('supplement_chain', 'supplemented'))
    .select(sql.raw(`${uncovered('supplement_chain', 's.id')} AS uncovered`))
    .whereRaw('s.is_deleting = 0');
}

/** Which runs of a site a release has judged. */
export interface ReleaseRow {
  /** Null: it did not say so yet. */
  readonly release: string | null;
  readonly first: number;
  readonly last: number;
  readonly runs: number;
}

/** In the order of their first runs. */
export const selectReleases = defineQuery<ReleaseRow, { site_id: string }>((sql, { site_id }) =>
  sql('runs')
    .select('release')
    .min({ first: 'number' })
    .max({ last: 'number' })
    .select(sql.raw('CAST(count(*) AS integer) AS runs'))
    .where({ site_id })
    .groupBy('release')
    .orderBy('first'),
);
