import { laterThan } from '../../platform/clock.js';
import { defineCleanup } from '../../store/cleanup.js';
import { defineQuery } from '../../store/query.js';

export interface AuditRow {
  readonly id: string;
  readonly at: string;
  readonly event: string;
  readonly subject: string | null;
  readonly actor: string;
  readonly address: string | null;
  readonly count: number;
}

/**
 * Adds the event, or counts it where a row of this id is there already. An account that does not exist or is being erased gets
 * none. It holds the account until the transaction ends.
 */
export const insertEvent = defineQuery<
  never,
  {
    id: string;
    account_id: string;
    at: string;
    event: string;
    subject: string | null;
    actor: string;
    address: string | null;
  }
>(
  (sql, { id, account_id, at, event, subject, actor, address }) =>
    sql.raw(
      `INSERT INTO audit_events (id, account_id, at, event, subject, actor, address)
        SELECT CAST(? AS text), id, CAST(? AS text), CAST(? AS text), CAST(? AS text), CAST(? AS text), CAST(? AS text)
        FROM accounts WHERE id = ? AND removed_at IS NULL
        ON CONFLICT (id) DO UPDATE SET count = audit_events.count + 1, at = excluded.at, address = excluded.address`,
      [id, at, event, subject, actor, address, account_id],
    ),
  { durability: 'process' },
);

/** How many events are read at once: those of a page, and one that tells whether there are more. */
export const EVENTS_AT_ONCE = 101;

/** The latest first; only those before a time and id. */
export const selectEvents = defineQuery<AuditRow, { account_id: string; before_at: string; before_id: string }>(
  (sql, { account_id, before_at, before_id }) =>
    sql('audit_events')
      .select('id', 'at', 'event', 'subject', 'actor', 'address', 'count')
      .where({ account_id })
      .whereRaw('(at, id) < (?, ?)', [before_at, before_id])
      .orderBy([
        { column: 'at', order: 'desc' },
        { column: 'id', order: 'desc' },
      ])
      .limit(EVENTS_AT_ONCE),
);

export const EVENTS_KEPT_DAYS = 365;

export const cleanUpEvents = defineCleanup<{ before: string }>(
  'audit_events',
  ['id'],
  (rows, { before }) => rows.where('at', '<', before),
  (now) => ({ before: laterThan(now, -EVENTS_KEPT_DAYS * 86_400_000) }),
);
