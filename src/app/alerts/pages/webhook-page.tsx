import type { JSX } from 'preact';
import type { Webhook, WebhookOfAccount, Webhooks } from '../webhooks.js';
import { DELIVERIES_KEPT_DAYS } from '../delivery-statements.js';
import { ActionButton, ErrorSummary } from '../../../web/kit/components/form.js';
import { Notice, Time } from '../../../web/kit/components/text.js';
import { noticeOf, paramOf, queryOf, type RouteContext, seeOther } from '../../../web/kit/context.js';
import { addForm, type FieldErrors } from '../../../web/kit/form.js';
import { Pager } from '../../../web/kit/components/pager.js';
import { Heading } from '../../../web/kit/layout.js';
import type { Page } from '../../../web/kit/page.js';
import type { Part, PartDeps } from '../../part.js';
import { alertsAddress, webhookAsked } from './addresses.js';
import { DeliveryTable, isDue } from './delivery-table.js';
import { ReceiverGuide } from './receiver-guide.js';
import { secretPage } from './secret-page.js';
import { WebhookState } from './states.js';

const DELIVERIES_A_PAGE = 25;

/** What the page says after something was done, by the code in its address. */
const NOTICES = {
  test: 'A test is on its way: the log shows the outcome.',
  again: 'The message is on its way again: the log shows the outcome.',
  enabled: 'The webhook is in use again.',
};

/** One webhook: what can be done with it, and its log. */
export const addWebhookPage: Part = (router, deps) => {
  const { webhooks, sendPage, publicUrl } = deps;

  router.get('/alerts/webhooks/:webhookId', async (ctx) => sendPage(ctx, await webhookPage(ctx, deps, null)));

  /** A button of the page, and the code of what it says afterwards. */
  const addAction = (
    path: string,
    notice: string,
    act: (asked: WebhookOfAccount, ctx: RouteContext) => Promise<unknown>,
  ): void =>
    addForm(router, sendPage, {
      path: `/alerts/webhooks/:webhookId/${path}`,
      shownAt: null,
      load: webhookAsked,
      async submit(ctx, asked) {
        await act(asked, ctx);
        seeOther(ctx, `${alertsAddress.webhook(asked.webhookId)}?notice=${notice}`);
      },
      render: (ctx, _asked, errors) => webhookPage(ctx, deps, errors),
    });
  addAction('test', 'test', (asked) => webhooks.sendTest(asked));
  addAction('enable', 'enabled', (asked) => webhooks.enable(asked));
  addAction('deliveries/:deliveryId/send-again', 'again', (asked, ctx) =>
    webhooks.sendAgain({ ...asked, deliveryId: paramOf(ctx, 'deliveryId') }),
  );

  router.post('/alerts/webhooks/:webhookId/secret', async (ctx) => {
    const renewed = await webhooks.rotateSecret(webhookAsked(ctx));
    sendPage(ctx, secretPage({ ...renewed, isNew: false, publicUrl }));
  });
};

async function webhookPage(
  ctx: RouteContext,
  { webhooks, clock, publicUrl }: PartDeps,
  errors: FieldErrors | null,
): Promise<Page> {
  const asked = webhookAsked(ctx);
  const before = queryOf(ctx, 'before');
  const [webhook, log] = await Promise.all([
    webhooks.get(asked),
    webhooks.log({ ...asked, limit: DELIVERIES_A_PAGE, ...(before !== '' && { before }) }),
  ]);
  const notice = errors ? undefined : noticeOf(ctx, NOTICES);
  const now = clock.now();
  const isInUse = webhook.disabledAt === null;
  return {
    title: `Webhook ${new URL(webhook.url).host}`,
    main: (
      <>
        <ErrorSummary errors={errors} />
        {notice !== undefined && <Notice>{notice}</Notice>}
        <Heading lead={<a href={alertsAddress.all}>Alerts</a>}>Webhook</Heading>
        <About webhook={webhook} now={now} />
        {isInUse && <ActionButton action={alertsAddress.test(webhook.id)}>Send a test</ActionButton>}
        <Log {...{ webhook, log, now }} isLatest={before === ''} />
        <h2>Receive messages</h2>
        <details>
          <summary>How your receiver knows a message, and what it looks like</summary>
          <ReceiverGuide publicUrl={publicUrl} />
        </details>
        <SecretAndRemoval id={webhook.id} />
      </>
    ),
  };
}

interface LogProps {
  readonly webhook: Webhook;
  readonly log: Awaited<ReturnType<Webhooks['log']>>;
  /** Whether this is its first page. */
  readonly isLatest: boolean;
  readonly now: Date;
}

/** What was sent. While a message of the first page is on its way, script loads this part again. */
function Log({ webhook, log, isLatest, now }: LogProps): JSX.Element {
  const { deliveries, hasMore } = log;
  const page = alertsAddress.webhook(webhook.id);
  const isPending = isLatest && deliveries.some((delivery) => isDue(delivery, now));
  return (
    <section id="log" data-pending={isPending ? 'part' : undefined}>
      <h2>Log</h2>
      <p>Messages are kept for {DELIVERIES_KEPT_DAYS} days.</p>
      {isPending && (
        <p>
          A message is on its way. <a href={page}>Load the log again</a>
        </p>
      )}
      {deliveries.length === 0 ? (
        <p>
          {isLatest ? 'Nothing has been sent yet. Send a test to see what arrives.' : 'There are no earlier messages.'}
        </p>
      ) : (
        <DeliveryTable webhookId={webhook.id} isInUse={webhook.disabledAt === null} {...{ deliveries, now }} />
      )}
      <Pager
        label="Pages of the log"
        address={page}
        isLatest={isLatest}
        before={hasMore ? (deliveries.at(-1)?.id ?? null) : null}
        what="messages"
      />
    </section>
  );
}

function About({ webhook, now }: { readonly webhook: Webhook; readonly now: Date }): JSX.Element {
  const { id, url, createdAt, disabledAt } = webhook;
  return (
    <>
      <dl>
        <dt>Address</dt>
        <dd>
          <code>{url}</code>
        </dd>
        <dt>State</dt>
        <dd>
          <WebhookState isInUse={disabledAt === null} />
          {disabledAt !== null && (
            <>
              , <Time at={disabledAt} now={now} />
            </>
          )}
        </dd>
        <dt>Added</dt>
        <dd>
          <Time at={createdAt} now={now} />
        </dd>
      </dl>
      {disabledAt !== null && (
        <>
          <p>
            Nothing is sent to it: its receiver accepted no message for days, or asked for no more. The log says what it
            answered. Once it works again, turn it on.
          </p>
          <ActionButton action={alertsAddress.enable(id)}>Turn on again</ActionButton>
        </>
      )}
    </>
  );
}

function SecretAndRemoval({ id }: Pick<Webhook, 'id'>): JSX.Element {
  return (
    <>
      <h2>Secret</h2>
      <p>Messages are signed with a secret that was shown when it was made. If you lost it, make a new one.</p>
      <details>
        <summary>Replace the secret</summary>
        <p>
          The present secret stops signing at once: give the new one to your receiver, or it will reject every message.
        </p>
        <ActionButton action={alertsAddress.secret(id)} kind="danger">
          Make a new secret
        </ActionButton>
      </details>
      <h2>Remove</h2>
      <p>
        <a href={alertsAddress.remove(id)}>Remove this webhook</a>
      </p>
    </>
  );
}
