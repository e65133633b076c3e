import { randomInt } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { laterThan, secondsToNextUtcMonth, utcMonth } from '../../platform/clock.js';
import { type RateLimit, ServiceError } from '../../platform/errors.js';
import { digestSecretToken } from '../../platform/ids.js';
import { readBearer } from '../../platform/http/request.js';
import { Pending } from '../../platform/concurrency.js';
import type { StartTimer } from '../../platform/timer.js';
import { PLANS } from '../accounts/plan.js';
import type { Context } from '../context.js';
import type { Database } from '../../store/database.js';
import { isFailure } from '../../store/errors.js';
import { defineQuery } from '../../store/query.js';
import { type BatchedRead, type ChargedKey, Charges, quotaOf, refundKey, selectPlanOfKey } from './charge.js';
import { makeRefund, rateLimitOf } from '../limits/limits.js';

/** A request that was charged to a key. Later changes of the key or the plan do not affect it. */
export interface Admission {
  readonly accountId: string;
  readonly keyId: string;
  /** Includes this request. */
  readonly rateLimit: RateLimit;
  /**
   * Refunds the request to the month to which it was charged, at most once. Resolves to the limit afterwards. Never rejects: if the
   * database is unavailable, it tries once more in the background.
   */
  refund(): Promise<RateLimit>;
}

interface AccessContext extends Pick<Context, 'db' | 'clock'>, Partial<Pick<Context, 'monthlyQuotaOverride'>> {
  readonly startTimer?: StartTimer;
}

/** Minimum time between two writes of a key's last use. */
const TOUCH_EVERY_MS = 60_000;

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

  /** Updates the time of last use if it is stale, in the background, so that it delays no request. */
  const touchLater = ({ key_id: id, last_used_at }: ChargedKey, now: Date): void => {
    const stale_before = laterThan(now, -TOUCH_EVERY_MS);
    if (last_used_at !== null && last_used_at >= stale_before) return;
    const touch = async (): Promise<void> => {
      await setImmediate();
      // A failure loses only the displayed time.
      await db.run(touchApiKey({ id, now: now.toISOString(), stale_before })).catch(() => undefined);
    };
    touches.add(touch());
  };

  return {
    /**
     * Checks key, plan and monthly quota, in this order, and counts the request.
     * @param authorization the header as it was sent
     * @param read the data that the request needs; on PostgreSQL, the charge reads it in the same statement
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
      const limit = quotaOf(key.plan, override);
      let refunded: Promise<RateLimit> | null = null;
      return {
        accountId: key.account_id,
        keyId: key.key_id,
        rateLimit: rateLimitOf('month', limit, key.used, now),
        refund: () =>
          (refunded ??= makeRefund(() => db.one(refundKey({ key_id: key.key_id, month })), startTimer).then((row) =>
            rateLimitOf('month', limit, row?.used ?? key.used - 1, now),
          )),
      };
    },
    /** Resolves when all background writes have ended. Called at shutdown. */
    settle: () => touches.settle(),
  };
}

export type Access = ReturnType<typeof createAccess>;

/** Treats a key as unknown if its account was removed during the charge. */
function ignoreRemovedKey(error: unknown): undefined {
  if (!isFailure(error, 'parentMissing')) throw error;
}

/** Returns why nothing was charged: the key is unknown, revoked or expired, its plan has no API, or its month is used up. */
async function explainRefusal(db: Database, digest: string, override: number | null, now: Date): Promise<ServiceError> {
  const key = await db.one(selectPlanOfKey({ digest, now: now.toISOString() }));
  if (!key) return new ServiceError('invalid_api_key');
  if (!PLANS[key.plan].api) return new ServiceError('plan_without_api');
  const quota = quotaOf(key.plan, override);
  const rateLimit = rateLimitOf('month', quota, quota, now);
  return new ServiceError('monthly_quota_exceeded', { retryAfterS: secondsToNextUtcMonth(now), rateLimit });
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const PREFIX = 'ars_';
const RANDOM_CHARS = 30;
const CHECKSUM_CHARS = 6;
const HINT_CHARS = 4;
const KEY_FORMAT = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM_CHARS + CHECKSUM_CHARS}}$`);

/**
 * Returns a new API key: `ars_`, 30 random base62 characters (178 bits, so a plain digest is enough at rest), and their CRC-32 in 6
 * base62 characters. The prefix and the checksum let secret scanners recognise a leaked key.
 */
export function newApiKey(): string {
  const random = Array.from({ length: RANDOM_CHARS }, () => BASE62.charAt(randomInt(BASE62.length)));
  const head = PREFIX + random.join('');
  return head + base62Checksum(head);
}

/** True if `text` has the form of a key and the right checksum. Anything else is refused without a query. */
export function isApiKey(text: string): boolean {
  return KEY_FORMAT.test(text) && base62Checksum(text.slice(0, -CHECKSUM_CHARS)) === text.slice(-CHECKSUM_CHARS);
}

/**
 * Returns the characters that identify a key in a list. They omit the prefix, so that no secret scanner flags the database. They reveal 24
 * of the 178 bits, which does not help to guess the rest.
 */
export function hintOfApiKey(key: string): string {
  return key.slice(PREFIX.length, PREFIX.length + HINT_CHARS);
}

function base62Checksum(head: string): string {
  let rest = crc32(head);
  let digits = '';
  while (digits.length < CHECKSUM_CHARS) {
    digits = BASE62.charAt(rest % BASE62.length) + digits;
    rest = Math.floor(rest / BASE62.length);
  }
  return digits;
}
