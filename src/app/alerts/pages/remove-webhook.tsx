import type { JSX } from 'preact';
import { InputError } from '../../../platform/input-error.js';
import type { Webhook } from '../webhooks.js';
import { ErrorSummary, Field } from '../../../web/components/form.js';
import { seeOther } from '../../../web/exchange.js';
import { fieldOf, type FieldErrors, tryForm } from '../../../web/form.js';
import { Heading } from '../../../web/layout.js';
import type { Page } from '../../../web/page.js';
import type { Part } from '../../../web/part.js';
import { alertsAddress, webhookAsked } from './addresses.js';

/** Removing a webhook says what goes with it, and asks for its host. */
export const addRemoveWebhookPage: Part = (router, { webhooks, sendPage }) => {
  router.get('/alerts/webhooks/:webhookId/remove', async (exchange) => {
    sendPage(exchange, removePage({ webhook: await webhooks.get(webhookAsked(exchange)) }));
  });

  router.post('/alerts/webhooks/:webhookId/remove', async (exchange) => {
    const asked = webhookAsked(exchange);
    const webhook = await webhooks.get(asked);
    const name = fieldOf(exchange, 'name');
    const errors = await tryForm('name', async () => {
      if (name.trim().toLowerCase() !== hostOf(webhook)) {
        throw new InputError(`Type ${hostOf(webhook)} to remove this webhook. Nothing was removed.`);
      }
      await webhooks.remove(asked);
      seeOther(exchange, `${alertsAddress.all}?notice=removed`);
    });
    if (errors) sendPage(exchange, removePage({ webhook, name, errors }));
  });
};

function hostOf({ url }: Webhook): string {
  return new URL(url).host;
}

interface RemoveProps {
  readonly webhook: Webhook;
  readonly name?: string;
  readonly errors?: FieldErrors;
}

function removePage(props: RemoveProps): Page {
  const title = `Remove webhook ${hostOf(props.webhook)}`;
  return {
    title: props.errors ? `Error: ${title}` : title,
    status: props.errors ? 422 : 200,
    main: <RemoveForm {...props} />,
  };
}

function RemoveForm({ webhook, name = '', errors }: RemoveProps): JSX.Element {
  return (
    <>
      <ErrorSummary errors={errors ?? null} />
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
          errors={errors ?? null}
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
