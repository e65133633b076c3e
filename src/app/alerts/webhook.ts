import { shownAddress, shownName, type WebhookFormat } from './webhook-format.js';
import type { WebhookRow } from './webhook-statements.js';

/** An address of the account that receives changes. */
export interface Webhook {
  readonly id: string;
  readonly format: WebhookFormat;
  /** With its port where that is not the scheme's own. */
  readonly host: string;
  /** By which people know it: the host, and the end of a chat's address. */
  readonly name: string;
  /** As people see it: of a chat's, which is a secret, the host and the end. */
  readonly address: string;
  /** The one site whose alerts it gets; null: it gets those of all. */
  readonly site: { readonly id: string; readonly hostname: string } | null;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  /** Since when nothing is sent to it; null while it is in use. */
  readonly disabledAt: string | null;
  /** Whether it was never turned on: a chat's begins so, until its holder has seen how messages look. */
  readonly isNew: boolean;
}

export function webhookOf({
  id,
  url,
  format,
  site_id,
  hostname,
  created_at,
  disabled_at,
  is_new,
}: WebhookRow): Webhook {
  const known = formatOf({ format });
  return {
    id,
    format: known,
    host: new URL(url).host,
    name: shownName(url, known),
    address: shownAddress(url, known),
    site: site_id === null ? null : { id: site_id, hostname: hostname ?? '' },
    createdAt: created_at,
    disabledAt: disabled_at,
    isNew: isNeverOn({ disabled_at, is_new }),
  };
}

export function formatOf({ format }: Pick<WebhookRow, 'format'>): WebhookFormat {
  return (format ?? 'signed') as WebhookFormat;
}

export function isNeverOn({ disabled_at, is_new }: Pick<WebhookRow, 'disabled_at' | 'is_new'>): boolean {
  return disabled_at !== null && is_new === 1;
}

/** The state of one message. */
export interface Delivery {
  /** The message's id, which its receiver sees as `webhook-id`. */
  readonly id: string;
  /** Null for e-mail. */
  readonly webhookId: string | null;
  /** What it tells of, such as `site.changed`. */
  readonly event: string;
  /** The host name of the site that changed; null for a test. */
  readonly hostname: string | null;
  readonly createdAt: string;
  readonly state: 'waiting' | 'delivered' | 'failed';
  readonly attempts: number;
  readonly nextAttemptAt: string | null;
  readonly lastAttemptAt: string | null;
  /** What the receiver answered last; null where there was no answer. */
  readonly answerStatus: number | null;
  /** Why it was not taken, in a sentence of ours; null when it was, and before the first attempt. */
  readonly problem: string | null;
}

/** A webhook with its last messages, the latest first: at most ten. */
export interface WatchedWebhook extends Webhook {
  readonly last: readonly Delivery[];
}

/** Which webhook, for whom: another account's is answered like one that does not exist. */
export interface WebhookOfAccount {
  readonly accountId: string;
  readonly webhookId: string;
}

/** Webhooks an account may have. */
export const WEBHOOKS_PER_ACCOUNT_MAX = 10;

/** Tests and messages sent again that an account may ask for in an hour. */
export const EXTRA_MESSAGES_PER_HOUR_MAX = 30;
