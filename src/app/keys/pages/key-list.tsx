import type { JSX } from 'preact';
import { InputError } from '../../../platform/input-error.js';
import { KEYS_PER_ACCOUNT_MAX, PLANS } from '../../accounts/plan.js';
import type { Account } from '../../accounts/accounts.js';
import type { Keys, KeysUsage } from '../keys.js';
import { ErrorSummary, Field } from '../../../web/components/form.js';
import { Notice, Snippet } from '../../../web/components/text.js';
import { type Exchange, queryOf, sessionOf } from '../../../web/exchange.js';
import { fieldOf, type FieldErrors, tryForm } from '../../../web/form.js';
import { Heading } from '../../../web/layout.js';
import type { Part, PartDeps } from '../../../web/part.js';
import { createRunLine } from './curl.js';
import { keyCreatedPage } from './key-created.js';
import { LiveKeys, RevokedKeys } from './key-tables.js';
import { PlanWords } from '../../accounts/pages/plan.js';

/** The list of an account's API keys, and the making of new ones. */
export const addKeyListRoutes: Part = (router, deps) => {
  const { keys, sites, sendPage, publicUrl } = deps;
  const findVerifiedSite = async (accountId: string): Promise<string | null> =>
    (await sites.list(accountId)).find(({ verifiedAt }) => verifiedAt !== null)?.id ?? null;

  router.get('/keys', (exchange) => sendKeyList(exchange, deps, {}));

  router.post('/keys', async (exchange) => {
    const { account } = sessionOf(exchange);
    const name = fieldOf(exchange, 'name');
    const errors = await tryForm('', async () => {
      if (!PLANS[account.plan].api) throw new InputError('Your plan has no API, so that a key would open nothing.');
      const { apiKey, key } = await keys.create({ accountId: account.id, name });
      const siteId = await findVerifiedSite(account.id);
      // Shown in the answer to the form itself: the key is stored nowhere, so no other page could show it.
      sendPage(exchange, keyCreatedPage({ name: apiKey.name, key, siteId, publicUrl }));
    });
    if (errors) await sendKeyList(exchange, deps, { name, errors });
  });
};

/** What was typed, and what was wrong with it. */
interface Typed {
  readonly name?: string;
  readonly errors?: FieldErrors;
}

async function sendKeyList(exchange: Exchange, deps: PartDeps, typed: Typed): Promise<void> {
  const { keys, sendPage, clock, publicUrl } = deps;
  const { account } = sessionOf(exchange);
  const usage = await keys.usage(account);
  const justRevoked = usage.keys.find((key) => key.revokedAt !== null && key.id === queryOf(exchange, 'revoked'));
  sendPage(exchange, {
    title: 'API keys',
    status: typed.errors ? 422 : 200,
    main: (
      <>
        <ErrorSummary errors={typed.errors ?? null} />
        {justRevoked && <Notice>The key “{justRevoked.name}” is revoked: every request with it is refused now.</Notice>}
        <Heading lead="With a key, a deployment or any program of yours can start runs and read them.">
          API keys
        </Heading>
        <KeyList {...typed} {...{ account, keys, usage, publicUrl }} now={clock.now()} />
      </>
    ),
  });
}

interface KeyListProps extends Typed {
  readonly account: Account;
  readonly keys: Pick<Keys, 'monthlyQuotaOf'>;
  readonly usage: KeysUsage;
  readonly now: Date;
  readonly publicUrl: string;
}

function KeyList({ account, keys, usage, now, publicUrl, ...typed }: KeyListProps): JSX.Element {
  const live = usage.keys.filter(({ revokedAt }) => revokedAt === null);
  const revoked = usage.keys.filter(({ revokedAt }) => revokedAt !== null);
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
      {revoked.length > 0 && <RevokedKeys keys={revoked} now={now} />}
      <h2>Plan</h2>
      <PlanWords plan={account.plan} monthlyQuotaOf={keys.monthlyQuotaOf} />
    </>
  );
}

function CreateForm({ name = '', errors }: Typed): JSX.Element {
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
        <button type="submit">Create key</button>
      </form>
    </>
  );
}
