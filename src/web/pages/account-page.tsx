import type { JSX } from 'preact';
import type { Account } from '../../app/accounts/accounts.js';
import { PLANS } from '../../app/accounts/plan.js';
import { type AuditEvent, type AuditEventName, EVENT_WORDS } from '../../app/audit/audit.js';
import { OPERATOR_PATH } from '../server/public-pages.js';
import { ErrorSummary } from '../html/form.js';
import { Notice, Time } from '../html/text.js';
import { queryOf } from '../server/context.js';
import { addForm, fieldOf } from '../server/form.js';
import { Fold } from '../html/fold.js';
import { Group } from '../html/mast.js';
import type { Part } from '../server/page-part.js';
import { sessionOf, signInAndRedirect, signOutAndRedirect } from '../server/session.js';
import { ExportButton } from './export-button.js';
import { OwnPlan, type PlanProps } from './plan.js';
import { AccountMast } from './account-mast.js';
import { PasswordForm, type PasswordFormProps } from './password-form.js';
import { SessionList, type SessionListProps } from './sessions.js';
import { countOf, formatCount } from '../../scanner/artifacts/counts.js';
import { Facts, RailPart, RailText, Two } from '../html/two.js';
import { listWords } from '../html/format.js';

/** The account itself: plan, password, sessions. */
export const addSettingsRoutes: Part = (router, deps) => {
  const { signIn, sendPage, keys, sites, accountData, readEvents, clock, hasMail } = deps;
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
      await signInAndRedirect(ctx, deps, session, '/account?done=password');
    },
    render: async (ctx, { account, id }, errors) => ({
      title: 'Account',
      mast: <AccountMast at="/account" title={<bdi>{account.email}</bdi>} />,
      main: (
        <Settings
          {...{ account, email: account.email, errors, now: clock.now(), hasMail }}
          limits={{ monthlyQuotaOf: keys.monthlyQuotaOf, sitesMaxOf: sites.sitesMaxOf }}
          sessions={{ sessions: await signIn.sessionsOf(account.id), ownId: id }}
          hasPassword={await signIn.hasPassword(account.id)}
          holdings={await accountData.holdings(account.id)}
          signIns={(await readEvents(account.id, { among: SIGN_INS })).events}
          done={queryOf(ctx, 'done')}
        />
      ),
    }),
  });

  router.post('/account/sign-out-everywhere', async (ctx) => {
    await signIn.signOutEverywhere(sessionOf(ctx).account.id);
    signOutAndRedirect(ctx, deps);
  });
};

interface SettingsProps extends PasswordFormProps {
  readonly account: Account;
  /** Whether a link can be had by mail. */
  readonly hasMail: boolean;
  readonly now: Date;
  readonly limits: Omit<PlanProps, 'plan'>;
  readonly sessions: Omit<SessionListProps, 'now'>;
  readonly holdings: Holdings;
  /** The latest first. */
  readonly signIns: readonly AuditEvent[];
  /** What was just done. */
  readonly done: string;
}

/** What the page says after something was done, by the code in its address: the outcome, and what follows from it. */
const DONE: Readonly<Record<string, readonly [outcome: string, more: string]>> = {
  password: ['Your password is set.', 'You are signed out everywhere else.'],
  session: ['That session has ended.', ''],
  others: ['Every other session has ended.', 'API keys keep working.'],
};

function Settings(props: SettingsProps): JSX.Element {
  const { account, hasMail, now, limits, sessions, holdings, signIns, done, ...password } = props;
  const told = Object.hasOwn(DONE, done) ? DONE[done] : undefined;
  return (
    <Two
      isGlanceFirst={password.hasPassword}
      rail={<Rail {...{ account, signIns, now }} runs={holdings.runs} />}
      above={
        <>
          <ErrorSummary errors={password.errors} />
          {told && (
            <Notice isDone>
              <b>{told[0]}</b> {told[1]}
            </Notice>
          )}
        </>
      }
    >
      {!password.hasPassword && <SetPassword {...{ hasMail, ...password }} />}
      <OwnPlan plan={account.plan} siteCount={holdings.sites} {...limits} />
      {password.hasPassword && (
        <Group title="Password" meaning="for signing in" id="set-password">
          <Fold title="Change password" isOpen={Object.keys(password.errors ?? {}).length > 0}>
            <PasswordForm {...password} />
          </Fold>
        </Group>
      )}
      <Group title="Sessions" meaning="where you are signed in">
        <SessionList {...sessions} now={now} />
      </Group>
      <YourData holdings={holdings} />
    </Two>
  );
}

/** What shows that somebody came in, or tried to. */
const SIGN_INS: readonly AuditEventName[] = ['signed_in', 'wrong_password'];
const SIGN_INS_SHOWN = 2;

interface RailProps extends Pick<SettingsProps, 'account' | 'signIns' | 'now'> {
  readonly runs: number;
}

function Rail({ account, signIns, runs, now }: RailProps): JSX.Element {
  const { name, email, plan, createdAt } = account;
  // A sign-in, perhaps by a guess that was right at last, must not hide the wrong ones before it.
  const wrong = signIns.find(({ event }) => event === 'wrong_password');
  return (
    <>
      <RailPart title="Recognise every sign-in?">
        <Facts
          facts={signIns
            .filter((shown, index) => index < SIGN_INS_SHOWN || shown === wrong)
            .map(({ at, event, subject }) => [
              <span class={event === 'wrong_password' ? 'chip is-u' : undefined}>
                {subject === null ? EVENT_WORDS[event] : `${EVENT_WORDS[event]}: ${subject}`}
              </span>,
              <Time at={at} now={now} />,
            ])}
        />
        <p class="small">
          <a href="/account/activity">All activity</a>
        </p>
      </RailPart>
      <RailText title="Working with others?">
        An account is one person’s: keep the password to yourself. To show a report, <a href="/sites">publish it</a>
        {PLANS[plan].api && (
          <>
            ; a program takes <a href="/keys">a key of its own</a>
          </>
        )}
        .
      </RailText>
      <RailPart title="At a glance">
        <Facts
          facts={[
            name !== email && ['Name', name],
            ['Since', <Time at={createdAt} now={now} />],
            runs > 0 && ['Runs of your sites', formatCount(runs)],
          ]}
        />
      </RailPart>
    </>
  );
}

/** A visitor who came in by a link has seen the product first: a password is for coming back. */
function SetPassword({ hasMail, ...password }: PasswordFormProps & Pick<SettingsProps, 'hasMail'>): JSX.Element {
  return (
    <section class="note is-u calm" id="set-password">
      <h2>Set a password, to come back without a link</h2>
      <p>
        Until then only a new link{' '}
        {hasMail ? (
          'by mail'
        ) : (
          <>
            from <a href={OPERATOR_PATH}>the operator</a>
          </>
        )}{' '}
        lets you in once this session has ended.
      </p>
      <PasswordForm {...password} />
    </section>
  );
}

function YourData({ holdings }: Pick<SettingsProps, 'holdings'>): JSX.Element {
  return (
    <>
      <Group title="Your data" meaning="all of it, at any time">
        <p>
          Your account, its sites, keys, webhooks, messages and activity, and every run as it was stored, in one file of
          JSON lines.
        </p>
        <ExportButton />
      </Group>
      <Group title="Leave" meaning="for good">
        <p>{describeLoss(holdings)} You confirm on the next page.</p>
        <p>
          <a class="btn danger" href="/account/delete">
            Delete this account
          </a>
        </p>
      </Group>
    </>
  );
}

/** How much hangs on the account. */
type Holdings = Readonly<Record<'sites' | 'runs' | 'keys', number>>;

/** What goes with the account: `2 sites, 15 runs and 1 key go with it.` */
function describeLoss({ sites, runs, keys }: Holdings): string {
  const held = [
    ...(sites > 0 ? [countOf(sites, 'site'), countOf(runs, 'run')] : []),
    ...(keys > 0 ? [countOf(keys, 'API key')] : []),
  ];
  if (held.length === 0) return 'All that is stored of you goes with it, at once.';
  const verb = held.length > 1 || sites + keys > 1 ? 'go' : 'goes';
  return `${listWords(held)} ${verb} with it, at once.`;
}
