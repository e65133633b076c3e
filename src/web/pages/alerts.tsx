import type { JSX } from 'preact';
import { FORMATS, isChosenFormat } from '../../app/alerts/webhook-format.js';
import { type Webhook, WEBHOOKS_PER_ACCOUNT_MAX } from '../../app/alerts/webhooks.js';
import { countOf } from '../../scanner/artifacts/counts.js';
import { Fold } from '../html/fold.js';
import { ErrorSummary, Field } from '../html/form.js';
import { Group, PageHeader } from '../html/page-header.js';
import { Radios } from '../html/radios.js';
import type { WebContext } from '../server/context.js';
import { addPage, type FieldErrors, fieldOf, seeNotice } from '../server/form.js';
import type { Page } from '../server/page.js';
import type { Part, PartDeps } from '../server/page-part.js';
import { sessionOf } from '../server/session.js';
import { alertsAddress } from './alerts-addresses.js';
import { MessageSamples } from './alerts-samples.js';
import { secretPage } from './alerts-secret.js';
import { WebhookTable } from './alerts-table.js';

/** Where alerts go: e-mail and webhooks. */
export const addAlertsPage: Part = (router, deps) => {
  const { webhooks, sendPage, publicUrl } = deps;
  addPage(router, sendPage, {
    path: alertsAddress.all,
    notices: {
      'email-on': 'Alerts go to your e-mail address from now on.',
      'email-off': 'No more alerts go to your e-mail address.',
      'webhook-removed': 'The webhook and its log are removed.',
    },
    load: (ctx) => sessionOf(ctx).account.id,
    render: (ctx, _, errors) => alertsPage(ctx, deps, errors),
    forms: [
      {
        path: alertsAddress.webhooks,
        field: 'url',
        async submit(ctx, accountId) {
          const format = fieldOf(ctx, 'format');
          const added = await webhooks.add({
            accountId,
            url: fieldOf(ctx, 'url'),
            scope: fieldOf(ctx, 'site'),
            ...(isChosenFormat(format) && { format }),
          });
          // No other page shows the secret.
          if (added.webhook.format === 'signed') sendPage(ctx, secretPage({ ...added, isNew: true, publicUrl }));
          else seeNotice(ctx, alertsAddress.webhook(added.webhook.id), 'webhook-added');
          return undefined;
        },
      },
      {
        path: alertsAddress.email,
        async submit(ctx, accountId) {
          const isOn = fieldOf(ctx, 'alerts') === 'on';
          await webhooks.setEmailAlerts(accountId, isOn);
          return isOn ? 'email-on' : 'email-off';
        },
      },
    ],
  });
};

async function alertsPage(
  ctx: WebContext,
  { webhooks, sites, clock, publicUrl }: PartDeps,
  errors: FieldErrors | null,
): Promise<Page> {
  const { account } = sessionOf(ctx);
  const [list, emailAlerts, { length: siteCount }] = await Promise.all([
    webhooks.watch(account.id),
    webhooks.emailAlerts(account.id),
    sites.list(account.id),
  ]);
  const hasMail = emailAlerts !== null;
  return {
    title: 'Alerts',
    // A webhook's address may be a secret.
    hasSecret: true,
    header: <AlertsHeader webhooks={list} hasMail={emailAlerts === true} />,
    main: (
      <div class="w over-text">
        <ErrorSummary errors={errors} />
        {list.length > 0 && <WebhookTable webhooks={list} siteCount={siteCount} now={clock.now()} />}
        {hasMail && (
          <Group title="E-mail">
            <EmailAlerts email={account.email} isOn={emailAlerts} />
          </Group>
        )}
        <AddWebhook
          count={list.length}
          url={fieldOf(ctx, 'url')}
          format={fieldOf(ctx, 'format')}
          site={fieldOf(ctx, 'site')}
          errors={errors}
        />
        <Group title="Alerts are sent when">
          <ul>
            <li>a check breaks or is fixed</li>
            <li>the score falls because of that</li>
            <li>a site cannot be reached twice in a row, and when it can be reached again</li>
            <li>the proof of ownership is not found{hasMail && ' (by e-mail, or by webhook if that is off)'}</li>
            {hasMail && <li>a webhook is turned off because it takes no messages (by e-mail)</li>}
          </ul>
          <p>You get one alert per change, and none for failures you’ve accepted.</p>
          <Fold title="Example message">
            <MessageSamples publicUrl={publicUrl} email={account.email} hasMail={hasMail} />
          </Fold>
        </Group>
      </div>
    ),
  };
}

interface AlertsHeaderProps {
  readonly webhooks: readonly Webhook[];
  readonly hasMail: boolean;
}

function AlertsHeader({ webhooks, hasMail }: AlertsHeaderProps): JSX.Element {
  const on = webhooks.filter(({ disabledAt }) => disabledAt === null);
  const off = webhooks.length - on.length;
  const places = [...on.map(({ host }) => host), ...(hasMail ? ['your e-mail address'] : [])];
  const [first] = places;
  return (
    <PageHeader
      title={
        first === undefined
          ? 'No alerts set up yet'
          : `Alerts go to ${places.length === 1 ? first : countOf(places.length, 'place')}`
      }
      lead={
        <>
          An alert tells you when something changes on one of your sites.
          {off > 0 && ` ${countOf(off, 'webhook')} ${off === 1 ? 'is' : 'are'} turned off: messages were refused.`}
        </>
      }
    />
  );
}

function EmailAlerts({ email, isOn }: { readonly email: string; readonly isOn: boolean }): JSX.Element {
  return (
    <form method="post" action={alertsAddress.email} class="row apart">
      <p>
        Alerts by e-mail to <strong>{email}</strong> are <strong>{isOn ? 'on' : 'off'}</strong>.
      </p>
      <button type="submit" name="alerts" value={isOn ? 'off' : 'on'} class="quiet">
        {isOn ? 'Turn e-mail off' : 'Turn e-mail on'}
      </button>
    </form>
  );
}

interface AddWebhookProps {
  /** How many webhooks the account has. */
  readonly count: number;
  readonly url: string;
  readonly format: string;
  readonly site: string;
  readonly errors: FieldErrors | null;
}

const FORMAT_CHOICES = [
  { value: 'auto', label: 'Automatic' },
  ...Object.entries(FORMATS).map(([value, label]) => ({ value, label })),
];

function AddWebhook({ count, url, format, site, errors }: AddWebhookProps): JSX.Element {
  const left = WEBHOOKS_PER_ACCOUNT_MAX - count;
  if (left === 0) {
    return (
      <Group title="Another webhook">
        <p>An account has at most {WEBHOOKS_PER_ACCOUNT_MAX} webhooks. To add another, remove one first.</p>
      </Group>
    );
  }
  const form = (
    <form method="post" action={alertsAddress.webhooks} novalidate>
      <Field
        name="url"
        label="Address"
        value={url}
        inputMode="url"
        autocomplete="off"
        isVerbatim
        hint="A Slack or Discord webhook, or your own server, such as https://example.com/alerts."
        errors={errors}
      />
      <Radios
        name="format"
        legend="Format"
        options={FORMAT_CHOICES}
        value={isChosenFormat(format) ? format : 'auto'}
        hint="Choose Slack for software that accepts Slack messages, such as Mattermost."
        errors={errors}
      />
      <SiteField site={site} errors={errors} />
      <button type="submit">Add webhook</button>
    </form>
  );
  return (
    <Group title={count > 0 ? 'Another webhook' : 'Add a webhook'} meaning={`up to ${left}`} id="add">
      {count > 0 ? (
        <Fold title="Add a webhook" isOpen={(errors?.url ?? errors?.format ?? errors?.site) !== undefined}>
          {form}
        </Fold>
      ) : (
        <>
          <p>
            A webhook is an address that accepts messages: a channel in Slack or Discord, your own server, or a service
            such as Zapier or n8n.
          </p>
          {form}
        </>
      )}
    </Group>
  );
}

/** The sites whose alerts a webhook gets. */
export function SiteField({ site, errors }: Pick<AddWebhookProps, 'site' | 'errors'>): JSX.Element {
  return (
    <Field
      name="site"
      label="Only for one site or tag (optional)"
      value={site}
      autocomplete="off"
      required={false}
      maxLength={2000}
      isVerbatim
      hint="A host name, such as www.example.com, or a tag, such as #shops. Empty: all of your sites."
      errors={errors}
    />
  );
}
