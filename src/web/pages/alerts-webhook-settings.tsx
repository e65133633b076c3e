import type { Webhook } from '../../app/alerts/webhooks.js';
import type { JSX } from 'preact';
import { FORMATS } from '../../app/alerts/webhook-format.js';
import { Fold } from '../html/fold.js';
import { ActionButton } from '../html/form.js';
import { Group } from '../html/page-header.js';
import { Time } from '../html/text.js';
import { DescriptionList } from '../html/sidebar.js';
import type { FieldErrors } from '../server/form.js';
import { SiteField } from './alerts.js';
import { alertsAddress } from './alerts-addresses.js';

interface SettingsProps {
  readonly webhook: Webhook;
  readonly now: Date;
  /** The submitted text of the field for sites. */
  readonly typedSite: string;
  readonly errors: FieldErrors | null;
}

export function Settings({ webhook, typedSite, errors, now }: SettingsProps): JSX.Element {
  const { id, format, address, site, tag, createdAt } = webhook;
  const scope = tag === null ? (site?.hostname ?? '') : `#${tag}`;
  return (
    <Group title="Settings">
      <DescriptionList
        facts={[
          ['Address', <code>{address}</code>],
          ['Format', FORMATS[format]],
          ['Sites', site === null ? scope || 'All of your sites' : <a href={`/sites/${site.id}`}>{scope}</a>],
          ['Added', <Time at={createdAt} now={now} />],
        ]}
      />
      <Fold title="Change the sites" isOpen={errors?.site !== undefined}>
        <form method="post" action={alertsAddress.site(id)} novalidate>
          <SiteField site={errors?.site === undefined ? scope : typedSite} errors={errors} />
          <button type="submit" class="quiet">
            Save
          </button>
        </form>
      </Fold>
      {format === 'signed' ? (
        <Fold title="Replace the secret">
          <p class="small">
            Messages are signed with a secret, which was shown once. We stop using it at once: give the new one to your
            receiver, or it will reject every message.
          </p>
          <ActionButton action={alertsAddress.secret(id)} kind="danger">
            Replace secret
          </ActionButton>
        </Fold>
      ) : (
        <p class="small soft more">
          Anyone who has the address can post to the channel, so we never show all of it. To replace it, create another
          webhook in {FORMATS[format]}, add it here, and remove this one.
        </p>
      )}
      <Fold title="Remove this webhook">
        <p class="small">
          This deletes unsent alerts to this address at once, with its log
          {format === 'signed' && ' and its secret'}. Your sites, their runs and your other webhooks stay.
        </p>
        <ActionButton action={alertsAddress.remove(id)} kind="danger">
          Remove webhook
        </ActionButton>
      </Fold>
    </Group>
  );
}
