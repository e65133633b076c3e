import { InputError } from '../../platform/errors.js';
import { newId } from '../../platform/ids.js';
import { addJob } from '../../queue/jobs.js';
import { readPages } from '../../store/batches.js';
import type { Database, Sql, Tx } from '../../store/database.js';
import { defineQuery, type Row, table } from '../../store/query.js';
import { accounts, selectAccountForUpdate } from '../accounts/accounts.js';
import { recordEvent } from '../audit/audit.js';
import type { Context } from '../context.js';
import { SINCE_RUNS_MAX } from '../runs/run-lines.js';
import type { FinishedRun } from '../runs/run-performer.js';
import { readRunsBefore } from '../runs/run-rows.js';
import { tagsOf } from '../sites/site.js';
import { foldTag } from '../sites/site-settings.js';
import { listAcceptedFailures } from '../triage/accepted-failures.js';
import { type Alert, findAlertChanges, newAlert } from './alert.js';

/** An alert to one recipient, as the webhook's log shows it. */
export interface Delivery {
  /** Sent to the receiver as `webhook-id`. */
  readonly id: string;
  readonly event: string;
  /** Null for a test message. */
  readonly hostname: string | null;
  readonly createdAt: string;
  readonly state: 'waiting' | 'delivered' | 'failed';
  readonly attempts: number;
  readonly nextAttemptAt: string | null;
  readonly lastAttemptAt: string | null;
  /** HTTP status of the last answer; null if there was no answer. */
  readonly answerStatus: number | null;
  /** Why the last attempt failed, as a sentence; null if it did not. */
  readonly problem: string | null;
}

export type DeliveryRow = Row<'deliveries'> & { readonly state: Delivery['state'] };

export const deliveries = table<'deliveries', DeliveryRow>('deliveries');

/** The account and the site that an alert is about. */
interface Subject {
  readonly accountId: string;
  /** Null if the alert is not about a site. */
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

type EnabledWebhookRow = Pick<Row<'webhooks'>, 'id' | 'url' | 'tag'> & Pick<Row<'sites'>, 'tags'>;

/** Selects enabled webhooks and locks them, so that none can be removed before the transaction ends. */
const selectEnabledWebhooks = defineQuery<EnabledWebhookRow, { site_id: string }>((sql, { site_id }) =>
  sql('webhooks as w')
    .join('sites as s', 's.account_id', 'w.account_id')
    .select('w.id', 'w.url', 'w.tag', 's.tags')
    .where({ 's.id': site_id, 'w.disabled_at': null })
    .andWhere((inScope) => inScope.whereNull('w.site_id').orWhere('w.site_id', site_id))
    .orderBy(['w.created_at', 'w.id'])
    .forKeyShare('w'),
);

/** Finds the webhooks that get the site's alerts, at most one per URL. */
async function findWebhookIds(tx: Tx, siteId: string): Promise<string[]> {
  const rows = await tx.run(selectEnabledWebhooks({ site_id: siteId }));
  const matching = rows.filter(({ tag, tags }) => tag === null || tagsOf({ tags }).map(foldTag).includes(tag));
  return [...new Map(matching.map(({ id, url }) => [url, id])).values()];
}

/** Returns a function that queues a run's alert in the transaction that stores the run, so that each recipient gets exactly one message. */
export function createRunAlerts({ clock, publicUrl, hasMail }: Pick<Context, 'clock' | 'publicUrl' | 'hasMail'>) {
  return async (tx: Tx, { accountId, response, report, isEmailOn }: FinishedRun): Promise<void> => {
    const { site, run } = response;
    const recipients: (string | null)[] = await findWebhookIds(tx, site.id);
    if (hasMail && isEmailOn) recipients.push(null);
    if (recipients.length === 0) return;
    const earlier = await readRunsBefore(tx, site.id, run.number, SINCE_RUNS_MAX);
    const { previousScore, changes } = findAlertChanges(report, earlier, await listAcceptedFailures(tx, site.id));
    if (changes.length === 0) return;
    const { number, reference, score, trigger, finishedAt } = run;
    const url = `${publicUrl}/sites/${site.id}/runs/${number}`;
    const reported = { number, reference, score, trigger, finishedAt, url };
    const now = clock.now();
    const at = finishedAt === null ? now : new Date(finishedAt);
    const alert = newAlert('site.changed', { site, run: reported, previousScore, changes }, at);
    await queueAlert(tx, alert, { accountId, siteId: site.id }, recipients, now);
  };
}

/** Queues an alert by email or, if email alerts are off, to the site's webhooks. */
export async function notifyOwner(
  tx: Tx,
  { accountId, siteId, hasMail }: { readonly accountId: string; readonly siteId: string; readonly hasMail: boolean },
  alert: Alert,
  now: Date,
): Promise<void> {
  const isEmailOn = hasMail && (await alertAddress(tx, accountId)) !== null;
  await queueAlert(tx, alert, { accountId, siteId }, isEmailOn ? [null] : await findWebhookIds(tx, siteId), now);
}

/** Returns the email address that gets the account's alerts; null if email alerts are off. */
export async function alertAddress(sql: Sql, accountId: string): Promise<string | null> {
  const account = await sql.one(accounts.find({ id: accountId }, ['email', 'email_alerts_since']));
  return account && account.email_alerts_since !== null ? account.email : null;
}

/** @throws InputError if the service sends no email */
export async function setEmailAlerts(
  { db, clock, hasMail }: Pick<Context, 'db' | 'clock' | 'hasMail'>,
  id: string,
  isOn: boolean,
): Promise<void> {
  if (isOn && !hasMail) throw new InputError('This service has no mail server, so it cannot send e-mail.');
  const now = clock.now();
  await db.transaction(async (tx) => {
    const account = await tx.one(selectAccountForUpdate({ id }));
    if (!account || (account.email_alerts_since !== null) === isOn) return;
    await tx.run(accounts.update({ id }, { email_alerts_since: isOn ? now.toISOString() : null }));
    const event = isOn ? 'email_alerts_turned_on' : 'email_alerts_turned_off';
    await recordEvent(tx, { accountId: id, event, now });
  });
}

/** Number of deliveries in a webhook's log. */
export const LOGGED_MAX = 50;

/** Columns of both the log and the export. */
const COLUMNS = {
  id: 'd.id',
  event: 'd.event',
  createdAt: 'd.created_at',
  state: 'd.state',
  lastAttemptAt: 'd.last_attempt_at',
  answerStatus: 'd.answer_status',
  problem: 'd.problem',
};

/** Joins deliveries with their sites and, while they wait, with their jobs. If a job is claimed, the next attempt is in progress. */
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

/** Number of days for which deliveries are stored. */
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

/** Yields the account's deliveries, oldest first. */
export function exportDeliveries(db: Database, account_id: string): AsyncGenerator<object, void> {
  return readPages((last: ExportedRow | undefined) =>
    db.run(selectToExport({ account_id, after_time: last?.createdAt ?? '', after_id: last?.id ?? '' })),
  );
}
