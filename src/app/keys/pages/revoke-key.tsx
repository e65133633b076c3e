import { ServiceError } from '../../../platform/errors.js';
import { InputError } from '../../../platform/input-error.js';
import type { CountedApiKey } from '../keys.js';
import { ErrorSummary, Field } from '../../../web/kit/components/form.js';
import { type WebContext, paramOf, type RouteContext, seeOther } from '../../../web/kit/context.js';
import { sessionOf } from '../../accounts/pages/session.js';
import { addForm, fieldOf, type FieldErrors } from '../../../web/kit/form.js';
import { countOf } from '../../../platform/counts.js';
import { Heading } from '../../../web/kit/layout.js';
import type { Page } from '../../../web/kit/page.js';
import type { Part } from '../../part.js';

/** Revoking a key: the page says what goes with it, and asks for its name. */
const addRevokeKeyRoutes: Part = (router, { keys, sendPage }) => {
  /** The account's own key; another account's is as absent as one that never was. */
  const findOwnKey = async (ctx: RouteContext): Promise<CountedApiKey> => {
    const { account } = sessionOf(ctx);
    const own = (await keys.list(account.id)).find(({ id }) => id === paramOf(ctx, 'keyId'));
    if (!own) throw new ServiceError('not_found');
    return own;
  };
  const showRevoked = (ctx: WebContext, { id }: CountedApiKey): void => seeOther(ctx, `/keys?revoked=${id}`);

  addForm(router, sendPage, {
    path: '/keys/:keyId/revoke',
    shownAt: null,
    load: findOwnKey,
    async submit(ctx, key) {
      if (fieldOf(ctx, 'name').trim() !== key.name) throw new InputError('This is not the name of the key.', 'name');
      await keys.revokeOwn({ accountId: key.accountId, keyId: key.id });
      showRevoked(ctx, key);
    },
    render: (ctx, key, errors) => revokeKeyPage({ key, typed: fieldOf(ctx, 'name'), errors }),
  });

  router.get('/keys/:keyId/revoke', async (ctx) => {
    const key = await findOwnKey(ctx);
    if (key.revokedAt === null) sendPage(ctx, revokeKeyPage({ key }));
    else showRevoked(ctx, key);
  });
};

function revokeKeyPage(props: {
  readonly key: CountedApiKey;
  readonly typed?: string;
  readonly errors?: FieldErrors | null;
}): Page {
  const { key, typed = '', errors = null } = props;
  return {
    title: `Revoke key ${key.name}`,
    main: (
      <>
        <ErrorSummary errors={errors} />
        <Heading>Revoke the key “{key.name}”?</Heading>
        <p>
          Requests with <code>ars_{key.hint}…</code> are refused from now on, and a revoked key never comes back. It
          sent {countOf(key.usedThisMonth, 'request')} this month. Your sites and their runs stay as they are.
        </p>
        {key.usedThisMonth > 0 && (
          <p>It was used this month, so it counts towards the limit of your account until the month ends.</p>
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

export const PAGES: readonly Part[] = [addRevokeKeyRoutes];
