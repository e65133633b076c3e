import type { JSX } from 'preact';
import { InputError } from '../../../platform/input-error.js';
import { KEYS_PER_ACCOUNT_MAX, PLANS } from '../../accounts/plan.js';
import type { Account } from '../../accounts/accounts.js';
import type { Sites } from '../../sites/sites.js';
import type { Keys, KeysUsage } from '../../keys/keys.js';
import { ErrorSummary, Field } from '../../../web/kit/components/form.js';
import { Notice, Snippet } from '../../../web/kit/components/text.js';
import { type WebContext, queryOf } from '../../../web/kit/context.js';
import { sessionOf } from '../../accounts/pages/session.js';
import { addForm, fieldOf, type FieldErrors } from '../../../web/kit/form.js';
import { Heading } from '../../../web/kit/layout.js';
import type { Page } from '../../../web/kit/page.js';
import type { Part, PartDeps } from '../../part.js';
import { createRunLine } from '../../keys/pages/curl.js';
import { keyCreatedPage } from '../../keys/pages/key-created.js';
import { EndedKeys, LiveKeys } from '../../keys/pages/key-tables.js';
import { PlanWords } from './plan.js';

/** The list of an account's API keys, and the making of new ones. */
export const addKeyListRoutes: Part = (router, deps) => {
  const { keys, sites, sendPage, publicUrl } = deps;
  const findVerifiedSite = async (accountId: string): Promise<string | null> =>
    (await sites.list(accountId)).find(({ verifiedAt }) => verifiedAt !== null)?.id ?? null;

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
      const siteId = await findVerifiedSite(account.id);
      // Shown in the answer to the form itself: the key is stored nowhere, so no other page could show it.
      sendPage(ctx, keyCreatedPage({ ...apiKey, key, siteId, publicUrl }));
    },
    render: (ctx, account, errors) => keyListPage(ctx, deps, account, errors),
  });
};

async function keyListPage(
  ctx: WebContext,
  { keys, sites, clock, publicUrl }: PartDeps,
  account: Account,
  errors: FieldErrors | null,
): Promise<Page> {
  const usage = await keys.usage(account);
  const justRevoked = usage.keys.find((key) => key.revokedAt !== null && key.id === queryOf(ctx, 'revoked'));
  return {
    title: 'API keys',
    main: (
      <>
        <ErrorSummary errors={errors} />
        {justRevoked && <Notice>The key “{justRevoked.name}” is revoked: every request with it is refused now.</Notice>}
        <Heading lead="With a key, a deployment or any program of yours can start runs and read them.">
          API keys
        </Heading>
        <KeyList
          {...{ account, keys, sites, usage, publicUrl, errors }}
          name={fieldOf(ctx, 'name')}
          expires={fieldOf(ctx, 'expires')}
          now={clock.now()}
        />
      </>
    ),
  };
}

/** What was typed, and what was wrong with it. */
interface Typed {
  readonly name: string;
  readonly expires: string;
  readonly errors: FieldErrors | null;
}

interface KeyListProps extends Typed {
  readonly account: Account;
  readonly keys: Pick<Keys, 'monthlyQuotaOf'>;
  readonly sites: Pick<Sites, 'sitesMaxOf'>;
  readonly usage: KeysUsage;
  readonly now: Date;
  readonly publicUrl: string;
}

function KeyList({ account, keys, sites, usage, now, publicUrl, ...typed }: KeyListProps): JSX.Element {
  const live = usage.keys.filter(({ state }) => state === 'live');
  const ended = usage.keys.filter(({ state }) => state !== 'live');
  const hasApi = PLANS[account.plan].api;
  return (
    <>
      {live.length > 0 && <LiveKeys keys={live} usage={usage} now={now} />}
      {live.length === 0 && hasApi && (
        <>
          <p>You have no key yet. With one, this line starts a run, and waits until it has finished:</p>
          <Snippet
            text={createRunLine({ publicUrl, key: 'API_KEY', siteId: null })}
            label="Command that starts a run"
          />
        </>
      )}
      {hasApi && <CreateForm {...typed} />}
      {ended.length > 0 && <EndedKeys keys={ended} now={now} />}
      <h2>Plan</h2>
      <PlanWords plan={account.plan} monthlyQuotaOf={keys.monthlyQuotaOf} sitesMaxOf={sites.sitesMaxOf} />
    </>
  );
}

/** How long a key may last, in days. */
const LIVES = { '': 'never', '30': 'in 30 days', '90': 'in 90 days', '365': 'in a year' };

function CreateForm({ name, expires, errors }: Typed): JSX.Element {
  return (
    <>
      <h2>Create a key</h2>
      <form method="post" action="/keys">
        <Field
          name="name"
          label="Name"
          value={name}
          autocomplete="off"
          maxLength={100}
          hint={`What will use it, such as “deployment”, so that you know later which one to revoke. An account has at most ${KEYS_PER_ACCOUNT_MAX} keys.`}
          errors={errors ?? null}
        />
        <div class="field">
          <label for="expires">Expires</label>
          <select id="expires" name="expires">
            {Object.entries(LIVES).map(([days, words]) => (
              <option key={days} value={days} selected={days === expires}>
                {words}
              </option>
            ))}
          </select>
        </div>
        <button type="submit">Create key</button>
      </form>
    </>
  );
}
