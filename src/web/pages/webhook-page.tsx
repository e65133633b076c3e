import type { JSX } from 'preact';
import { DELIVERY_LOG_DAYS } from '../../app/alerts/deliveries.js';
import type { WebhookOfAccount } from '../../app/alerts/webhooks.js';
import { ErrorSummary } from '../html/form.js';
import { Callout, Notice } from '../html/text.js';
import { moved, noticeOf, paramOf, queryOf, type RouteContext, seeOther } from '../server/context.js';
import { addForm, fieldOf, type FieldErrors } from '../server/form.js';
import { Pager } from '../html/pager.js';
import type { Page } from '../server/page.js';
import type { Part, PartDeps } from '../server/page-part.js';
import { type ChatFormat, FORMATS } from '../../app/alerts/webhook-format.js';
import { Group } from '../html/mast.js';
import { alertsAddress, requestedWebhook } from './alerts-addresses.js';
import { DeliveryRows, isDue } from './delivery-rows.js';
import { ChatSample } from './message-samples.js';
import { ReceiverGuide } from './receiver-guide.js';
import { secretPage } from './secret-page.js';
import { LOG_ID, type ShownWebhook, WebhookMast, WebhookRail } from './webhook-frame.js';
import { Two } from '../html/two.js';

const DELIVERIES_PER_PAGE = 25;

/** Notices after an action, by the code in the query. */
const NOTICES = {
  test: 'A test is on its way. Its result will be under “Deliveries”.',
  again: 'The message is on its way again. Its result will be under “Deliveries”.',
  enabled: 'The webhook is in use.',
  added: 'The webhook is added. Nothing is sent to it until you turn it on.',
  site: 'The sites of the webhook are saved.',
};

/** One webhook with its log. */
export const addWebhookPage: Part = (router, deps) => {
  const { webhooks, sendPage, publicUrl } = deps;

  router.get('/alerts/webhooks/:webhookId', async (ctx) => sendPage(ctx, await webhookPage(ctx, deps, null)));

  /** Adds the route of a button. @param notice code of the notice that follows */
  const addAction = (
    path: string,
    notice: string,
    act: (asked: WebhookOfAccount, ctx: RouteContext) => Promise<unknown>,
  ): void =>
    addForm(router, sendPage, {
      path: `/alerts/webhooks/:webhookId/${path}`,
      shownAt: null,
      load: requestedWebhook,
      async submit(ctx, asked) {
        await act(asked, ctx);
        seeOther(ctx, `${alertsAddress.webhook(asked.webhookId)}?notice=${notice}`);
      },
      render: (ctx, _asked, errors) => webhookPage(ctx, deps, errors),
    });
  addAction('test', 'test', (asked) => webhooks.sendTest(asked));
  addAction('enable', 'enabled', (asked) => webhooks.enable(asked));
  addAction('site', 'site', (asked, ctx) => webhooks.setScope({ ...asked, scope: fieldOf(ctx, 'site') }));
  addAction('deliveries/:deliveryId/send-again', 'again', (asked, ctx) =>
    webhooks.sendAgain({ ...asked, deliveryId: paramOf(ctx, 'deliveryId') }),
  );

  router.post('/alerts/webhooks/:webhookId/remove', async (ctx) => {
    await webhooks.remove(requestedWebhook(ctx));
    seeOther(ctx, `${alertsAddress.all}?notice=removed`);
  });
  router.get('/alerts/webhooks/:webhookId/remove', (ctx) => moved(ctx, ctx.path.replace(/\/remove$/, '')));

  router.post('/alerts/webhooks/:webhookId/secret', async (ctx) => {
    const renewed = await webhooks.rotateSecret(requestedWebhook(ctx));
    sendPage(ctx, secretPage({ ...renewed, isNew: false, publicUrl }));
  });
};

async function webhookPage(
  ctx: RouteContext,
  { webhooks, clock, publicUrl }: PartDeps,
  errors: FieldErrors | null,
): Promise<Page> {
  const asked = requestedWebhook(ctx);
  const before = queryOf(ctx, 'before');
  const [webhook, log] = await Promise.all([
    webhooks.get(asked),
    webhooks.log({ ...asked, limit: DELIVERIES_PER_PAGE, ...(before !== '' && { before }) }),
  ]);
  const notice = errors ? undefined : noticeOf(ctx, NOTICES);
  const shown = { webhook, log, now: clock.now(), isLatest: before === '' };
  return {
    title: `Webhook ${webhook.name}`,
    isLive: dueOf(shown).length > 0,
    styles: ['account.css'],
    // A webhook's address may be a secret.
    hasSecret: true,
    mast: <WebhookMast {...shown} />,
    main: (
      <Two rail={<WebhookRail {...shown} typedSite={fieldOf(ctx, 'site')} errors={errors} />}>
        <ErrorSummary errors={errors} />
        <Done notice={notice} log={log} />
        {webhook.format === 'signed' ? (
          <>
            <Log {...shown} />
            <ReceiverGuide publicUrl={publicUrl} />
          </>
        ) : (
          <ChatParts {...shown} format={webhook.format} publicUrl={publicUrl} />
        )}
      </Two>
    ),
  };
}

/** The example comes first until the webhook is turned on. */
function ChatParts(props: ShownWebhook & { readonly format: ChatFormat; readonly publicUrl: string }): JSX.Element {
  const { format, publicUrl, ...shown } = props;
  const preview = (
    <Group title="Example message" meaning={`as ${FORMATS[format]} gets it`}>
      <ChatSample publicUrl={publicUrl} />
    </Group>
  );
  return shown.webhook.isNew ? (
    <>
      {preview}
      <Log {...shown} />
    </>
  ) : (
    <>
      <Log {...shown} />
      {preview}
    </>
  );
}

/** Notice after an action; after a test, its result once it is known. */
function Done({
  notice,
  log,
}: Pick<ShownWebhook, 'log'> & { readonly notice: string | undefined }): JSX.Element | null {
  if (notice === undefined) return null;
  const test = notice === NOTICES.test ? log.deliveries.find(({ event }) => event === 'test') : undefined;
  return (
    <div>
      {test?.state === 'failed' || (test?.state === 'waiting' && test.problem !== null) ? (
        <Callout result={test.state === 'failed' ? 'FAIL' : 'UNDETERMINED'} role="status">
          <b>{test.state === 'failed' ? 'The test could not be delivered.' : 'The test is not delivered yet.'}</b>{' '}
          {test.problem}
        </Callout>
      ) : (
        <Notice isDone>
          {test?.state === 'delivered' ? (
            <>
              <b>Test delivered.</b> Your receiver answered {test.answerStatus}.
            </>
          ) : (
            notice
          )}
        </Notice>
      )}
    </div>
  );
}

/** Returns the messages of the first page that are being sent. */
function dueOf({ log, isLatest, now }: Pick<ShownWebhook, 'log' | 'isLatest' | 'now'>) {
  return isLatest ? log.deliveries.filter((delivery) => isDue(delivery, now)) : [];
}

function Log({ webhook, log, isLatest, now }: ShownWebhook): JSX.Element {
  const { deliveries, hasMore } = log;
  const page = alertsAddress.webhook(webhook.id);
  const due = dueOf({ log, isLatest, now });
  const isPending = due.length > 0;
  return (
    <section id={LOG_ID} class={webhook.isNew ? 'sec' : undefined}>
      <h2>
        Deliveries <span class="soft">of the last {DELIVERY_LOG_DAYS} days</span>
      </h2>
      {isPending && (
        <p class="more">
          A message is {due.some(({ problem }) => problem === null) ? 'on its way' : 'being tried again'}.{' '}
          <a href={page}>Load the deliveries again</a>
        </p>
      )}
      {deliveries.length === 0 ? (
        <p class="more">
          {isLatest ? 'Nothing has been sent yet. Send a test to see what arrives.' : 'There are no earlier messages.'}
        </p>
      ) : (
        <DeliveryRows
          webhookId={webhook.id}
          isInUse={webhook.disabledAt === null || webhook.isNew}
          {...{ deliveries, now }}
        />
      )}
      <Pager
        label="Pages of deliveries"
        address={page}
        isLatest={isLatest}
        before={hasMore ? (deliveries.at(-1)?.id ?? null) : null}
        what="messages"
      />
    </section>
  );
}
