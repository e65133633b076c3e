import type { JSX } from 'preact';
import { Group, HostName } from '../html/mast.js';
import { Snippet } from '../html/text.js';
import { RailText } from '../html/two.js';
import { formatMoment } from '../html/format.js';
import type { Page } from '../server/page.js';
import { shownOncePage } from '../server/shown-once.js';

/** Replaces an id that the account does not have yet. */
const SITE_PLACEHOLDER = 'SITE_ID';

/** The environment variable of the key: in the command itself it would stay in the shell's history. */
const KEY_NAME = 'API_KEY';

export interface StartARunProps {
  /** A verified site of the account for the command; null without one. */
  readonly site: { readonly id: string; readonly hostname: string } | null;
  readonly publicUrl: string;
}

/** Shows a new key, once. */
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

/** The command that starts a run with a key. */
export function StartARun({ site, publicUrl }: StartARunProps): JSX.Element {
  const address = `${publicUrl}/api/v1/sites/${site?.id ?? SITE_PLACEHOLDER}/runs`;
  const command = `curl -X POST -H "Authorization: Bearer $${KEY_NAME}" \\\n${address}`;
  return (
    <Group title="Start a run" meaning="with a key">
      <p>
        With the key in the environment as <code>{KEY_NAME}</code>, this line runs{' '}
        {site === null ? 'a site' : <HostName name={site.hostname} />} and waits for the result:
      </p>
      <Snippet text={command} label="Command that starts a run" />
      {site === null && (
        <p class="small soft">
          Put a site’s id in the place of <code>{SITE_PLACEHOLDER}</code>: it is in the address of the site’s page. A
          run can start once the domain is verified. <a href="/sites">Your sites</a>
        </p>
      )}
    </Group>
  );
}
