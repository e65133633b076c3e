import type { JSX } from 'preact';
import { Group, HostName } from '../../../web/kit/components/mast.js';
import { Snippet } from '../../../web/kit/components/text.js';
import { RailText } from '../../../web/kit/components/two.js';
import { formatMoment } from '../../../web/kit/format.js';
import type { Page } from '../../../web/kit/page.js';
import { shownOncePage } from '../../../web/kit/shown-once.js';
import { createRunLine, KEY_NAME, SITE_PLACEHOLDER } from './curl.js';

export interface StartARunProps {
  /** A verified site of the account, for a line that works as it stands; null without one. */
  readonly site: { readonly id: string; readonly hostname: string } | null;
  readonly publicUrl: string;
}

/** The one time that a key is shown. */
export function keyCreatedPage(
  created: StartARunProps & {
    readonly id: string;
    readonly name: string;
    readonly key: string;
    readonly expiresAt: string | null;
    readonly now: Date;
  },
): Page {
  const { id, name, key, expiresAt, now, ...run } = created;
  return shownOncePage({
    title: 'Key created',
    heading: 'Copy your new key',
    lead: 'It is shown only once, and we keep no copy.',
    crumbs: [['/keys', 'API keys']],
    here: 'New key',
    words: (
      <>
        <b>
          “<bdi>{name}</bdi>” is created.
        </b>{' '}
        {expiresAt === null
          ? 'It works until you revoke it.'
          : `It expires on ${formatMoment(expiresAt, now.toISOString())} UTC. Put another one in its place before that.`}
      </>
    ),
    secret: key,
    label: 'Your new API key',
    children: <StartARun {...run} />,
    rail: (
      <>
        <RailText title="Keep it secret">
          Anyone who has it can start runs of your sites and read them. Put it into the secret store of your build
          service.
        </RailText>
        <RailText title="Lost it?">
          <a href={`/keys/${id}/revoke`}>Revoke it</a>, and create another.
        </RailText>
        <RailText title="What it can do">
          The <a href="/docs/api">API reference</a> has every request.
        </RailText>
      </>
    ),
    what: 'key',
    doneAt: '/keys',
  });
}

/** The line that starts a run with a key. */
export function StartARun({ site, publicUrl }: StartARunProps): JSX.Element {
  return (
    <Group title="Start a run" meaning="with a key">
      <p>
        With the key in the environment as <code>{KEY_NAME}</code>, this line runs{' '}
        {site === null ? 'a site' : <HostName name={site.hostname} />} and waits for the result:
      </p>
      <Snippet text={createRunLine(publicUrl, site?.id ?? null)} label="Command that starts a run" />
      {site === null && (
        <p class="small soft">
          Put a site’s id in the place of <code>{SITE_PLACEHOLDER}</code>: it is in the address of the site’s page. A
          run can start once the domain is verified. <a href="/sites">Your sites</a>
        </p>
      )}
    </Group>
  );
}
