import type { JSX } from 'preact';
import { countOf } from '../../../platform/counts.js';
import { Mark } from '../../../web/kit/components/icons.js';
import { Group } from '../../../web/kit/components/mast.js';
import { Time } from '../../../web/kit/components/text.js';
import type { Part } from '../../part.js';
import type { OwnSite } from '../own-site.js';
import { addressOf } from './addresses.js';
import { ownSite } from './asked-site.js';
import { SiteMast } from './site-mast.js';
import { VERIFIED_BY_WORDS } from './words.js';

/** What is known of a site apart from its runs, and how it is removed. */
export const addSettingsPage: Part = (router, { sites, clock, sendPage }) => {
  router.get('/sites/:siteId/settings', async (ctx) => {
    const site = await ownSite(ctx, { sites });
    sendPage(ctx, {
      title: `Settings of ${site.hostname}`,
      mast: <SiteMast site={site} title="Settings" at={addressOf.settings(site.id)} />,
      main: (
        <div class="w two">
          <div>
            <Ownership site={site} now={clock.now()} />
            <Group title="Remove" meaning="for good" level="h2">
              <p>
                {site.latestNumber === 0
                  ? 'It has no run yet.'
                  : `Its ${countOf(site.latestNumber, 'run')} go with it.`}{' '}
                You are asked for its name first.
              </p>
              <p>
                <a class="btn danger" href={addressOf.remove(site.id)}>
                  Remove this site
                </a>
              </p>
            </Group>
          </div>
          <Facts site={site} now={clock.now()} />
        </div>
      ),
    });
  });
};

interface SiteProps {
  readonly site: OwnSite;
  readonly now: Date;
}

function Ownership({ site: { id, verifiedAt, verifiedBy }, now }: SiteProps): JSX.Element {
  const isVerified = verifiedAt !== null && verifiedBy !== null;
  return (
    <Group title="Ownership" meaning={isVerified ? 'verified' : 'not verified'} level="h2">
      <ul class="items">
        <li>
          <Mark result={isVerified ? 'PASS' : 'UNDETERMINED'} isSaid />
          <span>
            {isVerified ? (
              <>
                Verified by {VERIFIED_BY_WORDS[verifiedBy]}
                <br />
                <span class="soft small">
                  <Time at={verifiedAt} now={now} />
                </span>
              </>
            ) : (
              'No run starts until the domain is yours.'
            )}
          </span>
          <a class="btn quiet tight" href={addressOf.verify(id)}>
            {isVerified ? 'Check again' : 'Verify'}
          </a>
        </li>
      </ul>
    </Group>
  );
}

function Facts({ site: { id, origin, createdAt, latestNumber }, now }: SiteProps): JSX.Element {
  return (
    <aside class="rail">
      <section>
        <h2>For the API</h2>
        <dl class="dl">
          <dt>Site</dt>
          <dd>
            <code>{id}</code>
          </dd>
          <dt>Runs start at</dt>
          <dd>
            <code>{origin}/</code>
          </dd>
          <dt>Added</dt>
          <dd>
            <Time at={createdAt} now={now} />
          </dd>
          <dt>Runs</dt>
          <dd>{latestNumber}</dd>
        </dl>
      </section>
    </aside>
  );
}
