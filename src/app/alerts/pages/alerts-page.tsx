import type { JSX } from 'preact';
import { WEBHOOKS_PER_ACCOUNT_MAX } from '../webhooks.js';
import type { Webhook } from '../webhooks.js';
import { ErrorSummary, Field } from '../../../web/kit/components/form.js';
import { Table } from '../../../web/kit/components/table.js';
import { Notice, Time } from '../../../web/kit/components/text.js';
import { type WebContext, noticeOf, seeOther } from '../../../web/kit/context.js';
import { sessionOf } from '../../accounts/pages/session.js';
import { addForm, fieldOf, type FieldErrors } from '../../../web/kit/form.js';
import { Heading } from '../../../web/kit/layout.js';
import type { Page } from '../../../web/kit/page.js';
import type { Part, PartDeps } from '../../part.js';
import { alertsAddress } from './addresses.js';
import { EmailAlerts } from './email-alerts.js';
import { secretPage } from './secret-page.js';
import { WebhookState } from './states.js';

/** What the page says after something was done, by the code in its address. */
const NOTICES = {
  'email-on': 'Alerts go to your e-mail address from now on.',
  'email-off': 'No more alerts go to your e-mail address.',
  removed: 'The webhook and its log are removed.',
};

/** The overview of an account's alerts. */
export const addAlertsPage: Part = (router, deps) => {
  const { webhooks, sendPage, publicUrl } = deps;

  addForm(router, sendPage, {
    path: alertsAddress.webhooks,
    shownAt: alertsAddress.all,
    field: 'url',
    load: (ctx) => sessionOf(ctx).account,
    async submit(ctx, account) {
      const added = await webhooks.add({ accountId: account.id, url: fieldOf(ctx, 'url') });
      // Shown in the answer to the form itself: no other page shows it.
      sendPage(ctx, secretPage({ ...added, isNew: true, publicUrl }));
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

async function alertsPage(ctx: WebContext, { webhooks, clock }: PartDeps, errors: FieldErrors | null): Promise<Page> {
  const { account } = sessionOf(ctx);
  const [list, emailAlerts] = await Promise.all([webhooks.list(account.id), webhooks.emailAlerts(account.id)]);
  const notice = errors ? undefined : noticeOf(ctx, NOTICES);
  return {
    title: 'Alerts',
    main: (
      <>
        <ErrorSummary errors={errors} />
        {notice !== undefined && <Notice>{notice}</Notice>}
        <Heading lead="An alert tells you when something about one of your sites changes.">Alerts</Heading>
        <WhatAlertsAre />
        <EmailAlerts email={account.email} isOn={emailAlerts} />
        <h2>Webhooks</h2>
        <WebhookList webhooks={list} now={clock.now()} />
        <AddForm count={list.length} url={fieldOf(ctx, 'url')} errors={errors} />
      </>
    ),
  };
}

function WhatAlertsAre(): JSX.Element {
  return (
    <>
      <p>Each run is compared with the one before. There is an alert when</p>
      <ul>
        <li>the score fell,</li>
        <li>a check fails that did not fail before, or does not fail any more,</li>
        <li>the site could not be reached twice in a row, or can be reached again.</li>
      </ul>
      <p>
        As long as nothing changes, you hear nothing; nor are you told twice of the same change. A site is looked at
        when it runs: a schedule or a deploy hook, set on <a href="/sites">the site's page</a>, runs it automatically.
      </p>
    </>
  );
}

function WebhookList({ webhooks, now }: { readonly webhooks: readonly Webhook[]; readonly now: Date }): JSX.Element {
  if (webhooks.length === 0) {
    return (
      <p>
        You have no webhook yet. A webhook is an address of yours to which each alert is posted as JSON, signed so that
        you know it comes from here: it can open a ticket, post to a chat, or start anything you like.
      </p>
    );
  }
  return (
    <Table caption="Where alerts are posted to" head={[['Address'], ['State'], ['Added']]}>
      {webhooks.map(({ id, url, createdAt, disabledAt }) => (
        <tr key={id}>
          <th scope="row">
            <a href={alertsAddress.webhook(id)}>{url}</a>
          </th>
          <td data-label="State">
            <WebhookState isInUse={disabledAt === null} />
          </td>
          <td data-label="Added">
            <Time at={createdAt} now={now} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

function AddForm(props: {
  readonly count: number;
  readonly url: string;
  readonly errors: FieldErrors | null;
}): JSX.Element {
  const { count, url, errors } = props;
  if (count >= WEBHOOKS_PER_ACCOUNT_MAX) {
    return <p>An account has at most {WEBHOOKS_PER_ACCOUNT_MAX} webhooks. To add another, remove one first.</p>;
  }
  return (
    <>
      <h3>Add a webhook</h3>
      <form method="post" action={alertsAddress.webhooks} novalidate>
        <Field
          name="url"
          label="Address"
          value={url}
          inputMode="url"
          autocomplete="off"
          isVerbatim
          hint={`An https address of a public server, such as https://example.com/alerts. An account has at most ${WEBHOOKS_PER_ACCOUNT_MAX} webhooks.`}
          errors={errors}
        />
        <button type="submit">Add webhook</button>
      </form>
    </>
  );
}
