import { newId } from '../../platform/ids.js';
import { addJob } from '../../queue/jobs.js';
import type { Database, Sql, Tx } from '../../store/database.js';
import { readPages } from '../../store/batches.js';
import { defineQuery, type Row, table } from '../../store/query.js';
import type { Alert } from './alert.js';

/** An alert for one recipient, as the webhook's log shows it. */
export interface Delivery {
  /** The receiver sees it as `webhook-id`. */
  readonly id: string;
  readonly event: string;
  /** The site that the alert is about; null for a test. */
  readonly hostname: string | null;
  readonly createdAt: string;
  readonly state: 'waiting' | 'delivered' | 'failed';
  readonly attempts: number;
  readonly nextAttemptAt: string | null;
  readonly lastAttemptAt: string | null;
  /** The last status that the receiver answered; null if it did not answer. */
  readonly answerStatus: number | null;
  /** A sentence that says why the last attempt failed; null if it did not. */
  readonly problem: string | null;
}

export type DeliveryRow = Row<'deliveries'> & { readonly state: Delivery['state'] };

export const deliveries = table<'deliveries', DeliveryRow>('deliveries');

/** What an alert is about. */
interface Subject {
  readonly accountId: string;
  /** Null if it is not about a site. */
  readonly siteId: string | null;
}

/**
 * Stores an alert for each recipient, and queues the jobs that send it.
 * @param recipients ids of webhooks; null for the email address of the account
 */
export async function queueAlert(
  tx: Tx,
  alert: Alert,
  { accountId: account_id, siteId: site_id }: Subject,
  recipients: readonly (string | null)[],
  now: Date,
): Promise<void> {
  const created_at = now.toISOString();
  const stored = { account_id, site_id, event: alert.type, body: JSON.stringify(alert), created_at };
  for (const webhook_id of recipients) {
    const id = newId('msg');
    await tx.run(deliveries.insert({ ...stored, id, webhook_id, state: 'waiting' }));
    const kind = webhook_id === null ? 'MAIL' : 'WEBHOOK';
    await addJob(tx, { queue: 'deliveries', kind, key: id, account_id, site_id, run_after: created_at }, now);
  }
}

/** How many deliveries the log of a webhook shows. */
export const LOGGED_MAX = 50;

/** In both the log and the export. */
const COLUMNS = {
  id: 'd.id',
  event: 'd.event',
  createdAt: 'd.created_at',
  state: 'd.state',
  lastAttemptAt: 'd.last_attempt_at',
  answerStatus: 'd.answer_status',
  problem: 'd.problem',
};

/** Joins deliveries with their sites and, while they wait, with their jobs. The next attempt of a claimed job is in progress. */
const selectLog = defineQuery<Delivery, { webhook_id: string }>((sql, { webhook_id }) =>
  sql('deliveries as d')
    .leftJoin('sites as s', 's.id', 'd.site_id')
    .leftJoin('jobs as j', (on) =>
      on.on('j.key', 'd.id').andOnVal('j.kind', '=', 'WEBHOOK').andOnVal('d.state', '=', 'waiting'),
    )
    .select({ ...COLUMNS, hostname: 's.hostname', attempts: sql.raw('coalesce(j.attempts, d.attempts)') })
    .select({ nextAttemptAt: sql.raw('CASE WHEN j.lease IS NULL THEN j.run_after ELSE j.requested_at END') })
    .where({ 'd.webhook_id': webhook_id })
    .orderBy([
      { column: 'd.created_at', order: 'desc' },
      { column: 'd.id', order: 'desc' },
    ])
    .limit(LOGGED_MAX),
);

/** Returns the latest deliveries to a webhook, newest first. The caller must check who owns the webhook. */
export function readLog(sql: Sql, webhook_id: string): Promise<readonly Delivery[]> {
  return sql.run(selectLog({ webhook_id }));
}

/** How long the log stores deliveries. */
export const DELIVERY_LOG_DAYS = 30;

const EXPORTED_AT_ONCE = 200;

type ExportedRow = Pick<Delivery, 'id' | 'createdAt'>;

const selectToExport = defineQuery<ExportedRow, { account_id: string; after_time: string; after_id: string }>(
  (sql, { account_id, after_time, after_id }) =>
    sql('deliveries as d')
      .select({ ...COLUMNS, webhookId: 'webhook_id', siteId: 'site_id', attempts: 'attempts', body: 'body' })
      .where({ account_id })
      .whereRaw('(created_at, id) > (?, ?)', [after_time, after_id])
      .orderBy(['created_at', 'id'])
      .limit(EXPORTED_AT_ONCE),
);

/** Returns the account's deliveries for its export. */
export function deliveryLines(db: Database, account_id: string): AsyncGenerator<object, void> {
  return readPages((last: ExportedRow | undefined) =>
    db.run(selectToExport({ account_id, after_time: last?.createdAt ?? '', after_id: last?.id ?? '' })),
  );
}
