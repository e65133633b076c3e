import type { Site } from '../../sites/site.js';
import { Callout, Snippet } from '../../../web/kit/components/text.js';
import type { Page } from '../../../web/kit/page.js';
import { shownOncePage } from '../../../web/kit/shown-once.js';
import { addressOf } from '../../sites/pages/addresses.js';
import { HookUse } from './deploy-hook.js';
import { hookUrl } from './hook-snippets.js';

/** The one time that the address is shown. */
export function hookCreatedPage(created: {
  readonly site: Site;
  readonly token: string;
  readonly publicUrl: string;
}): Page {
  const { site, token, publicUrl } = created;
  const address = hookUrl(publicUrl, token);
  return shownOncePage({
    title: `Deploy hook made, ${site.hostname}`,
    heading: 'Copy the address now',
    lead: 'It is shown only once, and we keep no copy. If you lose it, make a new one.',
    crumbs: [
      ['/sites', 'Sites'],
      [addressOf.site(site.id), site.hostname],
      [addressOf.automation(site.id), 'Automation'],
    ],
    here: 'Deploy hook',
    before: site.verifiedAt === null && (
      <Callout result="UNDETERMINED">
        <b>It works once the domain is verified.</b> Until then calls of it are refused.{' '}
        <a href={addressOf.verify(site.id)}>Verify {site.hostname}</a>
      </Callout>
    ),
    once: (
      <>
        <p>
          <b>The deploy hook of {site.hostname} is made.</b> Keep it as a secret: anyone with this address can start
          runs of the site and see its latest score.
        </p>
        <Snippet text={address} label="Address of the deploy hook" />
      </>
    ),
    children: (
      <>
        <h2>Call it after each deployment</h2>
        <HookUse />
      </>
    ),
    what: 'address',
    doneAt: addressOf.automation(site.id),
  });
}
