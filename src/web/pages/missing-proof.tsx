import type { JSX } from 'preact';
import { Snippet, Time } from '../html/text.js';
import type { OwnershipInstructions } from '../../app/sites/proof.js';
import type { Site } from '../../app/sites/site.js';
import { describeDeadlines, describeMissing } from '../../app/sites/ownership-recheck.js';
import { addressOf } from '../server/site-paths.js';

interface MissingProofNoticeProps {
  readonly site: Site;
  readonly ways: OwnershipInstructions;
  readonly now: Date;
}

/** Notice that the proof of a site is missing, with instructions. */
export function MissingProofNotice({ site, ways, now }: MissingProofNoticeProps): JSX.Element | null {
  const { id, missingProof } = site;
  if (!missingProof) return null;
  const { file } = ways;
  const record = site.verifiedBy === 'domain' ? ways.domain : null;
  const dns = record ?? ways.dns;
  return (
    <div class="note is-u" role="status">
      <p>
        <b>{describeMissing(missingProof)}.</b> We first missed it <Time at={missingProof.since} now={now} />.{' '}
        {describeDeadlines(missingProof)}
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
        <a href={addressOf.verify(id)}>Check the proof now</a>
      </p>
    </div>
  );
}
