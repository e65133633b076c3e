import { describeChange, type MailedEvent, type SiteChangedEvent, type WebhookDisabledEvent } from './alert-event.js';
import type { AlertChange } from './changes.js';
import { type ToldByMail, tellOfOwnership, tellOfUnreadProof } from './ownership-mail.js';
import type { Mail } from '../../platform/mail-message.js';

export interface MailedAlert {
  readonly id: string;
  readonly to: string;
  readonly event: MailedEvent;
  /** The origin of links. */
  readonly publicUrl: string;
}

/** The message for people: what happened, where to look, where to turn it off. The same words at every attempt. */
export function alertMail({ id, to, event, publicUrl }: MailedAlert): Mail {
  const { subject, lines } = tellOf(event, publicUrl);
  const foot = `You get this because alerts by e-mail are on for your account. Turn them off: ${publicUrl}/alerts`;
  return { id, to, subject, text: [...lines, '', '-- ', foot, ''].join('\n') };
}

function tellOf(event: MailedEvent, publicUrl: string): ToldByMail {
  switch (event.type) {
    case 'site.changed':
      return tellOfChange(event);
    case 'webhook.disabled':
      return tellOfWebhook(event, publicUrl);
    case 'site.proof_unread':
      return tellOfUnreadProof(event, publicUrl);
    case 'site.ownership_lost':
      return tellOfOwnership(event, publicUrl);
  }
}

function tellOfChange({ data: { site, run, previousScore, changes } }: SiteChangedEvent): ToldByMail {
  const at = run.commit ? ` at commit ${run.commit}` : '';
  const score = (value: number | null): string => (value === null ? 'n/a' : String(value));
  return {
    subject: `${site.hostname}: ${summarise(changes, run.score, previousScore)}${at && `,${at}`}`,
    lines: [
      `What changed on ${site.hostname}${at}:`,
      '',
      ...changes.map((change) => `- ${describeChange(change)}`),
      '',
      `Score: ${score(run.score)} (before: ${score(previousScore)}), run ${run.reference}`,
      `See what was found and how to fix it: ${run.url}`,
    ],
  };
}

function tellOfWebhook({ data: { webhook } }: WebhookDisabledEvent, publicUrl: string): ToldByMail {
  return {
    subject: `Your webhook at ${webhook.host} was turned off`,
    lines: [
      `Your webhook at ${webhook.host} was turned off: it answered that it wants no more messages, or took none for five days.`,
      '',
      `See what was sent to it, and turn it on again once it works: ${publicUrl}/alerts/webhooks/${webhook.id}`,
    ],
  };
}

/** The weightiest change in a few words. */
function summarise(changes: readonly AlertChange[], score: number | null, before: number | null): string {
  const countOf = (kind: AlertChange['kind']): number => changes.filter((change) => change.kind === kind).length;
  const scores = score !== null && before !== null && score !== before ? `${before} → ${score}, ` : '';
  if (countOf('SITE_UNREACHABLE') > 0) return 'the site cannot be reached';
  const failing = countOf('CHECK_FAILING');
  if (failing > 0) return `${scores}${failing === 1 ? '1 new failure' : `${failing} new failures`}`;
  if (countOf('SCORE_FELL') > 0) return `${scores}the score fell`;
  if (countOf('SITE_REACHABLE') > 0) return 'the site can be reached again';
  return `${scores}${countOf('CHECK_FIXED')} fixed`;
}
