import { digestApiKey, isApiKey } from './api-key.js';
import { type Clock, laterThan, secondsToNextUtcMonth, utcMonth } from '../../platform/clock.js';
import { type RateLimit, ServiceError } from '../../platform/errors.js';
import { readBearer } from '../../platform/http/bearer.js';
import { Pending } from '../../platform/pending.js';
import { PLANS } from '../accounts/plan.js';
import { selectPlanOfKey, touchApiKey } from './key-statements.js';
import { type Database, runOne } from '../../store/database.js';
import { ParentMissing } from '../../store/errors.js';
import type { Reading } from './charge-groups.js';
import { Charges } from './charges.js';
import type { ChargedKey, Quotas } from './key-usage-statements.js';
import { quotasOf } from './quotas.js';
import { monthlyLimit } from '../limits/rate-limit.js';
import { createRefunds, type Refunds } from '../limits/refunds.js';

/** A request that a good key paid for. What happens to the key or the plan from here on changes nothing for it. */
export interface Admission {
  readonly accountId: string;
  readonly keyId: string;
  /** After this request was counted. */
  readonly rateLimit: RateLimit;
  /**
   * Gives the request back to the month that was charged, once however often it is called; resolves with what is left then.
   * Never rejects: a refund that cannot reach the database is made when it is back.
   */
  refund(): Promise<RateLimit>;
}

export interface AccessDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly refunds?: Refunds;
  /** Takes the place of every plan's quota, but gives no plan the API. */
  readonly monthlyQuotaOverride?: number | null;
}

/** How often the time of a key's last use is written. */
const TOUCH_EVERY_MS = 60_000;

const DIGESTS_MAX = 1000;

export function createAccess({ db, clock, monthlyQuotaOverride, refunds = createRefunds(db) }: AccessDeps) {
  const quotas = quotasOf(monthlyQuotaOverride ?? null);
  const charges = new Charges({ db, clock, refunds });
  const touches = new Pending();
  const digests = new Digests();

  const touchLater = (key: ChargedKey, now: Date): void => {
    if (key.last_used_at !== null && now.getTime() - Date.parse(key.last_used_at) <= TOUCH_EVERY_MS) return;
    touches.add(touchKey(db, key.key_id, now.toISOString(), laterThan(now, -TOUCH_EVERY_MS)));
  };

  return {
    /**
     * Key, plan and monthly quota, in this order; counts the request.
     * @param authorization the header as it was sent
     * @param reading what it will read: found along with the charge where that is quicker
     * @throws ServiceError missing_api_key, invalid_api_key, plan_without_api, monthly_quota_exceeded
     */
    async admit(authorization: string | undefined, reading?: Reading): Promise<Admission> {
      const digest = digests.of(authorization);
      const now = clock.now();
      const month = utcMonth(now);
      const charge = () =>
        charges.take({ digest, month, now: now.toISOString(), ...quotas }, reading).catch(goneMeanwhile);
      let key = await charge();
      if (!key) {
        const refusal = await explainRefusal(db, digest, quotas, now);
        // A plan that was raised between the charge and the look for its reason is not a spent quota.
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
          (refunded ??= charges
            .giveBack({ key_id: key.key_id, month })
            .then((used = key.used - 1) => monthlyLimit(limit, used, now))),
      };
    },
    /** Resolves when the background writes of requests have ended: for the end of the process. */
    async settle(): Promise<void> {
      await Promise.all([touches.settle(), charges.settle()]);
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

/** The headers of late, with the digests of their keys: reading one takes longer than all else of a charge but its commit. */
class Digests {
  readonly #known = new Map<string, string>();

  of(authorization: string | undefined): string {
    const known = this.#known.get(authorization ?? '');
    if (known !== undefined) return known;
    const digest = digestApiKey(readKey(authorization));
    if (this.#known.size >= DIGESTS_MAX) this.#known.clear();
    this.#known.set(authorization ?? '', digest);
    return digest;
  }
}

/** A key that goes with its account between its look-up and its charge is as unknown as a moment later. */
function goneMeanwhile(error: unknown): undefined {
  if (!(error instanceof ParentMissing)) throw error;
}

/** Nothing was charged: the key is unknown, revoked or expired, its plan has no API, or its month is spent. */
async function explainRefusal(db: Database, digest: string, quotas: Quotas, now: Date): Promise<ServiceError> {
  const key = await runOne(db, selectPlanOfKey({ digest, now: now.toISOString() }));
  if (!key) return new ServiceError('invalid_api_key');
  if (!PLANS[key.plan].api) return new ServiceError('plan_without_api');
  return new ServiceError('monthly_quota_exceeded', {
    retryAfterS: secondsToNextUtcMonth(now),
    rateLimit: monthlyLimit(quotas[key.plan], quotas[key.plan], now),
  });
}

/** Off the request's path: it starts after the request's own work. A failure costs only the time shown. */
async function touchKey(db: Database, id: string, now: string, staleBefore: string): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  await db.run(touchApiKey({ id, now, stale_before: staleBefore })).catch(() => undefined);
}
