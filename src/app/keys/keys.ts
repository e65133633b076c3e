import { parseExpiry } from './expiry.js';
import { digestApiKey, hintOfApiKey, newApiKey } from './api-key.js';
import { type Clock, utcMonth, utcNextMonthStart } from '../../platform/clock.js';
import { parseDisplayName } from '../accounts/display-name.js';
import { isId, newId } from '../../platform/ids.js';
import { InputError } from '../../platform/input-error.js';
import { KEYS_PER_ACCOUNT_MAX, type Plan } from '../accounts/plan.js';
import {
  type ApiKeyRow,
  countKeysInUse,
  insertApiKey,
  lockApiKey,
  revokeApiKey,
  selectKeysOfAccount,
} from './key-statements.js';
import type { Database } from '../../store/database.js';
import { execute, one, type Transaction } from '../../store/transaction.js';
import { recordEvent } from '../audit/audit.js';
import { findAccount, holdAccount, parseAccountId } from '../accounts/accounts.js';
import { quotasOf } from './quotas.js';

/** A key as lists show it. Times are ISO 8601, UTC. */
export interface ApiKey {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  /** The four characters that follow the key's prefix, for people to tell keys apart. */
  readonly hint: string;
  readonly createdAt: string;
  /** To the minute. */
  readonly lastUsedAt: string | null;
  readonly revokedAt: string | null;
  /** Refused from then on; null: it does not end by itself. */
  readonly expiresAt: string | null;
}

/** A key in a list, with its requests of the current UTC month. */
export interface CountedApiKey extends ApiKey {
  readonly usedThisMonth: number;
  /** Only a live one opens the API. */
  readonly state: 'live' | 'revoked' | 'expired';
}

/** An account's keys against what its plan gives them. */
export interface KeysUsage {
  /** Those that have ended included, in the order of their creation. */
  readonly keys: readonly CountedApiKey[];
  /** Requests a month for each key. */
  readonly monthlyQuota: number;
  /** When the count starts again: ISO 8601, UTC. */
  readonly renewsAt: string;
}

/** What a key is made from. */
export interface NewKey {
  readonly accountId: string;
  readonly name: string;
  /** As a person says it: see {@link parseExpiry}. Left out: it does not end by itself. */
  readonly expires?: string | undefined;
}

export interface KeysDeps {
  readonly db: Database;
  readonly clock: Clock;
  /** Takes the place of every plan's quota, but gives no plan the API. */
  readonly monthlyQuotaOverride?: number | null;
}

/** Every method rejects with an InputError for what it cannot take. */
export function createKeys({ db, clock, monthlyQuotaOverride }: KeysDeps) {
  const quotas = quotasOf(monthlyQuotaOverride ?? null);
  const keysOf = async (account_id: string, now: Date): Promise<CountedApiKey[]> => {
    const rows = await db.run(selectKeysOfAccount({ account_id, month: utcMonth(now) }));
    return rows.map((row) => ({ ...apiKeyOf(row), usedThisMonth: row.used, state: stateOf(row, now.toISOString()) }));
  };

  return {
    /** `key` is the key itself: it is stored nowhere, so this is the one time that it can be shown. */
    async create({
      accountId,
      name,
      expires = '',
    }: NewKey): Promise<{ readonly apiKey: ApiKey; readonly key: string }> {
      const key = newApiKey();
      const now = clock.now();
      const row = {
        id: newId('key'),
        account_id: parseAccountId(accountId),
        name: parseDisplayName(name),
        hint: hintOfApiKey(key),
        created_at: now.toISOString(),
        expires_at: parseExpiry(expires, now),
      };
      await db.transaction(() => addKey(row, digestApiKey(key), now));
      return { apiKey: apiKeyOf({ ...row, last_used_at: null, revoked_at: null }), key };
    },
    /** Those that have ended included. */
    async list(accountId: string): Promise<CountedApiKey[]> {
      const { id } = await findAccount(db, accountId);
      return keysOf(id, clock.now());
    },
    /** Requests a month for each key of a plan; 0 where it has no API. */
    monthlyQuotaOf: (plan: Plan): number => quotas[plan],
    async usage({ id, plan }: { readonly id: string; readonly plan: Plan }): Promise<KeysUsage> {
      const now = clock.now();
      const keys = await keysOf(parseAccountId(id), now);
      return { keys, monthlyQuota: quotas[plan], renewsAt: utcNextMonthStart(now).toISOString() };
    },
    /** Good from the next request on. A key that is revoked already stays as it is. */
    async revoke(keyId: string): Promise<ApiKey> {
      const id = parseKeyId(keyId);
      return db.transaction(() => revoke(id, null, clock.now()));
    },
    /** The same by the account's holder: another account's key is refused just as one that does not exist. */
    async revokeOwn({ accountId, keyId }: { readonly accountId: string; readonly keyId: string }): Promise<ApiKey> {
      const id = parseKeyId(keyId);
      return db.transaction(() => revoke(id, accountId, clock.now()));
    },
  };
}

export type Keys = ReturnType<typeof createKeys>;

/** Without a query where it is not a key id. */
function parseKeyId(text: string): string {
  if (!isId('key', text)) throw noSuchKey();
  return text;
}

/** @param accountId whose key it has to be; null: anyone's */
function* revoke(id: string, accountId: string | null, now: Date): Transaction<ApiKey> {
  const key = yield* one(lockApiKey({ id }));
  if (!key || (accountId !== null && key.account_id !== accountId)) throw noSuchKey();
  if (key.revoked_at !== null) return apiKeyOf(key);
  const revoked_at = now.toISOString();
  yield* execute(revokeApiKey({ id, revoked_at }));
  yield* recordEvent({ accountId: key.account_id, event: 'key_revoked', subject: wordsFor(key), now });
  return apiKeyOf({ ...key, revoked_at });
}

/** How lists tell the key from others. */
function wordsFor({ name, hint }: Pick<ApiKeyRow, 'name' | 'hint'>): string {
  return `${name} (${hint}…)`;
}

function noSuchKey(): InputError {
  return new InputError('There is no such key. Take its id (key_ and 20 characters) from the list of keys.');
}

/** Two keys created at the same time count each other: the account's row is locked first. */
function* addKey(row: Omit<ApiKeyRow, 'last_used_at' | 'revoked_at'>, digest: string, now: Date): Transaction<void> {
  yield* holdAccount(row.account_id);
  const inUse = yield* one(
    countKeysInUse({ account_id: row.account_id, month: utcMonth(now), now: now.toISOString() }),
  );
  if ((inUse?.count ?? 0) >= KEYS_PER_ACCOUNT_MAX) {
    throw new InputError(
      `An account has at most ${KEYS_PER_ACCOUNT_MAX} keys. Revoke one that is not needed; one that was used this month counts until its end.`,
    );
  }
  yield* execute(insertApiKey({ ...row, digest }));
  yield* recordEvent({ accountId: row.account_id, event: 'key_created', subject: wordsFor(row), now });
}

function stateOf({ revoked_at, expires_at }: ApiKeyRow, now: string): CountedApiKey['state'] {
  if (revoked_at !== null) return 'revoked';
  return expires_at === null || expires_at > now ? 'live' : 'expired';
}

function apiKeyOf(row: ApiKeyRow): ApiKey {
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    hint: row.hint,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    revokedAt: row.revoked_at,
    expiresAt: row.expires_at,
  };
}
