import { alertAddress, type Delivery, readLog, setEmailAlerts } from '../../app/alerts/deliveries.js';
import { FORMATS } from '../../app/alerts/webhook-receiver.js';
import { addWebhook, listWebhooks, type Webhook, WEBHOOKS_PER_ACCOUNT_MAX } from '../../app/alerts/webhooks.js';
import { isLocalOrigin, isPrivateHost } from '../../net/address.js';
import { countOf } from '../../scanner/artifacts/counts.js';
import { ActionButton, Group } from '../html/sections.js';
import { Form } from '../html/form.js';
import { HostName, PageHeader } from '../html/page-header.js';
import { Table } from '../html/table.js';
import { Time } from '../html/text.js';
import type { Database } from '../../store/database.js';
import type { AddRoutes, FieldErrors, Page, RouteDeps, WebContext } from '../server/page.js';
import { addPage, fieldOf, redirectWithNotice, sendPage, sessionOf } from '../server/routes.js';
import { describeMessage, describeState } from './alerts-deliveries.js';
import { ALERTS, secretPage, webhookPath } from './alerts-webhook.js';

export const addAlertsPage: AddRoutes = (router, deps) => {
  addPage(router, {
    path: ALERTS,
    notices: {
      'webhook-removed': 'The webhook and its log are deleted.',
    },
    load: (ctx) => sessionOf(ctx).account.id,
    render: (ctx, _, errors) => alertsPage(ctx, deps, errors),
    forms: [
      {
        path: `${ALERTS}/webhooks`,
        field: 'url',
        async submit(ctx, accountId) {
          const { webhook, secret } = await addWebhook(deps, {
            accountId,
            url: fieldOf(ctx, 'url'),
            scope: fieldOf(ctx, 'site'),
            format: fieldOf(ctx, 'format'),
          });
          // No other page shows the secret.
          if (webhook.format === 'signed') sendPage(ctx, secretPage(webhook, secret));
          else redirectWithNotice(ctx, webhookPath(webhook.id), 'webhook-added');
        },
      },
      {
        path: `${ALERTS}/email`,
        act: (ctx, accountId) => setEmailAlerts(deps, accountId, fieldOf(ctx, 'alerts') === 'on'),
        done: ['email', 'Your setting for alerts by e-mail is saved.'],
      },
    ],
  });
};

async function alertsPage(ctx: WebContext, deps: RouteDeps, errors: FieldErrors | null): Promise<Page> {
  const { db, hasMail, publicUrl, sites } = deps;
  const { account } = sessionOf(ctx);
  const [list, address, { length: siteCount }] = await Promise.all([
    listWithMessages(db, account.id),
    alertAddress(db, account.id),
    sites.list(account.id),
  ]);
  const isEmailOn = hasMail && address !== null;
  return {
    title: 'Alerts',
    // A webhook's address may be a secret.
    hasSecret: true,
    header: (
      <PageHeader
        title={describeRecipients(list, isEmailOn)}
        lead="An alert tells you when a run finds a change on one of your sites. Give each site a schedule, so that it runs without you."
      />
    ),
    main: (
      <div class="w over-text">
        {list.length > 0 && <WebhookTable webhooks={list} siteCount={siteCount} />}
        <Group title="E-mail">
          {hasMail ? (
            <form method="post" action={`${ALERTS}/email`} class="row apart">
              <p>
                Alerts by e-mail to <strong>{account.email}</strong> are <strong>{isEmailOn ? 'on' : 'off'}</strong>.
              </p>
              <button type="submit" name="alerts" value={isEmailOn ? 'off' : 'on'} class="quiet">
                {isEmailOn ? 'Turn e-mail off' : 'Turn e-mail on'}
              </button>
            </form>
          ) : (
            <p>Mail is not set up on this service. To get alerts, add a webhook.</p>
          )}
        </Group>
        <AddWebhook ctx={ctx} count={list.length} errors={errors} isLocal={isLocalOrigin(new URL(publicUrl))} />
        <Group title="Alerts are sent when">
          <ul>
            <li>an AI assistant gains or loses access to a site</li>
            <li>a check breaks or is fixed</li>
            <li>a new failure lowers the score</li>
            <li>a site cannot be reached in two runs in a row, or can be reached again</li>
            <li>a site’s proof of ownership is missing{hasMail && ' (by e-mail, or by webhook if that is off)'}</li>
            {hasMail && <li>a webhook is turned off because it accepts no messages (by e-mail)</li>}
          </ul>
          <p>You get one alert per change, and none for failures you’ve accepted.</p>
        </Group>
      </div>
    ),
  };
}

/** A webhook and its last message. */
type WebhookWithLatest = Webhook & { readonly latest: Delivery | undefined };

async function listWithMessages(db: Database, accountId: string): Promise<readonly WebhookWithLatest[]> {
  const webhooks = await listWebhooks(db, accountId);
  return Promise.all(webhooks.map(async (webhook) => ({ ...webhook, latest: (await readLog(db, webhook.id))[0] })));
}

/** Says where alerts go. */
function describeRecipients(webhooks: readonly Webhook[], isEmailOn: boolean): string {
  const on = webhooks.filter(({ disabledAt }) => disabledAt === null);
  const recipients = [...on.map(({ host }) => host), ...(isEmailOn ? ['your e-mail address'] : [])];
  if (recipients.length === 0) {
    return webhooks.length === 0 ? 'No alerts set up yet' : 'No alerts: webhooks are turned off';
  }
  return `Alerts go to ${recipients.length === 1 ? recipients[0] : countOf(recipients.length, 'place')}`;
}

interface WebhookTableProps {
  readonly webhooks: readonly WebhookWithLatest[];
  /** How many sites the account has. */
  readonly siteCount: number;
}

function WebhookTable({ webhooks, siteCount }: WebhookTableProps) {
  return (
    <Table
      kind="stack"
      caption="Webhooks that get alerts"
      groups={[{ rows: webhooks }]}
      columns={[
        {
          title: 'Webhook',
          isName: true,
          cell: ({ id, name, format, address }) => (
            <>
              <a href={webhookPath(id)}>{name}</a>
              <br />
              <span class="soft small">
                {FORMATS[format]}
                {format === 'signed' && <span class="mono"> {address.slice(new URL(address).origin.length)}</span>}
              </span>
            </>
          ),
        },
        {
          title: 'Sites',
          kind: 'soft',
          cell: ({ site, tag }) => {
            if (site !== null) return <HostName name={site.hostname} />;
            return tag === null ? `all ${countOf(siteCount, 'site')}` : `#${tag}`;
          },
        },
        { title: 'Last message', cell: (webhook) => <LastMessage webhook={webhook} /> },
        {
          title: <span class="hide">Test</span>,
          kind: 'r',
          cell: ({ id, name, disabledAt }) =>
            disabledAt === null && (
              <ActionButton
                action={`${webhookPath(id)}/test`}
                kind="quiet"
                isTight
                spoken={`Send a test to ${name}`}
                label="Send a test"
              />
            ),
        },
      ]}
    />
  );
}

function LastMessage({ webhook: { latest, disabledAt } }: { readonly webhook: WebhookWithLatest }) {
  return (
    <>
      {latest === undefined ? (
        <span class="soft">Nothing sent yet</span>
      ) : (
        <>
          {describeMessage(latest)} <br />
          <span class="soft small">
            {describeState(latest)}, <Time at={latest.createdAt} />
          </span>
        </>
      )}{' '}
      {disabledAt !== null && (
        <span class="chip is-f">
          Turned off <Time at={disabledAt} />
        </span>
      )}
    </>
  );
}

interface AddWebhookProps {
  readonly ctx: WebContext;
  /** How many webhooks the account has. */
  readonly count: number;
  readonly errors: FieldErrors | null;
  /** True if the service runs at a local address: its users are then its operators. */
  readonly isLocal: boolean;
}

function AddWebhook({ ctx, count, errors, isLocal }: AddWebhookProps) {
  const left = WEBHOOKS_PER_ACCOUNT_MAX - count;
  const url = URL.parse(fieldOf(ctx, 'url'));
  const isOwnNetwork = isLocal && errors?.url !== undefined && url !== null && isPrivateHost(url);
  const form = (
    <Form
      action={`${ALERTS}/webhooks`}
      button="Add webhook"
      errors={errors}
      fields={[
        {
          name: 'url',
          label: 'Address',
          value: fieldOf(ctx, 'url'),
          inputMode: 'url',
          autocomplete: 'off',
          isVerbatim: true,
          hint: isOwnNetwork
            ? 'To use a receiver on your own network, start the service with its address in SCAN_ALLOW_CIDRS, and its port in SCAN_ALLOW_PORTS.'
            : 'A Slack or Discord webhook, or your own server, such as https://example.com/alerts.',
        },
        {
          name: 'format',
          label: 'Format',
          value: fieldOf(ctx, 'format'),
          options: [['auto', 'Automatic'], ...Object.entries(FORMATS)],
          hint: 'Choose Slack for software that accepts Slack messages, such as Mattermost.',
        },
        {
          name: 'site',
          label: 'Only for one site or tag (optional)',
          value: fieldOf(ctx, 'site'),
          autocomplete: 'off',
          required: false,
          maxLength: 2000,
          isVerbatim: true,
          hint: 'A host name, such as www.example.com, or a tag, such as #shops. Empty: all of your sites.',
        },
      ]}
    />
  );
  return (
    <Group title="Add a webhook" meaning={`${left} of ${WEBHOOKS_PER_ACCOUNT_MAX} left`} id="add">
      {left === 0 ? <p>To add another, remove one first.</p> : form}
    </Group>
  );
}
