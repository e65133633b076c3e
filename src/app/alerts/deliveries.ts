import type { Knex } from 'knex';
import { DAY_MS, laterThan } from '../../platform/clock.js';
import { ServiceError } from '../../platform/errors.js';
import { isId, newId } from '../../platform/ids.js';
import { InputError } from '../../platform/input-error.js';
import { addJob, jobs, lockJob } from '../../queue/jobs.js';
import { defineCleanup } from '../../store/cleanup.js';
import type { Database, Sql, Tx } from '../../store/database.js';
import { readPages } from '../../store/pages.js';
import { defineQuery } from '../../store/query.js';
import { table } from '../../store/table.js';
import { limitOf } from '../limits/caps.js';
import { consumeAll } from '../limits/limits.js';
import { type AlertEvent, testEvent } from './messages.js';

/** A message to a webhook, as its log shows it. */
export interface Delivery {
  /** The receiver sees it as `webhook-id`. */
  readonly id: string;
  readonly event: string;
  /** The site that the message is about; null for a test. */
  readonly siteId: string | null;
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

/** A page of the log, newest first. */
export interface Log {
  readonly deliveries: readonly Delivery[];
  readonly hasMore: boolean;
}

export interface Recipient {
  readonly accountId: string;
  /** Null for an email. */
  readonly webhookId: string | null;
  /** Null if the message is not about a site. */
  readonly siteId: string | null;
}

export interface DeliveryRow {
  readonly id: string;
  readonly account_id: string;
  readonly webhook_id: string | null;
  readonly site_id: string | null;
  readonly event: string;
  /** JSON, sent as it is to signed webhooks. Mails and chat messages are rendered from it. */
  readonly body: string;
  readonly created_at: string;
  readonly state: Delivery['state'];
  /** Number of finished attempts. While the message waits, its job has the current number. */
  readonly attempts: number;
  readonly last_attempt_at: string | null;
  readonly answer_status: number | null;
  readonly problem: string | null;
}

export const deliveries = table<DeliveryRow>('deliveries', ['id']);

/** Stores a message and queues the job that sends it. @returns its id */
export async function addMessage(
  tx: Tx,
  { accountId, webhookId, siteId }: Recipient,
  event: AlertEvent,
  now: Date,
): Promise<string> {
  const id = newId('msg');
  await tx.run(
    deliveries.insert({
      id,
      account_id: accountId,
      webhook_id: webhookId,
      site_id: siteId,
      event: event.type,
      body: JSON.stringify(event),
      created_at: now.toISOString(),
      state: 'waiting',
      attempts: 0,
      last_attempt_at: null,
      answer_status: null,
      problem: null,
    }),
  );
  const kind = webhookId === null ? 'MAIL' : 'WEBHOOK';
  const job = { kind, key: id, account_id: accountId, site_id: siteId, run_after: now.toISOString() };
  await addJob(tx, { queue: 'deliveries', ...job }, now);
  return id;
}

/** Joins messages with their sites and, while they wait, with their jobs. A claimed job is being sent. */
function selectDeliveries(sql: Knex): Knex.QueryBuilder {
  return sql('deliveries as d')
    .leftJoin('sites as s', 's.id', 'd.site_id')
    .leftJoin('jobs as j', (on) =>
      on.on('j.key', 'd.id').andOnVal('j.kind', '=', 'WEBHOOK').andOnVal('d.state', '=', 'waiting'),
    )
    .select({ id: 'd.id', event: 'd.event', siteId: 'd.site_id', hostname: 's.hostname', createdAt: 'd.created_at' })
    .select({ state: 'd.state', lastAttemptAt: 'd.last_attempt_at', answerStatus: 'd.answer_status' })
    .select({ problem: 'd.problem', attempts: sql.raw('coalesce(j.attempts, d.attempts)') })
    .select({ nextAttemptAt: sql.raw('CASE WHEN j.lease IS NULL THEN j.run_after ELSE j.requested_at END') });
}

const selectDelivery = defineQuery<Delivery, { id: string; webhook_id: string }>((sql, { id, webhook_id }) =>
  selectDeliveries(sql).where({ 'd.id': id, 'd.webhook_id': webhook_id }),
);

/** Selects messages that are older than a time and id, newest first. */
const selectLog = defineQuery<
  Delivery,
  { webhook_id: string; before_time: string; before_id: string; at_most: number }
>((sql, { webhook_id, before_time, before_id, at_most }) => {
  const older = selectDeliveries(sql)
    .where({ 'd.webhook_id': webhook_id })
    .whereRaw('(d.created_at, d.id) < (?, ?)', [before_time, before_id]);
  return sql.raw('SELECT * FROM ? AS log ORDER BY "createdAt" DESC, id DESC LIMIT CAST(? AS integer)', [
    older,
    at_most,
  ]);
});

const LOGGED_MAX = 100;

/** @param before only messages older than this one @throws ServiceError not_found for an unknown `before` */
export async function readLog(
  sql: Sql,
  webhookId: string,
  { before, limit }: { readonly before?: string | undefined; readonly limit: number },
): Promise<Log> {
  const start = before === undefined ? null : await readDelivery(sql, webhookId, before);
  const from = { before_time: start?.createdAt ?? '9999', before_id: start?.id ?? '' };
  const shownMax = Math.min(limit, LOGGED_MAX);
  const rows = await sql.run(selectLog({ webhook_id: webhookId, ...from, at_most: shownMax + 1 }));
  return { deliveries: rows.slice(0, shownMax), hasMore: rows.length > shownMax };
}

async function readDelivery(sql: Sql, webhookId: string, id: string): Promise<Delivery> {
  const row = isId('msg', id) ? await sql.one(selectDelivery({ id, webhook_id: webhookId })) : undefined;
  if (!row) throw new ServiceError('not_found');
  return row;
}

/** A webhook row read in the same transaction. */
interface WebhookToTest {
  readonly id: string;
  readonly account_id: string;
  readonly disabled_at: string | null;
  readonly is_new: number | null;
}

/** @throws InputError for a webhook that was turned off; TooSoonError */
export async function sendTest(tx: Tx, webhook: WebhookToTest, now: Date): Promise<Delivery> {
  await admitMessage(tx, webhook, now);
  const recipient = { accountId: webhook.account_id, webhookId: webhook.id, siteId: null };
  const id = await addMessage(tx, recipient, testEvent(now), now);
  return readDelivery(tx, webhook.id, id);
}

/** Starts a message again from its first attempt, unless it is being sent. @throws as {@link sendTest}; ServiceError not_found */
export async function sendAgain(tx: Tx, webhook: WebhookToTest, id: string, now: Date): Promise<Delivery> {
  const { id: webhook_id, account_id } = webhook;
  const { siteId: site_id } = await readDelivery(tx, webhook_id, id);
  await admitMessage(tx, webhook, now);
  const name = { kind: 'WEBHOOK', key: id };
  const job = await tx.one(lockJob(name));
  if (!job?.lease) {
    if (job) await tx.run(jobs.delete(name));
    if (await tx.one(deliveries.update({ id, webhook_id }, { state: 'waiting', attempts: 0 }))) {
      await addJob(tx, { queue: 'deliveries', ...name, account_id, site_id, run_after: now.toISOString() }, now);
    }
  }
  return readDelivery(tx, webhook_id, id);
}

async function admitMessage(tx: Tx, { account_id, disabled_at, is_new }: WebhookToTest, now: Date): Promise<void> {
  if (disabled_at !== null && is_new !== 1) throw new InputError('The webhook is turned off. Turn it on again first.');
  await consumeAll(tx, [limitOf('webhook-messages', account_id)], now);
}

/** Days that messages stay in the log. */
export const DELIVERY_LOG_DAYS = 30;

export const cleanUpDeliveries = defineCleanup<{ before: string }>(
  'deliveries',
  ['id'],
  (rows, { before }) => rows.where('created_at', '<', before).whereNot('state', 'waiting'),
  (now) => ({ before: laterThan(now, -DELIVERY_LOG_DAYS * DAY_MS) }),
);

const EXPORTED_AT_ONCE = 200;

interface ExportedRow {
  readonly id: string;
  readonly createdAt: string;
}

const selectToExport = defineQuery<ExportedRow, { account_id: string; after_time: string; after_id: string }>(
  (sql, { account_id, after_time, after_id }) =>
    sql('deliveries')
      .select({ id: 'id', webhookId: 'webhook_id', siteId: 'site_id', event: 'event', state: 'state' })
      .select({ attempts: 'attempts', createdAt: 'created_at', lastAttemptAt: 'last_attempt_at' })
      .select({ answerStatus: 'answer_status', problem: 'problem', body: 'body' })
      .where({ account_id })
      .whereRaw('(created_at, id) > (?, ?)', [after_time, after_id])
      .orderBy(['created_at', 'id'])
      .limit(EXPORTED_AT_ONCE),
);

/** Returns the account's messages for its export. */
export function deliveryLines(db: Database, account_id: string): AsyncGenerator<object, void> {
  return readPages((last: ExportedRow | undefined) =>
    db.run(selectToExport({ account_id, after_time: last?.createdAt ?? '', after_id: last?.id ?? '' })),
  );
}
