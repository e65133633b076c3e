import { describeChange, type PeopleEvent, type SiteChangedEvent, type WebhookDisabledEvent } from './alert-event.js';
import type { AlertChange } from './changes.js';
import { tellOfDigest } from './digest-words.js';
import { tellOfOwnership, tellOfUnreadProof } from './ownership-words.js';
import type { Told } from './told.js';

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

function tellOfWebhook({ data: { webhook } }: WebhookDisabledEvent, publicUrl: string): Told {
  return {
    subject: `Your webhook at ${webhook.host} was turned off`,
    lines: [
      `Your webhook at ${webhook.host} was turned off: it answered that it wants no more messages, or took none for five days.`,
      '',
      {
        link: 'See what was sent to it, and turn it on again once it works',
        url: `${publicUrl}/alerts/webhooks/${webhook.id}`,
      },
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
