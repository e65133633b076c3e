import type { JSX } from 'preact';
import { FORMATS } from '../../app/alerts/webhook-format.js';
import { WEBHOOKS_PER_ACCOUNT_MAX } from '../../app/alerts/webhooks.js';
import { Fold } from '../html/fold.js';
import { type FieldProps, Form } from '../html/form.js';
import { Group } from '../html/page-header.js';
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

const FORMAT_CHOICES = [['auto', 'Automatic'], ...Object.entries(FORMATS)] as const;

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
    <Form
      action={`${ALERTS}/webhooks`}
      button="Add webhook"
      errors={errors}
      fields={[
        {
          name: 'url',
          label: 'Address',
          value: url,
          inputMode: 'url',
          autocomplete: 'off',
          isVerbatim: true,
          hint: 'A Slack or Discord webhook, or your own server, such as https://example.com/alerts.',
        },
        {
          name: 'format',
          label: 'Format',
          value: format,
          options: FORMAT_CHOICES,
          hint: 'Choose Slack for software that accepts Slack messages, such as Mattermost.',
        },
        siteField(site),
      ]}
    />
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

/** The sites whose alerts a webhook gets. */
function siteField(value: string): FieldProps {
  return {
    name: 'site',
    label: 'Only for one site or tag (optional)',
    value,
    autocomplete: 'off',
    required: false,
    maxLength: 2000,
    isVerbatim: true,
    hint: 'A host name, such as www.example.com, or a tag, such as #shops. Empty: all of your sites.',
  };
}
