import type { Database } from '../../store/database.js';
import { defineQuery, joinQueries, type Query } from '../../store/query.js';
import { type Plan, PLANS } from '../accounts/plan.js';

/**
 * Returns the monthly quota of each key of a plan; 0 for a plan without the API.
 * @param override replaces every plan's quota, but gives no plan the API
 */
export function quotaOf(plan: Plan, override: number | null): number {
  return PLANS[plan].api ? (override ?? PLANS[plan].monthlyQuota) : 0;
}

export interface ChargedKey {
  readonly key_id: string;
  readonly account_id: string;
  readonly plan: Plan;
  readonly last_used_at: string | null;
  /** Requests of the month, including this one. */
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
const OWNER = 'FROM api_keys AS k JOIN accounts AS a ON a.id = k.account_id';
const IS_LIVE = 'k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > :now)';

/** Selects the plan of a live key, to explain why a charge was refused. */
export const selectPlanOfKey = defineQuery<{ plan: Plan }, { digest: string; now: string }>((sql, { digest, now }) =>
  sql.raw(`SELECT a.plan ${OWNER} WHERE k.digest = :digest AND ${IS_LIVE}`, { digest, now }),
);

/**
 * Charges `count` requests to the month of a live key, in one statement. Returns a row if the key is known, its plan has the API and enough of
 * its quota was left. Concurrent callers cannot exceed the quota.
 */
export const chargeKey = defineQuery<ChargedKey, ChargeParams & { count: number }>(
  (sql, { digest, month, now, count, override }) =>
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
      { digest, month, now, count, override },
    ),
  { durability: 'process' },
);

export const refundKey = defineQuery<{ used: number }, { key_id: string; month: string }>(
  (sql, { key_id, month }) =>
    sql('key_usage').where({ key_id, month }).where('used', '>', 0).decrement('used', 1).returning('used'),
  { durability: 'process' },
);

/** The current month and the twelve before it. */
export const KEY_USAGE_MONTHS = 13;

/** Data that a request reads after its charge. On PostgreSQL, the statement of the charge reads it. */
export interface BatchedRead {
  /** The result; undefined if the charge did not read it, so the caller must. */
  found?: object | null;
  /** @returns one statement for all of these; column `request_index` of its rows is the index of the read */
  toQuery(reads: readonly BatchedRead[]): Query<{ readonly request_index: number }>;
}

interface Waiting {
  readonly params: ChargeParams;
  readonly read: BatchedRead | undefined;
  readonly resolve: (key: ChargedKey | undefined) => void;
  readonly reject: (error: unknown) => void;
}

type Group = readonly [Waiting, ...Waiting[]];
type GroupedRow = ChargedKey & { readonly request_index?: number | null };

/**
 * Charges the requests that arrive in one turn of the event loop together: one statement for each key. While a key is being charged, its
 * next requests are collected, since they would wait for its row anyway.
 */
export class Charges {
  /** Requests by key and month; while there is an entry, they are being charged. */
  readonly #waiting = new Map<string, Waiting[]>();

  constructor(private readonly db: Database) {}

  /** @returns undefined for an unknown, revoked or expired key, a plan without the API, or a spent quota */
  charge(params: ChargeParams, read?: BatchedRead): Promise<ChargedKey | undefined> {
    return new Promise((resolve, reject) => {
      const name = `${params.digest} ${params.month}`;
      const request = { params, read, resolve, reject };
      const waiting = this.#waiting.get(name);
      if (waiting) {
        waiting.push(request);
        return;
      }
      this.#waiting.set(name, [request]);
      // Waits until all requests of this turn have arrived.
      setImmediate(() => void this.#chargeWaiting(name));
    });
  }

  async #chargeWaiting(name: string): Promise<void> {
    const waiting = this.#waiting.get(name) ?? [];
    for (;;) {
      const [first, ...others] = waiting.splice(0);
      if (!first) break;
      await this.#chargeGroup([first, ...others]);
    }
    this.#waiting.delete(name);
  }

  async #chargeGroup(group: Group): Promise<void> {
    const reads = group.flatMap(({ read }) => read ?? []);
    const [first] = this.db.dialect === 'postgres' ? reads : [];
    const charge: Query<GroupedRow> = chargeQuery(group);
    try {
      await this.#resolveGroup(group, await this.db.run(first ? joinQueries(charge, first.toQuery(reads)) : charge));
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }

  /** If the quota is too small for the whole group, its requests are charged one by one. */
  async #resolveGroup(group: Group, rows: readonly GroupedRow[]): Promise<void> {
    const [row] = rows;
    if (!row && group.length > 1) {
      await Promise.all(group.map((waiting) => this.#chargeGroup([waiting])));
      return;
    }
    let readIndex = 0;
    for (const [index, { read, resolve }] of group.entries()) {
      // On SQLite, each request runs its own read.
      if (row && read && row.request_index !== undefined) {
        read.found = rows.find((found) => found.request_index === readIndex) ?? null;
        readIndex += 1;
      }
      resolve(row && { ...row, used: row.used - group.length + 1 + index });
    }
  }
}

function chargeQuery(group: Group): Query<ChargedKey> {
  // A key that is still live at the latest request is live for all.
  const { params } = group.at(-1) ?? group[0];
  return chargeKey({ ...params, count: group.length });
}
