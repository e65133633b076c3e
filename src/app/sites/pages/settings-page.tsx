import type { JSX } from 'preact';
import { countOf } from '../../../platform/counts.js';
import { Icon, Mark } from '../../../web/kit/components/icons.js';
import { Group, HostName } from '../../../web/kit/components/mast.js';
import { formatMoment } from '../../../web/kit/format.js';
import type { Part } from '../../part.js';
import type { OwnSite } from '../own-site.js';
import { describeUnread } from '../unread-proof-words.js';
import { addressOf } from './addresses.js';
import { ownSite } from './asked-site.js';
import { CRUMB_CHARS, SiteMast } from './site-mast.js';
import { VERIFIED_BY_WORDS } from './words.js';
import { Snippet, Time } from '../../../web/kit/components/text.js';
import { Facts, RailPart, Two } from '../../../web/kit/components/two.js';

/** What is known of a site apart from its runs, and how it is removed. */
export const addSettingsPage: Part = (router, { sites, schedules, clock, sendPage }) => {
  router.get('/sites/:siteId/settings', async (ctx) => {
    const site = await ownSite(ctx, { sites });
    const { nextRunAt } = await schedules.get(site);
    sendPage(ctx, {
      title: `Settings of ${site.hostname}`,
      mast: (
        <SiteMast
          site={site}
          title="Settings"
          lead={site.verifiedAt === null ? 'Not verified: no run can start.' : 'Verified: runs can start.'}
          at={addressOf.settings(site.id)}
        />
      ),
      main: (
        <Two rail={<AtAGlance site={site} now={clock.now()} />}>
          <Ownership site={site} now={clock.now()} />
          <Group title="Runs" meaning="by hand or automatic">
            <ul class="items">
              <li>
                <Icon name="clock" />
                <span>
                  <WhenItRuns nextRunAt={nextRunAt} now={clock.now()} />
                  <br />
                  <span class="soft small">
                    Each run begins at <HomePage site={site} />
                  </span>
                </span>
                <a class="btn quiet tight" href={addressOf.automation(site.id)}>
                  {nextRunAt === null ? 'Set a schedule' : 'Change'}
                  <span class="hide">{nextRunAt !== null && ' the schedule'}</span>
                </a>
              </li>
            </ul>
          </Group>
          <Group title="Remove" meaning="cannot be undone">
            <ul class="items">
              <li>
                <Icon name="bin" />
                <span>
                  {describeLoss(site)}
                  <br />
                  <span class="soft small">You confirm on the next page.</span>
                </span>
                <a class="btn danger tight" href={addressOf.remove(site.id)}>
                  Remove this site
                </a>
              </li>
            </ul>
          </Group>
        </Two>
      ),
    });
  });
};

/** `By schedule, next in 4 hours`: how often is told where it is set. */
function WhenItRuns({ nextRunAt, now }: { readonly nextRunAt: string | null; readonly now: Date }): JSX.Element {
  if (nextRunAt === null) return <>By hand only</>;
  if (Date.parse(nextRunAt) <= now.getTime()) return <>By schedule, the next is due now</>;
  return (
    <>
      By schedule, next <Time at={nextRunAt} now={now} />
    </>
  );
}

/** What goes with the site: `Its 14 runs go with it`. */
function describeLoss({ latestNumber }: OwnSite): string {
  if (latestNumber === 0) return 'Its settings go with it';
  return `Its ${countOf(latestNumber, 'run')} ${latestNumber === 1 ? 'goes' : 'go'} with it`;
}

/** In one line: who removes or verifies a site knows which it is. */
function HomePage({ site: { origin, hostname } }: { readonly site: OwnSite }): JSX.Element {
  return (
    <>
      {new URL(origin).protocol}//
      <HostName name={hostname} max={CRUMB_CHARS} />/
    </>
  );
}

interface SiteProps {
  readonly site: OwnSite;
  readonly now: Date;
}

function Ownership({ site: { id, verifiedAt, verifiedBy, unreadProof }, now }: SiteProps): JSX.Element {
  const isVerified = verifiedAt !== null && verifiedBy !== null;
  return (
    <Group title="Ownership" meaning="runs start once verified">
      <ul class="items">
        <li>
          <Mark result={isVerified && !unreadProof ? 'PASS' : 'UNDETERMINED'} isSaid />
          <span>
            {isVerified ? (
              <>
                Verified by {VERIFIED_BY_WORDS[verifiedBy]}
                <br />
                <span class="soft small">
                  <At at={verifiedAt} now={now} />
                  {unreadProof && `. ${describeUnread(unreadProof)}`}
                </span>
              </>
            ) : (
              'Not verified: no run starts until you show that the domain is yours.'
            )}
          </span>
          <a class="btn quiet tight" href={addressOf.verify(id)}>
            {isVerified ? 'Check ownership' : 'Verify'}
          </a>
        </li>
      </ul>
    </Group>
  );
}

function AtAGlance({ site: { id, createdAt, latestNumber }, now }: SiteProps): JSX.Element {
  return (
    <>
      <RailPart title="At a glance">
        <Facts
          facts={[
            ['Added', <At at={createdAt} now={now} />],
            ['Runs kept', latestNumber === 0 ? 'none yet' : <a href={addressOf.runs(id)}>{latestNumber}</a>],
          ]}
        />
      </RailPart>
      <RailPart title="Id for the API">
        <Snippet text={id} label="id of the site" />
      </RailPart>
    </>
  );
}

function At({ at, now }: { readonly at: string; readonly now: Date }): JSX.Element {
  return <time dateTime={at}>{formatMoment(at, now.toISOString())} UTC</time>;
}
