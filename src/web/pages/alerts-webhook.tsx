import type { JSX } from 'preact';
import { DELIVERY_LOG_DAYS, type Log } from '../../app/alerts/deliveries.js';
import { FORMATS } from '../../app/alerts/webhook-format.js';
import type { Webhook } from '../../app/alerts/webhooks.js';
import { ActionButton, ErrorSummary } from '../html/form.js';
import { Group, HostName, isLongName, PageHeader } from '../html/page-header.js';
import { Pager } from '../html/pager.js';
import { Callout, Time } from '../html/text.js';
import { paramOf, queryOf, type RouteContext } from '../server/context.js';
import { addPage, type FieldErrors, fieldOf } from '../server/form.js';
import { seeNotice } from '../server/notices.js';
import type { Page } from '../server/page.js';
import type { Part, PartDeps } from '../server/page-part.js';
import { alertsAddress, requestedWebhook } from './alerts-addresses.js';
import { DeliveryRows, isDue } from './alerts-deliveries.js';
import { ChatSample } from './alerts-samples.js';
import { ReceiverGuide, secretPage } from './alerts-secret.js';
import { Settings } from './alerts-webhook-settings.js';

const PATH = alertsAddress.webhook(':webhookId');
const DELIVERIES_PER_PAGE = 25;

/** One webhook with its log. */
export const addWebhookPage: Part = (router, deps) => {
  const { webhooks, sendPage, publicUrl } = deps;
  addPage(router, sendPage, {
    path: PATH,
    load: requestedWebhook,
    render: (ctx, _, errors) => webhookPage(ctx, deps, errors),
    forms: [
      {
        path: `${PATH}/test`,
        async submit(_, asked) {
          await webhooks.sendTest(asked);
          return 'test';
        },
      },
      {
        path: `${PATH}/enable`,
        async submit(_, asked) {
          await webhooks.enable(asked);
          return 'enabled';
        },
      },
      {
        path: `${PATH}/site`,
        async submit(ctx, asked) {
          await webhooks.setScope({ ...asked, scope: fieldOf(ctx, 'site') });
          return 'site';
        },
      },
      {
        path: `${PATH}/deliveries/:deliveryId/send-again`,
        async submit(ctx, asked) {
          await webhooks.sendAgain({ ...asked, deliveryId: paramOf(ctx, 'deliveryId') });
          return 'again';
        },
      },
      {
        path: `${PATH}/secret`,
        async submit(ctx, asked) {
          sendPage(ctx, secretPage({ ...(await webhooks.rotateSecret(asked)), isNew: false, publicUrl }));
          return undefined;
        },
      },
      {
        path: `${PATH}/remove`,
        async submit(ctx, asked) {
          await webhooks.remove(asked);
          seeNotice(ctx, alertsAddress.all, 'webhook-removed');
          return undefined;
        },
      },
    ],
  });
};

/** A webhook with a page of its log. */
interface ShownWebhook {
  readonly webhook: Webhook;
  readonly log: Log;
  /** True for the first page. */
  readonly isLatest: boolean;
  readonly now: Date;
}

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
  const shown = { webhook, log, now: clock.now(), isLatest: before === '' };
  const { name, isNew, format } = webhook;
  const testResult = queryOf(ctx, 'notice') === 'test' ? <TestResult log={log} /> : null;
  const guide =
    format === 'signed' ? (
      <ReceiverGuide publicUrl={publicUrl} />
    ) : (
      <Group title="Example message" meaning={`as ${FORMATS[format]} gets it`}>
        <ChatSample publicUrl={publicUrl} />
      </Group>
    );
  return {
    title: `Webhook ${name}`,
    isLive: dueOf(shown).length > 0,
    styles: ['account.css'],
    // A webhook's address may be a secret.
    hasSecret: true,
    ...(hasTestResult(log) && testResult && { notice: null }),
    header: <WebhookHeader {...shown} />,
    main: (
      <div class="w over-text">
        <ErrorSummary errors={errors} />
        {testResult}
        {isNew && guide}
        <DeliveryLog {...shown} />
        {!isNew && guide}
        <Settings webhook={webhook} typedSite={fieldOf(ctx, 'site')} errors={errors} now={shown.now} />
      </div>
    ),
  };
}

/** State and actions of the webhook. */
function WebhookHeader(shown: ShownWebhook): JSX.Element {
  const { id, name, host, disabledAt, isNew } = shown.webhook;
  const shownName = (
    <>
      <HostName name={host} />
      {name.slice(host.length)}
    </>
  );
  return (
    <PageHeader
      crumbs={[[alertsAddress.all, 'Alerts']]}
      here={shownName}
      title={<>Webhook {shownName}</>}
      isLong={isLongName(name)}
      lead={<Lead {...shown} />}
      actions={
        <>
          {(disabledAt === null || isNew) && (
            <ActionButton action={alertsAddress.test(id)} kind={isNew ? 'quiet' : 'solid'}>
              Send a test
            </ActionButton>
          )}
          {disabledAt !== null && (
            <ActionButton action={alertsAddress.enable(id)}>{isNew ? 'Turn on' : 'Turn on again'}</ActionButton>
          )}
        </>
      }
    />
  );
}

function Lead({ webhook, log: { deliveries }, isLatest, now }: ShownWebhook): JSX.Element {
  const { disabledAt, isNew, site, tag } = webhook;
  const [last] = deliveries;
  if (isNew) return <>Off. Preview a message, send a test, then turn it on.</>;
  if (disabledAt !== null) {
    return (
      <>
        Turned off <Time at={disabledAt} now={now} />, because it accepted no message for days or answered 410. Once it
        works again, turn it on.
      </>
    );
  }
  if (isLatest && last !== undefined) {
    if (last.state === 'delivered') return <>On. The last message was delivered.</>;
    return (
      <>
        On. The last message {last.state === 'failed' ? 'could not be delivered' : 'is not delivered yet'}.{' '}
        {last.problem}
      </>
    );
  }
  const scope = tag === null ? 'all your sites' : `your sites with the tag ${tag}`;
  return <>On. Alerts of {site === null ? scope : <HostName name={site.hostname} />} are sent to it.</>;
}

/** True once the last test was answered. */
function hasTestResult(log: Log): boolean {
  const test = log.deliveries.find(({ event }) => event === 'test');
  return test !== undefined && (test.state !== 'waiting' || test.problem !== null);
}

/** The result of the last test; null until it is known. */
function TestResult({ log }: Pick<ShownWebhook, 'log'>): JSX.Element | null {
  const test = log.deliveries.find(({ event }) => event === 'test');
  if (test === undefined || !hasTestResult(log)) return null;
  if (test.state === 'delivered') {
    return (
      <Callout result="PASS" role="status">
        <b>Test delivered.</b> Your receiver answered {test.answerStatus}.
      </Callout>
    );
  }
  const isFailed = test.state === 'failed';
  return (
    <Callout result={isFailed ? 'FAIL' : 'UNDETERMINED'} role="status">
      <b>{isFailed ? 'The test could not be delivered.' : 'The test is not delivered yet.'}</b> {test.problem}
    </Callout>
  );
}

/** Returns the messages of the first page that are being sent. */
function dueOf({ log, isLatest, now }: Pick<ShownWebhook, 'log' | 'isLatest' | 'now'>) {
  return isLatest ? log.deliveries.filter((delivery) => isDue(delivery, now)) : [];
}

function DeliveryLog({ webhook, log, isLatest, now }: ShownWebhook): JSX.Element {
  const { deliveries, hasMore } = log;
  const page = alertsAddress.webhook(webhook.id);
  const due = dueOf({ log, isLatest, now });
  return (
    <section id="log" class={webhook.isNew ? 'sec' : undefined}>
      <h2>
        Deliveries <span class="soft">of the last {DELIVERY_LOG_DAYS} days</span>
      </h2>
      {due.length > 0 && (
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
