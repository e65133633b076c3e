import { utcMonth } from '../../platform/clock.js';
import { defineCleanup } from '../../store/cleanup.js';
import { type Plan, PLANS } from '../accounts/plan.js';
import { defineQuery } from '../../store/query.js';

/** The monthly quota of each plan; 0 for a plan without the API. */
export type Quotas = Readonly<Record<Plan, number>>;

export interface ChargedKey {
  readonly key_id: string;
  readonly account_id: string;
  readonly plan: Plan;
  readonly last_used_at: string | null;
  /** Requests of the month, this one included. */
  readonly used: number;
}

export type ChargeParams = { digest: string; month: string; now: string } & Quotas;

/** What requests are counted by. */
export interface KeyMonth {
  readonly key_id: string;
  readonly month: string;
}

const PLAN_NAMES = Object.keys(PLANS) as Plan[];
const QUOTA = `CASE a.plan ${PLAN_NAMES.map((plan) => `WHEN '${plan}' THEN CAST(:${plan} AS INTEGER)`).join(' ')} ELSE 0 END`;
/** Placeholders cannot be listed, only asked for by name. */
function valuesOf<V>(params: Readonly<Record<keyof ChargeParams, V>>, more?: Record<string, V>): Record<string, V> {
  const names = ['digest', 'month', 'now', ...PLAN_NAMES] as const;
  return { ...Object.fromEntries(names.map((name) => [name, params[name]])), ...more };
}

const OWNER = 'FROM api_keys AS k JOIN accounts AS a ON a.id = k.account_id';
const IS_LIVE = 'k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > :now)';

/**
 * Finds a live key by its digest and charges so many requests to the month, in one statement: a row when the key is known, its plan has the
 * API and so much of its quota was left. Callers at the same time cannot take more than the quota between them.
 */
export const chargeKey = defineQuery<ChargedKey, ChargeParams & { count: number }>(
  (sql, params) =>
    sql.raw(
      `INSERT INTO key_usage (key_id, month, used)
         SELECT k.id, :month, CAST(:count AS INTEGER) ${OWNER}
          WHERE k.digest = :digest AND ${IS_LIVE} AND ${QUOTA} >= CAST(:count AS INTEGER)
       ON CONFLICT (key_id, month) DO UPDATE SET used = key_usage.used + excluded.used
         WHERE key_usage.used + excluded.used <= (SELECT ${QUOTA} ${OWNER} WHERE k.id = key_usage.key_id)
       RETURNING key_id, used,
         (SELECT account_id FROM api_keys WHERE id = key_usage.key_id) AS account_id,
         (SELECT last_used_at FROM api_keys WHERE id = key_usage.key_id) AS last_used_at,
         (SELECT a.plan ${OWNER} WHERE k.id = key_usage.key_id) AS plan`,
      valuesOf(params, { count: params.count }),
    ),
  { durability: 'process' },
);

/** What {@link chargeKey} would charge, without doing it: `used` is the number of requests before. */
export const selectChargeable = defineQuery<ChargedKey, ChargeParams>((sql, params) =>
  sql.raw(
    `SELECT k.id AS key_id, k.account_id, k.last_used_at, a.plan, COALESCE(u.used, 0) AS used
       ${OWNER} LEFT JOIN key_usage AS u ON u.key_id = k.id AND u.month = :month
      WHERE k.digest = :digest AND ${IS_LIVE} AND ${QUOTA} > 0`,
    valuesOf(params),
  ),
);

/** Charges requests that were admitted before; nothing where the key is gone. */
export const addToMonth = defineQuery<never, { key_id: string; month: string; count: number }>(
  (sql, { key_id, month, count }) =>
    sql.raw(
      `INSERT INTO key_usage (key_id, month, used) SELECT id, :month, CAST(:count AS INTEGER) FROM api_keys WHERE id = :key_id
       ON CONFLICT (key_id, month) DO UPDATE SET used = key_usage.used + excluded.used`,
      { key_id, month, count },
    ),
  { durability: 'process' },
);

/** Gives one request back to the month that it was charged to. */
export const refundKey = defineQuery<{ used: number }, { key_id: string; month: string }>(
  (sql, { key_id, month }) =>
    sql('key_usage').where({ key_id, month }).where('used', '>', 0).decrement('used', 1).returning('used'),
  { durability: 'process' },
);

export const selectKeyUsageToExport = defineQuery<
  { readonly key_id: string; readonly month: string; readonly used: number },
  { account_id: string }
>((sql, { account_id }) =>
  sql('key_usage as u')
    .join('api_keys as k', 'k.id', 'u.key_id')
    .select('u.key_id', 'u.month', 'u.used')
    .where({ 'k.account_id': account_id })
    .orderBy(['u.key_id', 'u.month']),
);

/** How long the number of a key's requests in a month is kept: the month and a year before it, to compare. */
export const KEY_USAGE_KEPT_MONTHS = 13;

export const cleanUpKeyUsage = defineCleanup<{ before_month: string }>(
  'key_usage',
  ['key_id', 'month'],
  (rows, { before_month }) => rows.where('month', '<', before_month),
  (now) => ({ before_month: monthBefore(now, KEY_USAGE_KEPT_MONTHS - 1) }),
);

function monthBefore(now: Date, months: number): string {
  return utcMonth(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1)));
}
