import { digestApiKey, isApiKey } from './api-key.js';
import { laterThan, secondsToNextUtcMonth, utcMonth } from '../../platform/clock.js';
import { type RateLimit, ServiceError } from '../../platform/errors.js';
import { readBearer } from '../../platform/http/request.js';
import { Pending } from '../../platform/concurrency.js';
import { type Plan, PLANS } from '../accounts/plan.js';
import type { Context } from '../context.js';
import type { Database } from '../../store/database.js';
import { ParentMissing } from '../../store/errors.js';
import { defineQuery } from '../../store/query.js';
import { type ChargedKey, Charges, type Quotas, quotasOf, type BatchedRead, refundKey } from './charge.js';
import { monthlyLimit } from '../limits/daily-runs.js';
import { createRefunds } from '../limits/limits.js';

/** A request that was charged to a key. Later changes of the key or the plan do not affect it. */
export interface Admission {
  readonly accountId: string;
  readonly keyId: string;
  /** Includes this request. */
  readonly rateLimit: RateLimit;
  /**
   * Gives the request back to the month that was charged, at most once; resolves with the limit after it. Never rejects: while the database
   * is away, the refund waits for it.
   */
  refund(): Promise<RateLimit>;
}

type AccessContext = Pick<Context, 'db' | 'clock'> & Partial<Pick<Context, 'refunds' | 'monthlyQuotaOverride'>>;

/** Minimum time between two writes of a key's last use. */
const TOUCH_EVERY_MS = 60_000;

/** Selects the plan of a live key, to explain why a charge was refused. */
const selectPlanOfKey = defineQuery<{ plan: Plan }, { digest: string; now: string }>((sql, { digest, now }) =>
  sql('api_keys as k')
    .join('accounts as a', 'a.id', 'k.account_id')
    .select('a.plan')
    .where({ 'k.digest': digest })
    .whereNull('k.revoked_at')
    .andWhere((isUnexpired) => isUnexpired.whereNull('k.expires_at').orWhere('k.expires_at', '>', now)),
);

/** Sets the time of last use, unless it is `stale_before` or later. */
const touchApiKey = defineQuery<never, { id: string; now: string; stale_before: string }>(
  (sql, { id, now, stale_before }) =>
    sql('api_keys')
      .where({ id })
      .andWhere((isStale) => isStale.whereNull('last_used_at').orWhere('last_used_at', '<', stale_before))
      .update({ last_used_at: now }),
  { durability: 'process' },
);

export function createAccess({ db, clock, monthlyQuotaOverride, refunds = createRefunds() }: AccessContext) {
  const quotas = quotasOf(monthlyQuotaOverride ?? null);
  const charges = new Charges(db);
  const touches = new Pending();

  const touchLater = (key: ChargedKey, now: Date): void => {
    if (key.last_used_at !== null && now.getTime() - Date.parse(key.last_used_at) <= TOUCH_EVERY_MS) return;
    touches.add(touchKey(db, key.key_id, now.toISOString(), laterThan(now, -TOUCH_EVERY_MS)));
  };

  return {
    /**
     * Checks key, plan and monthly quota, in this order, and counts the request.
     * @param authorization the header as it was sent
     * @param reading what the request will read; on PostgreSQL, the charge reads it in the same statement
     * @throws ServiceError missing_api_key, invalid_api_key, plan_without_api, monthly_quota_exceeded
     */
    async admit(authorization: string | undefined, reading?: BatchedRead): Promise<Admission> {
      const digest = digestApiKey(readKey(authorization));
      const now = clock.now();
      const month = utcMonth(now);
      const charge = () =>
        charges.charge({ digest, month, now: now.toISOString(), ...quotas }, reading).catch(ignoreRemovedKey);
      let key = await charge();
      if (!key) {
        const refusal = await explainRefusal(db, digest, quotas, now);
        // The plan may have been raised since the charge.
        if (refusal.code === 'monthly_quota_exceeded') key = await charge();
        if (!key) throw refusal;
      }
      touchLater(key, now);
      const limit = quotas[key.plan];
      let refunded: Promise<RateLimit> | null = null;
      return {
        accountId: key.account_id,
        keyId: key.key_id,
        rateLimit: monthlyLimit(limit, key.used, now),
        refund: () =>
          (refunded ??= refunds
            .make(() => db.one(refundKey({ key_id: key.key_id, month })))
            .then((row) => monthlyLimit(limit, row?.used ?? key.used - 1, now))),
      };
    },
    /** Resolves when all background writes have ended: for the end of the process. */
    async settle(): Promise<void> {
      await touches.settle();
    },
  };
}

export type Access = ReturnType<typeof createAccess>;

function readKey(authorization: string | undefined): string {
  const key = readBearer(authorization);
  if (key === null) throw new ServiceError('missing_api_key');
  if (!isApiKey(key)) throw new ServiceError('invalid_api_key');
  return key;
}

/** The key was removed with its account during the charge: it is unknown now. */
function ignoreRemovedKey(error: unknown): undefined {
  if (!(error instanceof ParentMissing)) throw error;
}

/** Returns why nothing was charged: the key is unknown, revoked or expired, its plan has no API, or its month is used up. */
async function explainRefusal(db: Database, digest: string, quotas: Quotas, now: Date): Promise<ServiceError> {
  const key = await db.one(selectPlanOfKey({ digest, now: now.toISOString() }));
  if (!key) return new ServiceError('invalid_api_key');
  if (!PLANS[key.plan].api) return new ServiceError('plan_without_api');
  return new ServiceError('monthly_quota_exceeded', {
    retryAfterS: secondsToNextUtcMonth(now),
    rateLimit: monthlyLimit(quotas[key.plan], quotas[key.plan], now),
  });
}

/** Starts after the request's own work, so that it delays no request. A failure loses only the displayed time. */
async function touchKey(db: Database, id: string, now: string, staleBefore: string): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  await db.run(touchApiKey({ id, now, stale_before: staleBefore })).catch(() => undefined);
}
