import type { JSX } from 'preact';
import { InputError } from '../../../platform/input-error.js';
import type { Holdings } from '../account-data.js';
import { ErrorSummary, Field } from '../../../web/kit/components/form.js';
import { seeOther } from '../../../web/kit/context.js';
import { sessionOf } from '../../accounts/pages/session.js';
import { addForm, fieldOf, type FieldErrors } from '../../../web/kit/form.js';
import { countOf } from '../../../platform/counts.js';
import { Heading } from '../../../web/kit/layout.js';
import type { Page } from '../../../web/kit/page.js';
import type { Part } from '../../part.js';
import { ExportButton } from '../../dashboard/pages/export-button.js';

/** Deleting the account says what goes with it, and asks for its e-mail address and the password. */
export const addDeleteAccountRoutes: Part = (
  router,
  { accountData, signIn, sessionCookie, deviceCookie, sendPage },
) => {
  addForm(router, sendPage, {
    path: '/account/delete',
    load: (ctx) => accountData.holdings(sessionOf(ctx).account.id),
    async submit(ctx) {
      const { id: accountId, email } = sessionOf(ctx).account;
      if (fieldOf(ctx, 'email').trim().toLowerCase() !== email) {
        throw new InputError(`Type ${email} to delete this account. Nothing was deleted.`, 'email');
      }
      await signIn.confirmPassword({ accountId, current: fieldOf(ctx, 'current') });
      await accountData.removeOwn(accountId);
      sessionCookie.clear(ctx);
      deviceCookie.clear(ctx);
      seeOther(ctx, '/?notice=account-deleted');
    },
    render: (ctx, holdings, errors) => deletePage({ holdings, email: fieldOf(ctx, 'email'), errors }),
  });
};

interface DeleteProps {
  readonly holdings: Holdings;
  readonly email: string;
  readonly errors: FieldErrors | null;
}

function deletePage({ holdings, email, errors }: DeleteProps): Page {
  return {
    title: 'Delete this account',
    main: (
      <>
        <ErrorSummary errors={errors} />
        <Heading lead="This cannot be undone.">Delete this account</Heading>
        <WhatGoes {...holdings} />
        <p>You may want to keep a copy:</p>
        <ExportButton />
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
