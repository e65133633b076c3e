import { setImmediate } from 'node:timers/promises';
import { isoTimeAfter, secondsToNextUtcMonth, type StartTimer, utcMonth } from '../../platform/clock.js';
import { Pending } from '../../platform/concurrency.js';
import { type RateLimit, ServiceError } from '../../platform/errors.js';
import { readBearer } from '../../platform/http/request.js';
import { digestSecretToken, isApiKey } from '../../platform/ids.js';
import { type Database, isFailure } from '../../store/database.js';
import { defineQuery, joinQueries, type Query } from '../../store/query.js';
import { type Plan, PLANS } from '../accounts/plan.js';
import type { Context } from '../context.js';
import { undoWithRetry, rateLimitOf } from '../limits/limits.js';

/** A request that was charged to a key. Later changes to the key or plan do not affect it. */
export interface Admission {
  readonly accountId: string;
  readonly keyId: string;
  /** Includes this request. */
  readonly rateLimit: RateLimit;
  /**
   * Refunds the request to the month to which it was charged, at most once. Resolves to the new rate limit. Never rejects: if the database
   * is unavailable, retries once in the background.
   */
  refund(): Promise<RateLimit>;
}

interface AccessContext extends Pick<Context, 'db' | 'clock'>, Partial<Pick<Context, 'monthlyQuotaOverride'>> {
  readonly startTimer?: StartTimer;
}

/** Minimum time between two updates of `last_used_at`. */
const TOUCH_EVERY_MS = 60_000;

/** The current month and the twelve before it. */
export const KEY_USAGE_MONTHS = 13;

/**
 * Returns the monthly quota of each key of a plan; 0 for a plan without the API.
 * @param override replaces the quota of each plan that includes the API
 */
export function quotaOf(plan: Plan, override: number | null): number {
  return PLANS[plan].api ? (override ?? PLANS[plan].monthlyQuota) : 0;
}

interface ChargedKey {
  readonly key_id: string;
  readonly account_id: string;
  readonly plan: Plan;
  readonly last_used_at: string | null;
  /** Requests of the month, including the charged ones. */
  readonly used: number;
}

interface ChargeParams {
  readonly digest: string;
  readonly month: string;
  readonly now: string;
  readonly override: number | null;
}

/** {@link quotaOf} in SQL. */
const QUOTA = `CASE a.plan ${Object.entries(PLANS)
  .filter(([, { api }]) => api)
  .map(([plan, { monthlyQuota }]) => `WHEN '${plan}' THEN coalesce(CAST(:override AS INTEGER), ${monthlyQuota})`)
  .join(' ')} ELSE 0 END`;
const FROM_KEYS = 'FROM api_keys AS k JOIN accounts AS a ON a.id = k.account_id';
const IS_LIVE = 'k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > :now)';

/** Selects the plan of a live key, to explain why a charge was refused. */
const selectPlanOfKey = defineQuery<{ plan: Plan }, { digest: string; now: string }>((sql, { digest, now }) =>
  sql.raw(`SELECT a.plan ${FROM_KEYS} WHERE k.digest = :digest AND ${IS_LIVE}`, { digest, now }),
);

/**
 * Charges `count` requests to the month of a live key, in one statement, so that concurrent callers cannot exceed the quota. Returns no row
 * if the key is unknown, its plan has no API, or its quota is too small.
 */
export const chargeKey = defineQuery<ChargedKey, ChargeParams & { count: number }>(
  (sql, { digest, month, now, count, override }) =>
    sql.raw(
      `INSERT INTO key_usage (key_id, month, used)
         SELECT k.id, :month, CAST(:count AS INTEGER) ${FROM_KEYS}
          WHERE k.digest = :digest AND ${IS_LIVE} AND ${QUOTA} >= CAST(:count AS INTEGER)
       ON CONFLICT (key_id, month) DO UPDATE SET used = key_usage.used + excluded.used
         WHERE key_usage.used + excluded.used <= (SELECT ${QUOTA} ${FROM_KEYS} WHERE k.id = key_usage.key_id)
       RETURNING key_id, used,
         (SELECT account_id FROM api_keys WHERE id = key_usage.key_id) AS account_id,
         (SELECT last_used_at FROM api_keys WHERE id = key_usage.key_id) AS last_used_at,
         (SELECT a.plan ${FROM_KEYS} WHERE k.id = key_usage.key_id) AS plan`,
      { digest, month, now, count, override },
    ),
  { durability: 'process' },
);

const refundKey = defineQuery<{ used: number }, { key_id: string; month: string }>(
  (sql, { key_id, month }) =>
    sql('key_usage').where({ key_id, month }).where('used', '>', 0).decrement('used', 1).returning('used'),
  { durability: 'process' },
);

const touchApiKey = defineQuery<never, { id: string; now: string; stale_before: string }>(
  (sql, { id, now, stale_before }) =>
    sql('api_keys')
      .where({ id })
      .andWhere((isStale) => isStale.whereNull('last_used_at').orWhere('last_used_at', '<', stale_before))
      .update({ last_used_at: now }),
  { durability: 'process' },
);

export function createAccess({ db, clock, monthlyQuotaOverride: override = null, startTimer }: AccessContext) {
  const charges = new Charges(db);
  const touches = new Pending();

  /** Updates the time of last use if it is stale. Works in the background, so that no request waits. */
  const touchLater = ({ key_id: id, last_used_at }: ChargedKey, now: Date): void => {
    const stale_before = isoTimeAfter(now, -TOUCH_EVERY_MS);
    if (last_used_at !== null && last_used_at >= stale_before) return;
    const touch = async (): Promise<void> => {
      await setImmediate();
      // A failure affects only the displayed time.
      await db.run(touchApiKey({ id, now: now.toISOString(), stale_before })).catch(() => undefined);
    };
    touches.add(touch());
  };

  return {
    /**
     * Checks the key, its plan and its monthly quota, in this order, and charges the request.
     * @param authorization the Authorization header as sent
     * @param read data that the request needs; on PostgreSQL, the statement of the charge reads it
     * @throws ServiceError missing_api_key, invalid_api_key, plan_without_api, monthly_quota_exceeded
     */
    async admit(authorization: string | undefined, read?: BatchedRead): Promise<Admission> {
      const text = readBearer(authorization);
      if (text === null) throw new ServiceError('missing_api_key');
      if (!isApiKey(text)) throw new ServiceError('invalid_api_key');
      const digest = digestSecretToken(text);
      const now = clock.now();
      const month = utcMonth(now);
      const charge = () =>
        charges.charge({ digest, month, now: now.toISOString(), override }, read).catch(ignoreRemovedKey);
      let key = await charge();
      if (!key) {
        const refusal = await explainRefusal(db, digest, override, now);
        // The plan may have been raised since the charge.
        if (refusal.code === 'monthly_quota_exceeded') key = await charge();
        if (!key) throw refusal;
      }
      touchLater(key, now);
      const { account_id: accountId, key_id: keyId, used } = key;
      const limit = quotaOf(key.plan, override);
      const refundUnit = () => db.one(refundKey({ key_id: keyId, month }));
      let refunded: Promise<RateLimit> | null = null;
      return {
        accountId,
        keyId,
        rateLimit: rateLimitOf('month', limit, used, now),
        refund: () =>
          (refunded ??= undoWithRetry(refundUnit, startTimer).then((row) =>
            rateLimitOf('month', limit, row?.used ?? used - 1, now),
          )),
      };
    },
    /** Resolves when all background writes have ended. Called at shutdown. */
    settle: () => touches.settle(),
  };
}

export type Access = ReturnType<typeof createAccess>;

/** Treats the key as unknown if its account was removed during the charge. */
function ignoreRemovedKey(error: unknown): undefined {
  if (!isFailure(error, 'parentMissing')) throw error;
}

/** Returns why a charge was refused: the key is unknown, revoked or expired, its plan has no API, or its quota is used up. */
async function explainRefusal(db: Database, digest: string, override: number | null, now: Date): Promise<ServiceError> {
  const key = await db.one(selectPlanOfKey({ digest, now: now.toISOString() }));
  if (!key) return new ServiceError('invalid_api_key');
  if (!PLANS[key.plan].api) return new ServiceError('plan_without_api');
  const quota = quotaOf(key.plan, override);
  const rateLimit = rateLimitOf('month', quota, quota, now);
  return new ServiceError('monthly_quota_exceeded', { retryAfterS: secondsToNextUtcMonth(now), rateLimit });
}

/** A read that follows a charge. On PostgreSQL, both are one statement. */
export interface BatchedRead {
  /** Undefined if the charge did not read it, so that the caller must. */
  found?: object | null;
  /** @returns one statement for all reads; the column `request_index` is the index of the read */
  toQuery(reads: readonly BatchedRead[]): Query<{ readonly request_index: number }>;
}

interface WaitingRequest {
  readonly params: ChargeParams;
  readonly read: BatchedRead | undefined;
  readonly resolve: (key: ChargedKey | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Charges the requests that arrive in one turn of the event loop together, with one statement per key. While a key is being charged,
 * collects its next requests, since they would have to wait for its row anyway.
 */
class Charges {
  /** Waiting requests by key and month. An entry exists while requests of the key are being charged. */
  readonly #waiting = new Map<string, WaitingRequest[]>();

  constructor(private readonly db: Database) {}

  /** @returns undefined for an unknown, revoked or expired key, a plan without the API, or a spent quota */
  charge(params: ChargeParams, read?: BatchedRead): Promise<ChargedKey | undefined> {
    return new Promise((resolve, reject) => {
      const name = `${params.digest} ${params.month}`;
      const request = { params, read, resolve, reject };
      const waiting = this.#waiting.get(name);
      if (waiting) waiting.push(request);
      else {
        this.#waiting.set(name, [request]);
        void this.#chargeWaiting(name);
      }
    });
  }

  async #chargeWaiting(name: string): Promise<void> {
    // By then, all requests of this turn have arrived.
    await setImmediate();
    const waiting = this.#waiting.get(name) ?? [];
    while (waiting.length > 0) await this.#chargeTogether(waiting.splice(0));
    this.#waiting.delete(name);
  }

  async #chargeTogether(requests: readonly WaitingRequest[]): Promise<void> {
    // A key that is live at the time of the latest request was live for all of them.
    const latest = requests.at(-1);
    if (!latest) return;
    const count = requests.length;
    const charge: Query<ChargedKey & { request_index?: number | null }> = chargeKey({ ...latest.params, count });
    const reads = requests.flatMap(({ read }) => read ?? []);
    // On SQLite, each request runs its own read.
    const [first] = this.db.dialect === 'postgres' ? reads : [];
    try {
      const rows = await this.db.run(first ? joinQueries(charge, first.toQuery(reads)) : charge);
      const [key] = rows;
      if (!key && count > 1) {
        // The rest of the quota may be enough for some of them.
        await Promise.all(requests.map((request) => this.#chargeTogether([request])));
        return;
      }
      for (const [index, read] of key && first ? reads.entries() : []) {
        read.found = rows.find(({ request_index }) => request_index === index) ?? null;
      }
      for (const [index, { resolve }] of requests.entries()) {
        resolve(key && { ...key, used: key.used - count + 1 + index });
      }
    } catch (error) {
      for (const { reject } of requests) reject(error);
    }
  }
}
