import type { JSX } from 'preact';
import { Snippet, Time } from '../../../web/kit/components/text.js';
import type { OwnershipInstructions } from '../ownership.js';
import type { Site } from '../site.js';
import { describeEnd, describeUnread } from '../unread-proof-words.js';
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
  const { file } = ways;
  const record = site.verifiedBy === 'domain' ? ways.domain : null;
  const dns = record ?? ways.dns;
  return (
    <div class="note is-u" role="status">
      <p>
        <b>{describeUnread(unreadProof)}.</b> We first missed it <Time at={unreadProof.since} now={now} />.{' '}
        {describeEnd(unreadProof).join(' ')}
      </p>
      {dns ? (
        <>
          <p>
            {record
              ? `Publish this TXT record again, which verified your sites of ${record.domain}:`
              : `Publish this TXT record, which no firewall hides, or let us read ${file.url}:`}
          </p>
          <Snippet text={dns.name} label="name of the TXT record" />
          <Snippet text={dns.value} label="value of the TXT record" />
        </>
      ) : (
        <p>Let us read {file.url}.</p>
      )}
      <p>
        <a href={addressOf.verify(id)}>Have the proof checked</a>
      </p>
    </div>
  );
}
