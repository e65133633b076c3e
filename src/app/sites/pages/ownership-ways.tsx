import type { OwnershipInstructions } from '../ownership.js';
import { ActionButton } from '../../../web/kit/components/form.js';
import { Group } from '../../../web/kit/components/mast.js';
import { Snippet } from '../../../web/kit/components/text.js';
import { addressOf } from './addresses.js';

/** The three ways to prove that a domain is one's own, and the button that checks them. */
export function OwnershipWays({ siteId, ways }: { readonly siteId: string; readonly ways: OwnershipInstructions }) {
  const { dns, file, meta } = ways;
  return (
    <>
      <p>
        Do one of these, whichever is easiest for you, and let us check. The text to publish is yours alone, and no
        secret.
      </p>
      <Group title="A file" meaning="the quickest way">
        <p>
          Publish a text file with this line and nothing else at <code>{file.url}</code>
        </p>
        <Snippet text={file.body} label="text of the file" />
      </Group>
      {dns && (
        <Group title="A DNS record" meaning="if you cannot touch the site">
          <p>Add a TXT record where the DNS of the domain is managed. New records may take some minutes to be seen.</p>
          <p>Name</p>
          <Snippet text={dns.name} label="name of the TXT record" />
          <p>Value</p>
          <Snippet text={dns.value} label="value of the TXT record" />
        </Group>
      )}
      <Group title="A meta tag" meaning="on the home page">
        <p>
          Put this into the <code>&lt;head&gt;</code> of <code>{meta.url}</code>
        </p>
        <Snippet text={meta.tag} label="meta tag" />
      </Group>
      <ActionButton action={addressOf.verify(siteId)} icon="again">
        Check ownership now
      </ActionButton>
    </>
  );
}
