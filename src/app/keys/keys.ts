import { DAY_MS, isoTimeAfter, utcMonth } from '../../platform/clock.js';
import {
  digestSecretToken,
  hintOfApiKey,
  newApiKey,
  newId,
  notFound,
  parseId,
  requireFound,
} from '../../platform/ids.js';
import { InputError } from '../../platform/errors.js';
import type { Database, Sql, Tx } from '../../store/database.js';
import { defineQuery, table } from '../../store/query.js';
import { findAccount, lockAccount, parseDisplayName } from '../accounts/accounts.js';
import { KEYS_PER_ACCOUNT_MAX, type Plan } from '../accounts/plan.js';
import { recordEvent } from '../audit/audit.js';
import type { Context } from '../context.js';
import { quotaOf } from './access.js';

/** A key without its secret. Times are ISO 8601, UTC. */
export interface ApiKey {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  /** The four characters after the key's prefix, which identify the key in lists. */
  readonly hint: string;
  readonly createdAt: string;
  /** Accurate to the minute. */
  readonly lastUsedAt: string | null;
  readonly revokedAt: string | null;
  /** Null if the key does not expire. */
  readonly expiresAt: string | null;
}

/** A key in a list, with its requests of the current UTC month. */
export interface CountedApiKey extends ApiKey {
  readonly usedThisMonth: number;
  /** Only a live key gives access to the API. */
  readonly state: 'live' | 'revoked' | 'expired';
}

type KeysContext = Pick<Context, 'db' | 'clock'> & Partial<Pick<Context, 'monthlyQuotaOverride'>>;

const apiKeys = table('api_keys');

const COLUMNS: Readonly<Record<keyof ApiKey, string>> = {
  id: 'k.id',
  accountId: 'k.account_id',
  name: 'k.name',
  hint: 'k.hint',
  createdAt: 'k.created_at',
  lastUsedAt: 'k.last_used_at',
  revokedAt: 'k.revoked_at',
  expiresAt: 'k.expires_at',
};

const selectKeysOfAccount = defineQuery<Omit<CountedApiKey, 'state'>, { account_id: string; month: string }>(
  (sql, { account_id, month }) =>
    sql('api_keys as k')
      .leftJoin('key_usage as u', (on) => on.on('u.key_id', 'k.id').andOnVal('u.month', '=', month))
      .select(COLUMNS)
      .select(sql.raw('COALESCE(u.used, 0) AS ??', ['usedThisMonth']))
      .where({ 'k.account_id': account_id })
      .orderBy(['k.created_at', 'k.id']),
);

const lockApiKey = defineQuery<ApiKey, { id: string }>((sql, { id }) =>
  sql('api_keys as k').select(COLUMNS).where({ 'k.id': id }).forUpdate(),
);

/** Every method rejects with an InputError for invalid input. */
export function createKeys({ db, clock, monthlyQuotaOverride = null }: KeysContext) {
  return {
    /**
     * Creates a key. Returns its secret as `key`, which is not stored and cannot be shown again, and the account's plan.
     * @param expires days until it expires; empty if it does not
     */
    async create({ accountId, name, expires = '' }: { accountId: string; name: string; expires?: string | undefined }) {
      const key = newApiKey();
      const now = clock.now();
      const apiKey = {
        id: newId('key'),
        accountId,
        name: parseDisplayName(name),
        hint: hintOfApiKey(key),
        createdAt: now.toISOString(),
        lastUsedAt: null,
        revokedAt: null,
        expiresAt: parseExpiry(expires, now),
      };
      const plan = await db.transaction((tx) => addKey(tx, apiKey, digestSecretToken(key), now));
      return { apiKey, key, plan };
    },
    /** Lists keys, including revoked and expired ones, oldest first. */
    list: async (accountId: string): Promise<CountedApiKey[]> =>
      readKeys(db, (await findAccount(db, accountId)).id, clock.now()),
    /** Returns the requests per month of each key of a plan; 0 for a plan without the API. */
    monthlyQuotaOf: (plan: Plan): number => quotaOf(plan, monthlyQuotaOverride),
    /**
     * Revokes a key from the next request on. Does nothing if the key is already revoked.
     * @param owner account that must own the key; another account's key is treated as missing
     */
    async revoke(keyId: string, owner?: string): Promise<ApiKey> {
      const id = parseId('key', keyId);
      return db.transaction(async (tx) => {
        const key = requireFound('key', await tx.one(lockApiKey({ id })));
        if (owner !== undefined && key.accountId !== owner) throw notFound('key');
        if (key.revokedAt !== null) return key;
        const now = clock.now();
        const revokedAt = now.toISOString();
        await tx.run(apiKeys.update({ id }, { revoked_at: revokedAt }));
        await recordEvent(tx, { accountId: key.accountId, event: 'key_revoked', subject: describeKey(key), now });
        return { ...key, revokedAt };
      });
    },
  };
}

async function readKeys(sql: Sql, account_id: string, now: Date): Promise<CountedApiKey[]> {
  const keys = await sql.run(selectKeysOfAccount({ account_id, month: utcMonth(now) }));
  return keys.map((key) => ({ ...key, state: stateOf(key, now.toISOString()) }));
}

function stateOf({ revokedAt, expiresAt }: ApiKey, now: string): CountedApiKey['state'] {
  if (revokedAt !== null) return 'revoked';
  return expiresAt === null || expiresAt > now ? 'live' : 'expired';
}

function describeKey({ name, hint }: ApiKey): string {
  return `${name} (${hint}…)`;
}

/**
 * Adds a key unless the account has too many. Keys used this month count even if revoked, so that replacing a key does not add quota. Locks
 * the account first, so that two keys created at the same time count each other.
 */
async function addKey(tx: Tx, apiKey: ApiKey, digest: string, now: Date): Promise<Plan> {
  const { id, accountId, name, hint, createdAt: created_at, expiresAt: expires_at } = apiKey;
  const { plan } = await lockAccount(tx, accountId);
  const others = await readKeys(tx, accountId, now);
  const counted = others.filter(({ usedThisMonth, state }) => usedThisMonth > 0 || state === 'live');
  if (counted.length >= KEYS_PER_ACCOUNT_MAX) {
    throw new InputError(
      `An account can have at most ${KEYS_PER_ACCOUNT_MAX} keys. Revoke one that you do not need. A key used this month counts until the month ends.`,
    );
  }
  await tx.run(apiKeys.insert({ id, account_id: accountId, name, digest, hint, created_at, expires_at }));
  await recordEvent(tx, { accountId, event: 'key_created', subject: describeKey(apiKey), now });
  return plan;
}

const selectUsageOfAccount = defineQuery<{ key_id: string; month: string; used: number }, { account_id: string }>(
  (sql, { account_id }) =>
    sql('key_usage as u')
      .join('api_keys as k', 'k.id', 'u.key_id')
      .select('u.key_id', 'u.month', 'u.used')
      .where({ 'k.account_id': account_id })
      .orderBy(['u.key_id', 'u.month']),
);

/** Yields the account's keys with their requests per month. */
export async function* exportKeys(db: Database, account_id: string, now: Date): AsyncGenerator<object, void> {
  const keys = await readKeys(db, account_id, now);
  const usage = await db.run(selectUsageOfAccount({ account_id }));
  for (const { id, name, hint, createdAt, lastUsedAt, revokedAt, expiresAt } of keys) {
    const requests = usage.filter(({ key_id }) => key_id === id).map(({ month, used }) => ({ month, used }));
    yield { id, name, hint, createdAt, lastUsedAt, revokedAt, expiresAt, requests };
  }
}

const EXPIRY_DAYS_MAX = 3650;

/**
 * Parses the number of days until a key expires.
 * @returns ISO 8601, UTC; null for empty text: the key does not expire
 * @throws InputError with field `expires`
 */
function parseExpiry(text: string, now: Date): string | null {
  const days = text.trim();
  if (days === '') return null;
  if (!/^[1-9]\d{0,3}$/.test(days) || Number(days) > EXPIRY_DAYS_MAX) {
    throw new InputError(`Enter the number of days until the key expires, at most ${EXPIRY_DAYS_MAX}.`, 'expires');
  }
  return isoTimeAfter(now, Number(days) * DAY_MS);
}
