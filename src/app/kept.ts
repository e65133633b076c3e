import type { Knex } from 'knex';
import type { Steps } from '../queue/steps.js';
import type { Cleanup } from '../store/cleanup.js';
import type { Database } from '../store/database.js';
import { defineQuery, deleteReturning, type Query } from '../store/query.js';
import type { Transaction } from '../store/transaction.js';
import type { StoredGauge } from './gauge.js';

/** What a feature keeps, and how it goes: with a site, with an account, and once it has served its time. */
export interface Kept {
  /** The tables that it fills. */
  readonly tables?: readonly string[];
  /**
   * Ends what starts runs of the account's marked sites, or tells of them, in the transaction that marks them. Rows that do neither are left
   * to `ON DELETE CASCADE`.
   */
  readonly closeSites?: readonly OfAccount[];
  /**
   * Records what goes with a site, in the transaction that marks it; not where its account goes too, whose records go with it. A site is marked once,
   * so this is done once.
   */
  readonly recordRemoval?: (site: Pick<MarkedSite, 'id'>, now: Date) => Transaction<void>;
  /** Ends what lets a person or a program in, and what was still to be done, in the transaction that marks the account. */
  readonly closeAccount?: readonly OfClosed[];
  /** Erases what a marked site may have many rows of. */
  readonly eraseSite?: (db: Database, site: MarkedSite) => Steps;
  /** The same of an account: each answers a row for each that it deleted, and is repeated until there are none. */
  readonly eraseAccount?: readonly OfAccount[];
  /** Repeated about once an hour, until there are none. */
  readonly cleanUps?: readonly Cleanup[];
  /** The same, where the database may refuse it: nothing waits for it. */
  readonly lastCleanUps?: readonly Cleanup[];
  /** What the export's line of a site says of it. */
  readonly exportOf?: (db: Database, siteId: string) => Promise<Readonly<Record<string, unknown>>>;
  /** Lines of an account's export, by their type: objects, or JSON texts that begin with the type. */
  readonly lines?: Readonly<Record<string, Lines>>;
  /** What the metrics show of it, by the name after `agent_readiness_`. */
  readonly gauges?: Readonly<Record<string, StoredGauge>>;
}

export type OfAccount = (params: { readonly account_id: string }) => Query<object>;

/** With the e-mail address that it had: the marked row has none. */
type OfClosed = (params: { readonly account_id: string; readonly email: string }) => Query<object>;

export type Lines = (db: Database, accountId: string, now: Date) => AsyncIterable<object | string>;

/** A site that is marked. Its counter stands still: it had to be unmarked to take a number. */
export interface MarkedSite {
  readonly id: string;
  readonly run_counter: number;
}

/** How many rows are deleted at once. */
const ROWS_AT_ONCE = 500;

type Narrow = (rows: Knex.QueryBuilder) => Knex.QueryBuilder;

/** Deletes the rows of an account, or some of them. */
export function deleteOfAccount(table: string, narrow: Narrow = (rows) => rows): OfAccount {
  return defineQuery<never, { account_id: string }>((sql, { account_id }) =>
    narrow(sql(table).where({ account_id })).delete(),
  );
}

/** The same of its marked sites. */
export function deleteOfMarkedSites(table: string, narrow: Narrow = (rows) => rows): OfAccount {
  return defineQuery<never, { account_id: string }>((sql, { account_id }) =>
    narrow(sql(table).whereIn('site_id', sql('sites').select('id').where({ account_id, is_deleting: 1 }))).delete(),
  );
}

/** Deletes some rows of an account or a site that may have many. */
export function deleteSomeOf<Owner extends 'account_id' | 'site_id'>(table: string, owner: Owner) {
  return defineQuery<object, Record<Owner, string>>((sql, { [owner]: id }) => {
    const some = sql(table).select('id').where(owner, id).limit(ROWS_AT_ONCE);
    return deleteReturning(sql, sql(table).whereIn('id', some), 'id');
  });
}

/** Repeats a statement that changes some rows and answers them, until there are none. */
export async function* untilNone(db: Database, changeSome: Query<object>): Steps {
  while ((await db.run(changeSome)).length > 0) yield;
}
