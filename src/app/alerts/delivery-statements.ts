import { defineQuery, deleteReturning, lockFreeRows } from '../../store/query.js';

export type DeliveryState = 'waiting' | 'delivered' | 'failed';

/** A message on its way, without its text. */
export interface DeliveryRow {
  readonly id: string;
  readonly account_id: string;
  /** Null for e-mail. */
  readonly webhook_id: string | null;
  readonly event: string;
  readonly created_at: string;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly next_attempt_at: string | null;
  readonly priority: number;
  readonly lease: string | null;
  readonly last_attempt_at: string | null;
  readonly answer_status: number | null;
  readonly problem: string | null;
}

const COLUMNS = [
  ...['id', 'account_id', 'webhook_id', 'event', 'created_at', 'state', 'attempts', 'next_attempt_at', 'priority'],
  ...['lease', 'last_attempt_at', 'answer_status', 'problem'],
];

export const insertDelivery = defineQuery<
  DeliveryRow,
  {
    id: string;
    account_id: string;
    webhook_id: string | null;
    site_id: string | null;
    event: string;
    body: string;
    now: string;
    priority: number;
  }
>((sql, { id, account_id, webhook_id, site_id, event, body, now, priority }) =>
  sql('deliveries')
    .insert({
      ...{ id, account_id, webhook_id, site_id, event, body, priority, state: 'waiting' },
      ...{ created_at: now, next_attempt_at: now, offered_at: now },
    })
    .returning(COLUMNS),
);

/** Nobody needs a larger count of what waits: one for every place that priorities have. */
const WAITING_COUNTED_MAX = 32_768;

/**
 * How many messages of the account wait or are in hand; those that will be due only after `due` do not count. It is asked where a run
 * finishes, so it takes no longer than a few milliseconds however many there are.
 */
export const countWaitingDeliveries = defineQuery<{ count: number }, { account_id: string; due: string }>(
  (sql, { account_id, due }) => {
    const waiting = sql('deliveries').select(sql.raw('1 AS one')).where({ account_id });
    return sql
      .count({ count: '*' })
      .from(waiting.where('next_attempt_at', '<=', due).limit(WAITING_COUNTED_MAX).as('some_waiting'));
  },
);

/** A message in a log, with the host name of the site that it tells of. */
export type LoggedDeliveryRow = DeliveryRow & { readonly hostname: string | null };

const LOGGED = [...COLUMNS.map((column) => `d.${column}`), 's.hostname'];

/** How many messages of a log are read at once. */
export const LOGGED_AT_ONCE = 101;

/** The latest first, at most {@link LOGGED_AT_ONCE}; only those that were made before a time and id. */
export const selectDeliveriesOfWebhook = defineQuery<
  LoggedDeliveryRow,
  { webhook_id: string; created_before: string; id_before: string }
>((sql, { webhook_id, created_before, id_before }) =>
  sql('deliveries as d')
    .leftJoin('sites as s', 's.id', 'd.site_id')
    .select(LOGGED)
    .where({ 'd.webhook_id': webhook_id })
    .whereRaw('(d.created_at, d.id) < (?, ?)', [created_before, id_before])
    .orderBy([
      { column: 'd.created_at', order: 'desc' },
      { column: 'd.id', order: 'desc' },
    ])
    .limit(LOGGED_AT_ONCE),
);

export const selectDeliveryOfWebhook = defineQuery<LoggedDeliveryRow, { id: string; webhook_id: string }>(
  (sql, { id, webhook_id }) =>
    sql('deliveries as d')
      .leftJoin('sites as s', 's.id', 'd.site_id')
      .select(LOGGED)
      .where({ 'd.id': id, 'd.webhook_id': webhook_id }),
);

/** Has the message start anew; none while an attempt is under way. */
export const restartDelivery = defineQuery<
  DeliveryRow,
  { id: string; webhook_id: string; now: string; priority: number }
>((sql, { id, webhook_id, now, priority }) =>
  sql('deliveries')
    .where({ id, webhook_id, lease: null })
    .update({ state: 'waiting', attempts: 0, next_attempt_at: now, offered_at: now, priority })
    .returning(COLUMNS),
);

/** A message that a worker has in hand. */
export interface ClaimedDeliveryRow {
  readonly account_id: string;
  readonly webhook_id: string | null;
  readonly body: string;
  readonly attempts: number;
}

/** Takes the message in hand: a row when it was due and free. The attempt counts from here on. */
export const claimDelivery = defineQuery<
  ClaimedDeliveryRow,
  { id: string; now: string; lease: string; mail_leased_until: string; webhook_leased_until: string }
>((sql, { id, now, lease, mail_leased_until, webhook_leased_until }) =>
  sql('deliveries')
    .where({ id, state: 'waiting', lease: null })
    .where('next_attempt_at', '<=', now)
    .update({
      ...{ lease, attempts: sql.raw('attempts + 1'), last_attempt_at: now },
      leased_until: sql.raw('CASE WHEN webhook_id IS NULL THEN ? ELSE ? END', [
        mail_leased_until,
        webhook_leased_until,
      ]),
    })
    .returning(['account_id', 'webhook_id', 'body', 'attempts']),
);

/** Writes what became of an attempt: a row while the lease still held. `offered_at` is when the workers have it next. */
export const settleDelivery = defineQuery<
  DeliveryRow,
  {
    id: string;
    lease: string;
    state: string;
    next_attempt_at: string | null;
    offered_at: string;
    priority: number;
    answer_status: number | null;
    problem: string | null;
  }
>((sql, { id, lease, state, next_attempt_at, offered_at, priority, answer_status, problem }) =>
  sql('deliveries')
    .where({ id, lease })
    .update({ lease: null, leased_until: null, state, next_attempt_at, offered_at, priority, answer_status, problem })
    .returning(COLUMNS),
);

/** How many messages one statement takes at once. */
const SOME = 500;

/** Gives up some of what waits for a webhook that is in use no more: a row for each. What is in hand is given up by who has it. */
export const failSomeDeliveriesOfWebhook = defineQuery<{ id: string }, { webhook_id: string; problem: string }>(
  (sql, { webhook_id, problem }) =>
    sql('deliveries')
      .whereIn(
        'id',
        sql('deliveries as d')
          .join('webhooks as w', 'w.id', 'd.webhook_id')
          .select('d.id')
          .where({ 'd.webhook_id': webhook_id, 'd.state': 'waiting', 'd.lease': null })
          .whereNotNull('w.disabled_at')
          .limit(SOME),
      )
      .where({ lease: null })
      .update({ state: 'failed', next_attempt_at: null, problem })
      .returning('id'),
);

/** A row for each that was deleted. */
export const deleteSomeDeliveriesOfWebhook = defineQuery<{ id: string }, { webhook_id: string }>(
  (sql, { webhook_id }) =>
    deleteReturning(
      sql,
      sql('deliveries').whereIn('id', sql('deliveries').select('id').where({ webhook_id }).limit(SOME)),
      'id',
    ),
);

/** Messages whose worker has died or sleeps: its lease has ended. Those that another process looks at are left to it. */
export const selectLostDeliveries = defineQuery<DeliveryRow, { now: string }>((sql, { now }) =>
  lockFreeRows(
    sql,
    sql('deliveries').select(COLUMNS).where('leased_until', '<=', now).orderBy('leased_until').limit(SOME),
    'deliveries',
  ),
);

/**
 * Marks as offered the messages that are due and wait although they were offered before `offered_before`, the fairest first, and moves
 * each one place up: so that the last message of a large account comes to its turn, too.
 */
export const takeUnheardDeliveries = defineQuery<DeliveryRow, { now: string; offered_before: string }>(
  (sql, { now, offered_before }) =>
    sql('deliveries')
      .whereIn(
        'id',
        lockFreeRows(
          sql,
          sql('deliveries')
            .select('id')
            .where({ lease: null })
            .where('next_attempt_at', '<=', now)
            .where('offered_at', '<', offered_before)
            .orderBy(['priority', 'next_attempt_at'])
            .limit(SOME),
          'deliveries',
        ),
      )
      .update({ offered_at: now, priority: sql.raw('CASE WHEN priority > 0 THEN priority - 1 ELSE 0 END') })
      .returning(COLUMNS),
);
