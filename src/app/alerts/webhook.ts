/** An address of the account that receives changes. */
export interface Webhook {
  readonly id: string;
  readonly url: string;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  /** Since when nothing is sent to it; null while it is in use. */
  readonly disabledAt: string | null;
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
export const WEBHOOKS_PER_ACCOUNT_MAX = 5;

/** Tests and messages sent again that an account may ask for in an hour. */
export const EXTRA_MESSAGES_PER_HOUR_MAX = 30;
