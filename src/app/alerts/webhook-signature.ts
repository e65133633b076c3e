import { createHmac, randomBytes } from 'node:crypto';

const SECRET_PREFIX = 'whsec_';
/** Standard Webhooks asks for 24 to 64. */
const SECRET_BYTES = 32;

/** A fresh secret as the receiver's library takes it: `whsec_` and base64 (Standard Webhooks, "Signature scheme"). */
export function newWebhookSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/**
 * The header fields that prove where a message comes from (Standard Webhooks, "Webhook headers"). The id stays the same however
 * often the message is sent, so that its receiver can drop repeats; the time is that of this attempt.
 * @param body as it is sent, byte for byte
 */
export function webhookHeaders(message: {
  readonly id: string;
  readonly body: string;
  readonly secret: string;
  readonly sentAt: Date;
}): Readonly<Record<string, string>> {
  const { id, body, secret, sentAt } = message;
  const timestamp = String(Math.floor(sentAt.getTime() / 1000));
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}
