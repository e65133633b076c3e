import type { Site } from '../../app/sites/site.js';
import { Group, HostName } from '../html/mast.js';
import { Callout } from '../html/text.js';
import { RailText } from '../html/two.js';
import type { Page } from '../server/page.js';
import { shownOncePage } from '../server/shown-once.js';
import { addressOf } from '../server/site-paths.js';
import { HookUse, hookUrl } from './deploy-hook.js';

/** The only page that shows the address. */
export function hookCreatedPage(created: {
  readonly site: Site;
  readonly token: string;
  readonly publicUrl: string;
}): Page {
  const { site, token, publicUrl } = created;
  return shownOncePage({
    title: `Deploy hook created, ${site.hostname}`,
    heading: 'Copy the address now',
    lead: 'It is shown only once, and we keep no copy.',
    crumbs: [
      ['/sites', 'Sites'],
      [addressOf.site(site.id), site.hostname],
      [addressOf.automation(site.id), 'Automation'],
    ],
    here: 'Deploy hook',
    before: site.verifiedAt === null && (
      <Callout result="UNDETERMINED">
        <b>It works once the domain is verified.</b> Until then its calls are refused.{' '}
        <a href={addressOf.verify(site.id)}>Verify {site.hostname}</a>
      </Callout>
    ),
    words: (
      <>
        <b>
          The deploy hook of <HostName name={site.hostname} /> is ready.
        </b>{' '}
        Each call to this address starts a run.
      </>
    ),
    secret: hookUrl(publicUrl, token),
    label: 'Address of the deploy hook',
    children: (
      <Group title="Call it" meaning="after each deployment">
        <HookUse />
      </Group>
    ),
    rail: (
      <>
        <RailText title="Keep it secret">
          Anyone with this address can start runs of the site and see its latest score.
        </RailText>
        <RailText title="Lost it?">
          Create a new one under <a href={addressOf.automation(site.id)}>Automation</a>. This one then stops working.
        </RailText>
      </>
    ),
    what: 'address',
    doneAt: addressOf.automation(site.id),
  });
}
