import type { JSX } from 'preact';
import { InputError } from '../../../platform/input-error.js';
import type { Webhook } from '../webhooks.js';
import { ErrorSummary, Field } from '../../../web/kit/components/form.js';
import { seeOther } from '../../../web/kit/context.js';
import { addForm, fieldOf, type FieldErrors } from '../../../web/kit/form.js';
import { Heading } from '../../../web/kit/layout.js';
import type { Part } from '../../part.js';
import { alertsAddress, webhookAsked } from './addresses.js';

/** Removing a webhook says what goes with it, and asks for its host. */
export const addRemoveWebhookPage: Part = (router, { webhooks, sendPage }) => {
  addForm(router, sendPage, {
    path: '/alerts/webhooks/:webhookId/remove',
    field: 'name',
    load: (ctx) => webhooks.get(webhookAsked(ctx)),
    async submit(ctx, webhook) {
      if (fieldOf(ctx, 'name').trim().toLowerCase() !== hostOf(webhook)) {
        throw new InputError(`Type ${hostOf(webhook)} to remove this webhook. Nothing was removed.`);
      }
      await webhooks.remove(webhookAsked(ctx));
      seeOther(ctx, `${alertsAddress.all}?notice=removed`);
    },
    render: (ctx, webhook, errors) => ({
      title: `Remove webhook ${hostOf(webhook)}`,
      main: <RemoveForm {...{ webhook, name: fieldOf(ctx, 'name'), errors }} />,
    }),
  });
};

function hostOf({ url }: Webhook): string {
  return new URL(url).host;
}

interface RemoveProps {
  readonly webhook: Webhook;
  readonly name: string;
  readonly errors: FieldErrors | null;
}

function RemoveForm({ webhook, name, errors }: RemoveProps): JSX.Element {
  return (
    <>
      <ErrorSummary errors={errors} />
      <Heading lead={<code>{webhook.url}</code>}>Remove this webhook?</Heading>
      <p>What goes with it, for good:</p>
      <ul>
        <li>alerts to this address, those that are still to be sent among them</li>
        <li>its log and its secret</li>
      </ul>
      <p>Your sites, their runs and your other webhooks stay as they are.</p>
      <form method="post" action={alertsAddress.remove(webhook.id)} novalidate>
        <Field
          name="name"
          label={`Type ${hostOf(webhook)} to confirm`}
          value={name}
          errors={errors}
          autocomplete="off"
          maxLength={300}
          isVerbatim
        />
        <div class="row">
          <button type="submit" class="danger">
            Remove webhook
          </button>
          <a href={alertsAddress.webhook(webhook.id)}>Keep it</a>
        </div>
      </form>
    </>
  );
}
