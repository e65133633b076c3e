import {
  describeChange,
  type PeopleEvent,
  type SiteChangedEvent,
  type TurnOffCause,
  type WebhookDisabledEvent,
} from './alert-event.js';
import type { AlertChange } from './changes.js';
import { tellOfDigest } from './digest-words.js';
import { tellOfOwnership, tellOfUnreadProof } from './ownership-words.js';
import type { Told } from './told.js';
import { FORMATS } from './webhook-format.js';

/** What an event says to people: the same in a mail and in a chat. @param publicUrl the origin of links */
export function tellOf(event: PeopleEvent, publicUrl: string): Told {
  switch (event.type) {
    case 'site.changed':
      return tellOfChange(event);
    case 'webhook.disabled':
      return tellOfWebhook(event, publicUrl);
    case 'site.proof_unread':
      return tellOfUnreadProof(event, publicUrl);
    case 'site.ownership_lost':
      return tellOfOwnership(event, publicUrl);
    case 'digest.weekly':
      return tellOfDigest(event, publicUrl);
    case 'test':
      return {
        subject: 'This is a test',
        lines: [
          'It works: when something changes on one of your sites, you are told here.',
          { link: 'Your alerts', url: `${publicUrl}/alerts` },
        ],
      };
  }
}

function tellOfChange({ data: { site, run, previousScore, changes }, pins }: SiteChangedEvent): Told {
  const at = run.commit ? ` at commit ${run.commit}` : '';
  const score = (value: number | null): string => (value === null ? 'n/a' : String(value));
  const isWorse = changes.some(({ kind }) => kind !== 'CHECK_FIXED' && kind !== 'SITE_REACHABLE');
  return {
    subject: `${site.hostname}: ${summarise(changes, run.score, previousScore)}${at && `,${at}`}`,
    lines: [
      `What changed on ${site.hostname}${at}:`,
      '',
      ...changes.map((change) => ({ item: describeChange(change) })),
      '',
      ...(pins ? [{ pins: pins.drawn }, `${pins.words}.`, ''] : []),
      `Score: ${score(run.score)} (before: ${score(previousScore)}), run ${run.reference}`,
      { link: 'See what was found and how to fix it', url: run.url },
    ],
    tone: isWorse ? 'worse' : 'better',
  };
}

const TURN_OFF_CAUSES: Readonly<Record<TurnOffCause, string>> = {
  gone: 'it answered that it wants no more messages',
  failing: 'it took no message for five days',
};

function tellOfWebhook({ data: { webhook, cause, service } }: WebhookDisabledEvent, publicUrl: string): Told {
  const subject = `Your webhook at ${webhook.host} was turned off`;
  const page = `${publicUrl}/alerts/webhooks/${webhook.id}`;
  // One that was deleted there never works again.
  if (cause === 'gone' && service) {
    const name = FORMATS[service];
    return {
      subject,
      lines: [
        `${subject}: ${name} answered that there is no such webhook any more. To be told there again, make another one in ${name}.`,
        '',
        { link: 'Add the new one', url: `${publicUrl}/alerts` },
        { link: 'See what was sent to the old one, and remove it', url: page },
      ],
    };
  }
  const why = cause ? TURN_OFF_CAUSES[cause] : `${TURN_OFF_CAUSES.gone}, or ${TURN_OFF_CAUSES.failing}`;
  return {
    subject,
    lines: [
      `${subject}: ${why}.`,
      '',
      { link: 'See what was sent to it, and turn it on again once it works', url: page },
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
