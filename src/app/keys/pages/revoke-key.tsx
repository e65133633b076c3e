import { ServiceError } from '../../../platform/errors.js';
import { InputError } from '../../../platform/input-error.js';
import type { CountedApiKey } from '../keys.js';
import { ErrorSummary, Field } from '../../../web/components/form.js';
import { type Exchange, paramOf, type RouteExchange, seeOther, sessionOf } from '../../../web/exchange.js';
import { fieldOf, type FieldErrors, tryForm } from '../../../web/form.js';
import { countOf } from '../../../web/format.js';
import { Heading } from '../../../web/layout.js';
import type { Page } from '../../../web/page.js';
import type { Part } from '../../../web/part.js';

/** Revoking a key: the page says what goes with it, and asks for its name. */
export const addRevokeKeyRoutes: Part = (router, { keys, sendPage }) => {
  /** The account's own key; another account's is as absent as one that never was. */
  const findOwnKey = async (exchange: RouteExchange): Promise<CountedApiKey> => {
    const { account } = sessionOf(exchange);
    const own = (await keys.list(account.id)).find(({ id }) => id === paramOf(exchange, 'keyId'));
    if (!own) throw new ServiceError('not_found');
    return own;
  };
  const showRevoked = (exchange: Exchange, { id }: CountedApiKey): void => seeOther(exchange, `/keys?revoked=${id}`);

  router.get('/keys/:keyId/revoke', async (exchange) => {
    const key = await findOwnKey(exchange);
    if (key.revokedAt === null) sendPage(exchange, revokeKeyPage({ key }));
    else showRevoked(exchange, key);
  });

  router.post('/keys/:keyId/revoke', async (exchange) => {
    const key = await findOwnKey(exchange);
    const typed = fieldOf(exchange, 'name');
    const errors = await tryForm('', async () => {
      if (typed.trim() !== key.name) throw new InputError('This is not the name of the key.', 'name');
      await keys.revokeOwn({ accountId: key.accountId, keyId: key.id });
      showRevoked(exchange, key);
    });
    if (errors) sendPage(exchange, revokeKeyPage({ key, typed, errors }));
  });
};

function revokeKeyPage(props: {
  readonly key: CountedApiKey;
  readonly typed?: string;
  readonly errors?: FieldErrors;
}): Page {
  const { key, typed = '', errors = null } = props;
  return {
    title: `Revoke key ${key.name}`,
    status: errors ? 422 : 200,
    main: (
      <>
        <ErrorSummary errors={errors} />
        <Heading>Revoke the key “{key.name}”?</Heading>
        <p>
          Whatever sends <code>ars_{key.hint}…</code> is refused from its next request on, and a revoked key never comes
          back. It sent {countOf(key.usedThisMonth, 'request')} this month. Your sites and their runs stay as they are.
        </p>
        {key.usedThisMonth > 0 && (
          <p>It was used this month, so that it counts among the keys of your account until the month ends.</p>
        )}
        <form method="post" action={`/keys/${key.id}/revoke`}>
          <Field
            name="name"
            label={`To confirm, type the name of the key: ${key.name}`}
            value={typed}
            autocomplete="off"
            isVerbatim
            errors={errors}
          />
          <div class="row">
            <button type="submit" class="danger">
              Revoke key
            </button>
            <a href="/keys">Keep it</a>
          </div>
        </form>
      </>
    ),
  };
}
