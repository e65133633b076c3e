import type { JSX } from 'preact';
import type { Site } from '../site.js';
import { Time } from '../../../web/kit/components/text.js';
import { addressOf } from './addresses.js';
import { VERIFIED_BY_WORDS } from './words.js';

/** What is known of a site apart from its runs: a part of the rail. */
export function About({ site, now }: { readonly site: Site; readonly now: Date }): JSX.Element {
  const { id, origin, verifiedAt, verifiedBy } = site;
  return (
    <section>
      <h2>About this site</h2>
      <dl class="dl">
        <dt>Runs start at</dt>
        <dd>
          <code>{origin}/</code>
        </dd>
        {verifiedAt !== null && verifiedBy !== null && (
          <>
            <dt>Verified</dt>
            <dd>
              <Time at={verifiedAt} now={now} />, by {VERIFIED_BY_WORDS[verifiedBy]}
            </dd>
          </>
        )}
      </dl>
      <p class="small row">
        {verifiedAt !== null && <a href={addressOf.verify(id)}>Check the proof</a>}
        <a href={addressOf.remove(id)}>Remove this site</a>
      </p>
    </section>
  );
}
