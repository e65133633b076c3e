import type { Holdings } from '../../app/data/account-data.js';
import { Field } from '../html/form.js';
import { assertTyped, confirmPage, type Item } from '../server/confirm.js';
import { seeOther } from '../server/context.js';
import { sessionOf } from '../server/session.js';
import { addForm, fieldOf } from '../server/form.js';
import { countOf } from '../../scanner/artifacts/counts.js';
import type { Part } from '../server/page-part.js';
import { ExportButton } from './export-button.js';
import { listWords } from '../html/format.js';
import { RailPart } from '../html/two.js';

/** Deletes the account, after its e-mail address and password are typed. The page lists what is deleted with it. */
export const addDeleteAccountRoutes: Part = (router, { accountData, signIn, sessionCookie, sendPage }) => {
  addForm(router, sendPage, {
    path: '/account/delete',
    async load(ctx) {
      const { id } = sessionOf(ctx).account;
      const [holdings, hasPassword] = await Promise.all([accountData.holdings(id), signIn.hasPassword(id)]);
      return { ...holdings, hasPassword };
    },
    async submit(ctx) {
      const { id: accountId, email } = sessionOf(ctx).account;
      assertTyped(ctx, { word: email, name: 'email' }, 'deleted');
      await signIn.confirmPassword({ accountId, current: fieldOf(ctx, 'current') });
      await accountData.removeOwn(accountId);
      sessionCookie.clear(ctx);
      seeOther(ctx, '/?notice=account-deleted');
    },
    render: (ctx, holdings, errors) =>
      confirmPage(ctx, errors, {
        title: 'Delete this account',
        heading: 'Delete this account?',
        crumbs: [['/account', 'Account']],
        here: 'Delete',
        lead: 'This cannot be undone. Here is what we delete.',
        end: 'Deleted',
        goes: deletedItems(holdings),
        stays: [['globe', 'Your web sites themselves: nothing changes there']],
        rail: (
          <RailPart title="Keep a copy?">
            <p class="small soft">Download all data of your account as one file.</p>
            <ExportButton />
          </RailPart>
        ),
        action: '/account/delete',
        typed: { word: holdings.account.email, what: 'your e-mail address', name: 'email', inputMode: 'email' },
        ...(!holdings.hasPassword && { blocked: NO_PASSWORD }),
        more: (
          <Field
            name="current"
            label="Password"
            type="password"
            autocomplete="current-password"
            hint={errors ? 'Type it again.' : undefined}
            errors={errors}
          />
        ),
        button: 'Delete account',
        kept: ['/account', 'Keep my account'],
      }),
  });
};

const NO_PASSWORD = {
  why: 'Set a password first: it is needed to delete the account.',
  first: ['/account#set-password', 'Set a password'],
} as const;

function deletedItems({ sites, runs, keys, webhooks, ...setUp }: Holdings): readonly Item[] {
  const counts = [
    [setUp.schedules, 'schedule'],
    [setUp.hooks, 'deploy hook'],
    [setUp.reports, 'public report'],
    [setUp.badges, 'badge'],
  ] as const;
  const ofSites = counts.flatMap(([count, name]) => (count > 0 ? [countOf(count, name)] : []));
  const items: readonly (Item | false)[] = [
    sites > 0 && ['globe', `${countOf(sites, 'site')} with ${countOf(runs, 'run')} and their evidence`],
    ofSites.length > 0 && ['clock', listWords(ofSites)],
    keys > 0 && ['key', `${countOf(keys, 'API key')}: every request with ${keys === 1 ? 'it' : 'one'} is refused`],
    webhooks > 0 && ['bell', `${countOf(webhooks, 'webhook')}, and the alerts that are still to be sent`],
    ['mail', 'Your e-mail address, name and password, your activity, and every session'],
  ];
  return items.filter((item) => item !== false);
}
