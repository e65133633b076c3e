import type { JSX } from 'preact';
import { ActionButton } from '../../../web/kit/components/form.js';
import { Icon } from '../../../web/kit/components/icons.js';
import { Group } from '../../../web/kit/components/mast.js';
import type { OwnSite } from '../own-site.js';
import { addressOf } from './addresses.js';

/** Whether alerts of this site go by e-mail where the account has them sent so. */
export function MailOfSite({ site: { id, mailMutedAt } }: { readonly site: OwnSite }): JSX.Element {
  const isOn = mailMutedAt === null;
  return (
    <Group title="Alerts" meaning="by e-mail">
      <ul class="items">
        <li>
          <Icon name="mail" />
          <span>
            {isOn ? 'Sent where e-mail is on under Alerts' : 'Not sent for this site'}
            <br />
            <span class="soft small">What tells of a missing proof always is.</span>
          </span>
          <ActionButton action={addressOf.mail(id)} kind="quiet" isTight fields={{ alerts: isOn ? 'off' : 'on' }}>
            {isOn ? 'Turn off' : 'Turn on'}
            <span class="hide"> alerts of this site by e-mail</span>
          </ActionButton>
        </li>
      </ul>
    </Group>
  );
}
