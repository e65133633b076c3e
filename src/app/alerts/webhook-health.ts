import { laterThan } from '../../platform/clock.js';
import type { Tx } from '../../store/database.js';
import { defineQuery } from '../../store/query.js';
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

const clearFailure = defineQuery<never, { id: string }>((sql, { id }) =>
  sql('webhooks')
    .where({ id })
    .whereNotNull('failing_since')
    .update({ failing_since: sql.raw('NULL') }),
);

const FAILING = ['id', 'account_id', 'url', 'format', 'failing_since'];

/** Records the first failure. No row if it failed before or is off. */
const startFailing = defineQuery<FailingRow, { id: string; now: string }>((sql, { id, now }) =>
  sql('webhooks')
    .where({ id, disabled_at: null, failing_since: null })
    .update({ failing_since: now })
    .returning(FAILING),
);

const selectFailing = defineQuery<FailingRow, { id: string }>((sql, { id }) =>
  sql('webhooks').select(FAILING).where({ id, disabled_at: null }).whereNotNull('failing_since'),
);

/** Turns the webhook off, unless it accepted a message in the meantime. */
const turnOff = defineQuery<object, { id: string; failing_since: string; now: string }>(
  (sql, { id, failing_since, now }) =>
    sql('webhooks')
      .where({ id, disabled_at: null, failing_since })
      .update({ disabled_at: now, is_new: sql.raw('NULL') })
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
  if (verdict === 'delivered') await tx.run(clearFailure({ id }));
  if (verdict === 'delivered' || verdict === 'refused') return null;
  const now = at.toISOString();
  const row = (await tx.one(startFailing({ id, now }))) ?? (await tx.one(selectFailing({ id })));
  if (!row) return null;
  const isDead = isFinal && row.failing_since <= laterThan(at, -FAILING_MS_MAX);
  if (verdict !== 'gone' && !isDead) return null;
  const { account_id: accountId, url, failing_since } = row;
  if (!(await tx.one(turnOff({ id, failing_since, now })))) return null;
  await recordEvent(tx, { accountId, event: 'webhook_disabled', subject: new URL(url).host, now: at });
  const cause = verdict === 'gone' ? 'gone' : 'failing';
  await mailAccount(tx, { accountId, siteId: null }, webhookDisabled(row, cause, at), at);
  return cause;
}
