import type { JSX } from 'preact';
import { alertsAddress } from './addresses.js';

/** Alerts by e-mail, on or off. @param props.isOn null where the service has no mail server */
export function EmailAlerts({ email, isOn }: { readonly email: string; readonly isOn: boolean | null }): JSX.Element {
  if (isOn === null) {
    return <p>The operator of this service has configured no mail server, so that alerts cannot come by e-mail.</p>;
  }
  return (
    <form method="post" action={alertsAddress.email} class="row apart">
      <p>
        Alerts by e-mail to <strong>{email}</strong> are <strong>{isOn ? 'on' : 'off'}</strong>.
      </p>
      <button type="submit" name="alerts" value={isOn ? 'off' : 'on'} class="quiet">
        {isOn ? 'Turn e-mail off' : 'Turn e-mail on'}
      </button>
    </form>
  );
}
