import { type Delivery, readLog } from '../../app/alerts/deliveries.js';
import { FORMATS } from '../../app/alerts/webhook-receiver.js';
import {
  enableWebhook,
  findWebhook,
  removeWebhook,
  sendTest,
  type Webhook,
  type WebhookOfAccount,
} from '../../app/alerts/webhooks.js';
import { DescriptionList } from '../html/table.js';
import { ActionButton, Fold, Group } from '../html/sections.js';
import { HostName, PageHeader } from '../html/page-header.js';
import { Time } from '../html/text.js';
import type { AddRoutes, Page, RouteDeps, WebContext } from '../server/page.js';
import { addPage, paramOf, redirectWithNotice, sessionOf } from '../server/routes.js';
import { PUBLIC_PAGES } from '../server/paths.js';
import { oneTimeSecretPage } from '../server/standard-pages.js';
import { DeliveryLog, isDue } from './alerts-deliveries.js';

export const ALERTS = '/alerts';

export function webhookPath(id: string): string {
  return `${ALERTS}/webhooks/${id}`;
}

/** Returns the webhook in the path and the signed-in account. @throws Refusal sign_in_needed */
function requestedWebhook(ctx: WebContext): WebhookOfAccount {
  return { accountId: sessionOf(ctx).account.id, webhookId: paramOf(ctx, 'webhookId') };
}

export const addWebhookPage: AddRoutes = (router, deps) => {
  const path = webhookPath(':webhookId');
  addPage(router, {
    path,
    notices: { 'webhook-added': 'The webhook is added. Send a test to see what arrives.' },
    load: requestedWebhook,
    render: (_, webhook) => webhookPage(deps, webhook),
    forms: [
      {
        path: `${path}/test`,
        act: (_, webhook) => sendTest(deps, webhook),
        done: ['test', 'Test sent. Its result appears under Deliveries.'],
      },
      {
        path: `${path}/enable`,
        act: (_, webhook) => enableWebhook(deps, webhook),
        done: ['enabled', 'The webhook is on.'],
      },
      {
        path: `${path}/remove`,
        async submit(ctx, webhook) {
          await removeWebhook(deps, webhook);
          redirectWithNotice(ctx, ALERTS, 'webhook-removed');
        },
      },
    ],
  });
};

async function webhookPage({ db, clock }: RouteDeps, requested: WebhookOfAccount): Promise<Page> {
  const webhook = await findWebhook(db, requested);
  const log = await readLog(db, webhook.id);
  const now = clock.now();
  const { id, name, host, disabledAt } = webhook;
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
    header: (
      <PageHeader
        crumbs={[[ALERTS, 'Alerts']]}
        here={shownName}
        title={<>Webhook {shownName}</>}
        lead={<Lead webhook={webhook} last={log[0]} />}
        actions={<ActionButton action={`${webhookPath(id)}/${act}`} label={words} />}
      />
    ),
    main: (
      <div class="w over-text">
        <DeliveryLog path={webhookPath(id)} log={log} />
        <Settings webhook={webhook} />
      </div>
    ),
  };
}

interface LeadProps {
  readonly webhook: Webhook;
  /** The last message to the webhook. */
  readonly last: Delivery | undefined;
}

function Lead({ webhook: { disabledAt, site, tag }, last }: LeadProps) {
  if (disabledAt !== null) {
    return (
      <>
        Turned off <Time at={disabledAt} />, because it no longer accepts messages (status 410, or 404 from a chat) or
        did not accept two in a row. Once it works, turn it on again.
      </>
    );
  }
  if (last !== undefined) {
    const outcomes = { delivered: 'was delivered', failed: 'could not be delivered', waiting: 'is not delivered yet' };
    return (
      <>
        On. The last message {outcomes[last.state]}. {last.problem}
      </>
    );
  }
  const scope = tag === null ? 'all your sites' : `your sites with the tag ${tag}`;
  return <>On. It gets alerts about {site === null ? scope : <HostName name={site.hostname} />}.</>;
}

function Settings({ webhook }: { readonly webhook: Webhook }) {
  const { id, format, address, site, tag, createdAt } = webhook;
  const scope = tag === null ? 'All of your sites' : `#${tag}`;
  const isSigned = format === 'signed';
  return (
    <Group title="Settings">
      <DescriptionList
        facts={[
          ['Address', <code>{address}</code>],
          ['Format', FORMATS[format]],
          isSigned && ['Receiver', <a href={RECEIVER_GUIDE_HREF}>How to verify and answer messages</a>],
          ['Sites', site === null ? scope : <a href={`/sites/${site.id}`}>{site.hostname}</a>],
          ['Added', <Time at={createdAt} />],
        ]}
      />
      <Fold title="Remove this webhook">
        <p class="small">
          This deletes its unsent alerts, its log
          {isSigned && ' and its secret'} at once. Your sites, their runs and your other webhooks stay.
          {isSigned && ' To get another secret, remove the webhook and add it again.'}
        </p>
        <ActionButton action={`${webhookPath(id)}/remove`} kind="danger" label="Remove webhook" />
      </Fold>
    </Group>
  );
}

/** Explains how a receiver verifies and answers signed messages. */
const RECEIVER_GUIDE_HREF = `${PUBLIC_PAGES.api.path}#events`;

/** The only page that shows a webhook's secret. */
export function secretPage({ id, host, address }: Webhook, secret: string): Page {
  const page = webhookPath(id);
  return oneTimeSecretPage({
    title: 'Webhook added',
    heading: 'Copy the secret now',
    crumbs: [
      [ALERTS, 'Alerts'],
      [page, host],
    ],
    intro: (
      <>
        <b>The webhook is added.</b> Give the secret to the receiver at <code>{address}</code>: every message is signed
        with it. The API reference explains <a href={RECEIVER_GUIDE_HREF}>how to verify and answer messages</a>. Then
        send a test from the <a href={page}>webhook’s page</a>. If you lose the secret, remove the webhook and add it
        again.
      </>
    ),
    secret,
    label: 'Secret of the webhook',
    noun: 'secret',
    doneHref: page,
  });
}
