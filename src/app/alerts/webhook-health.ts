import { laterThan } from '../../platform/clock.js';
import { inBatches } from '../../store/cleanup.js';
import type { Database, Tx } from '../../store/database.js';
import { defineQuery } from '../../store/query.js';
import { table } from '../../store/table.js';
import { recordEvent } from '../audit/audit.js';
import { type TurnOffCause, webhookDisabled } from './messages.js';
import type { AttemptResult } from './post-message.js';
import { mailAccount } from './recipients.js';
import type { WebhookFormat } from './webhook-format.js';

/** Why a message was not sent to a webhook that is off. */
export const WEBHOOK_OFF = 'The webhook was turned off before the message was delivered.';

/** A webhook that accepts nothing for this long is turned off. */
const FAILING_MS_MAX = 5 * 24 * 3_600_000;

interface HealthRow {
  readonly id: string;
  readonly failing_since: string | null;
}

const webhooks = table<HealthRow>('webhooks', ['id']);

interface DisabledRow {
  readonly id: string;
  readonly account_id: string;
  readonly url: string;
  readonly format: WebhookFormat;
}

/** Turns a webhook off; returns a row if it was on and has not accepted a message since `failing_since` was read. */
const disableWebhook = defineQuery<DisabledRow, { id: string; failing_since: string; now: string }>(
  (sql, { id, failing_since, now }) =>
    sql('webhooks')
      .where({ id, disabled_at: null, failing_since })
      .update({ disabled_at: now, is_new: null })
      .returning(['id', 'account_id', 'url', 'format']),
);

/** Fails some messages that wait for a webhook that is off. */
const failSome = defineQuery<object, { webhook_id: string; problem: string }>((sql, { webhook_id, problem }) =>
  sql('deliveries')
    .whereIn(
      'id',
      sql('deliveries as d')
        .join('webhooks as w', 'w.id', 'd.webhook_id')
        .select('d.id')
        .where({ 'd.webhook_id': webhook_id, 'd.state': 'waiting' })
        .whereNotNull('w.disabled_at')
        .limit(500),
    )
    .update({ state: 'failed', problem })
    .returning('id'),
);

/**
 * Records whether an attempt succeeded. Turns the webhook off if its receiver is gone, or if a message used up its attempts and none was
 * accepted for five days.
 * @param attempt `isFinal`: the message is not retried
 * @returns why it was turned off; null if it was not
 */
export async function updateHealth(
  tx: Tx,
  id: string,
  { verdict, isFinal }: Pick<AttemptResult, 'verdict'> & { readonly isFinal: boolean },
  at: Date,
): Promise<TurnOffCause | null> {
  const health = await tx.one(webhooks.find({ id }, ['failing_since']));
  if (!health || verdict === 'refused') return null;
  const now = at.toISOString();
  const failing_since = verdict === 'delivered' ? null : (health.failing_since ?? now);
  if (failing_since !== health.failing_since) await tx.run(webhooks.update({ id }, { failing_since }));
  if (failing_since === null) return null;
  const isDead = isFinal && failing_since <= laterThan(at, -FAILING_MS_MAX);
  if (verdict !== 'gone' && !isDead) return null;
  const row = await tx.one(disableWebhook({ id, failing_since, now }));
  if (!row) return null;
  const { account_id: accountId, url } = row;
  await recordEvent(tx, { accountId, event: 'webhook_disabled', subject: new URL(url).host, now: at });
  const cause = verdict === 'gone' ? 'gone' : 'failing';
  await mailAccount(tx, { accountId, siteId: null }, webhookDisabled(row, cause, at), at);
  return cause;
}

/** Fails the messages that wait for a webhook that is off. Their jobs then do nothing. */
export async function failWaitingMessages(db: Database, webhookId: string): Promise<void> {
  await inBatches(db, failSome({ webhook_id: webhookId, problem: WEBHOOK_OFF }));
}
