import type { JSX } from 'preact';
import { Notice, Snippet, Time } from '../../../web/components/text.js';
import { countOf } from '../../../platform/counts.js';
import type { OwnershipInstructions } from '../ownership.js';
import type { Site } from '../sites.js';
import { daysLeft, isRestricted, LOST_AFTER_DAYS, RESTRICTED_AFTER_DAYS, type UnreadProof } from '../unread-proof.js';
import { addressOf } from './addresses.js';

interface UnreadProofNoticeProps {
  readonly site: Site;
  readonly ways: OwnershipInstructions;
  readonly now: Date;
}

/** What the owner of a site has to know while its proof is not found; nothing while it is. */
export function UnreadProofNotice({ site, ways, now }: UnreadProofNoticeProps): JSX.Element | null {
  const { id, unreadProof } = site;
  if (!unreadProof) return null;
  const { dns, file } = ways;
  return (
    <Notice>
      <p>
        <strong>{describeUnread(unreadProof)}.</strong> We first missed it <Time at={unreadProof.since} now={now} />.{' '}
        {whatFollows(unreadProof)}
      </p>
      {dns ? (
        <>
          <p>Publish this TXT record, which no firewall hides, or let us read {file.url}:</p>
          <Snippet text={dns.name} label="name of the TXT record" />
          <Snippet text={dns.value} label="value of the TXT record" />
        </>
      ) : (
        <p>Let us read {file.url}.</p>
      )}
      <p>
        <a href={addressOf.verify(id)}>Have the proof checked</a>
      </p>
    </Notice>
  );
}

/** Without its full stop. */
export function describeUnread({ days }: UnreadProof): string {
  return days === 0 ? 'We could not read your proof' : `We could not read your proof for ${countOf(days, 'day')}`;
}

function whatFollows(unread: UnreadProof): string {
  const left = countOf(daysLeft(unread.days), 'day');
  return isRestricted(unread)
    ? `Until we can, runs do not try the names of AI agents (C-BOT-03) and keep no evidence. In ${left} the site is no longer verified.`
    : `After ${countOf(RESTRICTED_AFTER_DAYS, 'day')}, runs do not try the names of AI agents (C-BOT-03) and keep no evidence; after ${LOST_AFTER_DAYS} the site is no longer verified.`;
}
