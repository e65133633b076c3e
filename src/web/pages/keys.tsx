import type { Account } from '../../app/accounts/accounts.js';
import { KEYS_PER_ACCOUNT_MAX, PLANS } from '../../app/accounts/plan.js';
import type { CountedApiKey } from '../../app/keys/keys.js';
import { DAILY_RUNS } from '../../app/limits/limits.js';
import { utcMonthStart } from '../../platform/clock.js';
import { InputError, ServiceError } from '../../platform/errors.js';
import { countOf, formatList } from '../../scanner/artifacts/counts.js';
import { Form } from '../html/form.js';
import { Moment, Snippet } from '../html/text.js';
import { HostName, PageHeader } from '../html/page-header.js';
import { Group } from '../html/sections.js';
import type { AddRoutes, FieldErrors, Page, RouteDeps, WebContext } from '../server/page.js';
import { addPage, fieldOf, paramOf, sendPage, sessionOf } from '../server/routes.js';
import { OPERATOR_PATH } from '../server/paths.js';
import { oneTimeSecretPage } from '../server/standard-pages.js';
import { KeyTable } from './keys-table.js';

export const addKeysPage: AddRoutes = (router, deps) => {
  const { keys } = deps;
  addPage(router, {
    path: '/keys',
    load: (ctx) => sessionOf(ctx).account,
    render: (ctx, account, errors) => keysPage(ctx, deps, account, errors),
    forms: [
      {
        path: '/keys',
        async submit(ctx, account) {
          if (!PLANS[account.plan].api)
            throw new InputError('Your plan does not include the API, so a key would not work.');
          // The key is stored nowhere, so no other page can show it.
          sendPage(ctx, await keyCreatedPage(ctx, deps, account.id));
        },
      },
      {
        path: '/keys/:keyId/revoke',
        async act(ctx, { id: accountId }) {
          const keyId = paramOf(ctx, 'keyId');
          // Another account's key is answered like an unknown one.
          if (!(await keys.list(accountId)).some(({ id }) => id === keyId)) throw new ServiceError('not_found');
          await keys.revoke(keyId, accountId);
        },
        done: ['key-revoked', 'The key is revoked. Every request with it is refused now.'],
      },
    ],
  });
};

async function keysPage(
  ctx: WebContext,
  { keys, clock, publicUrl }: RouteDeps,
  account: Account,
  errors: FieldErrors | null,
): Promise<Page> {
  const apiKeys = await keys.list(account.id);
  const hasApi = PLANS[account.plan].api;
  const used = apiKeys.reduce((sum, { usedThisMonth }) => sum + usedThisMonth, 0);
  const liveCount = apiKeys.filter(({ state }) => state === 'live').length;
  const title =
    liveCount === 0 ? 'No API keys yet' : `${countOf(liveCount, 'API key')}, ${countOf(used, 'request')} this month`;
  return {
    title: 'API keys',
    header: (
      <PageHeader
        title={hasApi ? title : 'Your plan has no API'}
        lead={
          <>
            You need a key only for your own programs. They can then start runs, up to {DAILY_RUNS.API} per site per
            day, and read them. A key cannot sign in, add sites or see evidence.{' '}
            {hasApi && (
              <>
                Request counts start again on <Moment at={utcMonthStart(clock.now(), 1).toISOString()} /> UTC.{' '}
              </>
            )}
            <a href="/docs/api">API reference</a>
          </>
        }
      />
    ),
    main: (
      <div class="w over-text">
        {apiKeys.length > 0 && <KeyTable keys={apiKeys} monthlyQuota={keys.monthlyQuotaOf(account.plan)} />}
        {hasApi ? <CreateKey ctx={ctx} keys={apiKeys} errors={errors} /> : NO_API}
        {hasApi && liveCount === 0 && <StartRunCommand site={null} publicUrl={publicUrl} />}
      </div>
    ),
  };
}

const PLANS_WITH_API = Object.entries(PLANS).flatMap(([plan, { api }]) => (api ? [plan] : []));

const NO_API = (
  <Group title="Plans with the API">
    <p>
      The API is part of the plans {formatList(PLANS_WITH_API)}. The operator of this service sets your plan:{' '}
      <a href={OPERATOR_PATH}>ask for another</a>. <a href="/sites">Schedules and deploy hooks</a> start runs on every
      plan.
    </p>
  </Group>
);

interface CreateKeyProps {
  readonly ctx: WebContext;
  readonly keys: readonly CountedApiKey[];
  readonly errors: FieldErrors | null;
}

function CreateKey({ ctx, keys, errors }: CreateKeyProps) {
  // A key that was used this month counts until the month ends.
  const inUse = keys.filter(({ state, usedThisMonth }) => state === 'live' || usedThisMonth > 0);
  const left = Math.max(KEYS_PER_ACCOUNT_MAX - inUse.length, 0);
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
            value: fieldOf(ctx, 'name'),
            autocomplete: 'off',
            hint: 'What will use it, such as “deployment”, so that you know later which one to revoke.',
          },
          { name: 'expires', label: 'Expires', value: fieldOf(ctx, 'expires'), options: EXPIRY_OPTIONS },
        ]}
      />
    </Group>
  );
}

/** How long a key may last, in days. */
const EXPIRY_OPTIONS = [
  ['', 'never'],
  ['30', 'in 30 days'],
  ['90', 'in 90 days'],
  ['365', 'in a year'],
] as const;

/** Creates a key, and shows it once. */
async function keyCreatedPage(ctx: WebContext, deps: RouteDeps, accountId: string): Promise<Page> {
  const { keys, sites, publicUrl } = deps;
  const created = await keys.create({ accountId, name: fieldOf(ctx, 'name'), expires: fieldOf(ctx, 'expires') });
  const { name, expiresAt } = created.apiKey;
  const site = (await sites.list(accountId)).findLast(({ verifiedAt }) => verifiedAt !== null) ?? null;
  return oneTimeSecretPage({
    title: 'Key created',
    heading: 'Copy your new key',
    crumbs: [['/keys', 'API keys']],
    intro: (
      <>
        <b>
          “<bdi>{name}</bdi>” is created.
        </b>{' '}
        {expiresAt === null ? (
          'It works until you revoke it.'
        ) : (
          <>
            It expires on <Moment at={expiresAt} /> UTC. Replace it before then.
          </>
        )}{' '}
        Anyone who has it can start runs of your sites and read them, so put it into the secret store of your build
        service. We keep no copy: if you lose it, revoke it and create another.
      </>
    ),
    secret: created.key,
    label: 'Your new API key',
    noun: 'key',
    doneHref: '/keys',
    children: <StartRunCommand site={site} publicUrl={publicUrl} />,
  });
}

interface StartRunCommandProps {
  /** A verified site of the account for the command; null without one. */
  readonly site: { readonly id: string; readonly hostname: string } | null;
  readonly publicUrl: string;
}

/** The command that starts a run. The key is in the environment: in the command it would stay in the shell's history. */
function StartRunCommand({ site, publicUrl }: StartRunCommandProps) {
  const address = `${publicUrl}/api/v1/sites/${site?.id ?? 'SITE_ID'}/runs`;
  return (
    <Group title="Start a run" meaning="with a key">
      <p>
        With the key in the environment variable <code>API_KEY</code>
        {site === null && ', and the id from the site’s settings'}, this command runs{' '}
        {site === null ? 'a site' : <HostName name={site.hostname} />} and waits for the result:
      </p>
      <Snippet
        text={`curl -X POST -H "Authorization: Bearer $API_KEY" \\\n${address}`}
        label="Command that starts a run"
      />
    </Group>
  );
}
