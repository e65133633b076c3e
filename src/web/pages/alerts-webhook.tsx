import type { JSX } from 'preact';
import { type Delivery, DELIVERY_LOG_DAYS, LOGGED_MAX } from '../../app/alerts/deliveries.js';
import { FORMATS } from '../../app/alerts/webhook-format.js';
import type { Webhook, WebhookOfAccount } from '../../app/alerts/webhooks.js';
import { Fold } from '../html/fold.js';
import { ActionButton, ErrorSummary } from '../html/form.js';
import { Group, HostName, isLongName, PageHeader } from '../html/page-header.js';
import { DescriptionList } from '../html/sidebar.js';
import { Callout, Time } from '../html/text.js';
import { paramOf, queryOf, type RouteContext } from '../server/context.js';
import { addPage, type FieldErrors, seeNotice } from '../server/form.js';
import type { Page } from '../server/page.js';
import type { Part, PartDeps } from '../server/page-part.js';
import { sessionOf } from '../server/session.js';
import { DeliveryTable, isDue } from './alerts-deliveries.js';
import { ALERTS, webhookPath } from './alerts-form.js';
import { ReceiverGuide, secretPage } from './alerts-samples.js';

const PATH = `${ALERTS}/webhooks/:webhookId`;

/** Returns the webhook in the path and the signed-in account. @throws SignInNeeded */
function requestedWebhook(ctx: RouteContext): WebhookOfAccount {
  return { accountId: sessionOf(ctx).account.id, webhookId: paramOf(ctx, 'webhookId') };
}

/** One webhook with its log. */
export const addWebhookPage: Part = (router, deps) => {
  const { webhooks, sendPage, publicUrl } = deps;
  addPage(router, sendPage, {
    path: PATH,
    notices: { 'webhook-added': 'The webhook is added. Send a test to see what arrives.' },
    load: requestedWebhook,
    render: (ctx, asked, errors) => webhookPage(ctx, deps, asked, errors),
    forms: [
      {
        path: `${PATH}/test`,
        act: (_, asked) => webhooks.sendTest(asked),
        done: ['test', 'A test is on its way. The result will appear under Deliveries.'],
      },
      { path: `${PATH}/enable`, act: (_, asked) => webhooks.enable(asked), done: ['enabled', 'The webhook is on.'] },
      {
        path: `${PATH}/secret`,
        async submit(ctx, asked) {
          const { webhook, secret } = await webhooks.rotateSecret(asked);
          sendPage(ctx, secretPage(webhook, secret, publicUrl, false));
          return undefined;
        },
      },
      {
        path: `${PATH}/remove`,
        async submit(ctx, asked) {
          await webhooks.remove(asked);
          seeNotice(ctx, ALERTS, 'webhook-removed');
          return undefined;
        },
      },
    ],
  });
};

async function webhookPage(
  ctx: RouteContext,
  { webhooks, clock, publicUrl }: PartDeps,
  asked: WebhookOfAccount,
  errors: FieldErrors | null,
): Promise<Page> {
  const [webhook, log] = await Promise.all([webhooks.get(asked), webhooks.log(asked)]);
  const now = clock.now();
  const { id, name, host, format, disabledAt } = webhook;
  const test = log.find(({ event }) => event === 'test');
  const isTested = queryOf(ctx, 'notice') === 'test' && test && (test.state !== 'waiting' || test.problem !== null);
  const shownName = (
    <>
      <HostName name={host} />
      {name.slice(host.length)}
    </>
  );
  const [act, words] = disabledAt === null ? ['test', 'Send a test'] : ['enable', 'Turn on again'];
  return {
    title: `Webhook ${name}`,
    isLive: log.some((delivery) => isDue(delivery, now)),
    // A webhook's address may be a secret.
    hasSecret: true,
    ...(isTested && { notices: {} }),
    header: (
      <PageHeader
        crumbs={[[ALERTS, 'Alerts']]}
        here={shownName}
        title={<>Webhook {shownName}</>}
        isLong={isLongName(name)}
        lead={<Lead webhook={webhook} last={log[0]} now={now} />}
        actions={<ActionButton action={`${webhookPath(id)}/${act}`}>{words}</ActionButton>}
      />
    ),
    main: (
      <div class="w over-text">
        <ErrorSummary errors={errors} />
        {isTested && <TestResult test={test} />}
        <DeliveryLog webhookId={id} log={log} now={now} />
        <ReceiverGuide format={format} publicUrl={publicUrl} />
        <Settings webhook={webhook} now={now} />
      </div>
    ),
  };
}

interface LeadProps {
  readonly webhook: Webhook;
  readonly last: Delivery | undefined;
  readonly now: Date;
}

function Lead({ webhook: { disabledAt, site, tag }, last, now }: LeadProps): JSX.Element {
  if (disabledAt !== null) {
    return (
      <>
        Turned off <Time at={disabledAt} now={now} />, because it accepted no message for days or answered 410. Once it
        works again, turn it on.
      </>
    );
  }
  if (last !== undefined) {
    const fates = { delivered: 'was delivered', failed: 'could not be delivered', waiting: 'is not delivered yet' };
    return (
      <>
        On. The last message {fates[last.state]}. {last.problem}
      </>
    );
  }
  const scope = tag === null ? 'all your sites' : `your sites with the tag ${tag}`;
  return <>On. Alerts of {site === null ? scope : <HostName name={site.hostname} />} are sent to it.</>;
}

function TestResult({ test: { state, answerStatus, problem } }: { readonly test: Delivery }): JSX.Element {
  if (state === 'delivered') {
    return (
      <Callout result="PASS" role="status">
        <b>Test delivered.</b> Your receiver answered {answerStatus}.
      </Callout>
    );
  }
  const isFailed = state === 'failed';
  return (
    <Callout result={isFailed ? 'FAIL' : 'UNDETERMINED'} role="status">
      <b>{isFailed ? 'The test could not be delivered.' : 'The test is not delivered yet.'}</b> {problem}
    </Callout>
  );
}

interface DeliveryLogProps {
  readonly webhookId: string;
  /** Newest first. */
  readonly log: readonly Delivery[];
  readonly now: Date;
}

function DeliveryLog({ webhookId, log, now }: DeliveryLogProps): JSX.Element {
  return (
    <section id="log">
      <h2>
        Deliveries{' '}
        <span class="soft">
          of the last {DELIVERY_LOG_DAYS} days, at most {LOGGED_MAX}
        </span>
      </h2>
      {log.some((delivery) => isDue(delivery, now)) && (
        <p class="more">
          A message is on its way. <a href={webhookPath(webhookId)}>Load the deliveries again</a>
        </p>
      )}
      {log.length === 0 ? (
        <p class="more">Nothing has been sent yet. Send a test to see what arrives.</p>
      ) : (
        <DeliveryTable deliveries={log} now={now} />
      )}
    </section>
  );
}

interface SettingsProps {
  readonly webhook: Webhook;
  readonly now: Date;
}

function Settings({ webhook, now }: SettingsProps): JSX.Element {
  const { id, format, address, site, tag, createdAt } = webhook;
  const path = webhookPath(id);
  const scope = tag === null ? (site?.hostname ?? '') : `#${tag}`;
  return (
    <Group title="Settings">
      <DescriptionList
        facts={[
          ['Address', <code>{address}</code>],
          ['Format', FORMATS[format]],
          ['Sites', site === null ? scope || 'All of your sites' : <a href={`/sites/${site.id}`}>{scope}</a>],
          ['Added', <Time at={createdAt} now={now} />],
        ]}
      />
      {format === 'signed' ? (
        <Fold title="Replace the secret">
          <p class="small">
            Messages are signed with a secret, which was shown once. We stop using it at once: give the new one to your
            receiver, or it will reject every message.
          </p>
          <ActionButton action={`${path}/secret`} kind="danger">
            Replace secret
          </ActionButton>
        </Fold>
      ) : (
        <p class="small soft more">
          Anyone who has the address can post to the channel, so we never show all of it. To replace it, create another
          webhook in {FORMATS[format]}, add it here, and remove this one.
        </p>
      )}
      <Fold title="Remove this webhook">
        <p class="small">
          This deletes unsent alerts to this address at once, with its log
          {format === 'signed' && ' and its secret'}. Your sites, their runs and your other webhooks stay.
        </p>
        <ActionButton action={`${path}/remove`} kind="danger">
          Remove webhook
        </ActionButton>
      </Fold>
    </Group>
  );
}
