import type { JSX } from 'preact';
import { InputError } from '../../../platform/input-error.js';
import type { Holdings } from '../account-data.js';
import { ErrorSummary, Field } from '../../../web/components/form.js';
import { seeOther, sessionOf } from '../../../web/exchange.js';
import { fieldOf, type FieldErrors, type Rejection, tryLimitedForm } from '../../../web/form.js';
import { countOf } from '../../../web/format.js';
import { Heading } from '../../../web/layout.js';
import type { Page } from '../../../web/page.js';
import type { Part } from '../../../web/part.js';

/** Deleting the account says what goes with it, and asks for its e-mail address and the password. */
export const addDeleteAccountRoutes: Part = (router, { accountData, signIn, sessionCookie, sendPage }) => {
  router.get('/account/delete', async (exchange) => {
    sendPage(exchange, deletePage({ holdings: await accountData.holdings(sessionOf(exchange).account.id) }));
  });

  router.post('/account/delete', async (exchange) => {
    const { account } = sessionOf(exchange);
    const email = fieldOf(exchange, 'email');
    const rejection = await tryLimitedForm(exchange, '', async () => {
      if (email.trim().toLowerCase() !== account.email) {
        throw new InputError(`Type ${account.email} to delete this account. Nothing was deleted.`, 'email');
      }
      const current = fieldOf(exchange, 'current');
      await signIn.confirmPassword({ accountId: account.id, current, clientAddress: exchange.ip });
      await accountData.removeOwn(account.id);
      sessionCookie.clear(exchange);
      seeOther(exchange, '/?notice=account-deleted');
    });
    if (!rejection) return;
    const holdings = await accountData.holdings(account.id);
    sendPage(exchange, deletePage({ holdings, email, rejection }));
  });
};

interface DeleteProps {
  readonly holdings: Holdings;
  readonly email?: string;
  readonly rejection?: Rejection;
}

function deletePage({ holdings, email = '', rejection }: DeleteProps): Page {
  const title = 'Delete this account';
  const errors = rejection?.errors ?? null;
  return {
    title: rejection ? `Error: ${title}` : title,
    status: rejection?.status ?? 200,
    main: (
      <>
        <ErrorSummary errors={errors} />
        <Heading lead="This cannot be undone.">Delete this account</Heading>
        <WhatGoes {...holdings} />
        <p>
          You may want to keep a copy: <a href="/account/export">Export my data</a>
        </p>
        <DeleteForm {...{ email, errors }} accountEmail={holdings.account.email} />
      </>
    ),
  };
}

function WhatGoes({ sites, runs, keys, webhooks }: Holdings): JSX.Element {
  return (
    <>
      <p>What goes with it, for good and at once:</p>
      <ul>
        {sites > 0 && (
          <li>
            {countOf(sites, 'site')} with {countOf(runs, 'run')}, schedules, deploy hooks and badges
          </li>
        )}
        {keys > 0 && <li>{countOf(keys, 'API key')}: every request with one is refused</li>}
        {webhooks > 0 && <li>{countOf(webhooks, 'webhook')}, and the alerts that are still to be sent</li>}
        <li>your e-mail address, name and password, and every session</li>
      </ul>
      <p>Nothing of your web sites themselves changes.</p>
    </>
  );
}

function DeleteForm(props: {
  readonly accountEmail: string;
  readonly email: string;
  readonly errors: FieldErrors | null;
}): JSX.Element {
  const { accountEmail, email, errors } = props;
  return (
    <form method="post" action="/account/delete" novalidate>
      <Field
        name="email"
        label={`Type ${accountEmail} to confirm`}
        value={email}
        errors={errors}
        autocomplete="off"
        inputMode="email"
        maxLength={300}
        isVerbatim
      />
      <Field name="current" label="Password" type="password" autocomplete="current-password" errors={errors} />
      <div class="row">
        <button type="submit" class="danger">
          Delete account
        </button>
        <a href="/account">Keep it</a>
      </div>
    </form>
  );
}
