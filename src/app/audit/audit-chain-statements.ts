import type { Knex } from 'knex';
import { databaseTime } from '../../store/database-clock.js';
import { eventsKeptSince } from '../../store/migrations/0014-audit-log.js';
import { defineQuery, isPostgres } from '../../store/query.js';
import type { AuditRow } from './audit-statements.js';

/** The next account by id with events that have no link yet. */
export const selectNextUnlinked = defineQuery<{ account_id: string }, { after: string }>((sql, { after }) =>
  sql('audit_unlinked as u')
    .join('accounts as a', 'a.id', 'u.account_id')
    .select('u.account_id')
    .where('u.account_id', '>', after)
    .whereNull('a.removed_at')
    .orderBy('u.account_id')
    .limit(1),
);

/** Holds off others that link its events, and nobody who adds one. No row: it was removed. */
export const lockAccountToLink = defineQuery<{ id: string }, { id: string }>((sql, { id }) =>
  sql('accounts').select('id').where({ id }).whereNull('removed_at').forNoKeyUpdate(),
);

const EVENT_COLUMNS = ['id', 'at', 'event', 'subject', 'actor', 'address', 'count'].map((column) => `l.${column}`);

/** About a hundredth of a second. */
const LINKS_AT_ONCE = 50;

export const selectUnlinked = defineQuery<AuditRow, { account_id: string }>((sql, { account_id }) =>
  sql('audit_unlinked as u')
    .join('audit_log as l', 'l.id', 'u.event_id')
    .select(EVENT_COLUMNS)
    .where({ 'u.account_id': account_id })
    .orderBy(['l.at', 'l.id'])
    .limit(LINKS_AT_ONCE),
);

/** What one link holds. */
export interface AuditLink {
  readonly number: number;
  readonly event_id: string;
  /** ISO 8601, UTC, by the clock of the database. */
  readonly linked_at: string;
  /** SHA-256 in hexadecimal digits of the event. */
  readonly content: string;
  /** The digest of the link before; null: there was none. */
  readonly before: string | null;
  readonly epoch_id: string;
}

/** Where the next link of an account goes; without a link the parts of the last one are null. */
export interface AuditEndRow {
  readonly epoch: number;
  readonly epoch_id: string;
  /** By the clock of the database. */
  readonly now: string;
  readonly number: number | null;
  readonly linked_at: string | null;
  readonly digest: string | null;
}

export const selectAuditEnd = defineQuery<AuditEndRow, { account_id: string }>((sql, { account_id }) =>
  sql.raw(
    `SELECT e.number AS epoch, e.id AS epoch_id, ${databaseTime(isPostgres(sql) ? 'postgres' : 'sqlite')} AS now,
        c.number, c.linked_at, c.digest
      FROM epochs e LEFT JOIN audit_chain c
        ON c.account_id = ? AND c.number = (SELECT max(number) FROM audit_chain WHERE account_id = ?)
      ORDER BY e.number DESC LIMIT 1`,
    [account_id, account_id],
  ),
);

export const insertAuditLink = defineQuery<
  never,
  {
    account_id: string;
    number: number;
    epoch: number;
    event_id: string;
    linked_at: string;
    content: string;
    before: string | null;
    digest: string;
  }
>((sql, link) => {
  const { account_id, number, epoch, event_id, linked_at, content, before, digest } = link;
  return sql('audit_chain').insert({ account_id, number, epoch, event_id, linked_at, content, before, digest });
});

/** A link with its event, whose parts are null once it was cleared away. No link is made with an epoch that is not there. */
export type LinkedEventRow = Omit<AuditLink, 'epoch_id'> & {
  readonly epoch_id: string | null;
  readonly digest: string;
  readonly is_past: number;
} & (AuditRow | { readonly [K in keyof AuditRow]: null });

const LINKS_A_PAGE = 200;

/** The links of an account after a number, in order. */
export const selectLinkedEvents = defineQuery<LinkedEventRow, { account_id: string; after: number }>(
  (sql, { account_id, after }) =>
    sql('audit_chain as c')
      .leftJoin('epochs as e', 'e.number', 'c.epoch')
      .leftJoin('audit_log as l', (on) => on.on('l.id', 'c.event_id').andOn('l.account_id', 'c.account_id'))
      .select('c.number', 'c.event_id', 'c.linked_at', 'c.content', 'c.before', 'c.digest', 'e.id as epoch_id')
      .select(EVENT_COLUMNS)
      .select(
        sql.raw(
          `CASE WHEN c.linked_at < ${eventsKeptSince(isPostgres(sql) ? 'postgres' : 'sqlite')} THEN 1 ELSE 0 END AS is_past`,
        ),
      )
      .where({ 'c.account_id': account_id })
      .where('c.number', '>', after)
      .orderBy('c.number')
      .limit(LINKS_A_PAGE),
);

export interface AuditedAccountRow {
  readonly id: string;
  /** How many of its events have no link yet. */
  readonly unlinked: number;
}

const ACCOUNTS_A_PAGE = 50;

/** The next accounts by id; none: that was the last one. */
export const selectAuditedAccounts = defineQuery<AuditedAccountRow, { after: string }>((sql, { after }) =>
  auditedAccounts(sql).where('a.id', '>', after).orderBy('a.id').limit(ACCOUNTS_A_PAGE),
);

export const selectAuditedAccount = defineQuery<AuditedAccountRow, { id: string }>((sql, { id }) =>
  auditedAccounts(sql).where({ 'a.id': id }),
);

function auditedAccounts(sql: Knex): Knex.QueryBuilder {
  const unlinked = sql('audit_unlinked as u').where('u.account_id', sql.ref('a.id'));
  return sql('accounts as a')
    .select('a.id', unlinked.select(sql.raw('CAST(count(*) AS integer)')).as('unlinked'))
    .whereNull('a.removed_at');
}
