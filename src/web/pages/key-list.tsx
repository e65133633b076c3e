import type { JSX } from 'preact';
import { countOf } from '../../scanner/artifacts/counts.js';
import { InputError } from '../../platform/input-error.js';
import { KEYS_PER_ACCOUNT_MAX, PLANS } from '../../app/accounts/plan.js';
import type { Account } from '../../app/accounts/accounts.js';
import type { KeysUsage } from '../../app/keys/keys.js';
import { ErrorSummary, Field, FieldNotes, notesOf } from '../html/form.js';
import { Notice } from '../html/text.js';
import { type WebContext, queryOf } from '../server/context.js';
import { sessionOf } from '../server/session.js';
import { addForm, fieldOf, type FieldErrors } from '../server/form.js';
import { Group, Mast } from '../html/mast.js';
import { listWords } from '../html/format.js';
import type { Page } from '../server/page.js';
import { OPERATOR_PATH } from '../server/public-pages.js';
import type { Part, PartDeps } from '../server/page-part.js';
import { keyCreatedPage, StartARun } from './key-created.js';
import { EndedKeys, LiveKeys } from './key-tables.js';
import { ApiFacts, type ApiFactsProps } from './plan.js';
import { RailText, Two } from '../html/two.js';

/** The list of an account's API keys, and the making of new ones. */
export const addKeyListRoutes: Part = (router, deps) => {
  const { keys, sites, sendPage, publicUrl } = deps;
  addForm(router, sendPage, {
    path: '/keys',
    load: (ctx) => sessionOf(ctx).account,
    async submit(ctx, account) {
      if (!PLANS[account.plan].api)
        throw new InputError('Your plan does not include the API, so a key would be of no use.');
      const { apiKey, key } = await keys.create({
        accountId: account.id,
        name: fieldOf(ctx, 'name'),
        expires: fieldOf(ctx, 'expires'),
      });
      const site = (await sites.list(account.id)).findLast(({ verifiedAt }) => verifiedAt !== null) ?? null;
      // Shown in the answer to the form itself: the key is stored nowhere, so no other page could show it.
      sendPage(ctx, keyCreatedPage({ ...apiKey, key, site, publicUrl, now: deps.clock.now() }));
    },
    render: (ctx, account, errors) => keyListPage(ctx, deps, account, errors),
  });
};

async function keyListPage(
  ctx: WebContext,
  { keys, clock, publicUrl }: PartDeps,
  account: Account,
  errors: FieldErrors | null,
): Promise<Page> {
  const usage = await keys.usage(account);
  const justRevoked = usage.keys.find((key) => key.revokedAt !== null && key.id === queryOf(ctx, 'revoked'));
  const hasApi = PLANS[account.plan].api;
  const now = clock.now();
  return {
    title: 'API keys',
    styles: ['account.css'],
    mast: hasApi ? <KeysMast keys={usage.keys} /> : <NoApiMast />,
    main: (
      <Two rail={<Rail plan={account.plan} renewsAt={usage.renewsAt} now={now} />}>
        <ErrorSummary errors={errors} />
        {justRevoked && (
          <Notice isDone>
            <b>The key “{justRevoked.name}” is revoked.</b> Every request with it is refused now.
          </Notice>
        )}
        {!hasApi && <AskForApi />}
        <KeyList
          {...{ hasApi, usage, publicUrl, errors }}
          name={fieldOf(ctx, 'name')}
          expires={fieldOf(ctx, 'expires')}
          now={now}
        />
      </Two>
    ),
  };
}

const NO_BREAK = '\u00a0';

function KeysMast({ keys }: Pick<KeysUsage, 'keys'>): JSX.Element {
  const live = keys.filter(({ state }) => state === 'live').length;
  const used = keys.reduce((sum, { usedThisMonth }) => sum + usedThisMonth, 0);
  return (
    <Mast
      title={
        live === 0
          ? 'No API key yet'
          : `${countOf(live, 'API key')}, ${countOf(used, 'request').replace(' ', NO_BREAK)} this month`
      }
      lead="With a key, a deployment or any program of yours can start runs and read them."
    />
  );
}

function NoApiMast(): JSX.Element {
  return <Mast title="Your plan has no API" lead="Plans with the API let your programs start runs and read them." />;
}

function AskForApi(): JSX.Element {
  const plans = Object.entries(PLANS).flatMap(([plan, { api }]) => (api ? [plan] : []));
  return (
    <p class="row">
      <span>The API is part of the plans {listWords(plans)}. The operator of this service sets your plan.</span>
      <a class="btn" href={OPERATOR_PATH}>
        Ask for another plan
      </a>
    </p>
  );
}

function Rail({ plan, renewsAt, now }: ApiFactsProps): JSX.Element {
  if (!PLANS[plan].api) {
    return (
      <RailText title="Without the API">
        Schedules and deploy hooks start runs on every plan. <a href="/sites">Set them up</a>
      </RailText>
    );
  }
  return (
    <>
      <ApiFacts {...{ plan, renewsAt, now }} />
      <RailText title="What a key can do">
        Start runs of your sites, and read them. It cannot sign in, add sites or see evidence.{' '}
        <a href="/docs/api">API reference</a>
      </RailText>
      <RailText title="Found one in public?">
        Revoke it here: from then on every request with it is refused. It shows in your{' '}
        <a href="/account/activity">activity</a>.
      </RailText>
    </>
  );
}

/** What was typed, and what was wrong with it. */
interface Typed {
  readonly name: string;
  readonly expires: string;
  readonly errors: FieldErrors | null;
}

interface KeyListProps extends Typed {
  readonly hasApi: boolean;
  readonly usage: KeysUsage;
  readonly now: Date;
  readonly publicUrl: string;
}

function KeyList({ hasApi, usage, now, publicUrl, ...typed }: KeyListProps): JSX.Element {
  const live = usage.keys.filter(({ state }) => state === 'live');
  const ended = usage.keys.filter(({ state }) => state !== 'live');
  // One that was used this month keeps its place until the month ends.
  const inUse = usage.keys.filter(({ state, usedThisMonth }) => state === 'live' || usedThisMonth > 0);
  return (
    <>
      {live.length > 0 && <LiveKeys keys={live} monthlyQuota={usage.monthlyQuota} now={now} />}
      {hasApi && <CreateForm {...typed} left={KEYS_PER_ACCOUNT_MAX - inUse.length} />}
      {live.length === 0 && hasApi && <StartARun site={null} publicUrl={publicUrl} />}
      {ended.length > 0 && <EndedKeys keys={ended} now={now} />}
    </>
  );
}

/** How long a key may last, in days. */
const LIVES = { '': 'never', '30': 'in 30 days', '90': 'in 90 days', '365': 'in a year' };

function CreateForm({ name, expires, errors, left }: Typed & { readonly left: number }): JSX.Element {
  const notes = { name: 'expires', message: errors?.expires };
  return (
    <Group title="Create a key" meaning={`${Math.max(left, 0)} of ${KEYS_PER_ACCOUNT_MAX} left`} id="create">
      <form method="post" action="/keys">
        <Field
          name="name"
          label="Name"
          value={name}
          autocomplete="off"
          maxLength={100}
          hint="What will use it, such as “deployment”, so that you know later which one to revoke."
          errors={errors}
        />
        <div class="field">
          <label for="expires">Expires</label>
          <FieldNotes {...notes} />
          <select
            id="expires"
            name="expires"
            aria-invalid={notes.message === undefined ? undefined : true}
            aria-describedby={notesOf(notes)}
            autofocus={notes.message !== undefined}
          >
            {Object.entries(LIVES).map(([days, words]) => (
              <option key={days} value={days} selected={days === expires}>
                {words}
              </option>
            ))}
          </select>
        </div>
        <button type="submit">Create key</button>
      </form>
    </Group>
  );
}
