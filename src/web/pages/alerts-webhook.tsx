import type { JSX } from 'preact';
import { type Delivery, DELIVERY_LOG_DAYS, LOGGED_MAX } from '../../app/alerts/deliveries.js';
import { FORMATS } from '../../app/alerts/webhook-format.js';
import type { Webhook } from '../../app/alerts/webhooks.js';
import { ActionButton, ErrorSummary } from '../html/form.js';
import { Group, HostName, isLongName, PageHeader } from '../html/page-header.js';
import { Callout, Time } from '../html/text.js';
import { queryOf, type RouteContext } from '../server/context.js';
import { addPage, type FieldErrors, fieldOf, seeNotice } from '../server/form.js';
import type { Page } from '../server/page.js';
import type { Part, PartDeps } from '../server/page-part.js';
import { alertsAddress, requestedWebhook } from './alerts-addresses.js';
import { DeliveryRows, isDue } from './alerts-deliveries.js';
import { ChatSample } from './alerts-samples.js';
import { ReceiverGuide, secretPage } from './alerts-secret.js';
import { Settings } from './alerts-webhook-settings.js';

const PATH = alertsAddress.webhook(':webhookId');

/** One webhook with its log. */
export const addWebhookPage: Part = (router, deps) => {
  const { webhooks, sendPage, publicUrl } = deps;
  addPage(router, sendPage, {
    path: PATH,
    notices: {
      'webhook-added': 'The webhook is added. Send a test to see what arrives.',
      test: 'A test is on its way. The result will appear under Deliveries.',
      enabled: 'The webhook is on.',
      site: 'The sites of the webhook are saved.',
    },
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

interface ShownWebhook {
  readonly webhook: Webhook;
  /** Newest first. */
  readonly log: readonly Delivery[];
  readonly now: Date;
}

async function webhookPage(
  ctx: RouteContext,
  { webhooks, clock, publicUrl }: PartDeps,
  errors: FieldErrors | null,
): Promise<Page> {
  const asked = requestedWebhook(ctx);
  const [webhook, log] = await Promise.all([webhooks.get(asked), webhooks.log(asked)]);
  const shown = { webhook, log, now: clock.now() };
  const { name, format } = webhook;
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
    // A webhook's address may be a secret.
    hasSecret: true,
    ...(hasTestResult(log) && testResult && { notices: {} }),
    header: <WebhookHeader {...shown} />,
    main: (
      <div class="w over-text">
        <ErrorSummary errors={errors} />
        {testResult}
        <DeliveryLog {...shown} />
        {guide}
        <Settings webhook={webhook} typedSite={fieldOf(ctx, 'site')} errors={errors} now={shown.now} />
      </div>
    ),
  };
}

/** State and actions of the webhook. */
function WebhookHeader(shown: ShownWebhook): JSX.Element {
  const { id, name, host, disabledAt } = shown.webhook;
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
        disabledAt === null ? (
          <ActionButton action={alertsAddress.test(id)}>Send a test</ActionButton>
        ) : (
          <ActionButton action={alertsAddress.enable(id)}>Turn on again</ActionButton>
        )
      }
    />
  );
}

function Lead({ webhook, log: [last], now }: ShownWebhook): JSX.Element {
  const { disabledAt, site, tag } = webhook;
  if (disabledAt !== null) {
    return (
      <>
        Turned off <Time at={disabledAt} now={now} />, because it accepted no message for days or answered 410. Once it
        works again, turn it on.
      </>
    );
  }
  if (last !== undefined) {
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
function hasTestResult(log: ShownWebhook['log']): boolean {
  const test = log.find(({ event }) => event === 'test');
  return test !== undefined && (test.state !== 'waiting' || test.problem !== null);
}

/** The result of the last test; null until it is known. */
function TestResult({ log }: Pick<ShownWebhook, 'log'>): JSX.Element | null {
  const test = log.find(({ event }) => event === 'test');
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

/** Returns the messages that are being sent. */
function dueOf({ log, now }: Pick<ShownWebhook, 'log' | 'now'>) {
  return log.filter((delivery) => isDue(delivery, now));
}

function DeliveryLog({ webhook, log, now }: ShownWebhook): JSX.Element {
  const due = dueOf({ log, now });
  return (
    <section id="log">
      <h2>
        Deliveries{' '}
        <span class="soft">
          of the last {DELIVERY_LOG_DAYS} days, at most {LOGGED_MAX}
        </span>
      </h2>
      {due.length > 0 && (
        <p class="more">
          A message is {due.some(({ problem }) => problem === null) ? 'on its way' : 'being tried again'}.{' '}
          <a href={alertsAddress.webhook(webhook.id)}>Load the deliveries again</a>
        </p>
      )}
      {log.length === 0 ? (
        <p class="more">Nothing has been sent yet. Send a test to see what arrives.</p>
      ) : (
        <DeliveryRows deliveries={log} now={now} />
      )}
    </section>
  );
}
