import type { Site } from '../../sites/site.js';
import { Snippet } from '../../../web/kit/components/text.js';
import type { Page } from '../../../web/kit/page.js';
import { shownOncePage } from '../../../web/kit/shown-once.js';
import { addressOf } from '../../sites/pages/addresses.js';
import { HookUse } from './deploy-hook.js';
import { callLine, hookUrl } from './hook-snippets.js';

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
    heading: `Deploy hook of ${site.hostname}`,
    lead: 'Copy the address now: it is shown only once and stored nowhere. If you lose it, create a new one.',
    before: site.verifiedAt === null && (
      <p>
        It works once the domain is verified; until then calls of it are refused.{' '}
        <a href={addressOf.verify(site.id)}>Verify {site.hostname}</a>
      </p>
    ),
    once: (
      <>
        <Snippet text={address} label="Address of the deploy hook" />
        <h2>Call it after each deployment</h2>
        <h3>From a script</h3>
        <Snippet text={callLine(address)} label="Command that calls the deploy hook" />
      </>
    ),
    children: (
      <>
        <HookUse line={null} />
        <p>Store it as a secret: anyone with this address can start runs of the site and see its latest score.</p>
      </>
    ),
    what: 'address',
    doneAt: addressOf.automation(site.id),
  });
}
