import type { Site } from '../../sites/site.js';
import { Snippet } from '../../../web/kit/components/text.js';
import { Heading } from '../../../web/kit/layout.js';
import type { Page } from '../../../web/kit/page.js';
import { addressOf } from '../../sites/pages/addresses.js';
import { HookUse } from './deploy-hook.js';
import { callLine, hookUrl } from './hook-snippets.js';

/** The one time that the address is shown. The page asks before it is left, until the address was copied or its own button used. */
export function hookCreatedPage(created: {
  readonly site: Site;
  readonly token: string;
  readonly publicUrl: string;
}): Page {
  const { site, token, publicUrl } = created;
  const address = hookUrl(publicUrl, token);
  return {
    title: `Deploy hook made, ${site.hostname}`,
    status: 201,
    main: (
      <>
        <Heading lead="Copy the address now: it is shown only once and stored nowhere. If you lose it, create a new one.">
          Deploy hook of {site.hostname}
        </Heading>
        {site.verifiedAt === null && (
          <p>
            It works once the domain is verified; until then calls of it are refused.{' '}
            <a href={addressOf.verify(site.id)}>Verify {site.hostname}</a>
          </p>
        )}
        <div data-shown-once>
          <Snippet text={address} label="Address of the deploy hook" />
          <h2>Call it after each deployment</h2>
          <h3>From a script</h3>
          <Snippet text={callLine(address)} label="Command that calls the deploy hook" />
        </div>
        <HookUse line={null} />
        <p>Store it as a secret: anyone with this address can start runs of the site and see its latest score.</p>
        <p>
          <a class="button" href={addressOf.automation(site.id)} data-done>
            I have stored the address
          </a>
        </p>
      </>
    ),
  };
}
