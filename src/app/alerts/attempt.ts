import type { ChatEvent, MailedEvent } from './alert-event.js';
import type { Clock } from '../../platform/clock.js';
import { chatMessage } from './chat-message.js';
import { parseRetryAfter, parseRetryBody } from './delivery-pauses.js';
import { FETCH_FAILURES, type FetchFailure } from '../../net/failure.js';
import type { SendMail } from '../../platform/mail-message.js';
import { webhookHeaders } from './webhook-signature.js';
import type { Post, Posted } from '../../net/post.js';
import { alertMail } from './alert-mail.js';
import { FORMATS, serviceAt, type WebhookFormat } from './webhook-format.js';

/** Where a message goes to. */
export type Receiver =
  | { readonly kind: 'webhook'; readonly url: string; readonly secret: string; readonly format: WebhookFormat }
  | { readonly kind: 'mail'; readonly email: string };

/** What became of an attempt. */
export interface AttemptOutcome {
  /** `failed`: it may go well later. `refused`: it never will. `gone`: the receiver wants no more messages at all. */
  readonly verdict: 'delivered' | 'failed' | 'refused' | 'gone';
  readonly answerStatus: number | null;
  /** For the holder of the account: a sentence of ours, nothing of what the receiver said. */
  readonly problem: string | null;
  /** How long the receiver asked us to wait. */
  readonly askedMs: number;
}

export interface AttemptDeps {
  readonly clock: Clock;
  readonly post: Post;
  /** Null where no mail server is configured. */
  readonly sendMail: SendMail | null;
  readonly userAgent: string;
  readonly publicUrl: string;
}

/** Sends a message once. */
export async function attemptDelivery(
  message: { readonly id: string; readonly body: string },
  receiver: Receiver,
  deps: AttemptDeps,
): Promise<AttemptOutcome> {
  return receiver.kind === 'webhook' ? postMessage(message, receiver, deps) : mailMessage(message, receiver, deps);
}

type WebhookReceiver = Extract<Receiver, { kind: 'webhook' }>;

async function postMessage(
  message: { readonly id: string; readonly body: string },
  { url, secret, format }: WebhookReceiver,
  { clock, post, userAgent, publicUrl }: AttemptDeps,
): Promise<AttemptOutcome> {
  const { id } = message;
  const isSigned = format === 'signed';
  const body = isSigned
    ? message.body
    : JSON.stringify(chatMessage(format, JSON.parse(message.body) as ChatEvent, publicUrl));
  const headers = {
    'content-type': 'application/json',
    'user-agent': userAgent,
    ...(isSigned && webhookHeaders({ id, body, secret, sentAt: clock.now() })),
  };
  const to = new URL(url);
  return outcomeOfPost(await post({ url: to, headers, body }), { to, format, now: clock.now() });
}

/** One sentence for every refused target, so that it does not tell which addresses are behind a name. */
const REFUSED_WEBHOOK = 'The address cannot be reached from here: it must lead to a public server.';

function outcomeOfPost(
  posted: Posted,
  { to, format, now }: { readonly to: URL; readonly format: WebhookFormat; readonly now: Date },
): AttemptOutcome {
  if ('failure' in posted) return failed(problemOf(posted.failure));
  const { status, retryAfter, body = '' } = posted;
  const answered = { answerStatus: status, askedMs: 0 };
  if (status >= 200 && status < 300) return { verdict: 'delivered', problem: null, ...answered };
  const gone = describeGone(status, to);
  if (gone !== null) return { verdict: 'gone', problem: gone, ...answered };
  const hint = status >= 300 && status < 400 ? 'Redirects are not followed: give the address that they lead to.' : '';
  const problem = `The receiver answered ${status} instead of a status from 200 to 299. ${hint}`.trim();
  const isAsking = status === 429 || status === 503;
  const asked = isAsking ? [parseRetryAfter(retryAfter, now), format === 'signed' ? 0 : parseRetryBody(body)] : [0];
  return { verdict: 'failed', problem, ...answered, askedMs: Math.max(...asked) };
}

/**
 * Whether the receiver wants no more messages, in a sentence. Slack and Discord answer 404 for a webhook that was removed and 410 for a channel that was archived,
 * and Discord holds against us what is sent to a 404 again ("Rate Limits", "Invalid Request Limit"). What only takes their messages may answer 404 while it starts.
 */
function describeGone(status: number, to: URL): string | null {
  const service = serviceAt(to);
  if (service !== null && (status === 404 || status === 410)) {
    return `${FORMATS[service]} answered ${status}: there is no such webhook any more, so nothing more is sent.`;
  }
  return status === 410
    ? 'The receiver answered 410, that it wants no more messages: the webhook was turned off.'
    : null;
}

function problemOf(failure: FetchFailure): string {
  if (failure === 'target_refused') return REFUSED_WEBHOOK;
  // What counts as the spending of a scan's budget: here the answer alone can be too much.
  const reason = failure === 'budget_spent' ? 'the answer is too large' : FETCH_FAILURES[failure];
  return `There was no answer: ${reason}.`;
}

async function mailMessage(
  { id, body }: { readonly id: string; readonly body: string },
  { email }: Extract<Receiver, { kind: 'mail' }>,
  { sendMail, publicUrl }: AttemptDeps,
): Promise<AttemptOutcome> {
  if (!sendMail) return { ...failed('No mail server is configured any more.'), verdict: 'refused' };
  const event = JSON.parse(body) as MailedEvent;
  const outcome = await sendMail(alertMail({ id, to: email, event, publicUrl }));
  if (outcome === 'sent') return { verdict: 'delivered', answerStatus: null, problem: null, askedMs: 0 };
  if (outcome === 'failed') return failed('The mail server could not be reached, or did not take the message.');
  return { ...failed('The mail server refuses messages to this address.'), verdict: 'refused' };
}

function failed(problem: string): AttemptOutcome {
  return { verdict: 'failed', answerStatus: null, problem, askedMs: 0 };
}
