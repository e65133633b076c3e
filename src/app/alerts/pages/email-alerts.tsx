import type { JSX } from 'preact';
import { Time } from '../../../web/kit/components/text.js';
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

/** The weekly digest, on or off, for those who have many sites. @param props.nextAt when it is due; null: it is off */
export function WeeklyDigest({ nextAt, now }: { readonly nextAt: string | null; readonly now: Date }): JSX.Element {
  const isOn = nextAt !== null;
  return (
    <form method="post" action={alertsAddress.digest} class="row apart">
      <p>
        The weekly digest is <strong>{isOn ? 'on' : 'off'}</strong>.{' '}
        <span class="soft">
          On Mondays, one mail says which of your sites got worse, got better or lost their score. A week without
          changes has none.
        </span>
        {isOn && (
          <>
            {' '}
            The next is due <Time at={nextAt} now={now} />.
          </>
        )}
      </p>
      <button type="submit" name="digest" value={isOn ? 'off' : 'weekly'} class="quiet">
        {isOn ? 'Turn the digest off' : 'Turn the digest on'}
      </button>
    </form>
  );
}
