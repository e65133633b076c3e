import type { ComponentChildren, JSX } from 'preact';
import type { OwnershipInstructions } from '../ownership.js';
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
      {dns && (
        <Way title="A DNS record">
          <p>Add a TXT record where the DNS of the domain is managed. New records may take some minutes to be seen.</p>
          <p>Name</p>
          <Snippet text={dns.name} label="name of the TXT record" />
          <p>Value</p>
          <Snippet text={dns.value} label="value of the TXT record" />
        </Way>
      )}
      <Way title="A file on the site">
        <p>
          Publish a text file with this line and nothing else at <span class="mono">{file.url}</span>
        </p>
        <Snippet text={file.body} label="text of the file" />
      </Way>
      <Way title="A meta tag on the home page">
        <p>
          Put this into the <code>&lt;head&gt;</code> of <span class="mono">{meta.url}</span>
        </p>
        <Snippet text={meta.tag} label="meta tag" />
      </Way>
      <form method="post" action={addressOf.verify(siteId)}>
        <button type="submit">Check ownership now</button>
      </form>
    </>
  );
}

function Way({ title, children }: { readonly title: string; readonly children: ComponentChildren }): JSX.Element {
  return (
    <section>
      <h2>{title}</h2>
      {children}
    </section>
  );
}
