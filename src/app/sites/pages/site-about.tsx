import type { JSX } from 'preact';
import type { Site } from '../site.js';
import { Snippet, Time } from '../../../web/kit/components/text.js';
import { addressOf } from './addresses.js';
import { VERIFIED_BY_WORDS } from './words.js';

/** What is known of a site apart from its runs. */
export function About({ site, now }: { readonly site: Site; readonly now: Date }): JSX.Element {
  const { id, origin, verifiedAt, verifiedBy } = site;
  return (
    <section>
      <h2>About this site</h2>
      <dl>
        <dt>Runs start at</dt>
        <dd class="mono">{origin}/</dd>
        {verifiedAt !== null && verifiedBy !== null && (
          <>
            <dt>Domain verified</dt>
            <dd>
              <Time at={verifiedAt} now={now} />, by {VERIFIED_BY_WORDS[verifiedBy]} (
              <a href={addressOf.verify(id)}>check again</a>)
            </dd>
          </>
        )}
        <dt>Id for the API</dt>
        <dd>
          <Snippet text={id} label="site id" />
        </dd>
      </dl>
      <p>
        <a href={addressOf.remove(id)}>Remove this site</a>
      </p>
    </section>
  );
}
