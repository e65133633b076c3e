import type { Knex } from 'knex';
import { laterThan } from '../../platform/clock.js';
import { type Cleanup, defineCleanup } from '../../store/cleanup.js';
import { eventsKeptSince } from '../../store/migrations/0014-audit-log.js';
import { defineQuery, deleteReturning, isPostgres, jsonRows } from '../../store/query.js';
import { EVENTS_KEPT_DAYS } from './events-kept.js';

/** Who gave a wrong password, or asked for a link by mail, may be anyone. */
export const UNKNOWN_ACTOR = 'unknown';

/** How many rows are deleted at once. */
const ROWS_AT_ONCE = 500;

export interface AuditRow {
  readonly id: string;
  readonly at: string;
  readonly event: string;
  readonly subject: string | null;
  readonly actor: string;
  readonly address: string | null;
  readonly count: number;
}

/** A type and no interface, so that its values can be bound. */
export type NewEventRow = Pick<AuditRow, keyof AuditRow> & { readonly account_id: string };

/** An account that does not exist or is being erased gets none. It holds the account until the transaction ends. */
export const insertEvent = defineQuery<never, NewEventRow>(insertSelected, { durability: 'process' });

/** The same of many, which differ in what they happened to. @param events JSON: `[{id, subject}, …]` */
export const insertEvents = defineQuery<
  never,
  Pick<NewEventRow, 'account_id' | 'at' | 'event' | 'actor' | 'address'> & { readonly events: string }
>(
  (sql, { account_id, at, event, actor, address, events }) =>
    sql.raw(
      `INSERT INTO audit_log (id, account_id, at, event, subject, actor, address, count)
        SELECT given.id, a.id, CAST(? AS text), CAST(? AS text), given.subject, CAST(? AS text), CAST(? AS text), 1
        FROM accounts a CROSS JOIN ? WHERE a.id = ? AND a.removed_at IS NULL`,
      [at, event, actor, address, jsonRows(sql, events, ['id', 'subject']), account_id],
    ),
  { durability: 'process' },
);

/** The same for what was counted, unless an event has its id: the table of counts guards nothing. */
export const insertTally = defineQuery<never, NewEventRow>(
  (sql, row) => sql.raw('? AND NOT EXISTS (SELECT 1 FROM audit_log WHERE id = ?)', [insertSelected(sql, row), row.id]),
  { durability: 'process' },
);

function insertSelected(
  sql: Knex,
  { id, account_id, at, event, subject, actor, address, count }: { readonly [K in keyof NewEventRow]: Knex.Raw },
): Knex.Raw {
  return sql.raw(
    `INSERT INTO audit_log (id, account_id, at, event, subject, actor, address, count)
      SELECT CAST(? AS text), id, CAST(? AS text), CAST(? AS text), CAST(? AS text), CAST(? AS text), CAST(? AS text),
          CAST(? AS integer)
      FROM accounts WHERE id = ? AND removed_at IS NULL`,
    [id, at, event, subject, actor, address, count, account_id],
  );
}

/** Counts the event with the others of the hour. An account that does not exist or is being erased gets none. */
export const countEvent = defineQuery<
  never,
  { id: string; account_id: string; event: string; hour: string; at: string; address: string | null }
>(
  (sql, { id, account_id, event, hour, at, address }) =>
    sql.raw(
      `INSERT INTO audit_tallies (id, account_id, event, hour, at, address)
        SELECT CAST(? AS text), id, CAST(? AS text), CAST(? AS text), CAST(? AS text), CAST(? AS text)
        FROM accounts WHERE id = ? AND removed_at IS NULL
        ON CONFLICT (account_id, event, hour)
          DO UPDATE SET count = audit_tallies.count + 1, at = excluded.at, address = excluded.address`,
      [id, event, hour, at, address, account_id],
    ),
  { durability: 'process' },
);

/** What was counted before this hour, some at a time. */
export const takeTallies = defineQuery<Omit<NewEventRow, 'subject' | 'actor'>, { hour: string }>(
  (sql, { hour }) =>
    sql.raw('? RETURNING id, account_id, at, event, address, count', [
      sql('audit_tallies')
        .whereIn('id', sql('audit_tallies').select('id').where('hour', '<', hour).orderBy('id').limit(ROWS_AT_ONCE))
        .delete(),
    ]),
  { durability: 'process' },
);

/** How many events are read at once: those of a page, and one that tells whether there are more. */
export const EVENTS_AT_ONCE = 101;

/**
 * The latest first; only those before a time and id, and of these names, unless there are none. Those that versions before 0014 stored
 * are in a table of their own.
 * @param among JSON: `[{event}, …]`
 */
export const selectEvents = defineQuery<
  AuditRow,
  { account_id: string; before_at: string; before_id: string; among: string }
>((sql, { account_id, before_at, before_id, among }) => {
  const latestOf = (table: string, subject: string, actor: string) =>
    `SELECT * FROM (SELECT id, at, event, ${subject} AS subject, ${actor} AS actor, address, count FROM ${table}
        WHERE account_id = ? AND (at, id) < (?, ?)
          AND (CAST(? AS text) = '[]' OR event IN (SELECT given.event FROM ?))
        ORDER BY at DESC, id DESC LIMIT ${EVENTS_AT_ONCE}) AS ${table}_latest`;
  const parts = [
    latestOf('audit_log', 'subject', 'actor'),
    latestOf('audit_events', 'subject', 'actor'),
    latestOf('audit_tallies', 'CAST(NULL AS text)', `'${UNKNOWN_ACTOR}'`),
  ];
  return sql.raw(
    `SELECT * FROM (${parts.join(' UNION ALL ')}) AS latest ORDER BY at DESC, id DESC LIMIT ${EVENTS_AT_ONCE}`,
    parts.flatMap(() => [account_id, before_at, before_id, among, jsonRows(sql, among, ['event'])]),
  );
});

/** Of the table of before, by the clock of the service. */
export const cleanUpEarlierEvents = defineCleanup<{ before: string }>(
  'audit_events',
  ['id'],
  (rows, { before }) => rows.where('at', '<', before),
  (now) => ({ before: laterThan(now, -EVENTS_KEPT_DAYS * 86_400_000) }),
);

/** Of each account the first in its chain, by the database's own clock, as the guards go by it. */
const deleteSomeOldEvents = defineQuery<object>(
  (sql) =>
    deleteEvents(
      sql,
      sql('audit_chain as c')
        .join('audit_log as l', 'l.id', 'c.event_id')
        .select('l.id')
        .whereRaw(`c.linked_at < ${eventsKeptSince(isPostgres(sql) ? 'postgres' : 'sqlite')}`)
        .orderBy(['c.linked_at', 'c.account_id', 'c.number'])
        .limit(ROWS_AT_ONCE),
    ),
  { durability: 'process' },
);

export const cleanUpEvents: Cleanup = () => deleteSomeOldEvents({});

/** Of an account that is being removed. A row for each that was deleted. */
export const deleteSomeEventsOf = defineQuery<object, { account_id: string }>((sql, { account_id }) =>
  deleteEvents(sql, sql('audit_log').select('id').where({ account_id }).limit(ROWS_AT_ONCE)),
);

/** On PostgreSQL the role that serves may delete events in this way alone. */
function deleteEvents(sql: Knex, ids: Knex.QueryBuilder): Knex.Raw {
  if (isPostgres(sql)) return sql.raw('SELECT erase_events(ARRAY(?)) AS id', [ids]);
  return deleteReturning(sql, sql('audit_log').whereIn('id', ids), 'id');
}
