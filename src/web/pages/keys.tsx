import type { JSX } from 'preact';
import type { Account } from '../../app/accounts/accounts.js';
import { KEYS_PER_ACCOUNT_MAX, PLANS } from '../../app/accounts/plan.js';
import type { ApiKey } from '../../app/keys/keys.js';
import { DAILY_RUNS } from '../../app/limits/daily-runs.js';
import { ServiceError } from '../../platform/errors.js';
import { InputError } from '../../platform/input-error.js';
import { countOf, formatList } from '../../scanner/artifacts/counts.js';
import { ErrorSummary, Form } from '../html/form.js';
import { formatMoment } from '../html/format.js';
import { Group, HostName, PageHeader } from '../html/page-header.js';
import { Snippet } from '../html/text.js';
import { paramOf, type WebContext } from '../server/context.js';
import { addPage, type FieldErrors, fieldOf } from '../server/form.js';
import type { Page } from '../server/page.js';
import type { Part, PartDeps } from '../server/page-part.js';
import { OPERATOR_PATH } from '../server/public-pages.js';
import { sessionOf } from '../server/session.js';
import { shownOncePage } from '../server/shown-once.js';
import { EndedKeys, LiveKeys } from './keys-table.js';

/** The account's API keys: creates and revokes them. */
export const addKeysPage: Part = (router, deps) => {
  const { keys, sites, clock, sendPage, publicUrl } = deps;
  addPage(router, sendPage, {
    path: '/keys',
    load: (ctx) => sessionOf(ctx).account,
    render: (ctx, account, errors) => keysPage(ctx, deps, account, errors),
    forms: [
      {
        path: '/keys',
        async submit(ctx, account) {
          if (!PLANS[account.plan].api)
            throw new InputError('Your plan does not include the API, so a key would be of no use.');
          const [name, expires] = [fieldOf(ctx, 'name'), fieldOf(ctx, 'expires')];
          const created = await keys.create({ accountId: account.id, name, expires });
          const site = (await sites.list(account.id)).findLast(({ verifiedAt }) => verifiedAt !== null) ?? null;
          // The key is stored nowhere, so no other page can show it.
          sendPage(
            ctx,
            keyCreatedPage(created.apiKey, created.key, clock.now(), <StartARun site={site} publicUrl={publicUrl} />),
          );
          return undefined;
        },
      },
      {
        path: '/keys/:keyId/revoke',
        async act(ctx, { id: accountId }) {
          const keyId = paramOf(ctx, 'keyId');
          // Another account's key is answered like an unknown one.
          if (!(await keys.list(accountId)).some(({ id }) => id === keyId)) throw new ServiceError('not_found');
          await keys.revokeOwn({ accountId, keyId });
        },
        done: ['key-revoked', 'The key is revoked. Every request with it is refused now.'],
      },
    ],
  });
};

async function keysPage(
  ctx: WebContext,
  { keys, clock, publicUrl }: PartDeps,
  account: Account,
  errors: FieldErrors | null,
): Promise<Page> {
  const usage = await keys.usage(account);
  const now = clock.now();
  const { live = [], ended = [] } = Object.groupBy(usage.keys, ({ state }) => (state === 'live' ? state : 'ended'));
  const tables = {
    live: live.length > 0 && <LiveKeys keys={live} monthlyQuota={usage.monthlyQuota} now={now} />,
    ended: ended.length > 0 && <EndedKeys keys={ended} now={now} />,
  };
  if (!PLANS[account.plan].api) {
    return noApiPage(
      errors,
      <>
        {tables.live}
        {tables.ended}
      </>,
    );
  }
  const used = usage.keys.reduce((sum, { usedThisMonth }) => sum + usedThisMonth, 0);
  // A key that was used this month counts until the month ends.
  const inUse = usage.keys.filter(({ state, usedThisMonth }) => state === 'live' || usedThisMonth > 0);
  return {
    title: 'API keys',
    header: (
      <PageHeader
        title={
          live.length === 0
            ? 'No API key yet'
            : `${countOf(live.length, 'API key')}, ${countOf(used, 'request')} this month`
        }
        lead={
          <>
            A key lets your programs start runs and read them: up to {DAILY_RUNS.API} runs per site per day. It cannot
            sign in, add sites or see evidence. Requests are counted until{' '}
            {formatMoment(usage.renewsAt, now.toISOString())} UTC. <a href="/docs/api">API reference</a>
          </>
        }
      />
    ),
    main: (
      <div class="w over-text">
        <ErrorSummary errors={errors} />
        {tables.live}
        <CreateForm
          name={fieldOf(ctx, 'name')}
          expires={fieldOf(ctx, 'expires')}
          errors={errors}
          left={Math.max(KEYS_PER_ACCOUNT_MAX - inUse.length, 0)}
        />
        {live.length === 0 && <StartARun site={null} publicUrl={publicUrl} />}
        {tables.ended}
      </div>
    ),
  };
}

/** @param keys those of an earlier plan, which can still be revoked */
function noApiPage(errors: FieldErrors | null, keys: JSX.Element): Page {
  const plans = Object.entries(PLANS).flatMap(([plan, { api }]) => (api ? [plan] : []));
  return {
    title: 'API keys',
    header: (
      <PageHeader title="Your plan has no API" lead="Plans with the API let your programs start runs and read them." />
    ),
    main: (
      <div class="w over-text">
        <ErrorSummary errors={errors} />
        <p class="row">
          <span>
            The API is part of the plans {formatList(plans)}. The operator of this service sets your plan.{' '}
            <a href="/sites">Schedules and deploy hooks</a> start runs on every plan.
          </span>
          <a class="btn" href={OPERATOR_PATH}>
            Ask for another plan
          </a>
        </p>
        {keys}
      </div>
    ),
  };
}

/** How long a key may last, in days. */
const LIVES = [
  ['', 'never'],
  ['30', 'in 30 days'],
  ['90', 'in 90 days'],
  ['365', 'in a year'],
] as const;

interface CreateFormProps {
  /** The submitted values. */
  readonly name: string;
  readonly expires: string;
  readonly errors: FieldErrors | null;
  /** How many more keys the account may have. */
  readonly left: number;
}

function CreateForm({ name, expires, errors, left }: CreateFormProps): JSX.Element {
  return (
    <Group title="Create a key" meaning={`${left} of ${KEYS_PER_ACCOUNT_MAX} left`} id="create">
      <Form
        action="/keys"
        button="Create key"
        errors={errors}
        fields={[
          {
            name: 'name',
            label: 'Name',
            value: name,
            autocomplete: 'off',
            maxLength: 100,
            hint: 'What will use it, such as “deployment”, so that you know later which one to revoke.',
          },
          { name: 'expires', label: 'Expires', value: expires, options: LIVES },
        ]}
      />
    </Group>
  );
}

/** Shows a new key, once. */
function keyCreatedPage({ name, expiresAt }: ApiKey, key: string, now: Date, next: JSX.Element): Page {
  const end =
    expiresAt === null
      ? 'It works until you revoke it.'
      : `It expires on ${formatMoment(expiresAt, now.toISOString())} UTC. Replace it before then.`;
  return shownOncePage({
    title: 'Key created',
    heading: 'Copy your new key',
    crumbs: [['/keys', 'API keys']],
    words: (
      <>
        <b>
          “<bdi>{name}</bdi>” is created.
        </b>{' '}
        {end} Anyone who has it can start runs of your sites and read them, so put it into the secret store of your
        build service. If you lose it, revoke it and create another.
      </>
    ),
    secret: key,
    label: 'Your new API key',
    what: 'key',
    doneAt: '/keys',
    children: next,
  });
}

/** The environment variable of the key: in the command itself it would stay in the shell's history. */
const KEY_NAME = 'API_KEY';

interface StartARunProps {
  /** A verified site of the account for the command; null without one. */
  readonly site: { readonly id: string; readonly hostname: string } | null;
  readonly publicUrl: string;
}

/** The command that starts a run with a key. */
function StartARun({ site, publicUrl }: StartARunProps): JSX.Element {
  const address = `${publicUrl}/api/v1/sites/${site?.id ?? 'SITE_ID'}/runs`;
  return (
    <Group title="Start a run" meaning="with a key">
      <p>
        With the key in the environment as <code>{KEY_NAME}</code>, this line runs{' '}
        {site === null ? 'a site' : <HostName name={site.hostname} />} and waits for the result:
      </p>
      <Snippet
        text={`curl -X POST -H "Authorization: Bearer $${KEY_NAME}" \\\n${address}`}
        label="Command that starts a run"
      />
      {site === null && (
        <p class="small soft">
          Replace <code>SITE_ID</code> with the id of a verified site: it is in the site’s settings.{' '}
          <a href="/sites">Your sites</a>
        </p>
      )}
    </Group>
  );
}
