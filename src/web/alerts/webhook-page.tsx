import type { JSX } from 'preact';
import type { Webhook, WebhookOfAccount } from '../../service/alerts/webhooks.js';
import { DELIVERIES_KEPT_DAYS } from '../../service/housekeeping.js';
import { ActionButton, ErrorSummary } from '../components/form.js';
import { Notice, Time } from '../components/text.js';
import { paramOf, queryOf, type RouteExchange, seeOther } from '../exchange.js';
import { type Rejection, tryLimitedForm } from '../form.js';
import { Heading } from '../layout.js';
import type { Part, PartDeps } from '../part.js';
import { alertsAddress, webhookAsked } from './addresses.js';
import { DeliveryTable } from './delivery-table.js';
import { secretPage } from './secret-page.js';
import { WebhookState } from './states.js';

const DELIVERIES_A_PAGE = 25;

/** What the page says after something was done, by the code in its address. */
const NOTICES: Readonly<Record<string, string>> = {
  test: 'A test is on its way. Load this page again in a moment to see how it fares.',
  again: 'The message is on its way again. Load this page again in a moment to see how it fares.',
  enabled: 'The webhook is in use again.',
};

/** One webhook: what can be done with it, and its log. */
export const addWebhookPage: Part = (router, deps) => {
  const { webhooks, sendPage } = deps;

  router.get('/alerts/webhooks/:webhookId', (exchange) => sendWebhookPage(exchange, deps, null));

  /** A button of the page, and the code of what it says afterwards. */
  const addAction = (
    path: string,
    notice: string,
    act: (asked: WebhookOfAccount, exchange: RouteExchange) => Promise<unknown>,
  ): void => {
    router.post(`/alerts/webhooks/:webhookId/${path}`, async (exchange) => {
      const asked = webhookAsked(exchange);
      const rejection = await tryLimitedForm(exchange, '', async () => {
        await act(asked, exchange);
        seeOther(exchange, `${alertsAddress.webhook(asked.webhookId)}?notice=${notice}`);
      });
      if (rejection) await sendWebhookPage(exchange, deps, rejection);
    });
  };
  addAction('test', 'test', (asked) => webhooks.sendTest(asked));
  addAction('enable', 'enabled', (asked) => webhooks.enable(asked));
  addAction('deliveries/:deliveryId/send-again', 'again', (asked, exchange) =>
    webhooks.sendAgain({ ...asked, deliveryId: paramOf(exchange, 'deliveryId') }),
  );

  router.post('/alerts/webhooks/:webhookId/secret', async (exchange) => {
    sendPage(exchange, secretPage({ ...(await webhooks.rotateSecret(webhookAsked(exchange))), isNew: false }));
  });
};

async function sendWebhookPage(
  exchange: RouteExchange,
  { webhooks, sendPage, clock }: PartDeps,
  rejection: Rejection | null,
): Promise<void> {
  const asked = webhookAsked(exchange);
  const before = queryOf(exchange, 'before');
  const [webhook, log] = await Promise.all([
    webhooks.get(asked),
    webhooks.log({ ...asked, limit: DELIVERIES_A_PAGE, ...(before !== '' && { before }) }),
  ]);
  const code = queryOf(exchange, 'notice');
  const notice = !rejection && Object.hasOwn(NOTICES, code) ? NOTICES[code] : undefined;
  const title = `Webhook ${new URL(webhook.url).host}`;
  const now = clock.now();
  const isInUse = webhook.disabledAt === null;
  sendPage(exchange, {
    title: rejection ? `Error: ${title}` : title,
    status: rejection?.status ?? 200,
    main: (
      <>
        <ErrorSummary errors={rejection?.errors ?? null} />
        {notice !== undefined && <Notice>{notice}</Notice>}
        <Heading lead={<a href={alertsAddress.all}>Alerts</a>}>Webhook</Heading>
        <About webhook={webhook} now={now} />
        {isInUse && <ActionButton action={alertsAddress.test(webhook.id)}>Send a test</ActionButton>}
        <h2>Log</h2>
        <p>Messages are kept for {DELIVERIES_KEPT_DAYS} days.</p>
        {log.deliveries.length === 0 ? (
          <p>
            {before === '' ? 'Nothing was sent yet. A test shows you what arrives.' : 'There are no earlier messages.'}
          </p>
        ) : (
          <DeliveryTable webhookId={webhook.id} deliveries={log.deliveries} {...{ isInUse, now }} />
        )}
        {(before !== '' || log.hasMore) && (
          <nav aria-label="Pages of the log" class="row">
            {before !== '' && <a href={alertsAddress.webhook(webhook.id)}>Latest messages</a>}
            {log.hasMore && (
              <a href={`${alertsAddress.webhook(webhook.id)}?before=${log.deliveries.at(-1)?.id}`}>Earlier messages</a>
            )}
          </nav>
        )}
        <SecretAndRemoval id={webhook.id} />
      </>
    ),
  });
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
            Nothing is sent to it, because its receiver took no message for days, or answered that it wants no more. The
            log says what it answered. Once that is mended, turn it on again.
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
      <p>
        Messages are signed with a secret that was shown when the webhook was added. Make a new one if you lost it, or
        if somebody else may know it: the one before signs nothing any more.
      </p>
      <ActionButton action={alertsAddress.secret(id)} kind="quiet">
        New secret
      </ActionButton>
      <h2>Remove</h2>
      <p>
        <a href={alertsAddress.remove(id)}>Remove this webhook</a>
      </p>
    </>
  );
}
