import type { JSX } from 'preact';
import type { Webhook } from '../../app/alerts/webhooks.js';
import { isChosenFormat } from '../../app/alerts/webhook-format.js';
import { countOf } from '../../scanner/artifacts/counts.js';
import { ErrorSummary } from '../html/form.js';
import type { IconName } from '../html/icons.js';
import { Group, Mast } from '../html/mast.js';
import { Notice } from '../html/text.js';
import { type WebContext, noticeOf, seeOther } from '../server/context.js';
import { sessionOf } from '../server/session.js';
import { addForm, fieldOf, type FieldErrors } from '../server/form.js';
import type { Page } from '../server/page.js';
import type { Part, PartDeps } from '../server/page-part.js';
import { alertsAddress } from './alerts-addresses.js';
import { AddWebhookForm } from './add-webhook-form.js';
import { MessageSamples } from './message-samples.js';
import { WebhookTable } from './webhook-table.js';
import { secretPage } from './secret-page.js';
import { RailText, Two } from '../html/two.js';
import { Items } from '../server/confirm.js';

/** Notices by the code in the query. */
const NOTICES = {
  'email-on': 'Alerts go to your e-mail address from now on.',
  'email-off': 'No more alerts go to your e-mail address.',
  removed: 'The webhook and its log are removed.',
};

export const addAlertsPage: Part = (router, deps) => {
  const { webhooks, sendPage, publicUrl } = deps;

  addForm(router, sendPage, {
    path: alertsAddress.webhooks,
    shownAt: alertsAddress.all,
    field: 'url',
    load: (ctx) => sessionOf(ctx).account,
    async submit(ctx, account) {
      const format = fieldOf(ctx, 'format');
      const added = await webhooks.add({
        accountId: account.id,
        url: fieldOf(ctx, 'url'),
        scope: fieldOf(ctx, 'site'),
        ...(isChosenFormat(format) && { format }),
      });
      // No other page shows the secret.
      if (added.webhook.format === 'signed') sendPage(ctx, secretPage({ ...added, isNew: true, publicUrl }));
      else seeOther(ctx, `${alertsAddress.webhook(added.webhook.id)}?notice=added`);
    },
    render: (ctx, _account, errors) => alertsPage(ctx, deps, errors),
  });

  addForm(router, sendPage, {
    path: alertsAddress.email,
    shownAt: null,
    load: (ctx) => sessionOf(ctx).account,
    async submit(ctx, account) {
      const isOn = fieldOf(ctx, 'alerts') === 'on';
      await webhooks.setEmailAlerts(account.id, isOn);
      seeOther(ctx, `${alertsAddress.all}?notice=${isOn ? 'email-on' : 'email-off'}`);
    },
    render: (ctx, _account, errors) => alertsPage(ctx, deps, errors),
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
  const notice = errors ? undefined : noticeOf(ctx, NOTICES);
  return {
    title: 'Alerts',
    styles: ['account.css'],
    // A webhook's address may be a secret.
    hasSecret: true,
    mast: <AlertsMast webhooks={list} hasMail={emailAlerts === true} />,
    main: (
      <Two rail={<Rail hasMail={emailAlerts !== null} />}>
        <ErrorSummary errors={errors} />
        <Notice isDone>{notice}</Notice>
        {list.length > 0 && <WebhookTable webhooks={list} siteCount={siteCount} now={clock.now()} />}
        {emailAlerts !== null && (
          <Group title="E-mail">
            <EmailAlerts email={account.email} isOn={emailAlerts} />
          </Group>
        )}
        <AddWebhookForm
          count={list.length}
          url={fieldOf(ctx, 'url')}
          format={fieldOf(ctx, 'format')}
          site={fieldOf(ctx, 'site')}
          errors={errors}
        />
        <Group title="Example message">
          <MessageSamples publicUrl={publicUrl} email={account.email} hasMail={emailAlerts !== null} />
        </Group>
        <Group title="Alerts are sent when" meaning="for each of your sites">
          <AlertReasons hasMail={emailAlerts !== null} />
        </Group>
      </Two>
    ),
  };
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

function Rail({ hasMail }: { readonly hasMail: boolean }): JSX.Element {
  return (
    <>
      <RailText title="When you hear nothing">
        Nothing has changed. We report each change once, and no failure that you accepted. A site is checked when it
        runs: by schedule, after a deployment, or when you start a run. <a href="/sites">Your sites</a>
      </RailText>
      {!hasMail && <RailText title="No e-mail alerts">Webhooks only: this service sends no e-mail.</RailText>}
    </>
  );
}

function AlertsMast({
  webhooks,
  hasMail,
}: {
  readonly webhooks: readonly Webhook[];
  readonly hasMail: boolean;
}): JSX.Element {
  const on = webhooks.filter(({ disabledAt }) => disabledAt === null);
  const off = webhooks.filter(({ disabledAt, isNew }) => disabledAt !== null && !isNew).length;
  const newCount = webhooks.filter(({ isNew }) => isNew).length;
  const destinations = [...on.map(({ host }) => host), ...(hasMail ? ['your e-mail address'] : [])];
  return (
    <Mast
      title={destinations.length === 0 ? 'No alerts yet' : `Alerts go to ${describeDestinations(destinations)}`}
      lead={
        <>
          An alert tells you when something changes on one of your sites.
          {off > 0 && (
            <>
              {' '}
              {countOf(off, 'webhook')} {off === 1 ? 'is' : 'are'} turned off, because messages were no longer accepted
              there.
            </>
          )}
          {newCount > 0 && (
            <>
              {' '}
              {countOf(newCount, 'webhook')} {newCount === 1 ? 'is' : 'are'} not turned on yet.
            </>
          )}
        </>
      }
    />
  );
}

/** Names the only destination, or counts them. */
function describeDestinations(destinations: readonly string[]): string {
  const [only] = destinations;
  return destinations.length === 1 && only !== undefined ? only : countOf(destinations.length, 'place');
}

type Reason = readonly [icon: IconName, what: string, when: string];

const REASONS: readonly Reason[] = [
  ['bell', 'A check breaks', 'it passed before, or did not apply'],
  ['up', 'A check is fixed', 'with the run that shows it'],
  ['fall', 'The score falls', 'even if no check broke'],
  ['globe', 'A site cannot be reached', 'after two runs in a row, and again once it can be reached'],
];

/** Lists the reasons for alerts. Without email, webhooks get the messages about ownership. */
function reasonsOf(hasMail: boolean): readonly Reason[] {
  const proof = 'The proof of ownership is not found';
  if (!hasMail) return [...REASONS, ['lock', proof, 'before the site stops being verified']];
  return [
    ...REASONS,
    ['lock', proof, 'by e-mail, or where that is off, by webhook'],
    ['out', 'A webhook is turned off', 'by e-mail: its receiver is gone, or accepted no message for days'],
  ];
}

function AlertReasons({ hasMail }: { readonly hasMail: boolean }): JSX.Element {
  return (
    <Items
      items={reasonsOf(hasMail).map(([icon, what, when]) => [
        icon,
        <>
          {what}
          <br />
          <span class="soft small">{when}</span>
        </>,
      ])}
    />
  );
}
