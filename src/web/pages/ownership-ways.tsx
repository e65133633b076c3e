import type { JSX } from 'preact';
import {
  type OwnershipAttempt,
  type OwnershipInstructions,
  type ProofMethod,
  RECHECK_AFTER_DAYS,
} from '../../app/sites/proof.js';
import { ActionButton } from '../html/form.js';
import { Group } from '../html/mast.js';
import { Mark } from '../html/icons.js';
import { Snippet } from '../html/text.js';
import { RailText } from '../html/two.js';
import type { NumberedSite } from '../../app/sites/site.js';
import { addressOf } from '../server/site-paths.js';
import { StepsRail } from './steps.js';

interface OwnershipWaysProps {
  readonly siteId: string;
  readonly ways: OwnershipInstructions;
  /** What the last check saw in each place. */
  readonly attempts?: readonly OwnershipAttempt[];
}

/** The ways to verify a domain. After a check, the button is in the message above instead. */
export function OwnershipWays({ siteId, ways, attempts = [] }: OwnershipWaysProps): JSX.Element {
  const { dns, domain, file, meta } = ways;
  const seen = (method: ProofMethod): JSX.Element => <Seen attempt={attempts.find((one) => one.method === method)} />;
  return (
    <>
      {attempts.length === 0 && <p>Any one of these is enough. The token isn’t secret.</p>}
      <Group title="A file" meaning="the quickest way">
        <p>Publish a text file that contains only this line:</p>
        <Snippet text={file.body} label="text of the file" />
        <p>At this address:</p>
        <Snippet text={file.url} label="address of the file" />
        {seen('file')}
      </Group>
      {dns && (
        <Group title="A DNS record" meaning="if you can’t change the site">
          <p>Add a TXT record where the DNS of the domain is managed. New records can take some minutes to appear.</p>
          <p>Name</p>
          <Snippet text={dns.name} label="name of the TXT record" />
          <p>Value</p>
          <Snippet text={dns.value} label="value of the TXT record" />
          {seen('dns')}
        </Group>
      )}
      <Group title="A meta tag" meaning="on the home page">
        <p>
          Put this into the <code>&lt;head&gt;</code> of <code>{meta.url}</code>
        </p>
        <Snippet text={meta.tag} label="meta tag" />
        {seen('meta')}
      </Group>
      {domain && (
        <Group title="One record for all" meaning={`of ${domain.domain}`}>
          <p>
            This record covers every subdomain of {domain.domain}. Check each site that you add later. Remove the
            record, and sites verified only by it lose their verification.
          </p>
          <p>Name</p>
          <Snippet text={domain.name} label="name of the TXT record for the domain" />
          <p>Value</p>
          <Snippet text={domain.value} label="value of the TXT record for the domain" />
          {seen('domain')}
        </Group>
      )}
      {attempts.length === 0 && (
        <Group title="Check" meaning="once it is there">
          <ActionButton action={addressOf.verify(siteId)} icon="again">
            Check ownership now
          </ActionButton>
        </Group>
      )}
    </>
  );
}

/** What the last check found instead of the proof. */
function Seen({ attempt }: { readonly attempt: OwnershipAttempt | undefined }): JSX.Element | null {
  if (attempt === undefined) return null;
  return (
    <ul class="items">
      <li>
        <Mark result="FAIL" isSaid />
        <span>
          <b>Seen:</b> {attempt.seen}
        </span>
      </li>
    </ul>
  );
}

/** Sidebar of the page: steps, a hint, and the link that removes the site. */
export function OwnershipRail({ site }: { readonly site: NumberedSite }): JSX.Element {
  const { id, verifiedAt, latestNumber } = site;
  return (
    <>
      {verifiedAt === null && latestNumber === 0 && <StepsRail at={1} />}
      <RailText title="Good to know">
        Leave the text in place: we look for it again every {RECHECK_AFTER_DAYS} days.
      </RailText>
      <p class="small">
        <a href={addressOf.remove(id)}>Remove this site</a>
      </p>
    </>
  );
}
