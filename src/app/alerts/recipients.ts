import { InputError } from '../../platform/errors.js';
import type { Sql, Tx } from '../../store/database.js';
import { defineQuery, type Row } from '../../store/query.js';
import { accounts, selectAccountForUpdate } from '../accounts/accounts.js';
import { recordEvent } from '../audit/audit.js';
import type { Context } from '../context.js';
import { findCommitHash } from '../runs/run.js';
import { SINCE_RUNS_MAX } from '../runs/run-lines.js';
import { readRunsBefore } from '../runs/run-rows.js';
import type { FinishedRun } from '../runs/run-performer.js';
import { tagsOf } from '../sites/site.js';
import { foldTag } from '../sites/site-settings.js';
import { listAcceptedFailures } from '../triage/accepted-failures.js';
import { type Alert, findAlertChanges, newAlert } from './alert.js';
import { queueAlert } from './deliveries.js';

type EnabledWebhookRow = Pick<Row<'webhooks'>, 'id' | 'url' | 'tag'> & Pick<Row<'sites'>, 'tags'>;

/** Locks the webhooks, so that none is removed before the transaction ends. */
const selectEnabledWebhooks = defineQuery<EnabledWebhookRow, { site_id: string }>((sql, { site_id }) =>
  sql('webhooks as w')
    .join('sites as s', 's.account_id', 'w.account_id')
    .select('w.id', 'w.url', 'w.tag', 's.tags')
    .where({ 's.id': site_id, 'w.disabled_at': null })
    .andWhere((inScope) => inScope.whereNull('w.site_id').orWhere('w.site_id', site_id))
    .orderBy(['w.created_at', 'w.id'])
    .forKeyShare('w'),
);

/** Returns the webhooks without a tag or with one of the site's tags, only one for each URL. */
async function findWebhookIds(tx: Tx, siteId: string): Promise<string[]> {
  const rows = await tx.run(selectEnabledWebhooks({ site_id: siteId }));
  const matching = rows.filter(({ tag, tags }) => tag === null || tagsOf({ tags }).map(foldTag).includes(tag));
  return [...new Map(matching.map(({ id, url }) => [url, id])).values()];
}

/** Returns a function that queues the alert about a run in the transaction that stores it, so that each recipient gets one message. */
export function createRunAlerts({ clock, publicUrl, hasMail }: Pick<Context, 'clock' | 'publicUrl' | 'hasMail'>) {
  return async (tx: Tx, { accountId, response, report, label, isEmailOn }: FinishedRun): Promise<void> => {
    const { site, run } = response;
    // A webhook's id, or null for the account's email address.
    const recipients: (string | null)[] = await findWebhookIds(tx, site.id);
    if (hasMail && isEmailOn) recipients.push(null);
    if (recipients.length === 0) return;
    const earlier = await readRunsBefore(tx, site.id, run.number, SINCE_RUNS_MAX);
    const { previousScore, changes } = findAlertChanges(report, earlier, await listAcceptedFailures(tx, site.id));
    if (changes.length === 0) return;
    const { number, reference, score, trigger, finishedAt } = run;
    const commit = label && findCommitHash(label);
    const url = `${publicUrl}/sites/${site.id}/runs/${number}`;
    const reported = { number, reference, score, trigger, finishedAt, ...(commit && { commit }), url };
    const now = clock.now();
    const at = finishedAt === null ? now : new Date(finishedAt);
    const alert = newAlert('site.changed', { site, run: reported, previousScore, changes }, at);
    await queueAlert(tx, alert, { accountId, siteId: site.id }, recipients, now);
  };
}

/** Queues an email or, if email alerts are off, messages to the site's webhooks. */
export async function notifyOwner(
  tx: Tx,
  { accountId, siteId, hasMail }: { readonly accountId: string; readonly siteId: string; readonly hasMail: boolean },
  alert: Alert,
  now: Date,
): Promise<void> {
  const isEmailOn = hasMail && (await alertAddress(tx, accountId)) !== null;
  await queueAlert(tx, alert, { accountId, siteId }, isEmailOn ? [null] : await findWebhookIds(tx, siteId), now);
}

/** Returns the address that gets the account's alerts; null if alerts by email are off. */
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
