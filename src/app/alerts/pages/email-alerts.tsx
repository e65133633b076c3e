import type { JSX } from 'preact';
import { alertsAddress } from './addresses.js';

/** Alerts by e-mail, on or off. @param props.isOn null where the service has no mail server */
export function EmailAlerts({ email, isOn }: { readonly email: string; readonly isOn: boolean | null }): JSX.Element {
  return (
    <>
      <h2>E-mail</h2>
      {isOn === null ? (
        <p>The operator of this service has configured no mail server, so that alerts cannot come by e-mail.</p>
      ) : (
        <form method="post" action={alertsAddress.email}>
          <p>
            Alerts by e-mail to <strong>{email}</strong> are <strong>{isOn ? 'on' : 'off'}</strong>.
          </p>
          <button type="submit" name="alerts" value={isOn ? 'off' : 'on'} class={isOn ? 'quiet' : undefined}>
            {isOn ? 'Turn e-mail off' : 'Turn e-mail on'}
          </button>
        </form>
      )}
    </>
  );
}
