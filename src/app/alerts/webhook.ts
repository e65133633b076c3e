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

/**
 * Where an account is told of changes of its sites: its webhooks, and its e-mail address. Methods that name a webhook reject
 * with ServiceError not_found for one that does not exist.
 */
export interface Webhooks {
  list(accountId: string): Promise<readonly Webhook[]>;
  watch(accountId: string): Promise<readonly WatchedWebhook[]>;
  get(request: WebhookOfAccount): Promise<Webhook>;
  /**
   * @returns the secret too, which is shown this once: `whsec_…`
   * @throws InputError (field `url`) for an address that is not an https URL (or http where the operator allows the target), that the
   * guard refuses, that the account has already, or one too many
   */
  add(input: { readonly accountId: string; readonly url: string }): Promise<{ webhook: Webhook; secret: string }>;
  /** A new secret; messages are signed with it from now on. */
  rotateSecret(request: WebhookOfAccount): Promise<{ webhook: Webhook; secret: string }>;
  /** Has it used again after it was disabled. */
  enable(request: WebhookOfAccount): Promise<Webhook>;
  remove(request: WebhookOfAccount): Promise<Webhook>;
  /** Sends a message that says that it is a test. @throws TooSoonError past so many an hour; InputError for a disabled webhook */
  sendTest(request: WebhookOfAccount): Promise<Delivery>;
  /**
   * Sends a message of the log again, under the same id; a message that is being sent is left alone.
   * @throws ServiceError not_found; TooSoonError past so many an hour; InputError for a disabled webhook
   */
  sendAgain(request: WebhookOfAccount & { readonly deliveryId: string }): Promise<Delivery>;
  /** The latest first, at most 100. `before`: only those that were made earlier (a delivery's id). */
  log(
    request: WebhookOfAccount & { readonly before?: string; readonly limit: number },
  ): Promise<{ readonly deliveries: readonly Delivery[]; readonly hasMore: boolean }>;
  /** Whether alerts go to the account's e-mail address; null where the operator has configured no mail server. */
  emailAlerts(accountId: string): Promise<boolean | null>;
  /** @throws InputError where the operator has configured no mail server */
  setEmailAlerts(accountId: string, isOn: boolean): Promise<void>;
}

/** Webhooks an account may have. */
export const WEBHOOKS_PER_ACCOUNT_MAX = 5;

/** Tests and messages sent again that an account may ask for in an hour. */
export const EXTRA_MESSAGES_PER_HOUR_MAX = 30;
