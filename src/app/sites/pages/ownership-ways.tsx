import type { JSX } from 'preact';
import type { OwnershipAttempt, OwnershipInstructions, OwnershipWay } from '../ownership.js';
import { ActionButton } from '../../../web/kit/components/form.js';
import { Group } from '../../../web/kit/components/mast.js';
import { Mark } from '../../../web/kit/components/icons.js';
import { Snippet } from '../../../web/kit/components/text.js';
import { addressOf } from './addresses.js';

interface OwnershipWaysProps {
  readonly siteId: string;
  readonly ways: OwnershipInstructions;
  /** What the last look saw in each place. */
  readonly attempts?: readonly OwnershipAttempt[];
}

/** The ways to prove that a domain is one's own, and the button that checks them: where that was done, the message above has it. */
export function OwnershipWays({ siteId, ways, attempts = [] }: OwnershipWaysProps): JSX.Element {
  const { dns, domain, file, meta } = ways;
  const seen = (way: OwnershipWay): JSX.Element => <Seen attempt={attempts.find((one) => one.way === way)} />;
  return (
    <>
      {attempts.length === 0 && <p>One of these is enough. The text may be seen by anyone.</p>}
      <Group title="A file" meaning="the quickest way">
        <p>Publish a text file with this line and nothing else:</p>
        <Snippet text={file.body} label="text of the file" />
        <p>At this address:</p>
        <Snippet text={file.url} label="address of the file" />
        {seen('file')}
      </Group>
      {dns && (
        <Group title="A DNS record" meaning="if you cannot touch the site">
          <p>Add a TXT record where the DNS of the domain is managed. New records may take some minutes to be seen.</p>
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
            This TXT record speaks for every name of {domain.domain}. Check each site that you add later. A site
            verified by it alone is lost with it.
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

/** What was there instead, in our own words: right below what is expected. */
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
