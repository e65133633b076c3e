import { Snippet } from '../../../web/kit/components/text.js';
import { formatMoment } from '../../../web/kit/format.js';
import type { Page } from '../../../web/kit/page.js';
import { shownOncePage } from '../../../web/kit/shown-once.js';
import { createRunLine, SITE_PLACEHOLDER } from './curl.js';

/** The one time that a key is shown. */
export function keyCreatedPage(created: {
  readonly name: string;
  readonly key: string;
  readonly expiresAt: string | null;
  /** A verified site of the account, for a line that works as it stands; null without one. */
  readonly siteId: string | null;
  readonly publicUrl: string;
  readonly now: Date;
}): Page {
  const { name, key, expiresAt, siteId, now } = created;
  return shownOncePage({
    title: 'Key created',
    heading: 'Copy your new key',
    lead: (
      <>
        It is shown only once, and we keep no copy. If you lose it, revoke “<bdi>{name}</bdi>” and create another.
      </>
    ),
    before: expiresAt !== null && (
      <p>It expires on {formatMoment(expiresAt, now.toISOString())} UTC. Put another one in its place before that.</p>
    ),
    once: (
      <>
        <Snippet text={key} label="Your new API key" />
        <h2>Start a run with it</h2>
        <Snippet text={createRunLine(created)} label="Command that starts a run" />
      </>
    ),
    children: (
      <>
        {siteId === null && (
          <p>
            Put a site’s id in the place of <code>{SITE_PLACEHOLDER}</code>: it is in the address of the site’s page. A
            run can start once the ownership of the domain is verified. <a href="/sites">Your sites</a>
          </p>
        )}
        <p>
          Store it as a secret, for example in the secret store of your build service: anyone who has it can read the
          runs of your sites. The <a href="/docs/api">API reference</a> says what it opens.
        </p>
      </>
    ),
    what: 'key',
    doneAt: '/keys',
  });
}
