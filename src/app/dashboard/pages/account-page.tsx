import type { JSX } from 'preact';
import { PASSWORD_CHARS_MIN } from '../../accounts/password.js';
import type { Account } from '../../accounts/accounts.js';
import { ActionButton, ErrorSummary, Field } from '../../../web/kit/components/form.js';
import { Notice, Time } from '../../../web/kit/components/text.js';
import { queryOf } from '../../../web/kit/context.js';
import { sessionOf } from '../../accounts/pages/session.js';
import { addForm, fieldOf, type FieldErrors } from '../../../web/kit/form.js';
import { Heading } from '../../../web/kit/layout.js';
import type { Part } from '../../part.js';
import { enter, leave } from '../../accounts/pages/enter.js';
import { ExportButton } from './export-button.js';
import { type PlanProps, PlanWords } from './plan.js';
import { SessionList, type SessionListProps } from '../../accounts/pages/sessions.js';

/** The account itself: plan, password, sessions. */
export const addSettingsRoutes: Part = (router, deps) => {
  const { signIn, sendPage, keys, sites, clock } = deps;
  addForm(router, sendPage, {
    path: '/account/password',
    shownAt: '/account',
    load: sessionOf,
    async submit(ctx, { account }) {
      const session = await signIn.changePassword({
        accountId: account.id,
        current: fieldOf(ctx, 'current'),
        password: fieldOf(ctx, 'password'),
      });
      await enter(ctx, deps, session, '/account?done=password');
    },
    render: async (ctx, { account, id }, errors) => ({
      title: 'Account',
      main: (
        <Settings
          {...{ account, errors, now: clock.now() }}
          limits={{ monthlyQuotaOf: keys.monthlyQuotaOf, sitesMaxOf: sites.sitesMaxOf }}
          sessions={{ sessions: await signIn.sessionsOf(account.id), ownId: id }}
          done={queryOf(ctx, 'done')}
        />
      ),
    }),
  });

  router.post('/account/sign-out-everywhere', async (ctx) => {
    await signIn.signOutEverywhere(sessionOf(ctx).account.id);
    leave(ctx, deps);
  });
};

interface SettingsProps {
  readonly account: Account;
  readonly now: Date;
  readonly limits: Omit<PlanProps, 'plan'>;
  readonly sessions: Omit<SessionListProps, 'now'>;
  /** What was just done. */
  readonly done: string;
  readonly errors: FieldErrors | null;
}

function Settings({ account, now, limits, sessions, done, errors }: SettingsProps): JSX.Element {
  return (
    <>
      <ErrorSummary errors={errors} />
      {done === 'password' && <Notice>Your password is changed, and you are signed out everywhere else.</Notice>}
      {done === 'session' && <Notice>That session has ended.</Notice>}
      <Heading>Account</Heading>
      <dl>
        <dt>E-mail address</dt>
        <dd>{account.email}</dd>
        <dt>Name</dt>
        <dd>{account.name}</dd>
        <dt>Since</dt>
        <dd>
          <Time at={account.createdAt} now={now} />
        </dd>
      </dl>
      <h2>Plan</h2>
      <PlanWords plan={account.plan} {...limits} />
      <h2>Change password</h2>
      <PasswordForm email={account.email} errors={errors} />
      <SessionList {...sessions} now={now} />
      <h2>Sign out everywhere</h2>
      <p>Ends every session of this account, on this device and on all others. API keys stay good.</p>
      <ActionButton action="/account/sign-out-everywhere" kind="danger">
        Sign out everywhere
      </ActionButton>
      <h2>Activity</h2>
      <p>
        Who signed in, and what was changed when and from where. <a href="/account/activity">See the activity</a>
      </p>
      <YourData />
    </>
  );
}

function YourData(): JSX.Element {
  return (
    <>
      <h2>Your data</h2>
      <p>
        Your account, its sites, keys, webhooks, messages and activity, and every run as it was stored, in one file of
        JSON lines.
      </p>
      <ExportButton />
      <p>
        You can delete the account with all that belongs to it. <a href="/account/delete">Delete this account</a>
      </p>
    </>
  );
}

function PasswordForm(props: { readonly email: string; readonly errors: FieldErrors | null }): JSX.Element {
  const { email, errors } = props;
  return (
    <form method="post" action="/account/password">
      {/* Not shown: it tells password managers whose password this is. */}
      <input type="email" name="email" value={email} autocomplete="username" readOnly hidden />
      <Field name="current" label="Current password" type="password" autocomplete="current-password" errors={errors} />
      <Field
        name="password"
        label="New password"
        type="password"
        autocomplete="new-password"
        hint={`At least ${PASSWORD_CHARS_MIN} characters of any kind. It signs you out everywhere else.`}
        errors={errors}
      />
      <button type="submit">Change password</button>
    </form>
  );
}
