import type { JSX } from 'preact';
import type { Holdings } from '../account-data.js';
import { Field } from '../../../web/kit/components/form.js';
import { assertTyped, confirmPage } from '../../../web/kit/confirm.js';
import { seeOther } from '../../../web/kit/context.js';
import { sessionOf } from '../../accounts/pages/session.js';
import { addForm, fieldOf } from '../../../web/kit/form.js';
import { countOf } from '../../../platform/counts.js';
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
      assertTyped(ctx, email, 'delete this account', 'email');
      await signIn.confirmPassword({ accountId, current: fieldOf(ctx, 'current') });
      await accountData.removeOwn(accountId);
      sessionCookie.clear(ctx);
      deviceCookie.clear(ctx);
      seeOther(ctx, '/?notice=account-deleted');
    },
    render: (ctx, holdings, errors) =>
      confirmPage(ctx, errors, {
        title: 'Delete this account',
        lead: 'This cannot be undone.',
        children: (
          <>
            <WhatGoes {...holdings} />
            <p>You may want to keep a copy:</p>
            <ExportButton />
          </>
        ),
        action: '/account/delete',
        word: holdings.account.email,
        field: { name: 'email', inputMode: 'email' },
        more: <Field name="current" label="Password" type="password" autocomplete="current-password" errors={errors} />,
        button: 'Delete account',
        keptAt: '/account',
      }),
  });
};

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
