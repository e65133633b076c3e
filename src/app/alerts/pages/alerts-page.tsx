import type { JSX } from 'preact';
import { WEBHOOKS_PER_ACCOUNT_MAX } from '../webhooks.js';
import type { Webhook } from '../webhooks.js';
import { ErrorSummary, Field } from '../../../web/components/form.js';
import { Table } from '../../../web/components/table.js';
import { Notice, Time } from '../../../web/components/text.js';
import { type Exchange, queryOf, seeOther, sessionOf } from '../../../web/exchange.js';
import { fieldOf, type FieldErrors, tryForm } from '../../../web/form.js';
import { Heading } from '../../../web/layout.js';
import type { Part, PartDeps } from '../../../web/part.js';
import { alertsAddress } from './addresses.js';
import { EmailAlerts } from './email-alerts.js';
import { secretPage } from './secret-page.js';
import { WebhookState } from './states.js';

/** What the page says after something was done, by the code in its address. */
const NOTICES: Readonly<Record<string, string>> = {
  'email-on': 'Alerts go to your e-mail address from now on.',
  'email-off': 'No more alerts go to your e-mail address.',
  removed: 'The webhook and its log are removed.',
};

/** The overview of an account's alerts. */
export const addAlertsPage: Part = (router, deps) => {
  const { webhooks, sendPage, publicUrl } = deps;

  router.get(alertsAddress.all, (exchange) => sendAlertsPage(exchange, deps, {}));

  router.post(alertsAddress.email, async (exchange) => {
    const isOn = fieldOf(exchange, 'alerts') === 'on';
    const errors = await tryForm('', async () => {
      await webhooks.setEmailAlerts(sessionOf(exchange).account.id, isOn);
      seeOther(exchange, `${alertsAddress.all}?notice=${isOn ? 'email-on' : 'email-off'}`);
    });
    if (errors) await sendAlertsPage(exchange, deps, { errors });
  });

  router.post(alertsAddress.webhooks, async (exchange) => {
    const { account } = sessionOf(exchange);
    const url = fieldOf(exchange, 'url');
    const errors = await tryForm('url', async () => {
      const added = await webhooks.add({ accountId: account.id, url });
      // Shown in the answer to the form itself: no other page shows it.
      sendPage(exchange, secretPage({ ...added, isNew: true, publicUrl }));
    });
    if (errors) await sendAlertsPage(exchange, deps, { url, errors });
  });
};

/** What was typed, and what was wrong with it. */
interface Typed {
  readonly url?: string;
  readonly errors?: FieldErrors;
}

async function sendAlertsPage(
  exchange: Exchange,
  { webhooks, sendPage, clock }: PartDeps,
  { url, errors }: Typed,
): Promise<void> {
  const { account } = sessionOf(exchange);
  const [list, emailAlerts] = await Promise.all([webhooks.list(account.id), webhooks.emailAlerts(account.id)]);
  const code = queryOf(exchange, 'notice');
  const notice = !errors && Object.hasOwn(NOTICES, code) ? NOTICES[code] : undefined;
  sendPage(exchange, {
    title: errors ? 'Error: Alerts' : 'Alerts',
    status: errors ? 422 : 200,
    main: (
      <>
        <ErrorSummary errors={errors ?? null} />
        {notice !== undefined && <Notice>{notice}</Notice>}
        <Heading lead="An alert tells you that something about one of your sites has changed.">Alerts</Heading>
        <WhatAlertsAre />
        <EmailAlerts email={account.email} isOn={emailAlerts} />
        <h2>Webhooks</h2>
        <WebhookList webhooks={list} now={clock.now()} />
        <AddForm count={list.length} url={url} errors={errors} />
      </>
    ),
  });
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
        when it runs: a schedule or a deploy hook, on <a href="/sites">the site's page</a>, has it run by itself.
      </p>
    </>
  );
}

function WebhookList({ webhooks, now }: { readonly webhooks: readonly Webhook[]; readonly now: Date }): JSX.Element {
  if (webhooks.length === 0) {
    return (
      <p>
        You have no webhook yet. A webhook is an address of yours to which each alert is posted as JSON, signed so that
        you know it comes from here: it can open a ticket, post to a chat, or start whatever you like.
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
  readonly url: string | undefined;
  readonly errors: FieldErrors | undefined;
}): JSX.Element {
  const { count, url = '', errors } = props;
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
          errors={errors ?? null}
        />
        <button type="submit">Add webhook</button>
      </form>
    </>
  );
}
