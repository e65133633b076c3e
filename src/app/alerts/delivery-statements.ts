import { laterThan } from '../../platform/clock.js';
import { defineCleanup } from '../../store/cleanup.js';
import { defineQuery, deleteReturning } from '../../store/query.js';

export type DeliveryState = 'waiting' | 'delivered' | 'failed';

/** A message on its way, without its text. */
export interface DeliveryRow {
  readonly id: string;
  readonly account_id: string;
  /** Null for e-mail. */
  readonly webhook_id: string | null;
  /** Null for a test. */
  readonly site_id: string | null;
  readonly event: string;
  readonly created_at: string;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly next_attempt_at: string | null;
  readonly last_attempt_at: string | null;
  readonly answer_status: number | null;
  readonly problem: string | null;
}

const COLUMNS = [
  ...['id', 'account_id', 'webhook_id', 'site_id', 'event', 'created_at', 'state', 'attempts', 'next_attempt_at'],
  ...['last_attempt_at', 'answer_status', 'problem'],
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
  }
>((sql, { id, account_id, webhook_id, site_id, event, body, now }) =>
  sql('deliveries')
    .insert({
      ...{ id, account_id, webhook_id, site_id, event, body, state: 'waiting' },
      ...{ created_at: now, next_attempt_at: now },
    })
    .returning(COLUMNS),
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

/** How many messages tell how a webhook fares. */
const LAST = 10;

/** The latest first, at most {@link LAST}. */
export const selectLastDeliveriesOfWebhook = defineQuery<LoggedDeliveryRow, { webhook_id: string }>(
  (sql, { webhook_id }) =>
    sql('deliveries as d')
      .leftJoin('sites as s', 's.id', 'd.site_id')
      .select(LOGGED)
      .where({ 'd.webhook_id': webhook_id })
      .orderBy([
        { column: 'd.created_at', order: 'desc' },
        { column: 'd.id', order: 'desc' },
      ])
      .limit(LAST),
);

export const selectDeliveryOfWebhook = defineQuery<LoggedDeliveryRow, { id: string; webhook_id: string }>(
  (sql, { id, webhook_id }) =>
    sql('deliveries as d')
      .leftJoin('sites as s', 's.id', 'd.site_id')
      .select(LOGGED)
      .where({ 'd.id': id, 'd.webhook_id': webhook_id }),
);

/** Has the message start again. */
export const restartDelivery = defineQuery<DeliveryRow, { id: string; webhook_id: string; now: string }>(
  (sql, { id, webhook_id, now }) =>
    sql('deliveries')
      .where({ id, webhook_id })
      .update({ state: 'waiting', attempts: 0, next_attempt_at: now })
      .returning(COLUMNS),
);

/** Counts an attempt that begins: a row when the message is still to be sent. */
export const beginDelivery = defineQuery<
  Pick<DeliveryRow, 'webhook_id' | 'site_id' | 'event'> & { readonly body: string },
  { id: string; attempts: number; now: string }
>((sql, { id, attempts, now }) =>
  sql('deliveries')
    .where({ id, state: 'waiting' })
    .update({ attempts, last_attempt_at: now })
    .returning(['webhook_id', 'site_id', 'event', 'body']),
);

/** Writes what came of an attempt. */
export const settleDelivery = defineQuery<
  DeliveryRow,
  { id: string; state: string; next_attempt_at: string | null; answer_status: number | null; problem: string | null }
>((sql, { id, state, next_attempt_at, answer_status, problem }) =>
  sql('deliveries')
    .where({ id, state: 'waiting' })
    .update({ state, next_attempt_at, answer_status, problem })
    .returning(COLUMNS),
);

/** Gives up a message whose last attempt came to no end. */
export const failDelivery = defineQuery<never, { id: string; problem: string }>((sql, { id, problem }) =>
  sql('deliveries')
    .where({ id, state: 'waiting' })
    .update({ state: 'failed', next_attempt_at: null, problem: sql.raw('coalesce(problem, ?)', [problem]) }),
);

/** How many messages one statement takes at once. */
const SOME = 500;

/** Gives up some of what waits for a webhook that is turned off: a row for each. */
export const failSomeDeliveriesOfWebhook = defineQuery<{ id: string }, { webhook_id: string; problem: string }>(
  (sql, { webhook_id, problem }) =>
    sql('deliveries')
      .whereIn(
        'id',
        sql('deliveries as d')
          .join('webhooks as w', 'w.id', 'd.webhook_id')
          .select('d.id')
          .where({ 'd.webhook_id': webhook_id, 'd.state': 'waiting' })
          .whereNotNull('w.disabled_at')
          .whereNull('w.used_since')
          .limit(SOME),
      )
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

/** The same of the webhooks of a site, whatever the messages tell of. */
export const deleteSomeDeliveriesToSite = defineQuery<{ id: string }, { site_id: string }>((sql, { site_id }) =>
  deleteReturning(
    sql,
    sql('deliveries').whereIn(
      'id',
      sql('deliveries as d')
        .join('webhooks as w', 'w.id', 'd.webhook_id')
        .select('d.id')
        .where({ 'w.site_id': site_id })
        .limit(SOME),
    ),
    'id',
  ),
);

/** How long the log keeps messages to webhooks and mailboxes. */
export const DELIVERIES_KEPT_DAYS = 30;

/** Those that are still to be sent stay, however old they are. */
export const cleanUpDeliveries = defineCleanup<{ before: string }>(
  'deliveries',
  ['id'],
  (rows, { before }) => rows.where('created_at', '<', before).whereNull('next_attempt_at'),
  (now) => ({ before: laterThan(now, -DELIVERIES_KEPT_DAYS * 86_400_000) }),
);

export interface ExportedDeliveryRow {
  readonly id: string;
  readonly webhook_id: string | null;
  readonly site_id: string | null;
  readonly event: string;
  readonly body: string;
  readonly created_at: string;
  readonly state: string;
  readonly attempts: number;
  readonly last_attempt_at: string | null;
  readonly answer_status: number | null;
  readonly problem: string | null;
}

const DELIVERIES_A_PAGE = 200;

/** The next deliveries by time and id; none: that was the last one. */
export const selectDeliveriesToExport = defineQuery<
  ExportedDeliveryRow,
  { account_id: string; after_time: string; after_id: string }
>((sql, { account_id, after_time, after_id }) =>
  sql('deliveries')
    .select('id', 'webhook_id', 'site_id', 'event', 'body', 'created_at', 'state', 'attempts')
    .select('last_attempt_at', 'answer_status', 'problem')
    .where({ account_id })
    .whereRaw('(created_at, id) > (?, ?)', [after_time, after_id])
    .orderBy(['created_at', 'id'])
    .limit(DELIVERIES_A_PAGE),
);
