import type { JSX } from 'preact';
import { Field } from '../html/form.js';
import { Fold } from '../html/fold.js';
import { Group } from '../html/mast.js';
import { Radios } from '../html/radios.js';
import type { FieldErrors } from '../server/form.js';
import { WEBHOOKS_PER_ACCOUNT_MAX } from '../../app/alerts/webhooks.js';
import { FORMATS, isChosenFormat } from '../../app/alerts/webhook-format.js';
import { alertsAddress } from './alerts-addresses.js';

interface AddWebhookFormProps {
  /** How many webhooks the account has. */
  readonly count: number;
  readonly url: string;
  readonly format: string;
  readonly site: string;
  readonly errors: FieldErrors | null;
}

const CHOICES = [
  { value: 'auto', label: 'Automatic' },
  ...Object.entries(FORMATS).map(([value, label]) => ({ value, label })),
];

export function AddWebhookForm({ count, url, format, site, errors }: AddWebhookFormProps): JSX.Element {
  const left = WEBHOOKS_PER_ACCOUNT_MAX - count;
  const form = (
    <form method="post" action={alertsAddress.webhooks} novalidate>
      <Field
        name="url"
        label="Address"
        value={url}
        inputMode="url"
        autocomplete="off"
        isVerbatim
        hint="A Slack or Discord webhook, or your own server, such as https://example.com/alerts."
        errors={errors}
      />
      <Radios
        name="format"
        legend="Format"
        options={CHOICES}
        value={isChosenFormat(format) ? format : 'auto'}
        hint="Choose Slack for software that accepts Slack messages, such as Mattermost."
        errors={errors}
      />
      <SiteField site={site} errors={errors} />
      <button type="submit">Add webhook</button>
    </form>
  );
  return (
    <Group title={count > 0 ? 'Another webhook' : 'Add a webhook'} meaning={describeLeft(left)} id="add">
      {count === 0 && (
        <p>
          A webhook is an address that accepts messages: a channel in Slack or Discord, your own server, or a service
          such as Zapier or n8n. A chat’s webhook is off until you have seen a message there.
        </p>
      )}
      {left === 0 && (
        <p>An account has at most {WEBHOOKS_PER_ACCOUNT_MAX} webhooks. To add another, remove one first.</p>
      )}
      {left > 0 && count === 0 && form}
      {left > 0 && count > 0 && (
        <Fold title="Add a webhook" isOpen={errors !== null}>
          {form}
        </Fold>
      )}
    </Group>
  );
}

/** The sites whose alerts a webhook gets. */
export function SiteField({ site, errors }: Pick<AddWebhookFormProps, 'site' | 'errors'>): JSX.Element {
  return (
    <Field
      name="site"
      label="Only for one site or tag (optional)"
      value={site}
      autocomplete="off"
      required={false}
      maxLength={2000}
      isVerbatim
      hint="A host name, such as www.example.com, or a tag, such as #shops. Empty: all of your sites."
      errors={errors}
    />
  );
}

function describeLeft(left: number): string {
  if (left === WEBHOOKS_PER_ACCOUNT_MAX) return `up to ${left}`;
  return left === 0 ? 'none left' : `${left} more`;
}
