import type { JSX } from 'preact';
import type { Account } from '../../app/accounts/accounts.js';
import { PASSWORD_HINT } from '../../app/accounts/new-password.js';
import { KEYS_PER_ACCOUNT_MAX, PLANS } from '../../app/accounts/plan.js';
import type { Session } from '../../app/accounts/sessions.js';
import type { AuditEventName } from '../../app/audit/audit.js';
import { FREQUENCIES, mostFrequentOf } from '../../app/automation/schedule.js';
import { DAILY_RUNS } from '../../app/limits/daily-runs.js';
import { ServiceError } from '../../platform/errors.js';
import { countOf, formatCount } from '../../scanner/artifacts/counts.js';
import { Fold } from '../html/fold.js';
import { ActionButton, ErrorSummary, Field } from '../html/form.js';
import { listWords } from '../html/format.js';
import { Group, PageHeader, TabBar } from '../html/page-header.js';
import { DescriptionList } from '../html/sidebar.js';
import { UseBar } from '../html/use-bar.js';
import { paramOf } from '../server/context.js';
import { addPage, type FieldErrors, fieldOf, type FormOfPage } from '../server/form.js';
import type { Part, PartDeps } from '../server/page-part.js';
import { OPERATOR_PATH } from '../server/public-pages.js';
import { sessionOf, signInAndRedirect, signOutAndRedirect } from '../server/session.js';
import { SessionList, SignIns } from './account-sessions.js';

/** The account: plan, password, sessions and data. */
export const addAccountPage: Part = (router, deps) => {
  const { signIn, sendPage, accountData, exports, clock } = deps;
  addPage(router, sendPage, {
    path: '/account',
    notices: {
      password: 'Your password is set. You are signed out everywhere else.',
      session: 'That session has ended.',
      others: 'Every other session has ended. API keys keep working.',
    },
    load: sessionOf,
    render: async (_, session, errors) => ({
      title: 'Account',
      header: <AccountHeader at="/account" title={<bdi>{session.account.email}</bdi>} />,
      main: await accountMain(deps, session, errors),
    }),
    forms: [
      {
        path: '/account/password',
        async submit(ctx, { account }) {
          const opened = await signIn.changePassword({
            accountId: account.id,
            current: fieldOf(ctx, 'current'),
            password: fieldOf(ctx, 'password'),
          });
          await signInAndRedirect(ctx, deps, opened, '/account?notice=password');
          return undefined;
        },
      },
      ...sessionForms(deps),
    ],
  });

  // By POST, so that a link on another site cannot trigger an export.
  router.post('/account/export', async (ctx) => {
    const { account } = sessionOf(ctx);
    const stream = await exports.open(account.id, accountData.exportAll(account.id));
    // The status has been sent, so only a broken connection shows that the file is incomplete.
    stream.once('error', () => ctx.res.destroy());
    const day = clock.now().toISOString().slice(0, 10);
    ctx.set('Cache-Control', 'no-store');
    ctx.set('Content-Disposition', `attachment; filename="agent-readiness-${day}.jsonl"`);
    ctx.body = stream;
    ctx.set('Content-Type', 'application/x-ndjson');
  });
};

/** Forms that end sessions. */
function sessionForms(deps: PartDeps): readonly FormOfPage<Session, 'session' | 'others'>[] {
  const { signIn, sessionCookie } = deps;
  return [
    {
      path: '/account/sessions/:sessionId/sign-out',
      async submit(ctx, { account, id }) {
        const sessionId = paramOf(ctx, 'sessionId');
        // Another account's session is answered like an unknown one.
        if (!(await signIn.signOutSession({ accountId: account.id, sessionId }))) throw new ServiceError('not_found');
        if (sessionId !== id) return 'session';
        signOutAndRedirect(ctx, deps);
        return undefined;
      },
    },
    {
      path: '/account/sign-out-others',
      async submit(ctx, { account }) {
        await signIn.signOutOthers({ accountId: account.id, token: sessionCookie.read(ctx) ?? '' });
        return 'others';
      },
    },
    {
      path: '/account/sign-out-everywhere',
      async submit(ctx, { account }) {
        await signIn.signOutEverywhere(account.id);
        signOutAndRedirect(ctx, deps);
        return undefined;
      },
    },
  ];
}

/** The header and tabs of an account's pages. */
export function AccountHeader(props: {
  readonly at: '/account' | '/account/activity';
  readonly title: JSX.Element | string;
  readonly lead?: string;
}): JSX.Element {
  const { at, ...mast } = props;
  const links = [
    ['/account', 'Account'],
    ['/account/activity', 'Activity'],
  ] as const;
  return <PageHeader {...mast} tabs={<TabBar label="Pages of your account" links={links} at={at} />} />;
}

/** Sign-ins and failed attempts. */
const SIGN_INS: readonly AuditEventName[] = ['signed_in', 'wrong_password'];

async function accountMain(deps: PartDeps, session: Session, errors: FieldErrors | null): Promise<JSX.Element> {
  const { signIn, accountData, readEvents, hasMail, clock } = deps;
  const { account, id: ownId } = session;
  const now = clock.now();
  const hasPassword = await signIn.hasPassword(account.id);
  const sessions = await signIn.sessionsOf(account.id);
  const holdings = await accountData.holdings(account.id);
  const { events } = await readEvents(account.id, { among: SIGN_INS });
  const passwordForm = <PasswordForm {...{ email: account.email, hasPassword, errors }} />;
  return (
    <div class="w over-text">
      <ErrorSummary errors={errors} />
      {!hasPassword && <SetPassword hasMail={hasMail}>{passwordForm}</SetPassword>}
      <OwnPlan deps={deps} account={account} siteCount={holdings.sites} />
      {hasPassword && (
        <Group title="Password" id="set-password">
          <Fold title="Change password" isOpen={errors !== null}>
            {passwordForm}
          </Fold>
        </Group>
      )}
      <Group title="Sessions" meaning="where you are signed in">
        <SessionList {...{ sessions, ownId, now }} />
      </Group>
      <Group title="Recent sign-ins" meaning={<a href="/account/activity">All activity</a>}>
        <SignIns events={events} now={now} />
      </Group>
      <Group title="Your data">
        <p>
          Your account, its sites, keys, webhooks, messages and activity, and every run, in one file of JSON lines.
          Accounts aren’t shared: each person needs their own.
        </p>
        <ExportButton />
      </Group>
      <Group title="Leave">
        <p>{describeLoss(holdings)}</p>
        <p>
          <a class="btn danger" href="/account/delete">
            Delete this account
          </a>
        </p>
      </Group>
    </div>
  );
}

interface SetPasswordProps {
  readonly hasMail: boolean;
  readonly children: JSX.Element;
}

/** Asks for a first password. */
function SetPassword({ hasMail, children }: SetPasswordProps): JSX.Element {
  return (
    <section class="note is-u calm" id="set-password">
      <h2>Set a password, to come back without a link</h2>
      <p>
        Without one you’ll need a new link{' '}
        {hasMail ? (
          'by e-mail'
        ) : (
          <>
            from <a href={OPERATOR_PATH}>the operator</a>
          </>
        )}{' '}
        when this session ends.
      </p>
      {children}
    </section>
  );
}

interface OwnPlanProps {
  readonly deps: PartDeps;
  readonly account: Account;
  readonly siteCount: number;
}

/** What the plan includes, and how much of it is used. */
function OwnPlan({ deps: { keys, sites }, account: { plan }, siteCount }: OwnPlanProps): JSX.Element {
  const { api, evidenceBytesMax } = PLANS[plan];
  const sitesMax = sites.sitesMaxOf(plan);
  return (
    <Group title={`Plan ${plan}`} meaning={<a href={OPERATOR_PATH}>Change plan</a>}>
      <DescriptionList
        facts={[
          [
            'Sites',
            <>
              <b>{formatCount(siteCount)}</b> of {formatCount(sitesMax)}
              <UseBar used={siteCount} max={sitesMax} />
            </>,
          ],
          ['Schedule', `as often as ${FREQUENCIES[mostFrequentOf(plan)].label}`],
          ['Manual runs', `${DAILY_RUNS.MANUAL} per site per day`],
          ['API', api ? `${formatCount(keys.monthlyQuotaOf(plan))} requests per key per month` : 'not included'],
          api && ['API keys', `up to ${KEYS_PER_ACCOUNT_MAX}`],
          ['Evidence', `${formatBytes(evidenceBytesMax)}; oldest deleted first`],
        ]}
      />
    </Group>
  );
}

function formatBytes(bytes: number): string {
  const megabytes = bytes / 1_000_000;
  return megabytes < 1000 ? `${megabytes} MB` : `${megabytes / 1000} GB`;
}

interface PasswordFormProps {
  readonly email: string;
  readonly hasPassword: boolean;
  readonly errors: FieldErrors | null;
}

/** Sets or changes the password. */
function PasswordForm({ email, hasPassword, errors }: PasswordFormProps): JSX.Element {
  return (
    <form method="post" action="/account/password">
      {/* Hidden: tells password managers whose password this is. */}
      <input type="email" name="email" value={email} autocomplete="username" readOnly hidden />
      {hasPassword && (
        <Field
          name="current"
          label="Current password"
          type="password"
          autocomplete="current-password"
          errors={errors}
        />
      )}
      <Field
        name="password"
        label={hasPassword ? 'New password' : 'Password'}
        type="password"
        autocomplete="new-password"
        hint={`${PASSWORD_HINT}${hasPassword ? ' It signs you out everywhere else.' : ''}`}
        errors={errors}
      />
      <button type="submit">{hasPassword ? 'Change password' : 'Set password'}</button>
    </form>
  );
}

export function ExportButton(): JSX.Element {
  return (
    <ActionButton action="/account/export" kind="quiet" icon="down">
      Export my data
    </ActionButton>
  );
}

/** Says what is deleted: `Deletes your account, 2 sites, 15 runs and 1 API key. This cannot be undone.` */
function describeLoss({ sites, runs, keys }: Readonly<Record<'sites' | 'runs' | 'keys', number>>): string {
  const lost = [
    ...(sites > 0 ? [countOf(sites, 'site'), countOf(runs, 'run')] : []),
    ...(keys > 0 ? [countOf(keys, 'API key')] : []),
  ];
  return `Deletes ${listWords(['your account', ...lost])}. This cannot be undone.`;
}
