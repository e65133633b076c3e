import { laterThan } from '../../platform/clock.js';
import type { Tx } from '../../store/database.js';
import { defineQuery } from '../../store/query.js';
import { table } from '../../store/table.js';
import { recordEvent } from '../audit/audit.js';
import { type TurnOffCause, webhookDisabled } from './messages.js';
import type { AttemptResult } from './post-message.js';
import { mailAccount } from './recipients.js';
import type { WebhookFormat } from './webhook-format.js';

/** A webhook that accepts nothing for this long is turned off. */
const FAILING_MS_MAX = 5 * 24 * 3_600_000;

interface FailingRow {
  readonly id: string;
  readonly account_id: string;
  readonly url: string;
  readonly format: WebhookFormat;
  readonly failing_since: string;
}

const webhooks = table<{ id: string; disabled_at: string | null; is_new: number | null }>('webhooks', ['id']);

const clearFailure = defineQuery<never, { id: string }>((sql, { id }) =>
  sql('webhooks')
    .where({ id })
    .whereNotNull('failing_since')
    .update({ failing_since: sql.raw('NULL') }),
);

/** Returns the webhook, locked until the transaction ends; no row if it is off. */
const recordFailure = defineQuery<FailingRow, { id: string; now: string }>((sql, { id, now }) =>
  sql('webhooks')
    .where({ id, disabled_at: null })
    .update({ failing_since: sql.raw('coalesce(failing_since, ?)', [now]) })
    .returning(['id', 'account_id', 'url', 'format', 'failing_since']),
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
  if (verdict === 'delivered') await tx.run(clearFailure({ id }));
  if (verdict === 'delivered' || verdict === 'refused') return null;
  const row = await tx.one(recordFailure({ id, now: at.toISOString() }));
  if (!row) return null;
  const isDead = isFinal && row.failing_since <= laterThan(at, -FAILING_MS_MAX);
  if (verdict !== 'gone' && !isDead) return null;
  const { account_id: accountId, url } = row;
  await tx.run(webhooks.update({ id }, { disabled_at: at.toISOString(), is_new: null }));
  await recordEvent(tx, { accountId, event: 'webhook_disabled', subject: new URL(url).host, now: at });
  const cause = verdict === 'gone' ? 'gone' : 'failing';
  await mailAccount(tx, { accountId, siteId: null }, webhookDisabled(row, cause, at), at);
  return cause;
}
