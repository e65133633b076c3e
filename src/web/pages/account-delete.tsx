import type { AccountSummary } from '../../app/data/removal.js';
import { countOf } from '../../scanner/artifacts/counts.js';
import { Field } from '../html/form.js';
import { assertWordTyped, confirmPage, type RequiredWord } from '../server/standard-pages.js';
import { addForm, clearSessionCookie, fieldOf, redirectWithNotice, sessionOf } from '../server/routes.js';
import type { AddRoutes } from '../server/page.js';
import { CURRENT_PASSWORD } from './auth-pages.js';

/** Deletes the account, after its e-mail address and password are typed. */
export const addDeleteAccountPage: AddRoutes = (router, { accountData, signIn }) => {
  addForm(router, {
    path: '/account/delete',
    async load(ctx) {
      const { id } = sessionOf(ctx).account;
      const [summary, hasPassword] = await Promise.all([accountData.summary(id), signIn.hasPassword(id)]);
      return { ...summary, hasPassword };
    },
    async submit(ctx, { account }) {
      assertWordTyped(ctx, requiredWord(account.email));
      await signIn.confirmPassword({ accountId: account.id, current: fieldOf(ctx, 'current') });
      await accountData.removeOwn(account.id);
      clearSessionCookie(ctx);
      redirectWithNotice(ctx, '/', 'account-deleted');
    },
    render: (ctx, summary, errors) =>
      confirmPage(ctx, errors, {
        title: 'Delete this account',
        heading: 'Delete this account?',
        crumbs: [['/account', 'Account']],
        lists: [
          ['Deleted now', describeDeleted(summary)],
          ['Stays', ['Your websites themselves: nothing changes there']],
        ],
        requiredWord: requiredWord(summary.account.email),
        blocked: summary.hasPassword ? null : (
          <p>
            You need a password to delete the account. <a href="/account#set-password">Set a password</a>
          </p>
        ),
        fields: <Field {...CURRENT_PASSWORD} hint={errors ? 'Type it again.' : undefined} errors={errors} />,
        action: '/account/delete',
        button: 'Delete account',
        cancel: ['/account', 'Keep my account'],
      }),
  });
};

function requiredWord(email: string): RequiredWord {
  return { field: 'email', word: email, meaning: 'your e-mail address' };
}

/** Lists what the account has. */
function describeDeleted({ sites, runs, keys, webhooks }: AccountSummary): readonly string[] {
  const lines: readonly (readonly [count: number, words: string])[] = [
    [sites, `${countOf(sites, 'site')} with ${countOf(runs, 'run')} and all of their data`],
    [keys, `${countOf(keys, 'API key')}, refused from now on`],
    [webhooks, `${countOf(webhooks, 'webhook')}, and alerts that are not sent yet`],
    [1, 'Your e-mail address, name and password, your activity, and every session'],
  ];
  return lines.flatMap(([count, words]) => (count > 0 ? [words] : []));
}
