import { laterThan } from '../../platform/clock.js';
import { defineCleanup } from '../../store/cleanup.js';
import { defineQuery, deleteReturning } from '../../store/query.js';

/** Which run a request means: that of this value of Idempotency-Key, for API key and site. */
export type ClaimName = Record<'key_id' | 'site_id' | 'digest', string>;

/** A claim that its holder has to prove. */
type HeldName = Record<keyof ClaimName | 'lease', string>;

const NAME = ['key_id', 'site_id', 'digest'] as const;

/**
 * Claims a run: a row where nobody has, and where the process that had did not renew its lease. Of several that do so at the same
 * time, one gets the row; the others wait until its transaction ends. A claim that was taken over keeps the day that was charged.
 */
export const takeClaim = defineQuery<
  { day: string; attempts: number },
  Record<keyof HeldName | 'now' | 'day' | 'lease_until', string>
>((sql, { key_id, site_id, digest, now, day, lease, lease_until }) =>
  sql('idempotency_keys')
    .insert({ key_id, site_id, digest, claimed_at: now, day, lease, lease_until, attempts: 1 })
    .onConflict([...NAME])
    .merge({ claimed_at: now, lease, lease_until, attempts: sql.raw('idempotency_keys.attempts + 1') })
    .whereNull('idempotency_keys.number')
    .where('idempotency_keys.lease_until', '<=', now)
    .returning(['day', 'attempts']),
);

/** The number of the run once it is stored. No row: it failed. */
export const selectClaimedRun = defineQuery<{ number: number | null }, ClaimName>((sql, { key_id, site_id, digest }) =>
  sql('idempotency_keys').select('number').where({ key_id, site_id, digest }),
);

export const renewClaim = defineQuery<never, Record<keyof HeldName | 'lease_until', string>>(
  (sql, { key_id, site_id, digest, lease, lease_until }) =>
    sql('idempotency_keys').where({ key_id, site_id, digest, lease }).update({ lease_until }),
  { durability: 'process' },
);

/** Notes the run that was stored: a row unless another process has taken the claim over. */
export const settleClaim = defineQuery<{ number: number }, HeldName & { number: number }>(
  (sql, { key_id, site_id, digest, lease, number }) =>
    sql('idempotency_keys').where({ key_id, site_id, digest, lease }).update({ number }).returning('number'),
);

/** Clears the claim of a run that failed, likewise. */
export const dropClaim = defineQuery<{ attempts: number }, HeldName>((sql, { key_id, site_id, digest, lease }) =>
  deleteReturning(sql, sql('idempotency_keys').where({ key_id, site_id, digest, lease }), 'attempts'),
);

const KEPT_MS = 86_400_000;

/** The latest time of a claim that counts no more. */
export function outdatedAt(now: Date): string {
  return laterThan(now, -KEPT_MS);
}

export const dropOutdatedClaim = defineQuery<never, Record<keyof ClaimName | 'outdated', string>>(
  (sql, { key_id, site_id, digest, outdated }) =>
    sql('idempotency_keys').where({ key_id, site_id, digest }).where('claimed_at', '<=', outdated).delete(),
);

export const cleanUpClaims = defineCleanup<{ outdated: string }>(
  'idempotency_keys',
  NAME,
  (rows, { outdated }) => rows.where('claimed_at', '<=', outdated),
  (now) => ({ outdated: outdatedAt(now) }),
);
