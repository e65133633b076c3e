import { useContext } from 'preact/hooks';
import type { Account } from '../../app/accounts/accounts.js';
import { PASSWORD_HINT } from '../../app/accounts/passwords.js';
import { KEYS_PER_ACCOUNT_MAX, PLANS } from '../../app/accounts/plan.js';
import { type ListedSession, type Session, SESSIONS_LISTED_MAX } from '../../app/accounts/sessions.js';
import { FREQUENCIES, maxFrequency } from '../../app/automation/schedules.js';
import { DAILY_RUNS } from '../../app/limits/limits.js';
import { utcDay } from '../../platform/clock.js';
import { ServiceError } from '../../platform/errors.js';
import { formatCount } from '../../scanner/artifacts/counts.js';
import { DescriptionList, UseBar } from '../html/table.js';
import { ActionButton, Fold, Group, LinkButton } from '../html/sections.js';
import { PageHeader, type PageHeaderProps, TabBar } from '../html/page-header.js';
import {
  addPage,
  fieldOf,
  paramOf,
  redirectWithNotice,
  sessionOf,
  signInAndRedirect,
  signOutAndRedirect,
} from '../server/routes.js';
import type { AddRoutes, FieldErrors, RouteDeps } from '../server/page.js';
import { OPERATOR_PATH } from '../server/paths.js';
import { PasswordForm } from './auth-pages.js';
import { sendDownload } from '../server/send-text.js';
import { formatMoment, Now, Time } from '../html/text.js';

export const addAccountPage: AddRoutes = (router, deps) => {
  const { signIn, exports, accountData, clock } = deps;
  addPage(router, {
    path: '/account',
    notices: {
      password: 'Your password is set. You are signed out everywhere else.',
      session: 'That session has ended.',
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
          const [current, password] = [fieldOf(ctx, 'current'), fieldOf(ctx, 'password')];
          const opened = await signIn.changePassword({ accountId: account.id, current, password });
          await signInAndRedirect(ctx, opened, '/account?notice=password');
        },
      },
      {
        path: '/account/sessions/:sessionId/sign-out',
        async submit(ctx, { account, id }) {
          const sessionId = paramOf(ctx, 'sessionId');
          // Another account's session is answered like an unknown one.
          if (!(await signIn.signOutSession({ accountId: account.id, sessionId }))) throw new ServiceError('not_found');
          if (sessionId === id) signOutAndRedirect(ctx);
          else redirectWithNotice(ctx, '/account', 'session');
        },
      },
      {
        path: '/account/sign-out-others',
        act: (ctx, { account }) => signIn.signOutOthers({ accountId: account.id, token: ctx.state.sessionToken ?? '' }),
        done: ['others', 'Every other session has ended. API keys keep working.'],
      },
      {
        path: '/account/sign-out-everywhere',
        async submit(ctx, { account }) {
          await signIn.signOutEverywhere(account.id);
          signOutAndRedirect(ctx);
        },
      },
    ],
  });

  // By POST, so that a link on another site cannot start the download.
  router.post('/account/export', async (ctx) => {
    const accountId = sessionOf(ctx).account.id;
    const body = await exports.open(accountId, accountData.exportAll(accountId));
    // The status has been sent, so only a broken connection shows that the file is incomplete.
    body.once('error', () => ctx.res.destroy());
    const name = `agent-readiness-${utcDay(clock.now())}.jsonl`;
    sendDownload(ctx, { body, type: 'application/x-ndjson', name });
  });
};

interface AccountHeaderProps extends Pick<PageHeaderProps, 'title' | 'lead'> {
  readonly at: '/account' | '/account/activity';
}

/** The header and tabs of an account's pages. */
export function AccountHeader({ at, ...header }: AccountHeaderProps) {
  const links = [
    ['/account', 'Account'],
    ['/account/activity', 'Activity'],
  ] as const;
  return <PageHeader {...header} tabs={<TabBar label="Pages of your account" links={links} at={at} />} />;
}

async function accountMain(deps: RouteDeps, session: Session, errors: FieldErrors | null) {
  const { signIn, accountData } = deps;
  const { account, id: currentId } = session;
  const hasPassword = await signIn.hasPassword(account.id);
  const sessions = await signIn.listSessions(account.id);
  const { sites } = await accountData.summary(account.id);
  const passwordForm = (
    <PasswordForm
      action="/account/password"
      email={account.email}
      hasCurrent={hasPassword}
      field={{ label: 'New password', hint: `${PASSWORD_HINT} It signs you out everywhere else.` }}
      button={hasPassword ? 'Change password' : 'Set password'}
      errors={errors}
    />
  );
  return (
    <div class="w over-text">
      {!hasPassword && (
        <section class="note is-u field" id="set-password">
          <h2>Set a password to sign in without a link</h2>
          <p>
            Without one you’ll need a new link from <a href={OPERATOR_PATH}>the operator</a>
            {deps.hasMail && ' or by e-mail'} when this session ends.
          </p>
          {passwordForm}
        </section>
      )}
      <PlanGroup deps={deps} account={account} siteCount={sites} />
      {hasPassword && (
        <Group title="Password" id="set-password">
          <Fold title="Change password" isOpen={errors !== null}>
            {passwordForm}
          </Fold>
        </Group>
      )}
      <Group title="Sessions" meaning="where you are signed in">
        <SessionList sessions={sessions} currentId={currentId} />
      </Group>
      <Group title="Your data">
        <p>Your account, its sites, keys, webhooks, messages and activity, and every run, in one JSON Lines file.</p>
        <ActionButton action="/account/export" kind="quiet" icon="download" label="Export my data" />
      </Group>
      <Group title="Delete account">
        <p>Deletes your account, its sites and all their runs. This cannot be undone.</p>
        <LinkButton kind="danger" href="/account/delete" label="Delete this account" />
      </Group>
    </div>
  );
}

interface PlanGroupProps {
  readonly deps: RouteDeps;
  readonly account: Account;
  readonly siteCount: number;
}

/** What the plan includes, and how much of it is used. */
function PlanGroup({ deps: { keys, sites, contact }, account: { plan }, siteCount }: PlanGroupProps) {
  const { api, evidenceBytesMax } = PLANS[plan];
  const sitesMax = sites.sitesMaxOf(plan);
  const used = (
    <>
      <b>{formatCount(siteCount)}</b> of {formatCount(sitesMax)}
      <UseBar used={siteCount} max={sitesMax} />
    </>
  );
  return (
    <Group title={`Plan ${plan}`} meaning={contact !== null && <a href={OPERATOR_PATH}>Change plan</a>}>
      <DescriptionList
        facts={[
          ['Users', '1; an account is for one person'],
          ['Sites', used],
          ['Schedule', `at most ${FREQUENCIES[maxFrequency(plan)].label}`],
          ['Manual runs', `${DAILY_RUNS.MANUAL} per site per day`],
          ['API', api ? `${formatCount(keys.monthlyQuotaOf(plan))} requests per key per month` : 'not included'],
          api && ['API keys', `up to ${KEYS_PER_ACCOUNT_MAX}`],
          ['Evidence', `${formatCount(evidenceBytesMax / 1_000_000)} MB; oldest deleted first`],
        ]}
      />
    </Group>
  );
}

interface SessionListProps {
  readonly sessions: readonly ListedSession[];
  /** Id of the current session. */
  readonly currentId: string;
}

/** The account's sessions, the current one first. */
function SessionList({ sessions, currentId }: SessionListProps) {
  const ordered = sessions.toSorted((a, b) => Number(b.id === currentId) - Number(a.id === currentId));
  return (
    <>
      {sessions.length === SESSIONS_LISTED_MAX && (
        <p>
          The list shows the {SESSIONS_LISTED_MAX} used most recently. <q>Sign out everywhere</q> ends the others too.
        </p>
      )}
      <ul class="plain">
        {ordered.map((session) => (
          <SessionItem key={session.id} session={session} isCurrent={session.id === currentId} />
        ))}
      </ul>
      <div class="row more">
        {sessions.length > 1 && (
          <ActionButton action="/account/sign-out-others" kind="quiet" label="Sign out everywhere else" />
        )}
        <ActionButton action="/account/sign-out-everywhere" kind="quiet" label="Sign out everywhere" />
        <span class="soft small">Everywhere includes this browser. API keys keep working.</span>
      </div>
    </>
  );
}

function SessionItem({ session, isCurrent }: { readonly session: ListedSession; readonly isCurrent: boolean }) {
  const now = useContext(Now);
  const { id, startedAt, lastSeenAt, address, browser } = session;
  const from = address === null ? '' : `, from ${address}`;
  const name = browser ?? 'Another browser';
  return (
    <li class="row apart">
      <span>
        {isCurrent ? `This browser: ${name}` : name}
        <br />
        <span class="soft small">
          Signed in <Time at={startedAt} />
          {from}, last used <Time at={lastSeenAt} />
        </span>
      </span>
      {!isCurrent && (
        <ActionButton
          action={`/account/sessions/${id}/sign-out`}
          kind="quiet"
          isTight
          spoken={`Sign out ${name}, signed in ${formatMoment(startedAt, now.toISOString())} UTC${from}`}
          label="Sign out"
        />
      )}
    </li>
  );
}
