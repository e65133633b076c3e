import { ServiceError } from '../../platform/errors.js';
import type { CountedApiKey } from '../../app/keys/keys.js';
import { assertTyped, confirmPage, type Typed, typedOf } from '../server/confirm.js';
import { type WebContext, paramOf, type RouteContext, seeOther } from '../server/context.js';
import { sessionOf } from '../server/session.js';
import { addForm, type FieldErrors } from '../server/form.js';
import { countOf } from '../../scanner/artifacts/counts.js';
import type { Page } from '../server/page.js';
import { RailText } from '../html/two.js';
import { KEYS_PER_ACCOUNT_MAX } from '../../app/accounts/plan.js';
import type { Part } from '../server/page-part.js';

/** Adds the page that revokes a key once its name is typed. */
const addRevokeKeyRoutes: Part = (router, { keys, sendPage }) => {
  /** Finds the account's key. Another account's key is answered like an unknown one. */
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
      assertTyped(ctx, typedFor(key), 'revoked');
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

function typedFor({ name, id }: CountedApiKey): Typed {
  return typedOf(name, 'its name', id);
}

function revokeKeyPage(ctx: WebContext, key: CountedApiKey, errors: FieldErrors | null): Page {
  return confirmPage(ctx, errors, {
    title: `Revoke key ${key.name}`,
    heading: `Revoke the key “${key.name}”?`,
    crumbs: [['/keys', 'API keys']],
    here: 'Revoke',
    lead: 'A revoked key never comes back.',
    end: 'Revoked',
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
            [
              'clock',
              `It was used this month, so it counts as one of your ${KEYS_PER_ACCOUNT_MAX} keys until the month ends`,
            ],
          ] as const)
        : []),
    ],
    action: `/keys/${key.id}/revoke`,
    typed: typedFor(key),
    rail: (
      <RailText title="Still in use?">
        <a href="/keys#create">Create another key</a> first and put it in place: then nothing stops.
      </RailText>
    ),
    button: 'Revoke key',
    kept: ['/keys', 'Keep the key'],
  });
}

export const PAGES: readonly Part[] = [addRevokeKeyRoutes];
