import type { JSX } from 'preact';
import { alertsAddress } from './addresses.js';

/** Alerts by e-mail, on or off: where the service has a mail server. */
export function EmailAlerts({ email, isOn }: { readonly email: string; readonly isOn: boolean }): JSX.Element {
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
