import type { Mail } from '../../platform/mail.js';
import { countOf, formatList } from '../../scanner/artifacts/counts.js';
import { failureOf, rankOf } from '../../scanner/report/failures.js';
import { SEVERITIES } from '../../scanner/verdict/failure.js';
import { describeDeadline, describeDeadlines, LOST_ON_DAY } from '../sites/missing-proof.js';
import { type AccessChange, type Alert, type AlertChange, type AlertOf, isWorse, READABILITY } from './alert.js';
import type { ChatFormat } from './webhook-receiver.js';

/** Text of an alert. An empty line separates paragraphs. */
interface AlertText {
  readonly subject: string;
  readonly lines: readonly string[];
}

/** @param publicUrl the base of links */
function describeAlert(alert: Alert, publicUrl: string): AlertText {
  switch (alert.type) {
    case 'site.changed':
      return describeRun(alert.data);
    case 'webhook.disabled':
      return describeDisabled(alert.data, publicUrl);
    case 'site.proof_unread':
      return describeMissingProof(alert.data, publicUrl);
    case 'site.ownership_lost':
      return describeLoss(alert.data, publicUrl);
    case 'test':
      return {
        subject: 'This is a test',
        lines: [
          'It works. We will send a message here when one of your sites changes.',
          `Your alerts: ${publicUrl}/alerts`,
        ],
      };
  }
}

/** A Discord message has room for this many items, even with the longest host name. */
const ITEMS_MAX = 12;

type Failing = Extract<AlertChange, { kind: 'CHECK_FAILING' }>;

/** Describes access changes, then failures, both worst first, then other changes and the score. */
function describeRun({ site, run, previousScore, changes }: AlertOf<'site.changed'>['data']): AlertText {
  const failing = changes.filter((change): change is Failing => change.kind === 'CHECK_FAILING');
  failing.sort((one, other) => rankOf(one) - rankOf(other));
  const access = changes.filter((change) => change.kind === 'ACCESS_CHANGED');
  const items = [
    ...describeAccess(access, 'the site'),
    ...failing.map(describeFailure),
    ...changes.flatMap(describeOther),
  ];
  // A new failure is more important than better access.
  const [accessChange] = failing.length === 0 || access.some(isWorse) ? describeAccess(access, site.hostname) : [];
  const before = previousScore === null ? '' : `, before: ${previousScore}`;
  return {
    subject: accessChange ?? `${site.hostname}: ${summarize(changes, failing)}`,
    lines: [
      ...items.slice(0, ITEMS_MAX).map((item) => `- ${item}`),
      ...(items.length > ITEMS_MAX ? [`and ${items.length - ITEMS_MAX} more`] : []),
      '',
      `See what was found and how to fix it: ${run.url}`,
      `Score: ${run.score ?? 'none'}${before} (run ${run.number})`,
    ],
  };
}

/** Describes assistants with the same change in one sentence, worst first. @param site subject of the sentences, such as `the site` */
export function describeAccess(changes: readonly AccessChange[], site: string): string[] {
  const worstFirst = changes.toSorted(
    (one, other) =>
      Number(isWorse(other)) - Number(isWorse(one)) || READABILITY.indexOf(other.now) - READABILITY.indexOf(one.now),
  );
  const groups = Map.groupBy(worstFirst, (change) => `${accessVerb(change)} ${site}${accessCause(change)}`);
  return [...groups].map(([text, group]) => `${formatList(group.map(({ assistant }) => assistant))} ${text}`);
}

function accessVerb(change: AccessChange): string {
  if (change.now === 'open') return 'can read';
  if (change.now === 'blocked') return 'can no longer read';
  return isWorse(change) ? 'can no longer fully read' : 'can partly read';
}

function accessCause({ now, reason }: AccessChange): string {
  if (now === 'open') return ' again';
  return reason === null ? '' : `: ${reason}`;
}

function describeFailure(failure: Failing): string {
  const severity = failureOf(failure)?.severity;
  return `${severity ? SEVERITIES[severity].word : 'Failed'}: ${failure.headline}`;
}

function describeOther(change: AlertChange): string[] {
  switch (change.kind) {
    case 'CHECK_FIXED':
      return [`Fixed: ${change.title ?? change.checkId}`];
    case 'SITE_UNREACHABLE':
      return ['Two runs in a row could not reach the site'];
    case 'SITE_REACHABLE':
      return ['The site can be reached again'];
    default:
      return [];
  }
}

function summarize(changes: readonly AlertChange[], [worst, ...more]: readonly Failing[]): string {
  const has = (kind: AlertChange['kind']): boolean => changes.some((change) => change.kind === kind);
  if (has('SITE_UNREACHABLE')) return 'the site cannot be reached';
  if (worst) return worst.headline + (more.length > 0 ? `, and ${countOf(more.length, 'more failure')}` : '');
  if (has('SITE_REACHABLE')) return 'the site can be reached again';
  return `${countOf(changes.length, 'check')} fixed`;
}

function describeDisabled({ webhook, cause }: AlertOf<'webhook.disabled'>['data'], publicUrl: string): AlertText {
  const subject = `Your webhook at ${webhook.name} was turned off`;
  const why =
    cause === 'gone' ? 'the receiver no longer accepts messages (410)' : 'it did not accept two messages in a row';
  const see = `See what was sent to it, and turn it on again once it works: ${publicUrl}/alerts/webhooks/${webhook.id}`;
  return { subject, lines: [`${subject}: ${why}.`, '', see] };
}

function describeMissingProof(data: AlertOf<'site.proof_unread'>['data'], publicUrl: string): AlertText {
  const { site, problem, since, countedDays, daysLeft, proof } = data;
  const proofName = `the proof that ${site.hostname} is yours`;
  const seen = {
    unread: `We could not read ${proofName}: we got no answer, or were refused.`,
    absent: `We looked for ${proofName}, and it was not there.`,
    gone: `We could not read ${proofName}: ${site.hostname} no longer exists in DNS.`,
  }[problem];
  return {
    subject: `${site.hostname} will no longer be verified in ${countOf(daysLeft, 'day')} unless we find your proof of ownership`,
    lines: [
      `${seen} It has been missing for ${countOf(countedDays, 'day')}, since ${since.slice(0, 10)}.`,
      '',
      proof.dnsName === null
        ? `Please let us read ${proof.fileUrl}.`
        : `Publish the TXT record at ${proof.dnsName} again, which no firewall can block, or let us read ${proof.fileUrl}.`,
      `See what to publish, and check it: ${publicUrl}/sites/${site.id}/verify`,
      '',
      problem === 'unread' ? describeDeadlines({ days: countedDays }) : describeDeadline(daysLeft),
    ],
  };
}

function describeLoss({ site, reason }: AlertOf<'site.ownership_lost'>['data'], publicUrl: string): AlertText {
  const { hostname } = site;
  const days = LOST_ON_DAY[reason];
  const why = {
    absent: `We looked for the proof that ${hostname} is yours on ${days} days, and it was not there.`,
    gone: `On ${days} days, ${hostname} did not exist in DNS.`,
    unread: `On ${days} days, we could not read the proof that ${hostname} is yours.`,
  }[reason];
  return {
    subject: `${hostname} is no longer verified`,
    lines: [
      why,
      'Runs start again once the proof is back. We kept the runs, the schedule and the deploy hook. We deleted the evidence that quotes the site.',
      '',
      `Publish the proof, preferably as a DNS record, and check it: ${publicUrl}/sites/${site.id}/verify`,
    ],
  };
}

export function alertMail(alert: Alert, { id, to }: Pick<Mail, 'id' | 'to'>, publicUrl: string): Mail {
  const { subject, lines } = describeAlert(alert, publicUrl);
  const unsubscribeUrl = `${publicUrl}/alerts`;
  const footer = `You get this email because email alerts are on for your account. Turn them off: ${unsubscribeUrl}`;
  return { id, to, subject, text: [...lines, '', '-- ', footer, ''].join('\n'), unsubscribeUrl };
}

/** Discord's limit for a message. Slack recommends at most 4,000. */
const CHARS_MAX = 2000;

/** Builds the JSON of chat messages. Only the host name comes from the site. */
export const CHAT_MESSAGES = {
  /** For incoming webhooks of Slack and of compatible software, such as Mattermost. */
  slack(alert: Alert, publicUrl: string) {
    const text = escapeSlack(chatText(alert, publicUrl)).slice(0, CHARS_MAX);
    return { text, mrkdwn: false, unfurl_links: false, unfurl_media: false };
  },
  /** Discord, "Execute Webhook". Mentions are disabled. */
  discord(alert: Alert, publicUrl: string) {
    const content = escapeDiscord(chatText(alert, publicUrl)).slice(0, CHARS_MAX);
    return { content, allowed_mentions: { parse: [] } };
  },
} satisfies Record<ChatFormat, (alert: Alert, publicUrl: string) => object>;

function chatText(alert: Alert, publicUrl: string): string {
  const { subject, lines } = describeAlert(alert, publicUrl);
  return [subject, '', ...lines].join('\n');
}

/** See docs.slack.dev/messaging/formatting-message-text, "Escaping text". */
function escapeSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Escapes Discord's markup, mentions, timestamps and emoji. Angle brackets around our own URL prevent a preview. */
function escapeDiscord(text: string): string {
  return text.replace(/: (https?:\/\/\S+)$|[\\*_~`|<>#@:[\]()]|^[-+](?! )/gm, (found, url?: string) =>
    url === undefined ? `\\${found}` : `: <${url}>`,
  );
}
