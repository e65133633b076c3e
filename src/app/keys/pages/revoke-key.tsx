import { ServiceError } from '../../../platform/errors.js';
import type { CountedApiKey } from '../keys.js';
import { assertTyped, confirmPage } from '../../../web/kit/confirm.js';
import { type WebContext, paramOf, type RouteContext, seeOther } from '../../../web/kit/context.js';
import { sessionOf } from '../../accounts/pages/session.js';
import { addForm, type FieldErrors } from '../../../web/kit/form.js';
import { countOf } from '../../../platform/counts.js';
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
      assertTyped(ctx, key.name, 'revoke this key');
      await keys.revokeOwn({ accountId: key.accountId, keyId: key.id });
      showRevoked(ctx, key);
    },
    render: revokeKeyPage,
  });

  router.get('/keys/:keyId/revoke', async (ctx) => {
    const key = await findOwnKey(ctx);
    if (key.revokedAt === null) sendPage(ctx, revokeKeyPage(ctx, key, null));
    else showRevoked(ctx, key);
  });
};

function revokeKeyPage(ctx: WebContext, key: CountedApiKey, errors: FieldErrors | null): Page {
  return confirmPage(ctx, errors, {
    title: `Revoke key ${key.name}`,
    heading: `Revoke the key “${key.name}”?`,
    crumbs: [['/keys', 'API keys']],
    here: 'Revoke',
    lead: 'A revoked key never comes back.',
    goes: [
      [
        'key',
        <>
          Every request with <code>ars_{key.hint}…</code> is refused. It sent {countOf(key.usedThisMonth, 'request')}{' '}
          this month.
        </>,
      ],
    ],
    stays: [
      ['globe', 'Your sites, their runs and your other keys'],
      ...(key.usedThisMonth > 0
        ? ([
            ['hash', 'What it sent this month: it counts towards the limit of your account until the month ends'],
          ] as const)
        : []),
    ],
    action: `/keys/${key.id}/revoke`,
    word: key.name,
    what: 'its name',
    button: 'Revoke key',
    keptAt: '/keys',
  });
}

export const PAGES: readonly Part[] = [addRevokeKeyRoutes];
