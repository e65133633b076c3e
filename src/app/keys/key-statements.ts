import type { Knex } from 'knex';
import type { Plan } from '../accounts/plan.js';
import { defineQuery } from '../../store/query.js';

export interface ApiKeyRow {
  readonly id: string;
  readonly account_id: string;
  readonly name: string;
  readonly hint: string;
  readonly created_at: string;
  readonly last_used_at: string | null;
  readonly revoked_at: string | null;
  readonly expires_at: string | null;
}

const COLUMNS = ['id', 'account_id', 'name', 'hint', 'created_at', 'last_used_at', 'revoked_at', 'expires_at'];

export const insertApiKey = defineQuery<never, Omit<ApiKeyRow, 'last_used_at' | 'revoked_at'> & { digest: string }>(
  (sql, { id, account_id, name, digest, hint, created_at, expires_at }) =>
    sql('api_keys').insert({ id, account_id, name, digest, hint, created_at, expires_at }),
);

/** Matches the keys `k` that open the API at a time. */
function live(keys: Knex.QueryBuilder, now: Knex.Raw): void {
  void keys
    .whereNull('k.revoked_at')
    .andWhere((isOpen) => isOpen.whereNull('k.expires_at').orWhere('k.expires_at', '>', now));
}

/** In the order of their creation, those that have ended included, with the requests of `month`. */
export const selectKeysOfAccount = defineQuery<
  ApiKeyRow & { readonly used: number },
  { account_id: string; month: string }
>((sql, { account_id, month }) =>
  sql('api_keys as k')
    .leftJoin('key_usage as u', (on) => on.on('u.key_id', 'k.id').andOnVal('u.month', '=', month))
    .select([...COLUMNS.map((column) => `k.${column}`), sql.raw('COALESCE(u.used, 0) AS used')])
    .where({ 'k.account_id': account_id })
    .orderBy(['k.created_at', 'k.id']),
);

/**
 * The keys that count towards an account's limit: the live ones, and those that were used in `month`, so that an account that
 * replaces a key gains no quota by it.
 */
export const countKeysInUse = defineQuery<{ count: number }, { account_id: string; month: string; now: string }>(
  (sql, { account_id, month, now }) =>
    sql('api_keys as k')
      .leftJoin('key_usage as u', (on) => on.on('u.key_id', 'k.id').andOnVal('u.month', '=', month))
      .where({ 'k.account_id': account_id })
      .andWhere((isCounted) => isCounted.where((keys) => live(keys, now)).orWhere('u.used', '>', 0))
      .count('* as count'),
);

/** Locks the key until the transaction ends. */
export const lockApiKey = defineQuery<ApiKeyRow, { id: string }>((sql, { id }) =>
  sql('api_keys').select(COLUMNS).where({ id }).forUpdate(),
);

export const revokeApiKey = defineQuery<never, { id: string; revoked_at: string }>((sql, { id, revoked_at }) =>
  sql('api_keys').where({ id }).update({ revoked_at }),
);

/** Whose live key this is: asked only when a charge was refused, to say why. */
export const selectPlanOfKey = defineQuery<{ plan: Plan }, { digest: string; now: string }>((sql, { digest, now }) =>
  sql('api_keys as k')
    .join('accounts as a', 'a.id', 'k.account_id')
    .select('a.plan')
    .where({ 'k.digest': digest })
    .andWhere((keys) => live(keys, now)),
);

/** Sets the time of last use, unless it is later than `stale_before` already. */
export const touchApiKey = defineQuery<never, { id: string; now: string; stale_before: string }>(
  (sql, { id, now, stale_before }) =>
    sql('api_keys')
      .where({ id })
      .andWhere((isStale) => isStale.whereNull('last_used_at').orWhere('last_used_at', '<', stale_before))
      .update({ last_used_at: now }),
  { durability: 'process' },
);
