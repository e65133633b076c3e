import type { JSX } from 'preact';
import { FORMATS, isChosenFormat } from '../../app/alerts/webhook-format.js';
import { WEBHOOKS_PER_ACCOUNT_MAX } from '../../app/alerts/webhooks.js';
import { Fold } from '../html/fold.js';
import { Field } from '../html/form.js';
import { Group } from '../html/page-header.js';
import { Radios } from '../html/radios.js';
import type { FieldErrors } from '../server/form.js';

export const ALERTS = '/alerts';

export function webhookPath(id: string): string {
  return `${ALERTS}/webhooks/${id}`;
}

interface AddWebhookProps {
  /** How many webhooks the account has. */
  readonly count: number;
  readonly typed: Readonly<Record<'url' | 'format' | 'site', string>>;
  readonly errors: FieldErrors | null;
}

const FORMAT_CHOICES = [
  { value: 'auto', label: 'Automatic' },
  ...Object.entries(FORMATS).map(([value, label]) => ({ value, label })),
];

export function AddWebhook({ count, typed: { url, format, site }, errors }: AddWebhookProps): JSX.Element {
  const left = WEBHOOKS_PER_ACCOUNT_MAX - count;
  if (left === 0) {
    return (
      <Group title="Another webhook">
        <p>An account has at most {WEBHOOKS_PER_ACCOUNT_MAX} webhooks. To add another, remove one first.</p>
      </Group>
    );
  }
  const form = (
    <form method="post" action={`${ALERTS}/webhooks`} novalidate>
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
        options={FORMAT_CHOICES}
        value={isChosenFormat(format) ? format : 'auto'}
        hint="Choose Slack for software that accepts Slack messages, such as Mattermost."
        errors={errors}
      />
      <SiteField site={site} errors={errors} />
      <button type="submit">Add webhook</button>
    </form>
  );
  return (
    <Group title={count > 0 ? 'Another webhook' : 'Add a webhook'} meaning={`up to ${left}`} id="add">
      {count > 0 ? (
        <Fold title="Add a webhook" isOpen={(errors?.url ?? errors?.format ?? errors?.site) !== undefined}>
          {form}
        </Fold>
      ) : (
        <>
          <p>
            A webhook is an address that accepts messages: a channel in Slack or Discord, your own server, or a service
            such as Zapier or n8n.
          </p>
          {form}
        </>
      )}
    </Group>
  );
}

interface SiteFieldProps {
  readonly site: string;
  readonly errors: FieldErrors | null;
}

/** The sites whose alerts a webhook gets. */
export function SiteField({ site, errors }: SiteFieldProps): JSX.Element {
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
